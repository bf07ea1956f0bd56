package changes

import (
	"slices"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
)

// What it computes. What the changed lines of compiled code write that outlives a call, and which
// of these lines do all as before. The adapter knows both from the classes of the two sides: what
// it observes is its own matter.
//
// Why it is right. See package zab/zookeeper/effects for Java. Both sides are compiled by one
// compiler, so that equal sources give equal instructions. Where the change was compiled by others,
// the code before it is compiled here, and a difference of the compilers names more, not less.

// writtenCoded asks what the changed lines write. It notes it, marks the places whose steps are as
// before, and returns the places that the adapter does not observe.
func (o *observer) writtenCoded() (parts []string) {
	asked := &wire.Sides{After: o.coded.after, Before: o.coded.before, Lines: []wire.SideLine{}, Compared: o.out.Compared}
	if asked.Before == "" && len(o.sides.CompiledBefore) > 0 {
		built, why := o.compiled(o.sides.Before, o.sides.CompiledBefore)
		switch {
		case built == nil || built.Lacks != "":
			if built != nil {
				why = built.Lacks
			}
			return []string{"what the changed lines write is not known, since the code before the change cannot be compiled: " + why}
		case len(built.Errors) > 0:
			return []string{"what the changed lines write is not known, since the code before the change does not compile: " + messageText(built.Errors[0])}
		}
		asked.Before = built.Path
	}
	for file, lines := range o.sides.Lines {
		for _, l := range lines {
			asked.Lines = append(asked.Lines, wire.SideLine{File: file, Number: l.Number, Gap: l.Removed})
		}
	}
	for file, lines := range o.sides.Gone {
		for _, n := range lines {
			asked.Lines = append(asked.Lines, wire.SideLine{File: file, Number: n, Before: true})
		}
	}
	req := o.run.Exploration(session.Limits{Workers: 1}, false)
	req.Options.Conform = &wire.Conform{Sides: asked}
	rep, why := o.run.AskCode(o.x.impl, o.code.Program, req, session.NoTraces)
	if rep == nil || rep.Conformance == nil || rep.Conformance.Written == nil {
		return []string{"what the changed lines write is not known: " + why}
	}
	found := rep.Conformance.Written
	if found.Lacks != "" {
		return []string{"what the changed lines write is not known: " + found.Lacks}
	}
	for k := range o.out.Places {
		p := &o.out.Places[k]
		p.Same = slices.ContainsFunc(found.Same, func(l wire.SideLine) bool { return l.File == p.File && l.Number == p.Line && l.Gap == o.isGap(p) })
	}
	for _, w := range found.Writes {
		of := result.Written{File: w.File, Line: w.Number, Removed: w.Before, Place: w.Place, Changes: w.Changes, Observed: w.Observed}
		o.out.Written = append(o.out.Written, of)
		if text := of.String(); !w.Observed && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return parts
}

// isGap reports whether a place stands for lines that are gone before it.
func (o *observer) isGap(p *result.RanPlace) bool {
	return slices.ContainsFunc(o.coded.lines, func(l wire.CodeLine) bool { return l.File == p.File && l.Number == p.Line && l.Removed })
}
