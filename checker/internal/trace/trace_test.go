package trace

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// desk is a State: clients queue for a lock and hold it.
type desk struct {
	Waiting, Held [3]bool
	Served        uint8
}

type client = modules.One[int8]

var (
	clients = modules.Each[int8](3)
	request = modules.Action[desk, client]{Name: "Request", Params: clients,
		Guard:  func(s *desk, p client) bool { return !s.Waiting[p.I] && !s.Held[p.I] },
		Effect: func(s, n *desk, p client) { n.Waiting[p.I] = true }}
	grant = modules.Action[desk, client]{Name: "Grant", Params: clients,
		Guard:  func(s *desk, p client) bool { return s.Waiting[p.I] && s.Held == [3]bool{} },
		Effect: func(s, n *desk, p client) { n.Waiting[p.I], n.Held[p.I] = false, true; n.Served++ }}
	release = modules.Action[desk, client]{Name: "Release", Params: clients,
		Guard:  func(s *desk, p client) bool { return s.Held[p.I] },
		Effect: func(s, n *desk, p client) { n.Held[p.I] = false }}
)

func deskSpec(invariants ...*modules.Invariant[desk]) *modules.Spec[desk] {
	spec := &modules.Spec[desk]{System: "desk", Init: func(yield func(desk) bool) { yield(desk{}) }, Invariants: invariants}
	for _, b := range modules.Bind([]modules.AnyAction[desk]{&request, &grant, &release}, nil, invariants) {
		spec.Actions = append(spec.Actions, modules.SpecAction[desk]{Bound: b, Module: "desk"})
	}
	return spec
}

func name(s string) *Expr            { return &Expr{Op: OpName, Name: s} }
func op(op string, a ...*Expr) *Expr { return &Expr{Op: op, Args: a} }
func literal(v any) *Expr            { return &Expr{Op: OpLiteral, Value: v} }
func field(s string) *Expr           { return &Expr{Op: OpField, Name: s, Args: []*Expr{name("event")}} }

// numbered gives the formulas of a mapping their IDs.
func numbered(m *Mapping) *Mapping {
	id := 0
	m.each(func(_ int, f *Formula) {
		f.ID, f.Text = id, fmt.Sprint("formula ", id)
		id++
	})
	return m
}

func formula(e *Expr) *Formula { return &Formula{Expr: e} }

// deskMapping: client is the parameter; served, if it is there, is checked; swap stands for a
// release and a grant.
func deskMapping() *Mapping {
	who := []Binding{{"I", formula(field("client"))}}
	served := func() []*Formula { return []*Formula{formula(op("==", name("Served"), field("served")))} }
	return numbered(&Mapping{Rules: []Rule{
		{Event: "request", Actions: []string{"Request"}, Where: who},
		{Event: "grant", Actions: []string{"Grant"}, Where: who, Check: served()},
		{Event: "release", Actions: []string{"Release"}, Where: who},
		{Event: "swap", Actions: []string{"Release", "Grant"}, Check: served()},
		{Event: "note", Where: who, Check: []*Formula{formula(op(OpIndex, name("Held"), name("I")))}},
	}})
}

// eventsOf are events from lines such as "grant client=1 served=2".
func eventsOf(t *testing.T, lines string) (out []Event) {
	t.Helper()
	for line := range strings.SplitSeq(lines, ";") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		e := Event{Line: len(out) + 1, Name: words[0], Fields: map[string]any{}}
		for _, w := range words[1:] {
			key, value, _ := strings.Cut(w, "=")
			var n int64
			if _, err := fmt.Sscan(value, &n); err != nil {
				t.Fatal(err)
			}
			e.Fields[key] = n
		}
		out = append(out, e)
	}
	return out
}

func deskResult(t *testing.T, m *Mapping, lines string, opt Options) *Result[desk] {
	t.Helper()
	r, problems := Validate(deskSpec(), m, eventsOf(t, lines), opt)
	if len(problems) > 0 {
		t.Fatalf("%+v", problems)
	}
	return r
}

// TestUnknownEvents has logs with events that the mapping does not know. The names are the problem,
// and nothing is stated about the log, whatever else is wrong with it.
func TestUnknownEvents(t *testing.T) {
	t.Parallel()
	late := deskMapping()
	for k := range late.Rules {
		late.Rules[k].When = formula(op("<", field("client"), &Expr{Op: OpLiteral, Value: 5.0}))
	}
	late = numbered(late)
	inState := deskMapping()
	inState.Rules[0].When = formula(op("==", name("Served"), field("client")))
	inState = numbered(inState)
	for _, c := range []struct {
		name, log string
		m         *Mapping
		want      []string // name and line
	}{
		{"a name", "request client=0; sleep", deskMapping(), []string{"sleep 2"}},
		{"after a mismatch", "grant client=0; sleep; wake; sleep", deskMapping(), []string{"sleep 2", "wake 3"}},
		{"a condition on the event", "request client=0; grant client=7; grant client=8", late, []string{"grant 2"}},
		{"a condition that the event does not decide", "request", late, nil},
		{"a condition on the state", "request client=7", inState, nil},
		{"none", "request client=0; grant client=0", deskMapping(), nil},
	} {
		var got []string
		r, problems := Validate(deskSpec(), c.m, eventsOf(t, c.log), Options{})
		for _, p := range problems {
			if p.Kind != "event" || !strings.Contains(p.Message, "event \""+p.Name+"\" {") {
				t.Errorf("%s: %+v", c.name, p)
			}
			got = append(got, fmt.Sprintf("%s %d", p.Name, p.Line))
		}
		if !slices.Equal(got, c.want) || (r == nil) != (len(c.want) > 0) {
			t.Errorf("%s: %q, want %q; result %v", c.name, got, c.want, r)
		}
	}
}

// TestUnknownConstant: an event with a name that no enumeration has is a fault of the mapping. A
// number that does not fit, and a name that another block takes, are none.
func TestUnknownConstant(t *testing.T) {
	t.Parallel()
	enum := func(typ reflect.Type) map[string]int64 {
		if typ.Kind() == reflect.Int8 {
			return map[string]int64{"ann": 0, "bob": 1}
		}
		return nil
	}
	event := func(name string, client any) Event {
		return Event{File: "f", Line: 7, Name: name, Fields: map[string]any{"client": client}}
	}
	other := deskMapping()
	other.Rules = append(other.Rules, Rule{Event: "request", When: formula(op("==", field("client"), literal("cat")))})
	other = numbered(other)
	for _, c := range []struct {
		event Event
		m     *Mapping
		bad   bool
	}{
		{event("request", "bob"), deskMapping(), false},
		{event("request", int64(2)), deskMapping(), false},
		{event("request", int64(300)), deskMapping(), false},
		{event("request", "cat"), deskMapping(), true},
		{event("note", "cat"), deskMapping(), false},
		{event("request", "cat"), other, false},
		{event("request", "dog"), other, true},
	} {
		_, problems := Validate(deskSpec(), c.m, []Event{event("request", "ann"), c.event}, Options{Enum: enum})
		bad := len(problems) == 1 && problems[0].Kind == "event" && problems[0].Line == 7 && strings.Contains(problems[0].Message, "ann, bob") &&
			strings.Contains(problems[0].Message, "event \"request\" {")
		if bad != c.bad {
			t.Errorf("%v: %+v", c.event, problems)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		log     string
		verdict checker.Verdict
		matched int
		refused string
	}{
		{"request client=1; grant client=1 served=1; release client=1", checker.Holds, 3, ""},
		{"request client=1; grant served=1; release", checker.Holds, 3, ""},
		// the first requests are not bound
		{"request; request; grant client=2; note client=2", checker.Holds, 4, ""},
		{"request client=0; request client=1; grant client=0; swap served=2; release client=1", checker.Holds, 5, ""},
		{"", checker.Undecided, 0, ""},
		{"grant client=0", checker.Violated, 0, RefusedGuard},
		{"request client=0; grant client=0 served=7", checker.Violated, 1, RefusedCheck},
		{"request client=0; grant client=9", checker.Violated, 1, RefusedGuard},
		{"request client=0; grant client=300", checker.Violated, 1, RefusedField},
		{"request client=0; grant; swap", checker.Violated, 2, RefusedGuard},
		{"request client=0; note client=0", checker.Violated, 1, RefusedCheck},
	} {
		r := deskResult(t, deskMapping(), c.log, Options{})
		if r.Verdict != c.verdict || r.Matched != c.matched {
			t.Errorf("%s: %s, %d matched; want %s, %d", c.log, r.Verdict, r.Matched, c.verdict, c.matched)
		}
		if c.refused != "" && (len(r.Candidates) == 0 || !strings.Contains(c.refused, r.Candidates[0].Kind) || len(r.States) == 0) {
			t.Errorf("%s: refused by %+v, want %s", c.log, r.Candidates, c.refused)
		}
	}
}

// TestNothingMatched: events that stand for no action are no match.
func TestNothingMatched(t *testing.T) {
	t.Parallel()
	m := numbered(&Mapping{Rules: []Rule{{Event: "idle"}}})
	if r := deskResult(t, m, "idle; idle", Options{}); r.Verdict != checker.Undecided || !strings.Contains(r.Reason, "nothing was matched") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

// TestUnlogged: as many unlogged steps between two events as declared, and no more.
func TestUnlogged(t *testing.T) {
	t.Parallel()
	for limit := range 4 {
		m := deskMapping()
		m.Unlogged = []Unlogged{{Action: "Request", Max: limit}}
		numbered(m)
		r := deskResult(t, m, "grant client=0; swap; swap", Options{})
		// The first two grants need a request each by the event before; three clients request ahead
		// if they may.
		if want := map[bool]checker.Verdict{true: checker.Holds, false: checker.Violated}[limit >= 1]; r.Verdict != want {
			t.Errorf("at most %d: %s, %d matched", limit, r.Verdict, r.Matched)
		}
		if limit == 0 && r.Matched != 0 {
			t.Errorf("%d matched", r.Matched)
		}
	}
	m := deskMapping()
	m.Unlogged = []Unlogged{{Action: "Request", Max: 1, Events: []string{"swap"}}}
	if r := deskResult(t, numbered(m), "grant client=0", Options{}); r.Verdict != checker.Violated {
		t.Error("an unlogged step happened before another event than it may")
	}
}

// TestFullCapacity: where an action that no event names has no room, other behaviours may exist, so
// that a log without a match is undecided.
func TestFullCapacity(t *testing.T) {
	t.Parallel()
	m := deskMapping()
	m.Unlogged = []Unlogged{{Action: "Fill", Max: 3}}
	numbered(m)
	for room, want := range map[int]checker.Verdict{2: checker.Undecided, 3: checker.Violated} {
		fill := modules.Action[desk, client]{Name: "Fill", Params: modules.Each[int8](1), Effect: func(s, n *desk, _ client) {
			if n.Served++; int(n.Served) > room {
				panic(&modules.CapacityError{Type: "Seq", Capacity: room})
			}
		}}
		spec := deskSpec()
		for _, b := range modules.Bind([]modules.AnyAction[desk]{&fill}, nil, nil) {
			spec.Actions = append(spec.Actions, modules.SpecAction[desk]{Bound: b, Module: "desk"})
		}
		r, bad := Validate(spec, m, eventsOf(t, "grant client=0"), Options{})
		if len(bad) > 0 || r.Verdict != want || want == checker.Undecided && !strings.Contains(r.Reason, "Seq is full: it holds 2") {
			t.Errorf("room for %d: %v, %+v, want %s", room, bad, r, want)
		}
	}
}

// TestMemory: a log with exponentially many behaviours takes as many visits as there are states at
// each position.
func TestMemory(t *testing.T) {
	t.Parallel()
	log := strings.Repeat("request; grant; release; ", 200) + "grant client=0"
	r := deskResult(t, deskMapping(), log, Options{})
	if r.Verdict != checker.Violated || r.Matched != 600 || r.Visited > 600*24 {
		t.Errorf("%s, %d matched, %d visited", r.Verdict, r.Matched, r.Visited)
	}
	if r := deskResult(t, deskMapping(), log, Options{MaxStates: 50}); r.Verdict != checker.Undecided {
		t.Errorf("with a limit: %s", r.Verdict)
	}
}

// TestInvariant: a match that breaks an invariant says where.
func TestInvariant(t *testing.T) {
	t.Parallel()
	fewer := modules.OnStep(&grant, func(s, n *desk, p client) bool { return p.I != 1 })
	few := &modules.Invariant[desk]{ID: "Few", State: func(s *desk) bool { return s.Served < 2 }}
	log := eventsOf(t, "request client=0; grant; swap; release")
	log[2] = eventsOf(t, "release")[0]
	log = append(log[:3], eventsOf(t, "request client=1; grant; release")...)
	for _, inv := range []*modules.Invariant[desk]{few, {ID: "Of an action", OnStep: fewer}} {
		r, _ := Validate(deskSpec(inv), deskMapping(), log, Options{})
		if r.Verdict != checker.Holds || r.Broken == nil || r.Broken.Event != 4 {
			t.Errorf("%s: %s, %+v", inv.ID, r.Verdict, r.Broken)
		}
	}
}

// TestUndecided: conditions that no event decides are reported.
func TestUndecided(t *testing.T) {
	t.Parallel()
	r := deskResult(t, deskMapping(), "request client=0; grant client=0", Options{})
	if len(r.Undecided) != 1 || !reflect.DeepEqual(r.Undecided[0].Expr, op("==", name("Served"), field("served"))) {
		t.Errorf("%+v", r.Undecided)
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	m := numbered(&Mapping{
		Rules: []Rule{
			{Event: "a", Actions: []string{"Grand"}},
			{Event: "b", Actions: []string{"Grant"}, Where: []Binding{{"J", formula(literal(1))}}},
			{Event: "c", Actions: []string{"Grant"}, Check: []*Formula{formula(op("==", name("Serve"), literal(1)))}},
			{Event: "d", Check: []*Formula{formula(&Expr{Op: OpCall, Name: "size", Args: []*Expr{literal(1)}})}},
		},
		Unlogged: []Unlogged{{Action: "Grant", Max: 1, When: formula(name("Waits"))}},
	})
	_, problems := Validate(deskSpec(), m, nil, Options{})
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprint(p.Rule, " ", p.Kind, " ", p.Name))
	}
	want := []string{"0 action Grand", "1 field J", "2 name Serve", "3 function size", "4 name Waits"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	m = numbered(&Mapping{Rules: []Rule{{Event: "x", Actions: []string{"Request"}, Check: []*Formula{formula(op("+", field("client"), literal("one")))}}}})
	if _, problems := Validate(deskSpec(), m, eventsOf(t, "x client=1"), Options{}); len(problems) != 1 || problems[0].Kind != "type" || problems[0].Line != 1 {
		t.Errorf("%+v", problems)
	}
}

// TestAgainstSets compares random logs with the obvious algorithm: the set of all states that the
// events up to a position lead to.
func TestAgainstSets(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 9))
	matched := 0
	for range 600 {
		var lines []string
		for range 1 + rng.IntN(8) {
			e := []string{"request", "grant", "release", "swap", "note"}[rng.IntN(5)]
			if rng.IntN(3) > 0 || e == "note" {
				e += fmt.Sprintf(" client=%d", rng.IntN(3))
			}
			lines = append(lines, e)
		}
		log := strings.Join(lines, ";")
		m := deskMapping()
		m.Unlogged = []Unlogged{{Action: "Request", Max: rng.IntN(3)}}
		r := deskResult(t, numbered(m), log, Options{})
		want := longest(m.Unlogged[0].Max, eventsOf(t, log))
		if r.Matched != want {
			t.Fatalf("%s, at most %d requests unlogged: %d matched, want %d", log, m.Unlogged[0].Max, r.Matched, want)
		}
		if want == len(lines) {
			matched++
		}
	}
	if matched < 30 || matched > 570 {
		t.Errorf("%d of 600 logs match: too few or too many for a test", matched)
	}
}

// longest returns the longest prefix that matches, from sets of states.
func longest(unlogged int, log []Event) int {
	states := map[desk]bool{{}: true}
	step := func(from map[desk]bool, a *modules.Action[desk, client], who func(int8) bool) map[desk]bool {
		to := map[desk]bool{}
		for s := range from {
			for i := range int8(3) {
				if p := (client{I: i}); who(i) && a.Guard(&s, p) {
					n := s
					a.Effect(&s, &n, p)
					to[n] = true
				}
			}
		}
		return to
	}
	anyone := func(int8) bool { return true }
	for k, e := range log {
		all := map[desk]bool{}
		level := states
		for range unlogged + 1 {
			for s := range level {
				all[s] = true
			}
			level = step(level, &request, anyone)
		}
		who := anyone
		if c, ok := e.Fields["client"]; ok {
			who = func(i int8) bool { return int64(i) == c.(int64) }
		}
		switch e.Name {
		case "request":
			states = step(all, &request, who)
		case "grant":
			states = step(all, &grant, who)
		case "release":
			states = step(all, &release, who)
		case "swap":
			states = step(step(all, &release, anyone), &grant, anyone)
		case "note":
			states = map[desk]bool{}
			for s := range all {
				if s.Held[e.Fields["client"].(int64)] {
					states[s] = true
				}
			}
		}
		if len(states) == 0 {
			return k
		}
	}
	return len(log)
}
