package changes

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/setting"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/interaction/change"
	"github.com/multigrain/multigrain/interaction/change/effects"
)

// unobserved says which places the changed lines write that outlive a call and that the adapter
// does not observe; nil for none. Removed lines count by what they wrote.
func (o *observer) unobserved() (parts []string) {
	now := map[string][]int{}
	for file, lines := range o.lines() {
		for _, l := range lines {
			if !l.Removed {
				now[file] = append(now[file], l.Number)
			}
		}
	}
	if len(now)+len(o.sides.Gone) == 0 {
		return nil
	}
	after, before, err := o.programs()
	if err != nil {
		return append(parts, "what the changed lines write cannot be analysed: "+err.Error())
	}
	note := func(all []effects.Write, gone bool) {
		for _, w := range all {
			if !o.changed(w.Function) {
				continue
			}
			o.out.Written = append(o.out.Written, result.Written{File: w.File, Line: w.Line, Removed: gone, Place: w.Place, Observed: w.Observed})
			text := w.String()
			if gone {
				text = "before the change " + text
			}
			if !w.Observed && !slices.Contains(parts, text) {
				parts = append(parts, text)
			}
		}
	}
	note(after.Writes(now, before, o.sides.Gone), false)
	note(before.Writes(o.sides.Gone, after, now), true)
	return parts
}

// lost names the fields that the adapter finds by name before the change and not after it, with the
// adapter's lines; "" for none.
func (o *observer) lost() string {
	after, before, err := o.programs()
	if err != nil {
		return ""
	}
	names := after.Lost(before)
	if len(names) == 0 {
		return ""
	}
	for k, n := range names {
		file, rest, _ := strings.Cut(n, ".go:")
		names[k] = words.ShortPath(file+".go") + ":" + rest
	}
	return "; " + words.ListFew(names) + ": adapt the adapter"
}

// programs reads the code on both sides with the adapter, at once.
func (o *observer) programs() (after, before *effects.Program, err error) {
	var sources [2]effects.Source
	for k, dir := range []string{o.sides.After, o.sides.Before} {
		view, diags := o.run.Composition.ViewCode(o.x.impl, dir)
		if diags.HasErrors() {
			return nil, nil, errors.New(firstError(diags))
		}
		sources[k] = effects.Source{Renamed: map[string]string{}, Modelled: o.x.how.Places.Models, Dir: view.Dir, Environ: view.Environ, Overlay: view.Overlay, Root: dir, Module: view.Module, Adapter: view.Adapter, Compared: o.out.Compared}
	}
	for n, to := range o.x.renamed {
		sources[0].Renamed[n.Package+"."+n.Name] = to
	}
	done := make(chan error, 1)
	go func() {
		var err error
		before, err = effects.Load(sources[1])
		done <- err
	}()
	after, err = effects.Load(sources[0])
	return after, before, cmp.Or(err, <-done)
}

// settings returns the settings of a program with the changed code: it has the names that fields
// got.
func (x *Changed) settings(all map[string]string) map[string]string {
	out := maps.Clone(all)
	for n, to := range x.renamed {
		if out == nil {
			out = map[string]string{}
		}
		out[setting.FieldKey(n.Package, n.Name)] = to
	}
	return out
}

// changed reports whether a function is one that changed in more than comments and layout.
func (o *observer) changed(function string) bool {
	is := func(d result.Declaration) bool {
		return (d.Kind == string(change.Function) || d.Kind == string(change.Method)) && d.Name == function
	}
	return slices.ContainsFunc(o.x.Trails, func(t result.Trail) bool { return is(t.Declaration) }) ||
		slices.ContainsFunc(o.x.Unmodelled, func(u result.Unmodelled) bool { return is(u.Declaration) })
}

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
	if o.run.Env.Soft.Err() != nil {
		return nil // the interrupt is the reason
	}
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
	o.coded.compared = true
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
