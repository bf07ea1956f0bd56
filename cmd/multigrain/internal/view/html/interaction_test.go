package html

import (
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// InteractionDocument returns the document of an interaction with a gap.
func InteractionDocument() *result.Document {
	return &result.Document{Spec: "term", System: "term", Interaction: &result.Interaction{
		Verdict: "gap", Level: "L2", Modules: []string{"prepare", "work"}, Whole: []string{"work/baseline"},
		Grains: []result.Grain{{Grain: "prepare/coarse", Covers: []string{"prepare"}, Targets: []string{"work"},
			Verdict: "preserved", Level: "L0", Keeps: []string{"Term"}, Drops: []string{"Heard"}}},
		Variables: []result.Variable{
			{Name: "Term", Kept: true, Why: &result.Link{Text: "the guard of Work reads <Term>", File: "term.go", Line: 62},
				Modules: []result.Cell{{Module: "prepare", Writes: true, Interaction: true}, {Module: "work", Dependency: true, Interaction: true}}},
			{Name: "Heard", Why: &result.Link{Text: "only prepare depends on it"}, Modules: []result.Cell{{Module: "prepare", Dependency: true, Internal: true}}},
			{Name: "Spare", Modules: []result.Cell{}},
		},
		Locked: &result.Locked{Level: "L2", Status: result.Decided, Verdict: "gap", File: "multigrain.lock", Complete: true, Bounds: "terms=2",
			Accepted: []string{"Work: " + strings.Repeat("a long reason ", 9) + "ends"}},
		Comparison: &result.Comparison{Verdict: "gap", Bounds: "terms=2", Preservation: wire.Preservation{Level: "L2", Asked: "L2",
			L1: wire.Inclusions{NoFalse: "yes", NoMissed: "no"}, L2: wire.Inclusions{NoFalse: "yes", NoMissed: "no"},
			Sides: [2]wire.Compared{{States: 18, Complete: true}, {States: 10}}}},
	}}
}

// TestInteractionPage: the page shows what a grain keeps and drops and why, the marks, the level,
// the bounds and whether all states were explored.
func TestInteractionPage(t *testing.T) {
	t.Parallel()
	pages, err := Pages(InteractionDocument(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	page := pages["term.html"]
	for _, want := range []string{
		`<h3>prepare/coarse: <span class="preserved">preserved</span> at level L0</h3>`,
		`<td class="m">Term</td><td>the guard of Work reads &lt;Term&gt;</td><td class="m">term.go:62</td>`,
		`<td class="m">Heard</td><td>only prepare depends on it</td>`,
		`Not coarse, so nothing is dropped: work/baseline.`,
		`<td class="interaction">w I</td><td class="interaction">D I</td><td>kept</td>`,
		`<td class="internal">D internal</td><td class=""></td><td>droppable</td>`,
		`Variables that no module here uses are left out: 1.`,
		// No line ends within it.
		"from multigrain.lock; accepted gap: Work: " + strings.Repeat("a long reason ", 9) + "ends</td>",
		`<th>result</th><td>gap</td>`, `<th>level decided</th><td>L2</td>`,
		`<th>level L2</th><td>no false behaviour: yes; no missed behaviour: no</td>`, `<th>bounds</th><td>terms=2</td>`,
		`<th>fine composition</th><td>18 states, all states explored</td>`,
		`<th>coarse composition</th><td>10 states, not all states explored</td>`,
		`@media screen and (prefers-color-scheme:dark)`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
