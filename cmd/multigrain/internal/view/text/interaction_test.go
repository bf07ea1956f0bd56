package text_test

import (
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/variables"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
)

func TestInteractionTexts(t *testing.T) {
	t.Parallel()
	d := &result.Interaction{
		Verdict: "broken", Level: "L0",
		Findings: []result.Finding{{Kind: "lost-update", Severity: "error"}, {Kind: "head-of-line", Severity: "note"}, {Accepted: true, Severity: "error"}},
		Grains: []result.Grain{{
			Grain: "election/coarse", Covers: []string{"election", "discovery"}, Targets: []string{"synchronization"},
			Verdict: "broken", Level: "L0", Keeps: []string{"State", "ZabState"}, Drops: nil,
		}},
		Variables: []result.Variable{
			{Name: "State", Kept: true, Modules: []result.Cell{
				{Module: "election", Dependency: true, Interaction: true},
				{Module: "faults", Interaction: true},
			}},
			{Name: "RecvVotes", Modules: []result.Cell{{Module: "election", Dependency: true, Internal: true}}},
			{Name: "Clock", Modules: []result.Cell{{Module: "faults"}, {Module: "election"}}},
		},
	}
	d.Modules = []string{"election", "faults"}
	for _, c := range [][2]string{
		{text.InteractionSummary(d, false), "interaction: broken at level L0 (footprints, for all sizes; behaviours are not compared), " +
			"1 accepted gap, 1 obligation left to other levels"},
		{text.Obligations(&result.Interaction{Level: "L2", Findings: []result.Finding{{Kind: "head-of-line", Severity: "note", Message: "A may stand before B"}}}),
			"  obligation, compared at level L2: A may stand before B\n"},
		{text.InteractionSummary(&result.Interaction{Verdict: "gap", Level: "L0", Comparison: &result.Comparison{Findings: []result.Finding{{}}}}, false),
			"interaction: gap, found by comparing behaviours; no level above L0 is decided whole"},
		{strings.Join(variables.PartsOf("msgs", []string{"MsgsLost", "Msgs#ACK", "Msgs.cut", "Msg"}), " "), "Msgs#ACK Msgs.cut MsgsLost"},
		{text.InteractionSummary(&result.Interaction{Verdict: "none"}, false), "interaction: no coarse grain is chosen"},
		{text.InteractionSummary(&result.Interaction{Verdict: "skipped"}, false), "interaction: not examined"},
		{text.Variables(d), `  variable   election    faults
  State      D I         I       kept
  RecvVotes  D internal  .       droppable
  Clock      used        used    droppable

  D dependency variable of the module, I interaction variable, internal to the module, . not used
`},
		{text.Grains(d, false), `election/coarse, covering election and discovery, for target synchronization: broken at level L0
  keeps State, ZabState
  drops nothing
`},
		{text.Dot(d, "mspec-1"), `graph "mspec-1" {
  label="box: module (coarse grains as what they coarsen)   ellipse: variable, bold if modules interact through it\lsolid line: a guard of the module depends on it   dashed: used without\l";
  labeljust=l;
  fontname="Helvetica";
  rankdir=LR;
  node [fontname="Helvetica"];
  "module election" [shape=box];
  "module faults" [shape=box];
  "State" [shape=ellipse, style=bold];
  "module election" -- "State" [style=solid];
  "module faults" -- "State" [style=dashed];
  "Clock" [shape=ellipse];
  "module faults" -- "Clock" [style=dashed];
  "module election" -- "Clock" [style=dashed];
}
`},
		{text.Why(&result.Why{Variable: "State", Kept: true, Chain: []result.Link{{Text: "guard of FollowerSync reads ZabState", File: "a.go", Line: 7}, {Text: "which is computed from State"}}}),
			"State is kept:\n  guard of FollowerSync reads ZabState  (a.go:7)\n  which is computed from State\n"},
		{text.Why(&result.Why{Variable: "Clock"}), "Clock may be dropped: nothing that is kept depends on it.\n"},
	} {
		if c[0] != c[1] {
			t.Errorf("the text differs:\n%s", udiff.Unified("want", "got", c[1], c[0]))
		}
	}
}
