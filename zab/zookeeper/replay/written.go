//go:build !multigrain_runtime

package replay

import (
	"context"
	"slices"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/effects"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/observes"
)

// written says what changed lines write that outlives a call, and what of it the driver observes.
func written(_ context.Context, setup conform.Setup, s conform.Sides) (*conform.Written, error) {
	set, err := settingsOf(setup.Settings)
	if err != nil {
		return nil, err
	}
	jars, err := control.Find(set.places, setup.Version)
	if err != nil {
		return nil, err
	}
	own := observes.Own(jars.Path) // in other classes nothing is followed
	by := observes.Of(s.Compared)
	before, err := effects.Load(by, append([]string{s.Before}, own...)...)
	if err != nil {
		return nil, err
	}
	after, err := effects.Load(by, append([]string{s.After}, own...)...)
	if err != nil {
		return nil, err
	}
	if s.Inert {
		var files []string
		for _, l := range s.Lines {
			files = append(files, l.File)
		}
		slices.Sort(files)
		inert, rests := effects.Inert(before, after, slices.Compact(files))
		return &conform.Written{Inert: inert, Rests: rests}, nil
	}
	was, is := effects.Changed{Lines: map[string][]int{}}, effects.Changed{Lines: map[string][]int{}, Gaps: map[string][]int{}}
	for _, l := range s.Lines {
		switch {
		case l.Before:
			was.Lines[l.File] = append(was.Lines[l.File], l.Number)
		case l.Gap:
			is.Gaps[l.File] = append(is.Gaps[l.File], l.Number)
		default:
			is.Lines[l.File] = append(is.Lines[l.File], l.Number)
		}
	}
	found := effects.Compare(before, after, was, is)
	out := &conform.Written{Rests: found.Rests}
	for _, w := range found.Writes {
		out.Writes = append(out.Writes, conform.LineWrite{SideLine: conform.SideLine{File: w.File, Number: w.Number, Before: w.Removed},
			Function: w.Function, Place: w.Place, Changes: w.Changes, Observed: w.Observed})
	}
	for _, l := range found.Same {
		out.Same = append(out.Same, conform.SideLine{File: l.File, Number: l.Number})
	}
	for _, l := range found.Gaps {
		out.Same = append(out.Same, conform.SideLine{File: l.File, Number: l.Number, Gap: true})
	}
	return out, nil
}
