package main

import (
	"strings"
	"testing"
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
		{interactionSummary(d, false), "interaction: broken at level L0 (footprints, for all sizes; behaviours are not compared), " +
			"1 accepted gap, 1 obligation left to other levels"},
		{obligationsText(&interactionDoc{Level: "L2", Findings: []findingDoc{{Kind: "head-of-line", Severity: "note", Message: "A may stand before B"}}}),
			"  obligation, compared at level L2: A may stand before B\n"},
		{interactionSummary(&interactionDoc{Verdict: "gap", Level: "L0", Comparison: &comparisonDoc{Findings: []findingDoc{{}}}}, false),
			"interaction: gap, found by comparing behaviours; no level above L0 is decided whole"},
		{strings.Join(partsOf("msgs", []string{"MsgsLost", "Msgs#ACK", "Msgs.cut", "Msg"}), " "), "Msgs#ACK Msgs.cut MsgsLost"},
		{interactionSummary(&interactionDoc{Verdict: "none"}, false), "interaction: no coarse grain is chosen"},
		{interactionSummary(&interactionDoc{Verdict: "skipped"}, false), "interaction: not examined"},
		{variablesTable(d), `  variable   election    faults
  State      D I         I       kept
  RecvVotes  D internal  .       droppable
  Clock      used        used    droppable

  D dependency variable of the module, I interaction variable, internal to the module, . not used
`},
		{grainsText(d, false), `election/coarse, covering election and discovery, for target synchronization: broken at level L0
  keeps State, ZabState
  drops nothing
`},
		{dotText(d, "mspec-1"), `graph "mspec-1" {
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
		{whyChain(&whyDoc{Variable: "State", Kept: true, Chain: []linkDoc{{"guard of FollowerSync reads ZabState", "a.go", 7}, {"which is computed from State", "", 0}}}),
			"State is kept:\n  guard of FollowerSync reads ZabState  (a.go:7)\n  which is computed from State\n"},
		{whyChain(&whyDoc{Variable: "Clock"}), "Clock may be dropped: nothing that is kept depends on it.\n"},
	} {
		if c[0] != c[1] {
			t.Errorf("got\n%s\nwant\n%s", c[0], c[1])
		}
	}
}
