package program

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/checker/internal/preserve"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// Comparer compares compositions over nodes T: it has the functions of package preserve.
type Comparer[T any] struct {
	run    func(*preserve.Comparison[T], preserve.Options) (*preserve.Result[T], error)
	follow func(c *preserve.Comparison[T], side int, t *checker.Trace[T], opt preserve.Options) (*preserve.Followed[T], error)
	pursue func(c *preserve.Comparison[T], side int, t *checker.Trace[T], property string, opt preserve.Options) (*preserve.Pursued[T], error)
	search func(c *preserve.Comparison[T], t *checker.Trace[T], opt preserve.Options) (*preserve.Beyond[T], error)
}

// Comparing returns what Compare calls: see Searcher.
func Comparing[T any]() Comparer[T] {
	return Comparer[T]{preserve.Run[T], preserve.Follow[T], preserve.Pursue[T], preserve.Search[T]}
}

// Compare returns the verb "preserve", which compares two compositions.
func Compare[S any, U checker.Counters](by Comparer[checker.Node[S, U]]) Verbs[S, U] {
	return Verbs[S, U]{"preserve": func(ctx context.Context, a *Asked[S, U]) wire.Event { return comparing(ctx, a, by) }}
}

// comparing compares the composition of a request with a fine one. Next, where the program has it,
// is that of the fine one; the other runs the table of actions.
func comparing[S any, U checker.Counters](ctx context.Context, a *Asked[S, U], by Comparer[checker.Node[S, U]]) wire.Event {
	p, coarse, o, send := a.p, a.spec, a.req.Options, a.send
	fail := func(err error) wire.Event {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}}
	}
	if o.Preserve == nil {
		return fail(errors.New("the request does not say what to compare with"))
	}
	fine, err := p.Compose(o.Preserve.Fine)
	if err != nil {
		return fail(err)
	}
	c, err := comparisonOf(p, [2]*modules.Spec[S]{fine, coarse}, o)
	if err != nil {
		return fail(err)
	}
	opt := preserve.Options{Level: o.Preserve.Level, MaxStates: o.MaxStates, Timeout: o.Timeout, Memory: o.Memory, Seed: o.Seed, Context: ctx}
	if o.Progress {
		start := host.Now()
		opt.Progress = func(what string, n int64) {
			send.event(wire.Event{Progress: &wire.Progress{Doing: what, Count: n, Seconds: host.Since(start).Seconds()}})
		}
	}
	if o.Preserve.Follow != nil {
		return followOf(by, c, [2]*modules.Spec[S]{fine, coarse}, o.Preserve, opt)
	}
	var taken [2]*checker.Branches
	opt.Explored = func(side int) { taken[side] = takenOf(p) }
	res, err := by.run(c, opt)
	if err != nil {
		return preserveError(c, err)
	}
	rep := preservation(c, [2]*modules.Spec[S]{fine, coarse}, res, o.Preserve.Level)
	if p.Branches != nil && res.Sides[preserve.Coarse].Complete {
		rep.Preservation.Unasked = unasked(taken)
	}
	return wire.Event{Report: rep}
}

// followOf follows the behaviour of a request in the other composition.
func followOf[S any, U checker.Counters](by Comparer[checker.Node[S, U]], c *preserve.Comparison[checker.Node[S, U]], specs [2]*modules.Spec[S], asked *wire.Preserve, opt preserve.Options) wire.Event {
	side := preserve.Coarse
	if asked.Follow.Missed {
		side = preserve.Fine
	}
	if asked.Follow.Search {
		return search(by, c, asked.Follow.Trace, opt)
	}
	t, err := behaviour(c.Sides[side].Spec, asked.Follow.Trace)
	if err != nil {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}}
	}
	if asked.Follow.Property != "" {
		return pursue(by, c, specs, side, t, asked.Follow.Property, opt)
	}
	f, err := by.follow(c, side, t, opt)
	if err != nil {
		return preserveError(c, err)
	}
	out := &wire.PreserveFollowed{Complete: f.Side.Complete, States: f.Side.States, Step: f.Step}
	if f.Side.Complete {
		res := &preserve.Result[checker.Node[S, U]]{Differences: []preserve.Difference[checker.Node[S, U]]{f.Difference}}
		out.Difference = &preservation(c, specs, res, asked.Level).Preservation.Differences[0]
		out.Trace = trace(c.Sides[1-side].Spec, &f.Trace)
	}
	return followed(asked.Level, out)
}

// pursue asks whether the other composition violates a property with the same observations.
func pursue[S any, U checker.Counters](by Comparer[checker.Node[S, U]], c *preserve.Comparison[checker.Node[S, U]], specs [2]*modules.Spec[S], side int, t *checker.Trace[checker.Node[S, U]], property string, opt preserve.Options) wire.Event {
	f, err := by.pursue(c, side, t, property, opt)
	if err != nil {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}}
	}
	out := &wire.PreserveFollowed{Complete: f.Complete, States: f.States, Step: f.Step, Violated: f.Violated, Enabled: f.Enabled}
	if f.Because != nil {
		res := &preserve.Result[checker.Node[S, U]]{Differences: []preserve.Difference[checker.Node[S, U]]{*f.Because}}
		out.Difference = &preservation(c, specs, res, "L2").Preservation.Differences[0]
		out.Difference.Trace = nil
	}
	if f.Complete {
		out.Trace = trace(c.Sides[1-side].Spec, &f.Trace)
	}
	return followed("L2", out)
}

// search looks for violations of the fine composition after one of its behaviours.
func search[S any, U checker.Counters](by Comparer[checker.Node[S, U]], c *preserve.Comparison[checker.Node[S, U]], from *wire.Trace, opt preserve.Options) wire.Event {
	spec := c.Sides[preserve.Fine].Spec
	fail := func(err error) wire.Event {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}}
	}
	var t *checker.Trace[checker.Node[S, U]]
	if from != nil {
		var err error
		if t, err = behaviour(spec, from); err != nil {
			return fail(err)
		}
	}
	b, err := by.search(c, t, opt)
	if err != nil {
		return fail(err)
	}
	out := &wire.PreserveFollowed{Complete: b.Complete, States: b.States}
	if p := b.Violated; p != nil {
		out.Violation = &wire.Violation{Invariant: p.ID, Instance: p.Instance, Doc: p.Doc, Kind: p.Kind, Depth: len(b.Trace.Steps), Count: 1, Trace: trace(spec, &b.Trace)}
	}
	return followed("L2", out)
}

func followed(level string, f *wire.PreserveFollowed) wire.Event {
	return wire.Event{Report: &wire.Report{Verdict: string(checker.Holds), Levels: []int64{}, Actions: []wire.Action{}, Violations: []wire.Violation{},
		Invariants: []string{}, Preservation: &wire.Preservation{Asked: level, Looks: []wire.Seen{}, Differences: []wire.Difference{}, Followed: f}}}
}

// takenOf returns the branches of invariants that were taken since the last call.
func takenOf[S any, U checker.Counters](p *Program[S, U]) *checker.Branches {
	if p.Branches == nil {
		return nil
	}
	b := *p.Branches
	b.Taken = slices.Clone(b.Taken)
	clear(p.Branches.Taken)
	return &b
}

// unasked returns the branches of invariants that the fine composition takes and the coarse one
// does not.
func unasked(taken [2]*checker.Branches) []wire.Untaken {
	fine := taken[preserve.Fine].Missing()
	missing := slices.DeleteFunc(taken[preserve.Coarse].Missing(), func(b checker.Branch) bool {
		return slices.ContainsFunc(fine, func(f checker.Branch) bool {
			return f.File == b.File && f.Line == b.Line && f.Column == b.Column && f.Text == b.Text && f.Value == b.Value
		})
	})
	return branchesOf(taken[preserve.Coarse], missing).Missing
}

// comparisonOf compiles views and looks for the instances of both compositions.
func comparisonOf[S any, U checker.Counters](p *Program[S, U], specs [2]*modules.Spec[S], o wire.Options) (*preserve.Comparison[checker.Node[S, U]], error) {
	type node = checker.Node[S, U]
	c := &preserve.Comparison[node]{
		State: func(n *node) unsafe.Pointer { return unsafe.Pointer(&n.State) },
		Spent: func(n *node) []uint8 { return unsafe.Slice((*uint8)(unsafe.Pointer(&n.Spent)), unsafe.Sizeof(n.Spent)) },
		Names: p.name,
	}
	x := &comparer[S, U]{state: reflect.TypeFor[S](), enum: p.enum, request: o.Preserve, sights: map[string]*sights{}}
	for side, spec := range specs {
		spec.Invariants = slices.DeleteFunc(spec.Invariants, func(v *modules.Invariant[S]) bool {
			return !slices.ContainsFunc(o.Preserve.Looks, func(l wire.PreserveLook) bool { return l.Name == v.Name() })
		})
		spec.Goals = nil
		bound, err := checker.Of[S, U](spec, p.name)
		if err != nil {
			return nil, err
		}
		if side == preserve.Fine && p.Next != nil && !o.Table {
			bound.Next = p.Next(spec)
		}
		if p.Side != nil {
			bound = onSide(bound, func() { p.Side(side) })
		}
		s := preserve.Side[node]{Spec: bound}
		if s.Step, s.Picks, err = x.visible(spec); err != nil {
			return nil, err
		}
		if s.Invariant, s.On, err = x.looks(spec, side); err != nil {
			return nil, err
		}
		c.Sides[side] = s
	}
	c.Steps, c.Looks, c.Deadlock = x.steps, x.seen, o.Preserve.Deadlock
	var err error
	if c.Weakest, err = x.weakest(specs); err != nil {
		return nil, err
	}
	c.Written = map[string]bool{}
	for _, v := range o.Preserve.Written {
		c.Written[v] = true
	}
	kept := make([]modules.Access, len(o.Preserve.Kept))
	for k, v := range o.Preserve.Kept {
		kept[k].Variable = v
	}
	if c.Kept, err = layout.CellsOf(x.state, kept, modules.None{}, x.enum); err != nil {
		return nil, fmt.Errorf("kept variables: %w", err)
	}
	return c, nil
}

// onSide returns a specification that chooses its side before each call of its functions. One
// goroutine compares. The search for the action that is lacking may continue after its time has
// passed; by then all verdicts are known.
func onSide[T any](spec *checker.Spec[T], choose func()) *checker.Spec[T] {
	s := *spec
	s.Init = func(yield func(*T) bool) { choose(); spec.Init(yield) }
	s.Next = func(n *T, out *checker.Successors[T]) { choose(); spec.Next(n, out) }
	s.Enabled = func(n *T, instance int) bool { choose(); return spec.Enabled(n, instance) }
	s.Apply = func(n, to *T, instance int) { choose(); spec.Apply(n, to, instance) }
	s.State = func(n *T) uint64 { choose(); return spec.State(n) }
	if spec.Steps != nil {
		s.Steps = func(n, to *T, instance int) uint64 { choose(); return spec.Steps(n, to, instance) }
	}
	if spec.Raised != nil {
		s.Raised = func(n *T) (bool, uint64) { choose(); return spec.Raised(n) }
	}
	if spec.Within != nil {
		s.Within = func(n *T) bool { choose(); return spec.Within(n) }
	}
	return &s
}

// comparer compiles what a request says of observers.
type comparer[S any, U checker.Counters] struct {
	state   reflect.Type
	enum    modules.Enum
	request *wire.Preserve
	steps   []preserve.Step
	number  map[string]int // of a step by action and parameters
	seen    []preserve.Look
	sights  map[string]*sights // by observer
}

// visible numbers the visible steps among the instances of a composition, and returns the cells of
// the messages that instances name by position.
func (x *comparer[S, U]) visible(spec *modules.Spec[S]) (out []int, picks [][]layout.Cell, err error) {
	if x.number == nil {
		x.number = map[string]int{}
	}
	for k := range spec.Actions {
		a := &spec.Actions[k]
		v := slices.IndexFunc(x.request.Steps, func(s wire.PreserveStep) bool { return s.Action == a.Name })
		for number, param := range a.Params {
			if v < 0 {
				out, picks = append(out, -1), append(picks, nil)
				continue
			}
			s := &x.request.Steps[v]
			key := fmt.Sprint(a.Name, " ", number)
			if len(s.Picks) > 0 {
				key = a.Name + " " + layout.Others(s.Picks, param)
			}
			named, err := layout.PicksOf(x.state, s.Picks, s.Hidden, param, x.enum)
			if err != nil {
				return nil, nil, fmt.Errorf("view of %s: %w", a.Name, err)
			}
			step, ok := x.number[key]
			if !ok {
				cells, err := layout.CellsOf(x.state, s.Reads, param, x.enum)
				if err != nil {
					return nil, nil, fmt.Errorf("view of %s: %w", a.Name, err)
				}
				step = len(x.steps)
				x.number[key] = step
				x.steps = append(x.steps, preserve.Step{Action: a.Name, Environment: s.Environment, Quiet: s.Quiet, Cells: cells})
			}
			out, picks = append(out, step), append(picks, named)
		}
	}
	return out, picks, nil
}

// looks compiles the invariants of a composition.
func (x *comparer[S, U]) looks(spec *modules.Spec[S], side int) (numbers []int, on []map[int][]preserve.Sighted[checker.Node[S, U]], err error) {
	for _, l := range x.request.Looks {
		k := slices.IndexFunc(spec.Invariants, func(v *modules.Invariant[S]) bool { return v.Name() == l.Name })
		if k < 0 {
			return nil, nil, fmt.Errorf("the composition does not offer invariant %s", l.Name)
		}
		numbers = append(numbers, k)
		at, err := x.sighted(spec, &l)
		if err != nil {
			return nil, nil, fmt.Errorf("view of %s: %w", l.Name, err)
		}
		on = append(on, at)
		if side != preserve.Fine {
			continue
		}
		look := preserve.Look{Name: l.Name, Kind: l.Kind}
		if l.On == "" {
			cells, err := layout.CellsOf(x.state, l.Reads, modules.None{}, x.enum)
			if err != nil {
				return nil, nil, fmt.Errorf("view of %s: %w", l.Name, err)
			}
			look.Named, look.Cells = cells, layout.Packed(cells)
		}
		x.seen = append(x.seen, look)
	}
	return numbers, on, nil
}

// sighted compiles what an observer of the steps of one action sees, by instance: at the instances
// of that action, and at those of actions that stand for it. It is nil for any other observer.
func (x *comparer[S, U]) sighted(spec *modules.Spec[S], l *wire.PreserveLook) (map[int][]preserve.Sighted[checker.Node[S, U]], error) {
	if l.On == "" {
		return nil, nil
	}
	type node = checker.Node[S, U]
	out, instance := map[int][]preserve.Sighted[node]{}, 0
	for a := range spec.Actions {
		for k, param := range spec.Actions[a].Params {
			if spec.Actions[a].Name == l.On {
				sees, err := x.sight(l, param)
				if err != nil {
					return nil, err
				}
				out[instance] = append(out[instance], sees)
			}
			for _, on := range spec.Actions[a].Steps {
				if on.Stands == nil || on.Invariant.Name() != l.Name {
					continue
				}
				for q, replaced := range on.Stands.Params[k] {
					sees, err := x.sight(l, replaced)
					if err != nil {
						return nil, err
					}
					sees.Stands = func(s, n *node) (unsafe.Pointer, bool) {
						var b S
						before := on.Stands.Before(&s.State, &b, k)
						return unsafe.Pointer(before), on.Stands.Holds(before, &n.State, k, q)
					}
					out[instance] = append(out[instance], sees)
				}
			}
			instance++
		}
	}
	return out, nil
}

// sight compiles what an observer sees at a step with a parameter of the observed action.
func (x *comparer[S, U]) sight(l *wire.PreserveLook, param any) (out preserve.Sighted[checker.Node[S, U]], err error) {
	cells, err := layout.CellsOf(x.state, l.Reads, param, x.enum)
	if err != nil {
		return out, err
	}
	named, err := layout.PicksOf(x.state, l.Picks, nil, param, x.enum)
	if err != nil {
		return out, err
	}
	out.Number, out.Cells = x.numberOf(l, param), layout.Packed(append(named, cells...))
	return out, nil
}

// numberOf numbers the parameters of the observed action, in the order in which they come. Those
// that differ in positions of messages only have one number, that of the first.
func (x *comparer[S, U]) numberOf(l *wire.PreserveLook, param any) int {
	key := fmt.Sprintf("%#v", param)
	if len(l.Picks) > 0 {
		key = layout.Others(l.Picks, param)
	}
	of := x.sights[l.Name]
	if of == nil {
		of = &sights{number: map[string]int{}, seen: map[any]bool{}}
		x.sights[l.Name] = of
	}
	k, ok := of.number[key]
	if !ok {
		k = of.count
		of.number[key] = k
	}
	if !of.seen[param] {
		of.seen[param] = true
		of.count++
	}
	return k
}

// sights numbers the parameters of an action that an observer is about.
type sights struct {
	number map[string]int
	seen   map[any]bool // parameters that are counted
	count  int
}

// enum returns the constants of an enumeration by name, nil for any other type.
func (p *Program[S, U]) enum(t reflect.Type) map[string]int64 { return byName(p.constants(t)) }

func byName(constants map[int64]string) map[string]int64 {
	if constants == nil {
		return nil
	}
	out := map[string]int64{}
	for v, name := range constants {
		out[name] = v
	}
	return out
}

func preservation[S, T any](c *preserve.Comparison[T], specs [2]*modules.Spec[S], r *preserve.Result[T], asked string) *wire.Report {
	out := &wire.Preservation{Level: r.Level, Reason: r.Reason, Asked: asked, L1: inclusions(r.L1), L2: inclusions(r.L2), Views: r.Views,
		Only: r.Only, Looks: []wire.Seen{}, Differences: []wire.Difference{}, Walks: r.Walks, Seconds: r.Duration.Seconds()}
	for side := range 2 {
		s := &r.Sides[side]
		out.Sides[side] = wire.Compared{States: s.States, Transitions: s.Transitions, Depth: s.Depth, Complete: s.Complete, Classes: s.Classes,
			Budgets: budgets(c, side, specs[side], s.Spent)}
	}
	for _, l := range r.Looks {
		seen := wire.Seen{Name: l.Name, Seen: l.Seen, Only: l.Only, Broken: l.Broken, Held: l.Held}
		for _, e := range l.Extra {
			seen.Extra = append(seen.Extra, wire.ExtraValue{Cell: e.Cell, Here: itf.Text(e.Here), There: itf.Text(e.There)})
		}
		out.Looks = append(out.Looks, seen)
	}
	for _, e := range r.Endings {
		out.Endings = append(out.Endings, wire.Ending(e))
	}
	if w := r.Weakest; w != nil {
		out.Weakest = &wire.PreserveWeakest{NoFalse: w.NoFalse, NoMissed: w.NoMissed, Reason: w.Reason, States: w.States}
	}
	for k := range r.Differences {
		d := &r.Differences[k]
		w := wire.Difference{Missed: d.Side == preserve.Fine, Level: d.Level, Observer: d.Observer, Environment: d.Environment, Ending: d.Ending,
			Cell: d.Cell, Variable: d.Variable, Writer: d.Writer, Walked: d.Walked, Count: d.Count, Doc: d.Doc, Trace: trace(c.Sides[d.Side].Spec, &d.Trace)}
		w.Cause, w.CauseStep, w.Guilty, w.Lacking = d.Cause, d.CauseStep, d.Guilty, d.Lacking
		w.Refused = d.Refused
		for _, s := range d.Also {
			x := wire.Sight{Observer: s.Observer, Variable: s.Variable, Cause: s.Cause, Lacking: s.Lacking, Refused: s.Refused}
			for _, f := range slices.Sorted(maps.Keys(s.Missed)) {
				x.Missing = append(x.Missing, wire.FingerprintOf(f))
			}
			w.Also = append(w.Also, x)
		}
		w.Extent, w.Missing = extent(r, d)
		if d.Cell != "" {
			w.Here, w.There = &d.Here, &d.There
		}
		out.Differences = append(out.Differences, w)
	}
	return &wire.Report{Verdict: string(checker.Holds), Levels: []int64{}, Actions: []wire.Action{}, Violations: []wire.Violation{},
		Invariants: []string{}, Preservation: out}
}

// extent returns the extent of a difference and its observations, by fingerprint.
func extent[T any](r *preserve.Result[T], d *preserve.Difference[T]) (*wire.Extent, []wire.Missing) {
	fingerprints := slices.Sorted(maps.Keys(d.Missed))
	var all []wire.Missing
	for _, f := range fingerprints {
		o := d.Missed[f]
		m := wire.Missing{Fingerprint: wire.FingerprintOf(f), Text: o.Observer}
		for k, c := range o.Cells {
			m.Text += map[bool]string{true: " with ", false: ", "}[k == 0] + o.Names[k] + " = " + itf.Text(c)
		}
		all = append(all, m)
	}
	return &wire.Extent{Missed: len(all), Views: r.Views[d.Side], Digest: wire.DigestOf(fingerprints), Sequences: d.Sequences,
		Complete: r.Sides[preserve.Fine].Complete && r.Sides[preserve.Coarse].Complete}, all
}

func inclusions(i preserve.Inclusions) wire.Inclusions {
	return wire.Inclusions{NoFalse: string(i.NoFalse), NoMissed: string(i.NoMissed), Pairs: i.Pairs, Largest: i.Largest}
}

// budgets returns those of a composition, with what was spent of them.
func budgets[S, T any](c *preserve.Comparison[T], side int, spec *modules.Spec[S], spent []uint8) (out []wire.PreserveSpan) {
	for b, limit := range spec.Budgets {
		s := wire.PreserveSpan{Bound: limit.Bound, Max: limit.Max, Silent: true}
		if b < len(spent) {
			s.Spent = int(spent[b])
		}
		instance := 0
		for k := range spec.Actions {
			a := &spec.Actions[k]
			if slices.Contains(a.Budgets, b) && len(a.Params) > 0 && c.Sides[side].Step[instance] >= 0 {
				s.Silent = false
			}
			instance += len(a.Params)
		}
		out = append(out, s)
	}
	return out
}
