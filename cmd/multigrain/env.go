package main

import (
	"context"
	"io"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
)

// env is what a run needs of its surroundings.
type env struct {
	environ []string  // NAME=value, as os.Environ returns them
	input   io.Reader // the standard input
	cache   string    // the folder for assembled programs and analyses
	// building is called before a program is built, where somebody waits for it; nil otherwise.
	building func()
	// keep writes what a report of a fault needs and returns the path of the file.
	keep func(name, text string) (string, error)
	// watch returns what shows the progress of a request, and what ends that. Show is nil where nobody watches.
	watch func(wire.Request) (show func(wire.Progress), end func())
	// soft is done when results are still wanted, hard when they are not.
	soft, hard context.Context
}

// until says when runs end early: soft is done when results are still wanted, hard when they are not.
func (e *env) until(soft, hard context.Context) { e.soft, e.hard = soft, hard }

// composing is what composing needs.
func (e *env) composing() compose.Env {
	return compose.Env{CacheDir: e.cache, Building: e.building}
}

// tap builds the tap of a system and returns the path of its program. A shipped system is one of this
// project.
func (e *env) tap(from string, shipped bool) (program string, diags hcl.Diagnostics) {
	dir := "."
	if shipped {
		home, bad := compose.Home(e.composing())
		if diags = bad; !bad.HasErrors() {
			dir = home // else this folder's module may have it
		}
	}
	program, more := compose.Tap(e.soft, e.composing(), dir, from)
	if program != "" {
		return program, more
	}
	return "", append(diags, more...)
}

// ask runs a program until it has answered. Sample is told of its progress as well; it may be nil.
func (e *env) ask(program string, req wire.Request, sample func(wire.Progress)) (*wire.Report, error) {
	p := wire.Program{Path: program, Stop: e.soft.Done()}
	show, end := e.watch(req)
	defer end()
	switch {
	case sample == nil:
		p.Progress = show
	case show == nil:
		p.Progress = sample
	default:
		p.Progress = func(at wire.Progress) { sample(at); show(at) }
	}
	return p.Run(e.hard, req)
}

// limits bound an exploration, walks or a comparison. Zero and nil say nothing.
type limits struct {
	workers           int
	timeout           time.Duration
	maxStates, memory int64
	seed              *uint64
	stop              *int
}

// reductions are those that are asked for beside what the manifest says.
type reductions struct{ slice, symmetry, por bool }

// exploring says how a composition is explored.
type exploring struct {
	reductions
	keeping
	strict  bool // what is never enabled or reached is an error
	explain bool // ask which condition decided a violation
	nearest bool // tell of the states that are nearest to a goal
	sample  bool // keep samples of the progress
	// traces is the folder for counterexamples; "" where they are not kept.
	traces string
}

// keeping says what an exploration keeps on disk.
type keeping struct {
	checkpoint, resume, spill string
	interval                  time.Duration
	fingerprint               int // bits
}
