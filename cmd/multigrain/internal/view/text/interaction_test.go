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
			Verdict: "broken", Level: "L0", Keeps: []string{"State", "ZabState"}, Drops: []string{"RecvVotes", "Clock", "Round"},
		}},
		Whole: []string{"faults/crash"},
		Variables: []result.Variable{
			{Name: "State", Kept: true, Why: &result.Link{Text: "the guard of Sync reads State", File: "a.go", Line: 7}, Modules: []result.Cell{
				{Module: "election", Dependency: true, Interaction: true},
				{Module: "faults", Writes: true, Interaction: true},
			}},
			{Name: "RecvVotes", Why: &result.Link{Text: "internal to election"}, Modules: []result.Cell{{Module: "election", Dependency: true, Internal: true}}},
			{Name: "Clock", Why: &result.Link{Text: "no guard depends on it"}, Modules: []result.Cell{{Module: "faults", Reads: true, Writes: true}, {Module: "election", Reads: true}}},
			{Name: "Round", Why: &result.Link{Text: "internal to election"}, Modules: []result.Cell{{Module: "election", Writes: true, Internal: true}}},
		},
	}
	d.Modules = []string{"election", "faults"}
	for _, c := range [][2]string{
		{text.InteractionSummary(d, false), "interaction: broken at level L0 (footprints, for all sizes; behaviours are not compared), " +
			"1 accepted gap, 1 obligation left to other levels"},
		{text.Obligations(&result.Interaction{Level: "L2", Findings: []result.Finding{{Kind: "head-of-line", Severity: "note", Message: "A may stand before B"}}}),
			"  obligation, compared at level L2: A may stand before B\n"},
		// All that the summary counts is listed, and no gap that is accepted.
		{text.Obligations(&result.Interaction{Level: "L0", Findings: []result.Finding{
			{Kind: "foreign-read", Severity: "note", Message: "the guard reads A"}, {Kind: "missed-behaviour", Severity: "note", Accepted: true, Message: "B is missed"}}}),
			"  obligation, left to level L2: the guard reads A\n"},
		{result.Uncompared{Grain: "work/coarse", Reason: "it is on both sides", Footprints: true}.Text(),
			"work/coarse is compared at level L0 only: it is on both sides"},
		{text.InteractionSummary(&result.Interaction{Verdict: "gap", Level: "L0", Comparison: &result.Comparison{Findings: []result.Finding{{}}}}, false),
			"interaction: gap, found by comparing behaviours; no level above L0 is decided whole"},
		{strings.Join(variables.PartsOf("msgs", []string{"MsgsLost", "Msgs#ACK", "Msgs.cut", "Msg"}), " "), "Msgs#ACK Msgs.cut MsgsLost"},
		{text.InteractionSummary(&result.Interaction{Verdict: "none"}, false), "interaction: no coarse grain is chosen"},
		{text.InteractionSummary(&result.Interaction{Verdict: "skipped"}, false), "interaction: not examined"},
		{text.Variables(d), `  variable   election    faults
  State      D I         w I     kept
  RecvVotes  D internal  .       droppable
  Clock      r           rw      droppable
  Round      w internal  .       droppable

  D: a guard of the module depends on it. w, r: the module only writes it, or only reads it.
  I: modules interact through it. Two depend on it, one writes what another depends on, or
  another's dependency variable is computed from it. internal: no other module uses it.
`},
		{text.Grains(d, false), `election/coarse, covering election and discovery, for target synchronization: broken at level L0
  must keep
    State     the guard of Sync reads State  (a.go:7)
    ZabState
  drops
    RecvVotes, Round
      internal to election
    Clock
      no guard depends on it
Not coarse, so nothing is dropped: faults/crash.
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
		{text.Why(&result.Why{Variable: "Clock"}), "Clock may be dropped: no module here uses it.\n"},
	} {
		if c[0] != c[1] {
			t.Errorf("the text differs:\n%s", udiff.Unified("want", "got", c[1], c[0]))
		}
	}
}
