package changes

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/setting"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/interaction/change"
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
	same := o.onlyLogs(after, before)
	for _, g := range o.x.grown {
		if after.Apart(g.Type, g.Fields) {
			o.widened = append(o.widened, g.Name)
		}
	}
	var writes []change.Write
	note := func(all []change.Write, gone bool) {
		for _, w := range all {
			if o.changed(w.Function) && !same[w.Function] {
				writes = append(writes, w)
				o.out.Written = append(o.out.Written, result.Written{File: w.File, Line: w.Line, Removed: gone, Place: w.Place, Changes: w.Changes, Observed: w.Observed})
			}
		}
	}
	note(after.Writes(now, before, o.sides.Gone), false)
	note(before.Writes(o.sides.Gone, after, now), true)
	o.compareHeld(writes)
	return result.NotObserved(o.out.Written)
}

// onlyLogs returns the changed functions that differ in what they log alone, for what the adapter
// observes. It marks their places: whether these ran decides nothing.
func (o *observer) onlyLogs(after, before *change.Effects) map[string]bool {
	out := map[string]bool{}
	note := func(d result.Declaration) {
		if (d.Kind != string(change.Function) && d.Kind != string(change.Method)) || d.How != string(change.Changed) {
			return
		}
		for _, name := range append(after.Rests(d.Name), before.Rests(d.Name)...) {
			if text := name + " is never set"; !slices.Contains(o.out.Rests, text) {
				o.out.Rests = append(o.out.Rests, text)
			}
		}
		if !after.OnlyLogs(before, d.Name) {
			return
		}
		out[d.Name] = true
		for k := range o.out.Places {
			if p := &o.out.Places[k]; p.File == d.File && p.Line >= d.Line && p.Line <= d.Last {
				p.Same = true
			}
		}
	}
	for _, t := range o.x.Trails {
		note(t.Declaration)
	}
	for _, u := range o.x.Unmodelled {
		note(u.Declaration)
	}
	return out
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
func (o *observer) programs() (after, before *change.Effects, err error) {
	var sources [2]change.EffectsOf
	for k, dir := range []string{o.sides.After, o.sides.Before} {
		if sources[k], err = o.program(dir); err != nil {
			return nil, nil, err
		}
	}
	for n, to := range o.x.renamed {
		sources[0].Renamed[n.Package+"."+n.Name] = to
	}
	done := make(chan error, 1)
	go func() {
		var err error
		before, err = change.LoadEffects(sources[1])
		done <- err
	}()
	after, err = change.LoadEffects(sources[0])
	return after, before, cmp.Or(err, <-done)
}

// program says where the code in a folder is read with the adapter.
func (o *observer) program(dir string) (of change.EffectsOf, err error) {
	view, diags := o.run.Composition.ViewCode(o.x.impl, sideIn(dir))
	if diags.HasErrors() {
		return of, errors.New(firstError(diags))
	}
	of = change.EffectsOf{Renamed: map[string]string{}, Modelled: o.x.how.Places.Models, Dir: view.Dir, Environ: view.Environ, Overlay: view.Overlay, Root: view.Root, Module: view.Module, Adapter: view.Adapter, Compared: o.out.Compared, Absent: o.x.how.Absent}
	if view.Own {
		of.Packages, of.Spec = o.x.how.Packages, view.Spec
	}
	return of, nil
}

// sideIn returns the code of a side in a folder, for a program.
func sideIn(dir string) compose.Code {
	return compose.Code{Dir: dir, Files: func(m compose.CodeModule) (map[string][]byte, error) { return change.Overlay(m.Dir, dir, m.Apart) }}
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

// What it computes. Which places that changed lines write, and that no variable stands for, have
// the same contents as before the change. The code on both sides takes the same walks. After each
// step, all fields of the objects that the adapter holds are compared.
//
// Why it is right. Walks draw from their numbers alone, and both sides follow the specification, so
// they take the same steps. What a changed line writes is in memory after the step, and a field has
// one place in both programs. Other places depend on memory and on code that did not change, as the
// result of a function that calls no changed code. Only walks in which all of the changed code ran
// count. A field that differs between two runs of the code before the change, such as a random
// time-out, is not compared.
//
// What it does not see. What outlives a call in function values, channels, package variables or
// other packages. Such places stay named. See also package checker/internal/held.
//
// What it costs. A program with the code before the change, and walks on both sides with a sum of
// all objects after each step, about 0.2 ms for a server of etcd's library.

// Bounds of walks whose contents are compared, of all compositions that decide something and have
// the sizes of the manifest.
const (
	heldWalks = 150
	leastHeld = 40 // in each of them
	// heldTime is the least time for each side, also when the budget is used up. It is far more
	// than these walks need, so that their number ends them, and not the load of the machine.
	heldTime = time.Minute
)

// compareHeld marks the writes whose places are equal on both sides. Writes are those of
// o.out.Written, in order.
func (o *observer) compareHeld(writes []change.Write) {
	open := func(w *change.Write) bool { return !w.Observed && (w.Held.Field != "" || w.Held.All) }
	if !slices.ContainsFunc(writes, func(w change.Write) bool { return open(&w) }) || len(o.out.Shared) > 0 || len(o.uncovered()) > 0 {
		return
	}
	held, fields := o.held()
	if o.out.Held = held; held == nil || held.Reason != "" {
		return
	}
	for k := range writes {
		w := &writes[k]
		h := &w.Held
		switch {
		case !open(w):
		case h.All:
			o.out.Written[k].Equal = len(held.Differ) == 0
		default:
			there := h.In(fields)
			o.out.Written[k].Differs = slices.ContainsFunc(there, func(f string) bool { return slices.Contains(held.Differ, f) })
			o.out.Written[k].Equal = len(there) == 0 && len(held.Differ) == 0 || len(there) > 0 && !slices.ContainsFunc(there, held.Unlike)
		}
	}
}

// decisive returns the compositions whose contents are compared: those that decide something, with
// the sizes of the manifest.
func (o *observer) decisive() (out []*pass) {
	for _, p := range o.done {
		if p.doc.Reason == "" && !p.sized {
			out = append(out, p)
		}
	}
	return out
}

// held takes the walks. It returns the fields that objects had. Nil: the adapter names no objects.
func (o *observer) held() (*result.Held, []string) {
	out, ran := &result.Held{Differ: []string{}, Random: []string{}}, make([]wire.RanPlace, len(o.out.Places))
	fields, differs, random := map[string]bool{}, map[string]bool{}, map[string]bool{}
	present := o.pass
	defer func() { o.pass = present }()
	for _, o.pass = range o.decisive() {
		after, why := o.heldOn(o.code)
		if why == "" && after.Held == nil {
			return nil, nil
		}
		var before heldBefore
		if why == "" {
			before, why = o.heldBase()
		}
		if why == "" && (before.Walks != after.Traces || before.Steps != after.Steps) {
			why = "walks are not the same on both sides"
		}
		if out.Reason = why; why != "" {
			return out, nil
		}
		out.Walks, out.Steps = out.Walks+after.Traces, out.Steps+after.Steps
		for k := range ran {
			ran[k].False, ran[k].True = ran[k].False || after.Followed.Ran[k].False, ran[k].True || after.Followed.Ran[k].True
		}
		for _, f := range differing(after.Held, before.Held) {
			differs[f] = true
		}
		for _, f := range before.Random {
			random[f] = true
		}
		for _, sums := range []map[string]uint64{after.Held, before.Held} {
			for f := range sums {
				fields[f] = true
			}
		}
	}
	if out.Walks == 0 {
		out.Reason = "no composition decides something with the sizes of the manifest"
		return out, nil
	}
	for k := range ran {
		if p := &o.out.Places[k]; p.False && !ran[k].False || p.True && !ran[k].True {
			missing := *p
			missing.False, missing.True = ran[k].False, ran[k].True
			out.Reason = "in these walks " + missing.Missing()
			return out, nil
		}
	}
	maps.DeleteFunc(differs, func(f string, _ bool) bool { return random[f] })
	out.Fields, out.Differ, out.Random = len(fields), sorted(differs), sorted(random)
	return out, sorted(fields)
}

// heldBefore has the sums of the code before the change. A file of the cache keeps it: see base.go.
type heldBefore struct {
	Walks  int64             `json:"walks"`
	Steps  int64             `json:"steps"`
	Held   map[string]uint64 `json:"held"`
	Random []string          `json:"random"` // fields that differ when walks are taken once more
}

// heldBase returns the sums of the code before the change.
func (o *observer) heldBase() (out heldBefore, why string) {
	req, ok := o.heldRequest()
	if !ok {
		return out, "the walks cannot be asked for"
	}
	env, key := compose.Env{CacheDir: o.run.Env.Cache}, o.baseKey(req)
	if value := env.Load(baseFolder, key); value != nil && json.Unmarshal(value, &out) == nil && out.Held != nil {
		return out, ""
	}
	if why = o.buildBase(); why != "" {
		return out, why
	}
	first, why := o.heldOn(o.base)
	if why != "" {
		return out, "before the change " + why
	}
	again, why := o.heldOn(o.base)
	if why != "" {
		return out, "before the change " + why
	}
	out = heldBefore{first.Traces, first.Steps, first.Held, differing(first.Held, again.Held)}
	if value, err := json.Marshal(out); err == nil {
		env.Save(baseFolder, key, value)
	}
	return out, ""
}

// heldEach returns how many walks each composition has.
func (o *observer) heldEach() int64 {
	return max(heldWalks/int64(max(len(o.decisive()), 1)), leastHeld)
}

// heldRequest asks for walks whose contents are summed up, with the settings of the changed code.
func (o *observer) heldRequest() (wire.Request, bool) {
	req, ok := o.request(nil, manner{plain: o.heldEach()})
	if ok {
		// The limits are no part of the key.
		req.Options.Conform.Held, req.Options.Timeout, req.Options.Conform.Most = true, 0, 0
	}
	return req, ok
}

// differing returns the fields whose sums differ, or that only one side has.
func differing(a, b map[string]uint64) (out []string) {
	for f, sum := range a {
		if other, ok := b[f]; !ok || other != sum {
			out = append(out, f)
		}
	}
	for f := range b {
		if _, ok := a[f]; !ok {
			out = append(out, f)
		}
	}
	return out
}

func sorted(names map[string]bool) []string {
	return append([]string{}, slices.Sorted(maps.Keys(names))...)
}

// heldOn takes walks with a program of the present composition. A difference is the change's own.
func (o *observer) heldOn(code *compose.Built) (*wire.Conformance, string) {
	req, ok := o.heldRequest()
	if !ok {
		return nil, "the walks cannot be asked for"
	}
	req.Options.Timeout, req.Options.Conform.Most = max(o.left(), heldTime), max(o.wall(), mostWaits*heldTime)
	req.Settings = code.Settings
	start := host.Now()
	rep, why := o.run.AskCode(o.impl, code.Program, req, session.NoTraces)
	o.spend(start, rep)
	switch {
	case rep == nil || rep.Conformance == nil || rep.Conformance.Followed == nil:
		return nil, "the walks came to no end: " + why
	case rep.Conformance.Traces < o.heldEach() && len(rep.Conformance.Found) == 0:
		return nil, "the time ended before " + words.Plural(o.heldEach(), "walk")
	case len(rep.Conformance.Found) > 0:
		if code == o.code {
			o.took(rep)
			o.compare(rep)
		}
		return nil, "a walk departs from the specification"
	}
	return rep.Conformance, ""
}

// What it computes. What the changed lines of compiled code write that outlives a call, and which
// of these lines do all as before. The adapter knows both from the classes of the two sides: what
// it observes is its own matter.
//
// Why it is right. See package zab/zookeeper/internal/effects for Java. Both sides are compiled by
// one compiler, so that equal sources give equal instructions. Where the change was compiled by
// others, the code before it is compiled here, and a difference of the compilers names more, not
// less.

// writtenCoded asks what the changed lines write. It notes it, marks the places whose steps are as
// before, and returns the places that the adapter does not observe.
func (o *observer) writtenCoded() (parts []string) {
	if o.run.Env.Soft.Err() != nil {
		return nil // the interrupt is the reason
	}
	found, why := o.askWritten(&wire.Sides{Compared: o.out.Compared})
	if found == nil {
		return []string{"what the changed lines write is not known" + why}
	}
	o.coded.written, o.out.Rests = true, found.Rests
	for k := range o.out.Places {
		p := &o.out.Places[k]
		p.Same = slices.ContainsFunc(found.Same, func(l wire.SideLine) bool { return l.File == p.File && l.Number == p.Line && l.Gap == o.isGap(p) })
	}
	for _, w := range found.Writes {
		of := result.Written{File: w.File, Line: w.Number, Removed: w.Before, Place: w.Place, Changes: w.Changes, Observed: w.Observed}
		o.out.Written = append(o.out.Written, of)
	}
	return result.NotObserved(o.out.Written)
}

// askWritten asks what the changed lines do. If that is not known, why follows a comma or a colon.
func (o *observer) askWritten(asked *wire.Sides) (found *wire.Written, why string) {
	asked.After, asked.Before, asked.Lines = o.coded.after, o.coded.before, []wire.SideLine{}
	if asked.Before == "" && len(o.sides.CompiledBefore) > 0 {
		built, why := o.compiled(o.sides.Before, o.sides.CompiledBefore)
		switch {
		case built == nil || built.Lacks != "":
			if built != nil {
				why = built.Lacks
			}
			return nil, ", since the code before the change cannot be compiled: " + why
		case len(built.Errors) > 0:
			return nil, ", since the code before the change does not compile: " + messageText(built.Errors[0])
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
	switch {
	case rep == nil || rep.Conformance == nil || rep.Conformance.Written == nil:
		return nil, ": " + why
	case rep.Conformance.Written.Lacks != "":
		return nil, ": " + rep.Conformance.Written.Lacks
	}
	return rep.Conformance.Written, ""
}

// What it computes. Which changed files of compiled code cannot matter, before a composition is
// chosen and walks are taken. For Go the package interaction/change does so when it reads a change.
//
// Why it is right. Nothing that runs can notice a change of a file whose classes do all as before:
// see package zab/zookeeper/internal/effects, file inert.go. Annotations have no instructions, so
// changed lines must have none. A file that is new, gone or renamed is left.
//
// What it costs. One compilation of both sides, which the walks need anyway.

// Inert takes what cannot matter out of what the change touches, and lists it as ignored. It
// compiles the changed code, and runs none of it.
func (x *Changed) Inert(base *session.Run, by Walking) {
	switch {
	case !x.Runnable() || x.impl.Driver.IsSet() || len(x.Trails)+len(x.Unmodelled) == 0:
	case x.Coded():
		x.inertFiles(base, by)
	case len(x.uncalled) > 0:
		x.missed(base, by)
	}
}

// missed takes out functions that are gone and that neither the code that is left nor the adapter
// called. The adapter compiles without them.
func (x *Changed) missed(base *session.Run, by Walking) {
	o := x.observer(base, by)
	if o.first.Composition == nil {
		return
	}
	o.pass = &pass{run: o.first}
	if !o.write() {
		return // Observe says why
	}
	of, err := o.program(o.sides.After)
	if err != nil {
		return
	}
	after, err := change.LoadEffects(of)
	for _, u := range x.uncalled {
		gone := func(d result.Unmodelled) bool {
			return d.Name == u.Name && d.File == u.File && d.How == string(change.Removed) && d.Policy != string(change.Fail)
		}
		if k := slices.IndexFunc(x.Unmodelled, gone); err != nil && k >= 0 {
			x.Unmodelled[k].Reason += "; with the adapter, " + err.Error()
		}
		if err == nil && slices.ContainsFunc(x.Unmodelled, gone) && after.Lacks(u.Name[strings.LastIndexByte(u.Name, '.')+1:], u.Method) {
			x.Unmodelled = slices.DeleteFunc(x.Unmodelled, gone)
			x.Ignored = append(x.Ignored, result.Ignored{File: u.File, Reason: u.Name + " is removed, and neither the code nor the adapter calls it"})
		}
	}
}

// inertFiles is Inert for compiled code.
func (x *Changed) inertFiles(base *session.Run, by Walking) {
	o := x.observer(base, by)
	if o.first.Composition == nil || !o.prepared(o.first) {
		x.Observed = nil // Observe says why
		return
	}
	x.Observed, x.ready = nil, o
	found, _ := o.askWritten(&wire.Sides{Compared: []string{}, Inert: true})
	if found == nil {
		return
	}
	for _, file := range found.Inert {
		if o.inert(file) {
			x.ignore(file, strings.Join(append([]string{"its compiled classes do all as before, apart from logs"}, found.Rests...), "; "))
		}
	}
}

// inert reports whether a file is there on both sides, and no changed line has an annotation.
func (o *observer) inert(file string) bool {
	var now []int
	for _, l := range o.sides.Lines[file] {
		if !l.Removed {
			now = append(now, l.Number)
		}
	}
	for dir, numbers := range map[string][]int{o.sides.Before: o.sides.Gone[file], o.sides.After: now} {
		text, err := host.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			return false
		}
		all := strings.Split(string(text), "\n")
		for _, n := range numbers {
			if n > len(all) || !inComment.MatchString(all[n-1]) && strings.Contains(withoutEffect.ReplaceAllString(all[n-1], ""), "@") {
				return false
			}
		}
	}
	return true
}

// withoutEffect matches annotations that nothing which runs reads.
var withoutEffect = regexp.MustCompile(`@(Override|Deprecated)\b`)

// inComment matches lines that are only a comment: one to the end of the line, or a part of a
// longer one, as the tags of javadoc. An operand after an asterisk has no annotation.
var inComment = regexp.MustCompile(`^\s*(//.*|\*(\s.*)?)$`)

// ignore notes a file that cannot matter. What the manifest fails stays.
func (x *Changed) ignore(file, reason string) {
	x.Trails = slices.DeleteFunc(x.Trails, func(t result.Trail) bool { return t.Declaration.File == file })
	x.Unmodelled = slices.DeleteFunc(x.Unmodelled, func(u result.Unmodelled) bool {
		return u.File == file && u.Policy != string(change.Fail)
	})
	x.Doubts = slices.DeleteFunc(x.Doubts, func(text string) bool { return strings.Contains(text, file) })
	x.Ignored = append(x.Ignored, result.Ignored{File: file, Reason: reason})
}

// isGap reports whether a place stands for lines that are gone before it.
func (o *observer) isGap(p *result.RanPlace) bool {
	return slices.ContainsFunc(o.coded.lines, func(l wire.CodeLine) bool { return l.File == p.File && l.Number == p.Line && l.Removed })
}
