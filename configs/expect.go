package configs

import "github.com/hashicorp/hcl/v2"

// Expect is the result that a manifest is expected to have. What is not set is
// not compared.
type Expect struct {
	// Verdict is "holds", "violated" or "undecided". It is "unexplored" for a manifest that must
	// not be explored: it is for a running system and has no bounds that limit a search.
	Verdict Attr[string]
	// Invariant, Instance and Kind are those of the first violation. Kind is
	// "state", "step", "assert", "deadlock" or "liveness".
	Invariant, Instance, Kind Attr[string]
	// Depth is, in transitions, the length of the first violation's
	// counterexample or, where nothing is violated, the greatest distance
	// reached.
	Depth Attr[int]
	// Distinct and Generated count states as the result of check does.
	// DistinctAt is the count at the end of the first violation's level.
	Distinct, Generated, DistinctAt Attr[int]
	// Interaction is "preserved", "gap", "broken", "none" or "skipped".
	Interaction Attr[string]
	// Level is the level of interaction preservation that must be reached, "L0" to "L3":
	// Interaction is the result there.
	Level     Attr[string]
	DeclRange hcl.Range
}

var expectSchema = &schema{attrs: []string{
	"verdict", "invariant", "instance", "kind", "depth", "distinct", "generated", "distinct_at", "interaction", "level",
}}

// expect decodes the expect block; nil if there is none.
func (d *decoder) expect(b *block) *Expect {
	if b == nil {
		return nil
	}
	return &Expect{
		Verdict:     d.choice(b, "verdict", "holds", "violated", "undecided", "unexplored"),
		Invariant:   d.text(b, "invariant"),
		Instance:    d.text(b, "instance"),
		Kind:        d.choice(b, "kind", "state", "step", "assert", "deadlock", "liveness"),
		Depth:       d.whole(b, "depth", 0),
		Distinct:    d.whole(b, "distinct", 0),
		Generated:   d.whole(b, "generated", 0),
		DistinctAt:  d.whole(b, "distinct_at", 0),
		Interaction: d.choice(b, "interaction", "preserved", "gap", "broken", "none", "skipped"),
		Level:       d.choice(b, "level", "L0", "L1", "L2", "L3"),
		DeclRange:   b.header,
	}
}
