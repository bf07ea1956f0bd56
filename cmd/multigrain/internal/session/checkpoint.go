package session

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// defaultInterval is the time between two checkpoints.
const defaultInterval = 10 * time.Minute

// request returns the checkpoints that the program is asked for; nil for none, and for a cache that
// cannot keep the key of checkpoints, which is reported.
func (k *Keeping) request(r *Run, program string, of *wire.Options) *wire.Checkpoint {
	if k.Checkpoint == "" && k.Resume == "" {
		return nil
	}
	key, err := r.Env.Composing().Secret()
	if err != nil {
		r.Add(r.Env.Composing().CacheError(err))
		return nil
	}
	rep := &wire.Checkpoint{Folder: k.Checkpoint, Interval: k.Interval, Resume: k.Resume, Key: key}
	if rep.Interval == 0 {
		rep.Interval = defaultInterval
	}
	bound := map[string]string{}
	for _, b := range r.Composition.Catalog.Bounds {
		bound[b.Const] = b.Name
	}
	for _, name := range slices.Sorted(maps.Keys(r.Composition.Constants)) {
		rep.Identity = append(rep.Identity, wire.Fact{Name: "value of " + cmp.Or(bound[name], name), Value: r.Composition.Constants[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Composition.Choice.Budgets)) {
		rep.Identity = append(rep.Identity, wire.Fact{Name: "limit of " + name, Value: fmt.Sprint(r.Composition.Choice.Budgets[name])})
	}
	var grains []string
	for _, g := range r.Composition.Choice.Grains {
		grains = append(grains, g.Module+" "+g.Grain)
	}
	rep.Identity = append(rep.Identity,
		wire.Fact{Name: "choice of grains", Value: strings.Join(grains, ", ")},
		wire.Fact{Name: "choice of invariants and constraints", Value: string(r.Composition.EncodedChoice())},
		wire.Fact{Name: "choice of variables left out of the state", Value: strings.Join(of.Sliced, ", ")},
		wire.Fact{Name: "choice of symmetry", Value: fmt.Sprint(of.Symmetry != nil)},
		wire.Fact{Name: "choice of partial-order reduction", Value: fmt.Sprint(of.POR != nil)},
		// Its name in the cache is the content of all that it is made of.
		wire.Fact{Name: "program, since sources or this command have changed", Value: "program " + filepath.Base(program) + " of " + r.Composition.Catalog.System})
	return rep
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
		last = "The one that the run continued is there still"
	}
	return hcl.Diagnostics{configs.Warnf(codes.CheckpointWrite, "Checkpoint cannot be written", hcl.Range{},
		"%s: %s. %s. Make room, or name another folder with -checkpoint.", c.Folder, c.Failure, last)}
}
