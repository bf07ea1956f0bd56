package interaction

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/testdata/awkward"
	"github.com/multigrain/multigrain/interaction/testdata/toy"
	"github.com/multigrain/multigrain/modules"
)

// crossCheck is a dynamic cross-check of footprints. In reachable states, variables that a
// footprint does not list as read are changed, and neither the guard nor anything that is written
// may change by that. Variables that it does not list as written must stay as they were.
type crossCheck[S comparable] struct {
	t      *testing.T
	spec   *modules.Spec[S]
	prints map[string]*modules.Footprint
	names  []string // of all variables
	states []S
	// enabled has, for each action, states in which it is enabled.
	enabled [][]instance
	rand    *rand.Rand
	only    string // an action; "": all

	perturbed, fired int
	failures         []string
}

// sample are states on random walks, and for each action some of those in which it is enabled, with
// the parameter.
func (x *crossCheck[S]) sample(walks, length int) {
	x.enabled = make([][]instance, len(x.spec.Actions))
	seen := map[S]bool{}
	var initial []S
	x.spec.Init(func(s S) bool { initial = append(initial, s); return true })
	for range walks {
		s := initial[x.rand.Intn(len(initial))]
		for range length {
			if !seen[s] {
				seen[s] = true
				x.states = append(x.states, s)
			}
			var next, faults []S
			for k := range x.spec.Actions {
				a := &x.spec.Actions[k]
				for p := range a.Params {
					if n, ok := step(a, &s, p); ok {
						if a.Environment {
							faults = append(faults, n)
						} else {
							next = append(next, n)
						}
						if x.states[len(x.states)-1] == s {
							x.enabled[k] = append(x.enabled[k], instance{len(x.states) - 1, p})
						}
					}
				}
			}
			if len(faults) > 0 && (len(next) == 0 || x.rand.Intn(12) == 0) {
				next = faults // rarely, so that the walks get far
			}
			if len(next) == 0 {
				break
			}
			s = next[x.rand.Intn(len(next))]
		}
	}
}

// step returns the state after, if the action is enabled and no capacity is exceeded.
func step[S comparable](a *modules.SpecAction[S], s *S, p int) (n S, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if !a.Enabled(s, p) {
		return n, false
	}
	n = *s
	a.Apply(s, &n, p)
	return n, true
}

// instance is a state and a parameter.
type instance struct{ state, param int }

// cell is an element of a variable of a state.
type cell struct {
	variable string
	index    []int
}

// get finds the element's value in a state. Elements of the kinds of a Net are channels.
func get(state reflect.Value, c cell) reflect.Value {
	v := state
	path, _, _ := strings.Cut(strings.TrimSuffix(c.variable, ".cut"), "#")
	index := c.index
	descend := func() {
		for v.Kind() == reflect.Array && len(index) > 0 {
			v, index = v.Index(index[0]), index[1:]
		}
	}
	for _, f := range strings.Split(path, ".") {
		v = v.FieldByName(f)
		descend()
	}
	return v
}

// cells lists the elements of a variable.
func cells(t reflect.Type, variable string) (out []cell) {
	var walk func(t reflect.Type, fields []string, index []int)
	path, kind, isKind := strings.Cut(variable, "#")
	isNet := isKind && kind != "" || strings.HasSuffix(variable, ".cut")
	walk = func(t reflect.Type, fields []string, index []int) {
		switch {
		case t.Kind() == reflect.Array:
			for k := range t.Len() {
				walk(t.Elem(), fields, append(slices.Clone(index), k))
			}
		case len(fields) > 0:
			f, _ := t.FieldByName(fields[0])
			walk(f.Type, fields[1:], index)
		case isNet && t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Net["):
			n := t.Field(0).Type
			for i := range n.Len() {
				for j := range n.Elem().Len() {
					out = append(out, cell{variable, append(slices.Clone(index), i, j)})
				}
			}
		default:
			out = append(out, cell{variable, index})
		}
	}
	walk(t, strings.Split(strings.TrimSuffix(path, ".cut"), "."), nil)
	return out
}

// covers reports whether a symbolic index may mean a cell, for parameter p. A key narrows a set or
// map: for the check it counts as all of it.
func covers(index []string, c cell, p any) bool {
	for k, term := range index {
		if k >= len(c.index) || term == "*" {
			continue
		}
		n, err := strconv.Atoi(term)
		if err != nil {
			v := reflect.ValueOf(p)
			for _, f := range strings.Split(strings.TrimPrefix(term, "p"), ".")[1:] {
				v = v.FieldByName(f)
			}
			if v.CanInt() {
				n = int(v.Int())
			} else {
				n = int(v.Uint())
			}
		}
		if n != c.index[k] {
			return false
		}
	}
	return true
}

func (x *crossCheck[S]) reads(f *modules.Footprint, c cell, p any) bool {
	for _, a := range f.Reads() {
		if a.Variable == c.variable && covers(a.Index, c, p) {
			return true
		}
	}
	return false
}

func (x *crossCheck[S]) writes(f *modules.Footprint, c cell, p any) bool {
	w := f.Write(c.variable)
	return w != nil && slices.ContainsFunc(w.Elements, func(e modules.Element) bool { return covers(e.Index, c, p) })
}

// channel lists the messages of one direction of a Net, and whether the connection is broken.
func channel(net reflect.Value, i, j int) (msgs []reflect.Value, cut bool) {
	at := net.Addr().MethodByName("At")
	a, b := reflect.New(at.Type().In(0)).Elem(), reflect.New(at.Type().In(0)).Elem()
	a.SetInt(int64(i))
	b.SetInt(int64(j))
	n := net.Addr().MethodByName("Len").Call([]reflect.Value{a, b})[0].Int()
	for k := range int(n) {
		msgs = append(msgs, at.Call([]reflect.Value{a, b, reflect.ValueOf(k + 1)})[0])
	}
	return msgs, net.Addr().MethodByName("IsCut").Call([]reflect.Value{a, b})[0].Bool()
}

// kinds names the kinds of messages by their type.
type kinds map[string]map[int64]string

func kindOf(msg reflect.Value, enum kinds) string {
	return enum[msg.Field(0).Type().Name()][int64(msg.Field(0).Uint())]
}

// refill makes a channel hold the messages.
func refill(net reflect.Value, i, j int, msgs []reflect.Value, cut bool) {
	call := func(name string, more ...reflect.Value) {
		m := net.Addr().MethodByName(name)
		a, b := reflect.New(m.Type().In(0)).Elem(), reflect.New(m.Type().In(0)).Elem()
		a.SetInt(int64(i))
		b.SetInt(int64(j))
		m.Call(append([]reflect.Value{a, b}, more...))
	}
	call("Mend")
	call("Clear")
	if cut {
		call("Cut")
	}
	for _, m := range msgs {
		call("Send", m)
	}
}

// perturb changes a cell of s to what another state holds there. Of a Net it takes away and adds
// messages of the kind, but only after a first one, of whatever kind: what is ahead decides what is
// received.
func (x *crossCheck[S]) perturb(s *S, c cell, other *S, enum kinds) bool {
	to, from := get(reflect.ValueOf(s).Elem(), c), get(reflect.ValueOf(other).Elem(), c)
	name, cut := strings.CutSuffix(c.variable, ".cut")
	_, kind, isKind := strings.Cut(name, "#")
	if !cut && !isKind {
		if reflect.DeepEqual(to.Interface(), from.Interface()) {
			return false
		}
		to.Set(from)
		return true
	}
	i, j := c.index[len(c.index)-2], c.index[len(c.index)-1]
	msgs, was := channel(to, i, j)
	if cut {
		if len(msgs) > 0 {
			return false
		}
		refill(to, i, j, nil, !was)
		return true
	}
	if was {
		return false
	}
	more, _ := channel(from, i, j)
	var kept []reflect.Value
	for k, m := range msgs {
		if k == 0 || kindOf(m, enum) != kind {
			kept = append(kept, m)
		}
	}
	for _, m := range more {
		if kindOf(m, enum) == kind && len(kept) > 0 && len(kept) < 3 {
			kept = append(kept, m)
		}
	}
	refill(to, i, j, kept, false)
	return true
}

// same compares a cell in two states.
func (x *crossCheck[S]) same(a, b *S, c cell, enum kinds) bool {
	v, w := get(reflect.ValueOf(a).Elem(), c), get(reflect.ValueOf(b).Elem(), c)
	name, cut := strings.CutSuffix(c.variable, ".cut")
	_, kind, isKind := strings.Cut(name, "#")
	if !cut && !isKind || v.Kind() != reflect.Struct || !strings.HasPrefix(v.Type().Name(), "Net[") {
		return reflect.DeepEqual(v.Interface(), w.Interface())
	}
	i, j := c.index[len(c.index)-2], c.index[len(c.index)-1]
	of := func(net reflect.Value) string {
		msgs, isCut := channel(net, i, j)
		if cut {
			return fmt.Sprint(isCut)
		}
		var b strings.Builder
		for _, m := range msgs {
			if kindOf(m, enum) == kind {
				fmt.Fprint(&b, m.Interface(), ";")
			}
		}
		return b.String()
	}
	return of(v) == of(w)
}

func (x *crossCheck[S]) fail(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(x.failures, s) {
		x.failures = append(x.failures, s)
	}
}

// run checks every action in rounds random states.
func (x *crossCheck[S]) run(rounds int, enum kinds) {
	var all []cell
	for _, v := range x.names {
		if f, _, ok := strings.Cut(v, "#"); ok && (f == "Mishaps" || f == "Raised") {
			continue // the checker clears it, so that it is zero in every state
		}
		all = append(all, cells(reflect.TypeFor[S](), v)...)
	}
	for k := range x.spec.Actions {
		a := &x.spec.Actions[k]
		f := x.prints[a.Name]
		if x.only != "" && x.only != a.Name {
			continue
		}
		for round := range rounds {
			// Every other state is one in which the action is enabled.
			in := instance{x.rand.Intn(len(x.states)), x.rand.Intn(len(a.Params))}
			if round%2 == 0 && len(x.enabled[k]) > 0 {
				in = x.enabled[k][x.rand.Intn(len(x.enabled[k]))]
			}
			s, p := x.states[in.state], in.param
			after, enabled := step(a, &s, p)
			if !enabled && a.Enabled(&s, p) {
				continue // a capacity is exceeded
			}
			if enabled {
				x.fired++
				for _, c := range x.differing(&s, &after, all, enum) {
					if !x.writes(f, c, a.Params[p]) {
						x.fail("%s changes %s%v, which its footprint does not list as written", a.Name, c.variable, c.index)
					}
				}
			}
			for range 6 {
				c := all[x.rand.Intn(len(all))]
				if x.reads(f, c, a.Params[p]) {
					continue
				}
				changed := s
				if x.perturb(&changed, c, &x.states[x.rand.Intn(len(x.states))], enum) {
					x.perturbed++
					x.compare(a, p, &changed, &after, c, enabled, all, enum)
				}
			}
		}
	}
}

// differing lists the cells in which two states differ.
func (x *crossCheck[S]) differing(a, b *S, all []cell, enum kinds) (out []cell) {
	if *a == *b {
		return nil
	}
	va, vb := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	equal := map[string]bool{}
	for k := range va.NumField() {
		equal[va.Type().Field(k).Name] = va.Field(k).Equal(vb.Field(k))
	}
	for _, c := range all {
		if !equal[fieldOf(c.variable)] && !x.same(a, b, c, enum) {
			out = append(out, c)
		}
	}
	return out
}

// compare runs the action in the changed state, too.
func (x *crossCheck[S]) compare(a *modules.SpecAction[S], p int, changed, after *S, c cell, enabled bool, all []cell, enum kinds) {
	if a.Enabled(changed, p) != enabled {
		x.fail("the guard of %s depends on %s, which its footprint does not list as read", a.Name, c.variable)
		return
	}
	if !enabled {
		return
	}
	n, ok := step(a, changed, p)
	if !ok {
		return // a capacity is exceeded in a state that is none of the system's
	}
	for _, d := range x.differing(&n, after, all, enum) {
		if d.variable != c.variable || !slices.Equal(d.index, c.index) {
			x.fail("%s computes %s from %s, which its footprint does not list as read", a.Name, d.variable, c.variable)
		}
	}
}

func newCheck[S comparable](t *testing.T, p *Program, sys *grains.System[S], c grains.Choice) *crossCheck[S] {
	t.Helper()
	composed, findings := p.Footprints(c)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	spec, err := grains.Compose(sys, c)
	if err != nil {
		t.Fatal(err)
	}
	x := &crossCheck[S]{t: t, spec: spec, prints: map[string]*modules.Footprint{}, names: p.Variables(), rand: rand.New(rand.NewSource(1))}
	for k := range composed.Actions {
		x.prints[composed.Actions[k].Name] = &composed.Actions[k]
	}
	return x
}

func toyCheck(t *testing.T, refs string) *crossCheck[toy.State] {
	p, _ := loadToy(t)
	x := newCheck(t, p, &toy.System, choice(refs, "*"))
	x.sample(40, 60)
	return x
}

var toyKinds = kinds{"Kind": {1: "HELLO", 2: "WELCOME", 3: "JOB", 4: "REPORT"}}

func TestDynamic(t *testing.T) {
	t.Parallel()
	for _, refs := range []string{
		"choosing/baseline greeting/baseline work/baseline faults/crash",
		"choosing/coarse work/baseline faults/crash",
		"choosing/appointed greeting/baseline work/instant faults/crash",
	} {
		x := toyCheck(t, refs)
		x.run(300, toyKinds)
		for _, s := range x.failures {
			t.Errorf("%s: %s", refs, s)
		}
		if x.fired < 120*len(x.spec.Actions) || x.perturbed < 2000 {
			t.Errorf("%s: %d steps, %d changes: too few to say anything", refs, x.fired, x.perturbed)
		}
	}
}

// TestDynamicFinds: a footprint from which a read or a write is taken away fails the check.
func TestDynamicFinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ action, variable, say string }{
		{"Hear", "Log", "Hear computes Vote from Log"},
		{"Decide", "Heard", "the guard of Decide depends on Heard"},
		{"ProcessHELLO", "Draft", "ProcessHELLO computes"},
		{"SendJOB", "Term", "SendJOB computes Msgs#JOB from Term"},
	} {
		x := toyCheck(t, "choosing/baseline greeting/baseline work/baseline faults/crash")
		f := x.prints[c.action]
		x.only = c.action
		without := func(as []modules.Access) []modules.Access {
			return slices.DeleteFunc(slices.Clone(as), func(a modules.Access) bool { return a.Variable == c.variable })
		}
		f.Guard = without(f.Guard)
		for k := range f.Writes {
			w := &f.Writes[k]
			w.Data, w.Control, w.Indices = without(w.Data), without(w.Control), without(w.Indices)
		}
		x.run(600, toyKinds)
		if !slices.ContainsFunc(x.failures, func(s string) bool { return strings.Contains(s, c.say) }) {
			t.Errorf("%s without %s: %v", c.action, c.variable, x.failures)
		}
	}
	x := toyCheck(t, "choosing/baseline greeting/baseline work/baseline faults/crash")
	f := x.prints["Open"]
	x.only = "Open"
	f.Writes = slices.DeleteFunc(f.Writes, func(w modules.Write) bool { return w.Variable == "ChiefsOf" })
	x.run(600, toyKinds)
	if !slices.ContainsFunc(x.failures, func(s string) bool { return strings.Contains(s, "Open changes ChiefsOf") }) {
		t.Errorf("got %v", x.failures)
	}
}

// randomly fills a value with small numbers; channels get a few messages.
func randomly(r *rand.Rand, v reflect.Value, messages func(net reflect.Value)) {
	switch {
	case strings.HasPrefix(v.Type().Name(), "Net["):
		messages(v)
	case strings.HasPrefix(v.Type().Name(), "Bag["), strings.HasPrefix(v.Type().Name(), "Raised["):
	case strings.HasPrefix(v.Type().Name(), "Set["):
		v.SetUint(uint64(r.Intn(8)))
	case strings.HasPrefix(v.Type().Name(), "Seq["), strings.HasPrefix(v.Type().Name(), "Records["):
		add := v.Addr().MethodByName(map[bool]string{true: "Append", false: "Add"}[strings.HasPrefix(v.Type().Name(), "Seq[")])
		for range r.Intn(2) {
			e := reflect.New(add.Type().In(0)).Elem()
			randomly(r, e, messages)
			add.Call([]reflect.Value{e})
		}
	case strings.HasPrefix(v.Type().Name(), "Map["):
		put := v.Addr().MethodByName("Put")
		for k := range 3 {
			if r.Intn(2) == 0 {
				key, e := reflect.New(put.Type().In(0)).Elem(), reflect.New(put.Type().In(1)).Elem()
				key.SetInt(int64(k))
				randomly(r, e, messages)
				put.Call([]reflect.Value{key, e})
			}
		}
	case v.Kind() == reflect.Bool:
		v.SetBool(r.Intn(2) == 0)
	case v.CanInt():
		v.SetInt(int64(r.Intn(3)))
	case v.CanUint():
		v.SetUint(uint64(r.Intn(3)))
	case v.Kind() == reflect.Array:
		for k := range v.Len() {
			randomly(r, v.Index(k), messages)
		}
	case v.Kind() == reflect.Struct:
		for k := range v.NumField() {
			randomly(r, v.Field(k), messages)
		}
	}
}

// TestDynamicAwkward runs the awkward actions in random states.
func TestDynamicAwkward(t *testing.T) {
	t.Parallel()
	p, findings, err := Load(Config{Dir: ".", Package: "./testdata/awkward"})
	if err != nil || len(findings) > 0 {
		t.Fatal(findings, err)
	}
	spec := &modules.Spec[awkward.State]{}
	for _, b := range modules.Bind(awkward.All, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[awkward.State]{Bound: b})
	}
	x := &crossCheck[awkward.State]{t: t, spec: spec, prints: map[string]*modules.Footprint{}, rand: rand.New(rand.NewSource(1))}
	for _, v := range p.Variables() {
		if !strings.HasPrefix(v, "Loose") && !strings.HasPrefix(v, "Faults") {
			x.names = append(x.names, v)
		}
	}
	for _, a := range p.reading().actions {
		x.prints[a.decl.Name] = p.prints.public(p.prints.action(a, nil))
	}
	for range 150 {
		var s awkward.State
		randomly(x.rand, reflect.ValueOf(&s).Elem(), func(net reflect.Value) {
			for i := range 3 {
				for j := range 3 {
					var msgs []reflect.Value
					for range x.rand.Intn(3) {
						msgs = append(msgs, reflect.ValueOf(awkward.Msg{Kind: awkward.Kind(1 + x.rand.Intn(3)), From: awkward.ID(x.rand.Intn(3)), Load: int8(x.rand.Intn(3))}))
					}
					refill(net, i, j, msgs, len(msgs) == 0 && x.rand.Intn(2) == 0)
				}
			}
		})
		x.states = append(x.states, s)
	}
	x.enabled = make([][]instance, len(spec.Actions))
	x.run(90, kinds{"Kind": {1: "PING", 2: "PONG", 3: "STOP"}})
	for _, s := range x.failures {
		t.Error(s)
	}
	if x.fired < 25*len(spec.Actions) {
		t.Errorf("%d steps of %d actions: too few to say anything", x.fired, len(spec.Actions))
	}
}
