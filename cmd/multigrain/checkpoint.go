package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// keeping are the flags about what an exploration keeps on disk.
type keeping struct {
	checkpoint, resume, spill string
	interval                  time.Duration
	fingerprint               int // bits
}

// defaultInterval is the time between two checkpoints.
const defaultInterval = 10 * time.Minute

// checkpoints declares the flags about what an exploration keeps on disk.
func checkpoints(fs *flag.FlagSet, k *keeping) {
	fs.StringVar(&k.checkpoint, "checkpoint", "", "keep a checkpoint in the folder `DIR`, written now and then and when a limit, Ctrl-C or SIGTERM ends the run")
	fs.Func("checkpoint-interval", "write a checkpoint each `duration`, such as 90s or 10m, which is the default", func(s string) (err error) {
		if k.interval, err = time.ParseDuration(s); err != nil || k.interval <= 0 {
			return errors.New("a positive duration with a unit is wanted, such as 90s or 10m")
		}
		return nil
	})
	fs.StringVar(&k.resume, "resume", "", "go on from the checkpoint in the folder `DIR`, and keep the next ones there")
	fs.Func("fingerprint", "know states by `BITS` of them, 64 or, for more than a billion, 96; the default is 64", func(s string) error {
		if s != "64" && s != "96" {
			return errors.New("64 and 96 are possible")
		}
		k.fingerprint, _ = strconv.Atoi(s)
		return nil
	})
	fs.StringVar(&k.spill, "spill", "", "keep what -mem leaves no room for in the folder `DIR` (default: the system's folder for temporary files)")
}

const aboutCheckpoints = `
A long run keeps a checkpoint with -checkpoint DIR. One that was ended, or killed, goes on with -resume DIR and finds what a
run that was not interrupted finds; sources, bounds and options have to be the same, while workers and limits may differ. A
run that is complete takes its checkpoint away. With -mem the table of fingerprints alone has to fit into memory.
`

// request is what the program is asked about checkpoints; nil for nothing.
func (k *keeping) request(o *outcome, program string, of *wire.Options) *wire.Checkpoint {
	if k.checkpoint == "" && k.resume == "" {
		return nil
	}
	r := &wire.Checkpoint{Folder: k.checkpoint, Interval: k.interval, Resume: k.resume}
	if r.Interval == 0 {
		r.Interval = defaultInterval
	}
	bound := map[string]string{}
	for _, b := range o.comp.Catalog.Bounds {
		bound[b.Const] = b.Name
	}
	for _, name := range slices.Sorted(maps.Keys(o.comp.Constants)) {
		r.Identity = append(r.Identity, wire.Fact{Name: "value of " + cmp.Or(bound[name], name), Value: o.comp.Constants[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(o.comp.Choice.Budgets)) {
		r.Identity = append(r.Identity, wire.Fact{Name: "limit of " + name, Value: fmt.Sprint(o.comp.Choice.Budgets[name])})
	}
	var grains []string
	for _, g := range o.comp.Choice.Grains {
		grains = append(grains, g.Module+" "+g.Grain)
	}
	r.Identity = append(r.Identity,
		wire.Fact{Name: "choice of grains", Value: strings.Join(grains, ", ")},
		wire.Fact{Name: "choice of invariants and constraints", Value: string(o.comp.EncodedChoice())},
		wire.Fact{Name: "choice of variables left out of the state", Value: strings.Join(of.Sliced, ", ")},
		wire.Fact{Name: "choice of symmetry", Value: fmt.Sprint(of.Symmetry != nil)},
		wire.Fact{Name: "choice of partial-order reduction", Value: fmt.Sprint(of.POR != nil)},
		// Its name in the cache is the content of all that it is made of.
		wire.Fact{Name: "program, since sources or this command have changed", Value: "program " + filepath.Base(program) + " of " + o.comp.Catalog.System})
	return r
}

// unkept warns of a checkpoint that could not be written.
func unkept(r *wire.Report) hcl.Diagnostics {
	c := r.Checkpoint
	if c == nil || c.Failure == "" {
		return nil
	}
	last := "No checkpoint is there"
	if c.Distinct > 0 {
		last = fmt.Sprintf("The one before it, of %s, is there still", words.Plural(c.Distinct, "distinct state"))
	} else if c.Resumed > 0 {
		last = "The one that the run went on from is there still"
	}
	return hcl.Diagnostics{configs.Warnf(codes.CheckpointWrite, "Checkpoint cannot be written", hcl.Range{},
		"%s: %s. %s. Make room, or name another folder with -checkpoint.", c.Folder, c.Failure, last)}
}
