package session

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
)

// Env holds the surroundings of a run.
type Env struct {
	Environ []string  // NAME=value, as os.Environ returns them
	Input   io.Reader // the standard input
	Cache   string    // the folder for assembled programs and analyses
	// Building is called before a program is built, where somebody waits for it; nil
	// otherwise.
	Building func()
	// Keep writes what a report of a fault needs and returns the path of the file.
	Keep func(name, text string) (string, error)
	// Watch returns what shows the progress of a request, and what ends that. Show is nil
	// where nobody watches.
	Watch func(wire.Request) (show func(wire.Progress), end func())
	// Engine runs a search in parts; nil: one program searches alone.
	Engine Engine
	// Soft is done when a run should end with results, Hard when it should end without.
	Soft, Hard context.Context
}

// Engine runs a program of a search in parts. It is as wire.Program.Run. When stop is closed, the
// search ends early with results.
type Engine interface {
	Run(ctx context.Context, stop <-chan struct{}, program string, req wire.Request, show func(wire.Progress)) (*wire.Report, error)
}

// Until says when runs end early: soft is done when a run should end with results, hard when it
// should end without.
func (e *Env) Until(soft, hard context.Context) { e.Soft, e.Hard = soft, hard }

// Reading returns a context for reading what is named. It is done at an interrupt, or after the
// time limit; 0 is no limit. Its cause says which.
func (e *Env) Reading(limit time.Duration, what string) (context.Context, context.CancelFunc) {
	asked, stop := context.WithCancelCause(context.Background())
	unwatch := context.AfterFunc(e.Soft, func() { stop(fmt.Errorf("interrupted while %s was read", what)) })
	end := func() { unwatch(); stop(nil) }
	if limit <= 0 {
		return asked, end
	}
	timed, cancel := context.WithTimeoutCause(asked, limit, fmt.Errorf("the time limit of %s is reached while %s is read", limit, what))
	return timed, func() { cancel(); end() }
}

// Composing returns the settings that package compose needs.
func (e *Env) Composing() compose.Env {
	return compose.Env{CacheDir: e.Cache, Building: e.Building}
}

// ask runs a program until it has answered. Sample gets its progress as well; it may be nil.
func (e *Env) ask(program string, req wire.Request, sample func(wire.Progress)) (*wire.Report, error) {
	p := wire.Program{Path: program, Stop: e.Soft.Done()}
	show, end := e.Watch(req)
	defer end()
	switch {
	case sample == nil:
		p.Progress = show
	case show == nil:
		p.Progress = sample
	default:
		p.Progress = func(at wire.Progress) { sample(at); show(at) }
	}
	if e.Engine != nil && inParts(&req) {
		req.Options.Progress = p.Progress != nil
		return e.Engine.Run(e.Hard, p.Stop, program, req, p.Progress)
	}
	return p.Run(e.Hard, req)
}

// Limits bound an exploration, walks or a comparison. Zero and nil say nothing.
type Limits struct {
	Workers           int
	Timeout           time.Duration
	Processor         time.Duration // of the program, by walks only
	MaxStates, Memory int64
	Seed              *uint64
	Stop              *int
	// Closure asks for communication closure as a property.
	Closure *wire.Closure
}

// Reductions are those that flags ask for in addition to the manifest.
type Reductions struct{ Slice, Symmetry, Por bool }

// Exploring says how a composition is explored.
type Exploring struct {
	Reductions
	Keeping
	Strict  bool // what is never enabled or reached is an error
	Explain bool // ask which condition decided a violation
	Nearest bool // tell of the states that are nearest to a goal
	Sample  bool // keep samples of the progress
	Traces  Traces
}

// Keeping says what an exploration keeps on disk.
type Keeping struct {
	Checkpoint, Resume, Spill string
	Interval                  time.Duration
	Fingerprint               int // bits
}
