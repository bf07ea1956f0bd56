package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/abstraction"
	condition "github.com/multigrain/multigrain/checker/internal/trace"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// RefineMain is Main of a program that has an abstract specification, too: it answers "refine".
// Mapping fills in the State of the abstract specification that a concrete State is mapped
// to. It is nil if requests have formulas instead.
func RefineMain[S any, U checker.Counters, A any, V checker.Counters](p Program[S, U], abstract Program[A, V], mapping func(*S, *A)) {
	Main(p, Verbs[S, U]{"refine": func(ctx context.Context, a *Asked[S, U]) wire.Event {
		x := refiner[S, U, A, V]{p: a.p, abstract: &abstract, mapping: mapping, bound: a.bound}
		return x.answer(ctx, a.spec, a.req.Options, a.send)
	}})
}

// refiner compares two specifications.
type refiner[S any, U checker.Counters, A any, V checker.Counters] struct {
	p        *Program[S, U]
	abstract *Program[A, V]
	mapping  func(*S, *A)
	bound    *checker.Spec[checker.Node[S, U]]
	below    *checker.Spec[checker.Node[A, V]] // the abstract one
	fields   []mappedField
}

// mappedField is a variable of the abstract State that is mapped.
type mappedField struct {
	name         string
	offset, size uintptr
	typ          reflect.Type
	formula      *condition.Formula // nil where the mapping function sets it
	class        string             // of its values, with a formula
}

// answer answers "refine".
func (x *refiner[S, U, A, V]) answer(ctx context.Context, spec *modules.Spec[S], o wire.Options, send *sender) wire.Event {
	fail := func(err error) wire.Event {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}}
	}
	if o.Refine == nil {
		return fail(errors.New("the request does not name an abstract composition"))
	}
	below, err := x.abstract.Compose(o.Refine.Abstract)
	if err != nil {
		return fail(fmt.Errorf("abstract composition: %w", err))
	}
	if x.below, err = checker.Of[A, V](below, x.abstract.name); err != nil {
		return fail(fmt.Errorf("abstract composition: %w", err))
	}
	if x.abstract.Next != nil && !o.Table {
		if next := x.abstract.Next(below); next != nil {
			x.below.Next = next
		}
	}
	if problems := x.read(o.Refine); len(problems) > 0 {
		return refined(&wire.Refined{Problems: problems})
	}
	c := x.comparison(below, o.Refine)
	if err := x.guided(c, o.Refine); err != nil {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorStrategy, Message: err.Error()}}
	}
	opt := abstraction.Options{MaxStates: o.MaxStates, Timeout: o.Timeout, Memory: o.Memory, Seed: o.Seed, Context: ctx, Walks: o.Refine.Walks, Depth: o.Refine.Depth}
	if o.Progress {
		start := host.Now()
		opt.Progress = func(what string, n int64) {
			send.event(wire.Event{Progress: &wire.Progress{Doing: what, Count: n, Seconds: host.Since(start).Seconds()}})
		}
	}
	res, err := abstraction.Run(c, opt)
	if err != nil {
		return x.failed(err)
	}
	e := refined(x.report(c, res))
	e.Report.Verdict, e.Report.Reason = string(res.Verdict), res.Reason
	return e
}

func refined(r *wire.Refined) wire.Event {
	return wire.Event{Report: &wire.Report{Verdict: string(checker.Undecided), Levels: []int64{}, Actions: []wire.Action{}, Violations: []wire.Violation{},
		Invariants: []string{}, Refined: r}}
}

// read finds the mapped variables, and what is wrong with their formulas.
func (x *refiner[S, U, A, V]) read(o *wire.Refine) (problems []wire.RefineProblem) {
	state := reflect.TypeFor[A]()
	if len(o.Variables) == 0 && x.mapping != nil {
		for f := range state.Fields() {
			o.Variables = append(o.Variables, wire.RefineVariable{Name: f.Name})
		}
	}
	for _, v := range o.Variables {
		f, ok := state.FieldByName(v.Name)
		if !ok {
			problems = append(problems, wire.RefineProblem{Variable: v.Name, Message: fmt.Sprintf("the abstract state has no variable %q", v.Name)})
			continue
		}
		m := mappedField{name: v.Name, offset: f.Offset, size: f.Type.Size(), typ: f.Type}
		if v.Formula != nil {
			m.formula = new(condition.Formula)
			if err := json.Unmarshal(v.Formula, m.formula); err != nil {
				problems = append(problems, wire.RefineProblem{Variable: v.Name, Message: err.Error()})
				continue
			}
			for _, p := range m.formula.Check(reflect.TypeFor[S](), nil) {
				message := fmt.Sprintf("there is no function %q", p.Name)
				if p.Kind == "name" {
					message = fmt.Sprintf("the concrete state has no variable %q", p.Name)
				}
				problems = append(problems, wire.RefineProblem{Variable: v.Name, Message: message})
			}
			_, m.class = condition.PlainView(modules.ViewOf(reflect.Zero(f.Type).Interface(), x.abstract.name))
		}
		x.fields = append(x.fields, m)
	}
	return problems
}

// comparison describes the comparison.
func (x *refiner[S, U, A, V]) comparison(below *modules.Spec[A], o *wire.Refine) *abstraction.Comparison[checker.Node[S, U], checker.Node[A, V]] {
	c := &abstraction.Comparison[checker.Node[S, U], checker.Node[A, V]]{Concrete: x.bound, Abstract: x.below, Variables: len(x.fields)}
	c.Map = func(n *checker.Node[S, U], out []byte) []byte { return x.mapped(&n.State, out) }
	c.View = func(n *checker.Node[A, V], out []byte) []byte { return x.view(&n.State, out) }
	for _, a := range o.Actions {
		if !slices.Contains(c.Names, a.Abstract) {
			c.Names = append(c.Names, a.Abstract)
		}
	}
	number := func(name string) uint32 { return uint32(slices.Index(c.Names, name) + 1) }
	for _, a := range x.bound.Actions {
		k := slices.IndexFunc(o.Actions, func(m wire.RefineAction) bool { return m.Concrete == a.Name })
		if k < 0 {
			c.Observed[abstraction.Concrete] = append(c.Observed[abstraction.Concrete], 0)
		} else {
			c.Observed[abstraction.Concrete] = append(c.Observed[abstraction.Concrete], number(o.Actions[k].Abstract))
		}
	}
	for _, a := range x.below.Actions {
		c.Observed[abstraction.Abstract] = append(c.Observed[abstraction.Abstract], number(a.Name))
	}
	var params []int // by instance: its number within the action
	for k := range below.Actions {
		for p := range below.Actions[k].Params {
			params = append(params, p)
		}
	}
	c.Stopped = func(n *checker.Node[A, V], instance int) string {
		action := x.below.Instances[instance].Action
		bound, _ := checker.SpentBy(below, n, action)
		if bound == "" || !below.Actions[action].Enabled(&n.State, params[instance]) {
			return ""
		}
		return bound
	}
	return c
}

// guided adds what guides random walks.
func (x *refiner[S, U, A, V]) guided(c *abstraction.Comparison[checker.Node[S, U], checker.Node[A, V]], o *wire.Refine) error {
	for _, a := range x.bound.Actions {
		weight, ok := o.Weights[a.Name]
		if !ok {
			weight = 1
		}
		c.Weights = append(c.Weights, weight)
	}
	waypoints, err := waypointsOf[S](o.Waypoints)
	c.Waypoints = len(waypoints)
	c.Waypoint = func(n *checker.Node[S, U], number int) bool { return meets(waypoints, &n.State, number, x.p.name) }
	return err
}

// mapped appends the values that a concrete state is mapped to. It panics with a MapError if the
// mapping is wrong.
func (x *refiner[S, U, A, V]) mapped(s *S, out []byte) []byte {
	if x.mapping == nil {
		for k := range x.fields {
			f := &x.fields[k]
			text, class, err := f.formula.Plain(condition.About{Before: s, Names: x.p.name})
			switch {
			case err != nil:
				panic(&abstraction.MapError{Variable: f.name, Message: fmt.Sprintf("the formula cannot be evaluated: %v", err)})
			case class != f.class:
				panic(&abstraction.MapError{Variable: f.name, Message: fmt.Sprintf("the formula is %s, a %s, and the variable is a %s", text, class, f.class)})
			}
			out = append(append(out, text...), 0)
		}
		return out
	}
	a := x.call(s)
	for k := range x.fields {
		out = append(out, field(a, &x.fields[k])...)
	}
	return out
}

// call calls the mapping function twice, and compares.
func (x *refiner[S, U, A, V]) call(s *S) *A {
	before := *s
	var both [2]A
	for k := range both {
		if v := panicsWith(func() { x.mapping(s, &both[k]) }); v != nil {
			panic(&abstraction.MapError{Message: fmt.Sprintf("the mapping function panics: %v", v)})
		}
	}
	if !bytes.Equal(checker.Bytes(&before), checker.Bytes(s)) {
		*s = before
		panic(&abstraction.MapError{Message: "the mapping function writes the concrete state"})
	}
	for k := range x.fields {
		if f := &x.fields[k]; !bytes.Equal(field(&both[0], f), field(&both[1], f)) {
			panic(&abstraction.MapError{Variable: f.name, Message: "the mapping function is no function of the state: called twice with one state, it gives the variable two values"})
		}
	}
	return &both[0]
}

// panicsWith calls do and returns what it panics with; nil if it does not.
func panicsWith(do func()) (v any) {
	defer func() { v = recover() }()
	do()
	return nil
}

// field returns the bytes of a variable.
func field[A any](a *A, f *mappedField) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(a), f.offset)), f.size)
}

// view appends the values of the mapped variables of an abstract state.
func (x *refiner[S, U, A, V]) view(a *A, out []byte) []byte {
	for k := range x.fields {
		f := &x.fields[k]
		if f.formula == nil {
			out = append(out, field(a, f)...)
			continue
		}
		text, _ := condition.PlainView(x.shown(a, f))
		out = append(append(out, text...), 0)
	}
	return out
}

// shown returns a variable for people.
func (x *refiner[S, U, A, V]) shown(a *A, f *mappedField) modules.View {
	return modules.ViewOf(reflect.NewAt(f.typ, unsafe.Add(unsafe.Pointer(a), f.offset)).Elem().Interface(), x.abstract.name)
}

// record returns the values that a concrete state is mapped to, for people.
func (x *refiner[S, U, A, V]) record(s *S) modules.View {
	v := modules.View{Shape: modules.Record}
	var a *A
	if x.mapping != nil {
		a = x.call(s)
	}
	for k := range x.fields {
		f := &x.fields[k]
		v.Names = append(v.Names, f.name)
		if a != nil {
			v.Elems = append(v.Elems, x.shown(a, f))
			continue
		}
		text, _, _ := f.formula.Plain(condition.About{Before: s, Names: x.p.name})
		v.Elems = append(v.Elems, modules.View{Shape: modules.Scalar, Text: text})
	}
	return v
}

// failed returns the event of an error.
func (x *refiner[S, U, A, V]) failed(err error) wire.Event {
	if wrong, ok := errors.AsType[*abstraction.MapError](err); ok {
		p := wire.RefineProblem{Variable: wrong.Variable, Message: wrong.Message}
		if t, ok := wrong.Trace.(*checker.Trace[checker.Node[S, U]]); ok && t != nil {
			p.Trace = trace(x.bound, t)
		}
		return refined(&wire.Refined{Problems: []wire.RefineProblem{p}})
	}
	fault, ok := errors.AsType[*abstraction.Fault[checker.Node[S, U], checker.Node[A, V]]](err)
	switch {
	case !ok:
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
	case fault.Concrete != nil:
		return wire.Event{Error: specError(x.bound, fault.Concrete)}
	}
	e := specError(x.below, fault.Abstract)
	e.Message = "the abstract composition: " + e.Message
	return wire.Event{Error: e}
}

// report returns the result for the command.
func (x *refiner[S, U, A, V]) report(c *abstraction.Comparison[checker.Node[S, U], checker.Node[A, V]], res *abstraction.Result[checker.Node[S, U], checker.Node[A, V]]) *wire.Refined {
	out := &wire.Refined{Complete: res.Complete, Pairs: res.Pairs, Largest: res.Largest, Values: res.Values, Silent: res.Silent, Visible: res.Visible,
		Raised: res.Raised, Walks: res.Walks, Steps: res.Steps, Ended: res.Ended, Waypoints: c.Waypoints, Met: res.Met, Followed: res.Followed, Seconds: res.Duration.Seconds()}
	for side, s := range res.Sides {
		out.Sides[side] = wire.RefinedSide(s)
	}
	for k, name := range c.Names {
		out.Taken = append(out.Taken, wire.RefinedTaken{Action: name, Count: res.Taken[k]})
	}
	d := res.Difference
	if d == nil {
		return out
	}
	w := &wire.RefinedDifference{Concrete: trace(x.bound, &d.Concrete), Silent: d.Silent, Sets: d.Sets, Matches: d.Matches, Walked: d.Walked}
	if w.Silent == nil {
		w.Silent = []bool{}
	}
	w.Mapped = append(w.Mapped, x.record(&d.Concrete.Init.State))
	for k := range d.Concrete.Steps {
		w.Mapped = append(w.Mapped, x.record(&d.Concrete.Steps[k].Node.State))
	}
	if d.Abstract != nil {
		w.Abstract = trace(x.below, d.Abstract)
	}
	for _, k := range d.Could {
		w.Could = append(w.Could, checker.InstanceName(x.below, k))
	}
	out.Difference = w
	return out
}
