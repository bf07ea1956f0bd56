package main

import (
	"fmt"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

// preservation compares levels L1 and L2 of every coarse grain. What the command finds preserved is
// preserved for an observer that sees no more, and what it refuses is not preserved for one that
// sees no less.
func (t *trial) preservation() {
	for k := range t.s.Coarse {
		t.coarse(k)
	}
}

func (t *trial) coarse(k int) {
	coarse := t.s.Composition(k)
	c := oracle.Choice{Most: 4 * small.most}
	for k, p := range coarse.Properties {
		if p.Kind != oracle.Step {
			c.Properties = append(c.Properties, k)
		}
	}
	fine := *t.s
	fine.Properties = coarse.Properties
	narrow, wide := oracle.Compare(&fine, coarse, c, false), oracle.Compare(&fine, coarse, c, true)
	if narrow == nil || wide == nil {
		t.notes["coarse grains too large"]++
		return
	}
	args := []string{"interaction", fmt.Sprintf("coarse%d.hcl", k), "-level", "L2", "-again"}
	r := t.run(args...)
	x := &r.Interaction.Comparison
	lost := t.s.MustKeep(k)
	if lost != "" && (r.Interaction.Verdict != "broken" || x.Verdict != "") {
		t.fail(args, "L0 accepts a coarse grain that leaves out the updates of %s, which a step under test reads", lost)
	}
	if x.Verdict == "" {
		t.notes["coarse grains refused at L0"]++
		if lost != "" {
			t.notes["of these for an update that the oracle misses, too"]++
		}
		if r.code != exitBroken {
			t.fail(args, "%s", r.problem())
		}
		return
	}
	t.notes["coarse grains: "+x.Verdict]++
	for side, views := range [2][2]int{{narrow.FineViews, wide.FineViews}, {narrow.CoarseViews, wide.CoarseViews}} {
		if x.Views[side] < views[0] || x.Views[side] > views[1] {
			t.fail(args, "%d views on side %d, oracle %d to %d", x.Views[side], side, views[0], views[1])
		}
	}
	t.answer(args, "L1 no false", x.L1.NoFalse, narrow.NoFalse[1], wide.NoFalse[1])
	t.answer(args, "L1 no missed", x.L1.NoMissed, narrow.NoMissed[1], wide.NoMissed[1])
	if narrow.Undecided || wide.Undecided {
		t.notes["coarse grains too large for L2"]++
		return
	}
	t.answer(args, "L2 no false", x.L2.NoFalse, narrow.NoFalse[2], wide.NoFalse[2])
	t.answer(args, "L2 no missed", x.L2.NoMissed, narrow.NoMissed[2], wide.NoMissed[2])
}

// answer compares one answer. Narrow and wide are those of an observer that sees no more and of one
// that sees no less.
func (t *trial) answer(args []string, what, got string, narrow, wide bool) {
	switch {
	case got == "yes" && !narrow:
		t.fail(args, "%s: yes, oracle no", what)
	case got == "no" && wide:
		t.fail(args, "%s: no, oracle yes", what)
	case got != "yes" && got != "no":
		t.fail(args, "%s: %q", what, got)
	}
	if narrow == wide {
		t.notes[what+" compared exactly"]++
	} else {
		t.notes[what+" compared"]++
	}
}
