package trace

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// extensions yields all orders of events that keep the order of each node, as the definition of
// OrderNodes has it.
func extensions(events []Event, yield func([]Event) bool) bool {
	if len(events) == 0 {
		return yield(nil)
	}
	seen := map[string]bool{}
	for k, e := range events {
		if seen[e.Node] {
			continue
		}
		seen[e.Node] = true
		rest := slices.Delete(slices.Clone(events), k, k+1)
		if !extensions(rest, func(tail []Event) bool { return yield(append([]Event{e}, tail...)) }) {
			return false
		}
	}
	return true
}

// TestOrderNodes compares the search with all orders of random small logs: of walks of three
// clients, shuffled, and some with a changed or a lost event.
func TestOrderNodes(t *testing.T) {
	t.Parallel()
	count := map[checker.Verdict]int{}
	for seed := range uint64(700) {
		rng := rand.New(rand.NewPCG(seed, 43))
		m := deskMapping()
		if seed%2 == 1 { // a release that is not logged may precede a grant
			m.Unlogged = []Unlogged{{Action: "Release", Max: 1, Events: []string{"grant"}}}
			m = numbered(m)
		}
		nodes := *m
		nodes.Order = OrderNodes
		events := walk(rng, 7)
		if k := rng.IntN(max(len(events), 1)); len(events) > 1 {
			switch seed % 5 {
			case 2:
				events[0], events[k] = events[k], events[0]
			case 3:
				events = slices.Delete(events, k, k+1)
			case 4:
				events[k].Fields["served"] = int64(rng.IntN(4))
			}
		}
		if len(events) == 0 {
			continue
		}
		want := checker.Violated
		extensions(events, func(order []Event) bool {
			r, problems := Validate(deskSpec(), m, order, Options{})
			if len(problems) > 0 {
				t.Fatalf("%+v", problems)
			}
			if r.Verdict == checker.Holds {
				want = checker.Holds
			}
			return want == checker.Violated
		})
		r, problems := Validate(deskSpec(), &nodes, events, Options{})
		if len(problems) > 0 {
			t.Fatalf("%+v", problems)
		}
		if r.Verdict != want {
			t.Errorf("seed %d, %s: %s (%s), all orders say %s", seed, written(events), r.Verdict, r.Reason, want)
		}
		if r.Verdict == checker.Violated && (r.Matched >= len(events) || len(r.Candidates) == 0 || r.Next >= len(events)) {
			t.Errorf("seed %d, %s: %d matched, event %d is not, %d candidates", seed, written(events), r.Matched, r.Next, len(r.Candidates))
		}
		if r.Verdict == checker.Holds && len(r.Steps) < len(events) {
			t.Errorf("seed %d, %s: %d steps for %d events", seed, written(events), len(r.Steps), len(events))
		}
		count[want]++
	}
	if count[checker.Holds] < 100 || count[checker.Violated] < 50 {
		t.Errorf("%v: too few of a kind", count)
	}
}

// walk returns the events of a random walk, in an order that keeps that of each client only.
func walk(rng *rand.Rand, steps int) (events []Event) {
	var s desk
	lanes := map[string][]Event{}
	var nodes []string
	spec := deskSpec()
	for range steps {
		a := &spec.Actions[rng.IntN(len(spec.Actions))]
		p := client{I: int8(rng.IntN(3))}
		if !a.EnabledWith(&s, p) {
			continue
		}
		before := s
		a.ApplyWith(&before, &s, p)
		node := fmt.Sprint(p.I)
		e := Event{Line: 1, Name: strings.ToLower(a.Name), Node: node, Fields: map[string]any{"client": int64(p.I)}}
		if a.Name == "Grant" {
			e.Fields["served"] = int64(s.Served)
		}
		if lanes[node] == nil {
			nodes = append(nodes, node)
		}
		lanes[node] = append(lanes[node], e)
	}
	for len(nodes) > 0 {
		k := rng.IntN(len(nodes))
		events = append(events, lanes[nodes[k]][0])
		if lanes[nodes[k]] = lanes[nodes[k]][1:]; len(lanes[nodes[k]]) == 0 {
			nodes = slices.Delete(nodes, k, k+1)
		}
	}
	return events
}

func written(events []Event) string {
	var parts []string
	for _, e := range events {
		parts = append(parts, fmt.Sprint(e.Name, e.Fields))
	}
	return strings.Join(parts, " ")
}

// nodeEvents are eventsOf with the client as the node.
func nodeEvents(t *testing.T, lines string) []Event {
	t.Helper()
	events := eventsOf(t, lines)
	for k := range events {
		events[k].Node = fmt.Sprint(events[k].Fields["client"])
	}
	return events
}

// TestOrderNodesReports: the event that is named is the first in the log of those that could come
// next. A match that breaks an invariant accuses nobody, since another order may not.
func TestOrderNodesReports(t *testing.T) {
	t.Parallel()
	m := deskMapping()
	m.Order = OrderNodes
	events := nodeEvents(t, "grant client=0; request client=1; grant client=1; release client=1; release client=1; request client=0")
	r, _ := Validate(deskSpec(), m, events, Options{})
	if r.Verdict != checker.Violated || r.Matched != 3 || r.Next != 0 {
		t.Errorf("%s, %d matched, event %d is named; want violated, 3 matched, event 0", r.Verdict, r.Matched, r.Next)
	}
	never := &modules.Invariant[desk]{ID: "nobody-waits", State: func(s *desk) bool { return !s.Waiting[0] }}
	r, _ = Validate(deskSpec(never), m, nodeEvents(t, "request client=1; request client=0"), Options{})
	if r.Verdict != checker.Undecided || r.Broken != nil || !strings.Contains(r.Reason, "nobody-waits") {
		t.Errorf("%s (%s), %v; want undecided", r.Verdict, r.Reason, r.Broken)
	}
	w, reason := JudgeWindows(deskSpec(), m, events, Options{})
	if w.Unknown != len(events) || w.Passed+w.Refused > 0 || reason == "" {
		t.Errorf("windows of a log without an order: %+v (%s)", w, reason)
	}
}

// TestUnloggedBeforeItsEvent: an action that is not logged and may precede events of one name comes
// right before one of them, in every order.
func TestUnloggedBeforeItsEvent(t *testing.T) {
	t.Parallel()
	for before, want := range map[string]checker.Verdict{"note": checker.Violated, "grant": checker.Holds} {
		m := deskMapping()
		m.Order, m.Unlogged = OrderNodes, []Unlogged{{Action: "Release", Max: 1, Events: []string{before}}}
		events := eventsOf(t, "request client=1; grant client=1 served=1; request client=0; grant client=0 served=2; note client=0")
		for k, node := range []string{"a", "a", "b", "b", "c"} {
			events[k].Node = node
		}
		r, problems := Validate(deskSpec(), numbered(m), events, Options{})
		if len(problems) > 0 || r.Verdict != want {
			t.Errorf("a release before %s: %s (%s), want %s; %+v", before, r.Verdict, r.Reason, want, problems)
		}
	}
}

// TestOrderClocks compares the search with all orders of random small logs that the clocks allow.
// In these, an event comes after those that its clock knows.
func TestOrderClocks(t *testing.T) {
	t.Parallel()
	count := map[checker.Verdict]int{}
	tells := 0
	for seed := range uint64(700) {
		rng := rand.New(rand.NewPCG(seed, 74))
		m := deskMapping()
		m.Order = OrderNodes
		clocks := *m
		clocks.Order = OrderClocks
		events := walk(rng, 14)
		if events = events[:min(len(events), 7)]; len(events) == 0 {
			continue
		}
		wrong := seed%2 == 0
		if wrong { // clocks of an order that may not be one of the specification
			events = shuffled(rng, events, false)
		}
		if stamp(rng, events, wrong); !slices.ContainsFunc(events, func(e Event) bool { return e.Fields["clock"] != nil }) {
			continue
		}
		events = shuffled(rng, events, seed%3 == 0)
		if k := rng.IntN(len(events)); seed%5 == 4 {
			events[k].Fields["served"] = int64(rng.IntN(4))
		}
		want := checker.Violated
		extensions(sorted(events), func(order []Event) bool {
			if !allowed(order) {
				return true
			}
			if r, _ := Validate(deskSpec(), deskMapping(), order, Options{}); r.Verdict == checker.Holds {
				want = checker.Holds
			}
			return want == checker.Violated
		})
		r, problems := Validate(deskSpec(), &clocks, events, Options{})
		if len(problems) > 0 {
			t.Fatalf("%+v", problems)
		}
		if r.Verdict != want {
			t.Errorf("seed %d, %s: %s (%s), all orders say %s", seed, written(events), r.Verdict, r.Reason, want)
		}
		if nodes, _ := Validate(deskSpec(), m, sorted(events), Options{}); nodes.Verdict != r.Verdict {
			tells++
		}
		count[want]++
	}
	if count[checker.Holds] < 100 || count[checker.Violated] < 50 || tells < 10 {
		t.Errorf("%v, and in %d logs the clocks tell more than the nodes: too few of a kind", count, tells)
	}
}

// stamp gives events clocks, as if nodes received messages from each other now and then, or, with
// last, from the node of each event before. Some have none.
func stamp(rng *rand.Rand, events []Event, last bool) {
	now := map[string]map[string]any{}
	for k := range events {
		node := events[k].Node
		if now[node] == nil {
			now[node] = map[string]any{node: int64(0)}
		}
		from := now[events[rng.IntN(k+1)].Node]
		if last && k > 0 {
			from = now[events[k-1].Node]
		}
		if last || rng.IntN(2) == 0 {
			for n, x := range from {
				if known, ok := now[node][n].(int64); !ok || known < x.(int64) {
					now[node][n] = x
				}
			}
		}
		now[node][node] = now[node][node].(int64) + 1
		if rng.IntN(9) > 0 {
			events[k].Fields["clock"] = maps.Clone(now[node])
		}
	}
}

// shuffled returns events in an order that keeps that of each node; with all, also of the events of
// a node if all of them have clocks.
func shuffled(rng *rand.Rand, events []Event, all bool) []Event {
	out := slices.Clone(events)
	for range 60 {
		k := rng.IntN(len(out))
		if k == 0 || !all && out[k].Node == out[k-1].Node || out[k].Node == out[k-1].Node && slices.ContainsFunc(out, func(e Event) bool {
			return e.Node == out[k].Node && e.Fields["clock"] == nil
		}) {
			continue
		}
		out[k], out[k-1] = out[k-1], out[k]
	}
	return out
}

// sorted returns events with those of each node in the order of their own numbers, if all have one.
func sorted(events []Event) []Event {
	out := slices.Clone(events)
	for k := range out {
		for x := k; x > 0; x-- {
			for y := x - 1; y >= 0 && out[x].Node != ""; y-- {
				if out[y].Node != out[x].Node {
					continue
				}
				if a, b := numberOf(out[y]), numberOf(out[x]); a >= 0 && b >= 0 && b < a {
					out[x], out[y] = out[y], out[x]
				}
				break
			}
		}
	}
	return out
}

// numberOf is the own number in an event's clock, -1 for none.
func numberOf(e Event) int64 {
	if c, ok := e.Fields["clock"].(map[string]any); ok {
		return c[e.Node].(int64)
	}
	return -1
}

// allowed reports whether each event comes after those that its clock knows.
func allowed(order []Event) bool {
	for k, e := range order {
		c, _ := e.Fields["clock"].(map[string]any)
		for _, later := range order[k+1:] {
			known, ok := c[later.Node].(int64)
			if n := numberOf(later); ok && later.Node != e.Node && n >= 0 && n <= known {
				return false
			}
		}
	}
	return true
}

// TestClocksThatSayNothing: a log without clocks, one with a field that is no clock, and one whose
// clocks contradict each other are undecided, and accuse nobody.
func TestClocksThatSayNothing(t *testing.T) {
	t.Parallel()
	m := deskMapping()
	m.Order = OrderClocks
	for _, x := range []struct {
		clocks []any
		why    string
	}{
		{[]any{nil, nil}, "no event of the log has a field clock"},
		{[]any{map[string]any{"1": int64(1)}, "late"}, ":2 is no object of numbers"},
		{[]any{map[string]any{"1": int64(1)}, map[string]any{"0": int64(-1)}}, ":2 is no object of numbers"},
		{[]any{map[string]any{"1": int64(1), "0": int64(1)}, map[string]any{"1": int64(1), "0": int64(1)}}, ":1 waits for events that come after it"},
	} {
		events := nodeEvents(t, "request client=1; request client=0")
		for k, clock := range x.clocks {
			if events[k].Line = k + 1; clock != nil {
				events[k].Fields["clock"] = clock
			}
		}
		r, problems := Validate(deskSpec(), m, events, Options{})
		if len(problems) > 0 || r.Verdict != checker.Undecided || !strings.Contains(r.Reason, x.why) {
			t.Errorf("%v: %s (%s), want undecided (%s); %+v", x.clocks, r.Verdict, r.Reason, x.why, problems)
		}
	}
}
