package configs

import (
	"cmp"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Simulate says how random walks are taken.
type Simulate struct {
	// Depth is the length of a walk in transitions, Number how many walks are
	// taken; both at least 1.
	Depth, Number Attr[int]
	// Timeout bounds the time of all walks; positive.
	Timeout Attr[time.Duration]
	// Seed makes the walks repeatable; not negative.
	Seed Attr[int]
	// Weights are the relative frequencies of actions, by the action's name;
	// numbers that are not negative.
	Weights   Settings
	DeclRange hcl.Range
}

var simulateSchema = &schema{
	attrs:  []string{"depth", "number", "timeout", "seed"},
	blocks: map[string]*schema{"weights": {free: true}},
}

// Or returns s with what it does not set as in another block. Both may be nil.
func (s *Simulate) Or(other *Simulate) *Simulate {
	if s == nil || other == nil {
		return cmp.Or(s, other)
	}
	out := *s
	for _, x := range []struct{ to, from *Attr[int] }{{&out.Depth, &other.Depth}, {&out.Number, &other.Number}, {&out.Seed, &other.Seed}} {
		if !x.to.IsSet() {
			*x.to = *x.from
		}
	}
	if !out.Timeout.IsSet() {
		out.Timeout = other.Timeout
	}
	if len(out.Weights) == 0 {
		out.Weights = other.Weights
	}
	return &out
}

// simulate decodes a simulate block, or one like it; nil if there is none.
func (d *decoder) simulate(b *block) *Simulate {
	if b == nil {
		return nil
	}
	s := &Simulate{
		Depth:     d.whole(b, "depth", 1),
		Number:    d.whole(b, "number", 1),
		Timeout:   d.duration(b, "timeout"),
		Seed:      d.whole(b, "seed", 0),
		DeclRange: b.header,
	}
	for _, w := range d.settingsOf(b.first("weights"), cty.Number) {
		if w.Value.AsBigFloat().Sign() < 0 {
			d.report(w.Errorf(CodeBadNumber, "Number too small",
				"The weight of action %q is negative. Use 0 for an action that is never taken.", w.Name))
			continue
		}
		s.Weights = append(s.Weights, w)
	}
	return s
}
