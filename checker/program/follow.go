package program

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/wire"
)

// follow adds to the options that walks go on after a difference, and returns which invariants are
// judged there: those that read only variables which the adapter observes. Nil: nothing is asked.
func (x *conformer[S, U]) follow(asked *wire.Follow, f *wire.Footprints, opt *conform.Options) *wire.Followed {
	if asked == nil {
		return nil
	}
	out := &wire.Followed{Violations: []wire.Broken{}, Unjudged: []wire.Unjudged{}, Judged: []string{}, Ran: []wire.RanPlace{}}
	opt.Follow = &conform.Follow{Changed: x.changed, Least: asked.Least}
	for _, d := range asked.Shared {
		opt.Follow.Shared = append(opt.Follow.Shared, conform.Departure(d))
	}
	opt.Follow.Judges = func(observed []string) (mask uint64) {
		for k, p := range x.c.Bound.Invariants {
			if v := unobserved(p, f, observed); v != "" {
				out.Unjudged = append(out.Unjudged, wire.Unjudged{Invariant: p.Name(), Variable: v})
				continue
			}
			mask |= 1 << k
			out.Judged = append(out.Judged, p.Name())
		}
		return mask
	}
	return out
}

// unobserved returns a variable that a property reads and the adapter does not observe; "" where it
// observes all.
func unobserved(p checker.Property, f *wire.Footprints, observed []string) string {
	if f == nil {
		return "?"
	}
	for _, seen := range f.Seen {
		if seen.Name != p.ID && seen.Name != p.Name() {
			continue
		}
		for _, a := range seen.Reads() {
			if name := fieldOf(a.Variable); !slices.Contains(observed, name) {
				return a.Variable
			}
		}
		return ""
	}
	return "?"
}

// fieldOf returns the field of the State that a variable is, or is a part of.
func fieldOf(variable string) string {
	if k := strings.IndexAny(variable, ".#"); k >= 0 {
		return variable[:k]
	}
	return variable
}

// followed fills in what the walks showed.
func (x *conformer[S, U]) followed(out *wire.Followed, res *conform.Result[checker.Node[S, U]], opt *conform.Options) {
	out.Departed = res.Departed
	for k := range res.Violations {
		v := &res.Violations[k]
		p := checker.Property{ID: string(conform.Panic), Kind: string(conform.Panic), Doc: v.Message}
		if v.Invariant >= 0 {
			p = x.c.Bound.Invariants[v.Invariant]
		}
		out.Violations = append(out.Violations, wire.Broken{
			Invariant: p.Name(), Kind: p.Kind, Doc: p.Doc, Trace: trace(x.c.Bound, &v.Trace), Departed: v.Departed, Walk: v.Walk, Length: v.Length,
			Minimal: v.Minimal, Count: v.Count, Log: v.Log, Frames: v.Frames,
		})
	}
	if c := opt.Follow.Changed; c != nil {
		for k := range c.Points {
			out.Ran = append(out.Ran, wire.RanPlace{False: c.Taken[2*k] != 0, True: c.Taken[2*k+1] != 0})
		}
	}
}
