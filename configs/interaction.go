package configs

import (
	"time"

	"github.com/hashicorp/hcl/v2"
)

// Interaction says how far interaction preservation is examined.
type Interaction struct {
	// Level is "L0", "L1" or "L2".
	Level Attr[string]
	// MaxStates bounds the states explored by levels L1 and L2; at least 1.
	MaxStates Attr[int]
	// Timeout bounds their time; positive.
	Timeout Attr[time.Duration]
	// Accept are gaps that are accepted for the whole composition.
	Accept []*Acceptance
	// Unchanged names modules whose coarse grains stand in both compositions that levels L1 and L2 compare: they are compared
	// with what they coarsen elsewhere.
	Unchanged Attr[[]Text]
	// Bounds replace those of the manifest while levels L1 and L2 are examined.
	Bounds    Settings
	DeclRange hcl.Range
}

var interactionSchema = &schema{
	attrs:  []string{"level", "max_states", "timeout", "accept", "unchanged"},
	blocks: map[string]*schema{"bounds": {free: true}, "accept": acceptSchema},
}

// interaction decodes the interaction block; nil if there is none.
func (d *decoder) interaction(b *block) *Interaction {
	if b == nil {
		return nil
	}
	return &Interaction{
		Level:     d.choice(b, "level", "L0", "L1", "L2"),
		MaxStates: d.whole(b, "max_states", 1),
		Timeout:   d.duration(b, "timeout"),
		Accept:    d.accepts(b),
		Unchanged: d.texts(b, "unchanged"),
		Bounds:    d.bounds(b.first("bounds")),
		DeclRange: b.header,
	}
}
