package trace

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestExplanations: events that do not name their client can have happened in several ways. The
// ways that another event excludes are left out, and ways that meet have one state.
func TestExplanations(t *testing.T) {
	t.Parallel()
	m := func() *Mapping {
		return numbered(&Mapping{Rules: []Rule{
			{Event: "request", Actions: []string{"Request"}},
			{Event: "grant", Actions: []string{"Grant"}},
			{Event: "of", Actions: []string{"Request"}, Where: []Binding{{"I", formula(field("client"))}}},
			{Event: "release", Actions: []string{"Release"}},
			{Event: "note", Check: []*Formula{formula(op("==", name("Served"), field("served")))}},
		}})
	}
	for _, c := range []struct {
		name, log      string
		ways, states   int
		ends, distinct int
	}{
		// One of three clients, then another one: 6 orders, and the states are the sets of clients.
		{"orders that meet", "request; request; release", 6, 1 + 3 + 3, 3, 9},
		// Only the client that asked first can be refused the second time.
		{"excluded later", "request; of client=0; release", 2, 1 + 2 + 2, 2, 4},
		{"an event without an action", "request; note served=0; release", 3, 1 + 3 + 3, 3, 6},
		{"one explanation", "of client=0; grant; grant", 0, 0, 0, 0},
		{"nothing matched", "grant; grant", 0, 0, 0, 0},
		{"a match", "request; grant", 0, 0, 0, 0},
	} {
		g := deskResult(t, m(), c.log, Options{}).Explanations
		if g == nil {
			g = new(Explanations)
		}
		if g.Ways != c.ways || g.States != c.states || len(g.Ends) != c.ends || len(g.Steps) != c.distinct || g.From != 0 {
			t.Errorf("%s: %d ways, %d states, %d ends, %d steps from %d: %+v", c.name, g.Ways, g.States, len(g.Ends), len(g.Steps), g.From, g)
		}
		for _, s := range g.Steps {
			if s.From >= s.To || s.To >= g.States || slices.Contains(g.Ends, s.From) {
				t.Errorf("%s: %+v does not lead on", c.name, s)
			}
		}
	}
	// A graph begins at most sixteen steps before its end.
	long := "of client=0; grant; release; " + strings.Repeat("of client=1; grant; release; ", 8) + "request; release"
	g := deskResult(t, m(), long, Options{}).Explanations
	if g == nil || g.Ways != 3 || g.From != 28-maxTail || fmt.Sprint(g.Steps[len(g.Steps)-1].Event) != "27" {
		t.Errorf("a long log: %+v", g)
	}
}

// TestExplanationsBounded: a graph that would be too large begins later, or is left out.
func TestExplanationsBounded(t *testing.T) {
	t.Parallel()
	m := numbered(&Mapping{
		Rules:    []Rule{{Event: "request", Actions: []string{"Request"}}, {Event: "release", Actions: []string{"Release"}}},
		Unlogged: []Unlogged{{Action: "Grant", Max: 9}},
	})
	for k := range 7 {
		log := strings.Repeat("request; release; ", k) + "release; release"
		if g := deskResult(t, m, log, Options{}).Explanations; g != nil && (g.States > maxExplained || g.Ways < 2) {
			t.Errorf("%s: %d states, %d ways", log, g.States, g.Ways)
		}
	}
}
