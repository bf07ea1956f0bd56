package trace

import (
	"fmt"
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
