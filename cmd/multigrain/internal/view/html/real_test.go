package html

import (
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// document begins the document of a verb that looked at something.
func document(verb string) *result.Document {
	d := new(result.Document)
	d.Start(verb)
	d.Spec, d.System = "m", "term"
	d.Looked = verdicts.Looked{Initial: 1, Beyond: 1, Judged: 1, Walks: 1, Steps: 1, Events: 1, Messages: 1, Manifests: 1, Configurations: 1}
	return d
}

// RealDocuments returns a document of each verb about a real system, and of compare. Equal is that
// of replay.
func RealDocuments() map[string]*result.Document {
	conform := document("conform")
	conform.Conform = &result.Conformance{Implementation: "lib", Version: "v1", Verdict: "violated", Traces: 7, Steps: 20, Differences: 1, Observed: []string{"Term"}, Unobserved: []string{"Log"},
		Actions:  []result.ConformedAction{{Name: "Elect", Module: "election", Fired: 3, Instances: wire.Fired{Fired: 1, Of: 2}}, {Name: "Stop", Module: "faults"}},
		Coverage: []wire.Conformed{{Traces: 1, Instances: 1}, {Traces: 7, Instances: 3}},
		Found: []result.Difference{{Kind: "variable", Variable: "Term[0]", Step: 2, Action: "Elect(I: 0)", Walk: 4, Length: 9, Trace: "m-Term.itf.json", Counterexample: &result.Behaviour{Diagram: new(result.Diagram)},
			Values: []result.Differing{{Differing: wire.Differing{Path: "Term[0]"}, SpecificationText: "1", ImplementationText: "<2>"}}}}}
	equal := document("replay")
	equal.Conform = &result.Conformance{Implementation: "lib", Verdict: "holds", Traces: 1, Steps: 2, Observed: []string{"Term"}}
	confirm := document("confirm")
	confirm.Confirm = &result.Confirmation{Implementation: "lib", Version: "v1", Verdict: "confirmed", Property: "Safe", Length: 3, Runs: result.Attempts{Shown: 1}, Counterexample: &result.Behaviour{Diagram: new(result.Diagram)},
		Attempts: []wire.Attempt{{Outcome: "shown", Steps: 3, Sightings: []wire.Sighting{{Word: "lost-write", Seen: true, Judged: true}}}, {Control: true, Outcome: "absent", Steps: 3}}}
	trace := document("trace")
	trace.Exploration = &result.Exploration{Verdict: "violated", Reason: "no behaviour matches event 3", Actions: []result.Action{}, Violations: []result.Violation{}}
	trace.Validation = &result.Validation{Logs: []string{"a.log"}, Validation: &wire.Validation{Events: 5, Matched: 2, Visited: 9}}
	whole := document("trace")
	whole.Spec, whole.Exploration = "w", &result.Exploration{Verdict: "holds", Actions: []result.Action{}, Violations: []result.Violation{}}
	whole.Validation = &result.Validation{Logs: []string{"a.log"}, Validation: &wire.Validation{Events: 2, Matched: 2, Steps: 4, Visited: 9, Actions: map[string]int{"Elect": 2}}}
	ways := document("trace")
	ways.Spec, ways.Exploration = "n", trace.Exploration
	ways.Validation = &result.Validation{Logs: []string{"a.log"}, Calls: []string{"Elect(I: <0>)", "Elect(I: 1)"},
		Validation: &wire.Validation{Events: 5, Matched: 2,
			Explanations: &wire.TraceExplanations{From: 1, States: 3, Ends: []int{1, 2}, Ways: 2,
				Steps: []wire.ExplainedStep{{From: 0, To: 1, Line: 2, Event: "elect"}, {From: 0, To: 2, Line: 2, Event: "elect", Unlogged: true}}}}}
	monitor := document("monitor")
	monitor.Monitor = &result.Monitor{Node: 1, Verdict: "violated", Stats: result.MonitorStats{Events: 12, Decided: 3},
		Alarm:         &result.Alarm{Node: 1, Position: 7, Peer: 2, Message: result.Shown{Text: "VOTE 3"}, Expected: []result.Shown{{Text: "VOTE 2"}}, Last: []result.Shown{{Event: "in", Text: "ASK"}}},
		Substitutions: []result.Substitution{{What: "faults", From: "crash", To: "local", Why: "one node"}}}
	rank := document("rank")
	rank.Ranking = &result.Ranking{Verdict: "ranked", Grid: []result.Axis{{Name: "items"}}, Configurations: []result.Configuration{{Rank: 1, Values: []string{"2"}, Walks: 50, Distinct: 8}, {Values: []string{"3"}}}}
	compare := document("compare")
	compare.Spec, compare.System = "", ""
	compared := document("check")
	compared.Exploration = &result.Exploration{Verdict: "violated", Distinct: 11, Depth: 3, Actions: []result.Action{},
		Violations: []result.Violation{{Invariant: "Safe", Kind: "state", Depth: 3, Count: 1}}}
	compare.Compared = []result.Compared{{Manifest: "a.hcl", Result: compared}}
	return map[string]*result.Document{"conform": conform, "equal": equal, "confirm": confirm, "trace": trace, "whole": whole, "ways": ways, "monitor": monitor,
		"rank": rank, "compare": compare}
}

// TestReal: the page of each verb about a real system has its verdict line, its facts and what was
// found, and nothing of the others. Its name has the verb.
func TestReal(t *testing.T) {
	t.Parallel()
	documents := RealDocuments()
	for name, c := range map[string]struct {
		d         *result.Document
		has, lack []string
	}{
		"m-conform.html": {documents["conform"], []string{`class="violated"`, "<h2>Differences</h2>", "Term", "implementation &lt;2&gt;", "<th>not compared</th><td>Log</td>", "1 of 2", `<table id="fired">`,
			`href="m-conform-1-Term.html"`, "instances of actions taken", `<svg class="chart"`}, []string{"<h2>Violations</h2>", "Figures of the run</h2>\n\n<table id=\"compared\""}},
		"m-replay.html":  {documents["equal"], []string{`class="holds"`, "1 walk, 2 steps compared"}, []string{"<h2>Differences</h2>", "<h2>Violations</h2>", "<h2>Known differences</h2>", `<svg class="chart"`}},
		"m-confirm.html": {documents["confirm"], []string{`class="violated"`, "<b>confirmed", "<h2>Schedule</h2>", ": seen", "<td>control</td><td>absent</td>", `href="m-confirm-1-Safe.html"`}, []string{"<h2>Differences</h2>"}},
		"m-trace.html": {documents["trace"], []string{"<b>violated: no behaviour matches event 3", "<th>longest matched prefix</th><td>2 of 5 events</td>", "a.log"},
			[]string{"<h2>Coverage</h2>", "distinct states", "can have happened", "by 0 steps"}},
		"w-trace.html": {documents["whole"], []string{"<th>matched</th><td>2 events by 4 steps</td>", "<td>Elect</td><td>2</td>"}, []string{"longest matched prefix"}},
		"n-trace.html": {documents["ways"], []string{"<h2>The last event can have happened in 2 ways, from state 0 to states 1, 2</h2>", "<title>state 2</title></circle>",
			"<td>0 -&gt; 2</td><td>line 2 elect</td><td>Elect(I: 1), not logged</td>", "line 2 elect: Elect(I: &lt;0&gt;)</title></polyline>"}, nil},
		"m-monitor.html": {documents["monitor"], []string{"<b>alarm: node 1 must not have sent to 2", "at event 7: VOTE 3", "<td>VOTE 2</td>", "<td>faults</td><td>crash</td>"}, []string{"<h2>Differences</h2>", "Judged again"}},
		"m-rank.html":    {documents["rank"], []string{"<b>ranked", "<th>items</th>", "<td>not ranked</td><td>3</td>"}, []string{"<h2>Differences</h2>"}},
		"compare.html":   {documents["compare"], []string{"<h1>compare</h1>", "<td>a.hcl</td>", "Safe", "<td>11</td>"}, []string{`<h2>Composition</h2>`}},
	} {
		pages, err := Pages(c.d, t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		page := pages[name]
		for _, want := range append(c.has, "<main>", "</main>", "<header>", `<details id="whole">`) {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
		for _, not := range append(c.lack, "<b>none</b>", "http://", "https://", "<script src", "<link") {
			if strings.Contains(page, not) {
				t.Errorf("%s has %s", name, not)
			}
		}
		if strings.Count(page, "<main>") != 1 || strings.Count(page, `<div class="wide">`) != 0 {
			t.Errorf("%s has an area that scrolls and that the keyboard does not reach, or several main parts", name)
		}
	}
}

// TestEmptyPage: a composition without a coarse grain has the line of the table as its headline. A
// document of errors alone has no headline of a verdict.
func TestEmptyPage(t *testing.T) {
	t.Parallel()
	d := document("interaction")
	d.Interaction = &result.Interaction{Verdict: "none"}
	broken := document("conform")
	broken.Diagnostics = []result.Diagnostic{{Severity: "error", Code: "MG103", Summary: "Unknown grain"}}
	for name, x := range map[string]*result.Document{"m.html": d, "m-conform.html": broken} {
		pages, err := Pages(x, t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(pages[name], "<b>none</b>") {
			t.Errorf("%s has the headline none", name)
		}
		if has := strings.Contains(pages[name], "no coarse grain is chosen"); has != (name == "m.html") {
			t.Errorf("%s says that no coarse grain is chosen: %v", name, has)
		}
		if has := strings.Contains(pages[name], `id="verdict"`); has != (name == "m.html") {
			t.Errorf("%s has a verdict: %v", name, has)
		}
	}
}
