package main

import (
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
)

func TestInteractionTexts(t *testing.T) {
	t.Parallel()
	d := &interactionDoc{
		Verdict: "broken", Level: "L0",
		Findings: []findingDoc{{Kind: "lost-update", Severity: "error"}, {Kind: "head-of-line", Severity: "note"}, {Accepted: true, Severity: "error"}},
		Grains: []grainDoc{{
			Grain: "election/coarse", Covers: []string{"election", "discovery"}, Targets: []string{"synchronization"},
			Verdict: "broken", Level: "L0", Keeps: []string{"State", "ZabState"}, Drops: nil,
		}},
		Variables: []variableDoc{
			{Name: "State", Kept: true, Modules: []cellDoc{
				{Module: "election", Dependency: true, Interaction: true},
				{Module: "faults", Interaction: true},
			}},
			{Name: "RecvVotes", Modules: []cellDoc{{Module: "election", Dependency: true, Internal: true}}},
			{Name: "Clock", Modules: []cellDoc{{Module: "faults"}, {Module: "election"}}},
		},
	}
	d.Modules = []string{"election", "faults"}
	for _, c := range [][2]string{
		{d.summary(false), "interaction: broken at level L0 (footprints, for all sizes; behaviours are not compared), " +
			"1 accepted gap, 1 obligation left to other levels"},
		{(&interactionDoc{Level: "L2", Findings: []findingDoc{{Kind: "head-of-line", Severity: "note", Message: "A may stand before B"}}}).obligations(),
			"  obligation, compared at level L2: A may stand before B\n"},
		{(&interactionDoc{Verdict: "gap", Level: "L0", Comparison: &comparisonDoc{Findings: []findingDoc{{}}}}).summary(false),
			"interaction: gap, found by comparing behaviours; no level above L0 is decided whole"},
		{strings.Join(partsOf("msgs", []string{"MsgsLost", "Msgs#ACK", "Msgs.cut", "Msg"}), " "), "Msgs#ACK Msgs.cut MsgsLost"},
		{(&interactionDoc{Verdict: "none"}).summary(false), "interaction: no coarse grain is chosen"},
		{(&interactionDoc{Verdict: "skipped"}).summary(false), "interaction: not examined"},
		{d.table(), `  variable   election    faults
  State      D I         I       kept
  RecvVotes  D internal  .       droppable
  Clock      used        used    droppable

  D dependency variable of the module, I interaction variable, internal to the module, . not used
`},
		{d.grains(false), `election/coarse, covering election and discovery, for target synchronization: broken at level L0
  keeps State, ZabState
  drops nothing
`},
		{d.dot("mspec-1"), `graph "mspec-1" {
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
		{(&whyDoc{Variable: "State", Kept: true, Chain: []linkDoc{{"guard of FollowerSync reads ZabState", "a.go", 7}, {"which is computed from State", "", 0}}}).text(),
			"State is kept:\n  guard of FollowerSync reads ZabState  (a.go:7)\n  which is computed from State\n"},
		{(&whyDoc{Variable: "Clock"}).text(), "Clock may be dropped: nothing that is kept depends on it.\n"},
	} {
		if c[0] != c[1] {
			t.Errorf("the text differs:\n%s", udiff.Unified("want", "got", c[1], c[0]))
		}
	}
}
