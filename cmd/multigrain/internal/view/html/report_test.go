package html

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// TestWalks: the page of random walks counts the actions that can fire, as the text does. It has
// reasons and instances in columns of their own, says by which strategy walks were taken, and
// links to a trace from where the page is.
func TestWalks(t *testing.T) {
	t.Parallel()
	d := &result.Document{Verb: "simulate", Spec: "walks", System: "term", Exploration: &result.Exploration{
		Verdict: "violated", Invariants: []string{"Agreed"},
		Actions: []result.Action{
			{Name: "Work", Module: "work", Enabled: 3, Fired: 2, Instances: &wire.Fired{Fired: 2, Of: 3}},
			{Name: "Rest", Module: "work", Instances: &wire.Fired{Of: 2}},
			{Name: "Old", Module: "work", Off: true, Instances: &wire.Fired{Of: 6}},
			{Name: "Crash", Module: "faults", Spent: true, Instances: &wire.Fired{Of: 6}},
		},
		Violations: []result.Violation{{Invariant: "Agreed", Kind: "state", Trace: filepath.Join("out", "walks-100%.itf.json")},
			{Invariant: "Other", Kind: "state"}},
		Simulation: &result.Simulation{Walks: 5, Steps: 20, Depth: 9, Strategy: &wire.Strategy{
			Name: "rounds", Parameters: []wire.Parameter{{Name: "period", Value: 8, Meaning: "rounds of a phase"}},
			Space: "2144481", SpaceOf: "schedules", Guarantee: "a walk has each <schedule>", Heuristic: []string{"not exact"}, Notes: []string{"later", "in the kernel"},
		}},
	}}
	pages, err := Pages(d, "out", "")
	if err != nil {
		t.Fatal(err)
	}
	page := pages["walks.html"]
	for _, want := range []string{
		`<span>actions that fired</span><span class="track"><span class="fill" style="width:50%"></span></span><span>1 of 2</span>`,
		`<th class="n">instances fired</th><th>why never</th>`,
		`<td class="n">0 of 6</td><td>off by options</td>`, `<td class="n">2 of 3</td><td></td>`,
		`<h2>Strategy rounds (heuristic)</h2>`,
		`<td class="m">period</td><td class="n">8</td><td>rounds of a phase</td>`,
		`<th>sample space</th><td>2144481 schedules</td>`, `<th>guarantee</th><td>a walk has each &lt;schedule&gt;</td>`,
		`<th>heuristic</th><td>not exact</td>`, `<th>note</th><td>later</td>`, `<th>note</th><td>in the kernel</td>`,
		`trace <a class="file" href="walks-100%25.itf.json">walks-100%.itf.json</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(page, `class="file"`); n != 1 {
		t.Errorf("%d links to traces, want 1", n)
	}
	// An exploration has no instances, and no strategy.
	d.Simulation = nil
	for k := range d.Actions {
		d.Actions[k].Instances = nil
	}
	if pages, err = Pages(d, "out", ""); err != nil {
		t.Fatal(err)
	}
	if page = pages["walks.html"]; strings.Contains(page, "instances fired") || strings.Contains(page, `id="strategy"`) {
		t.Error("the page of an exploration has instances or a strategy")
	}
}
