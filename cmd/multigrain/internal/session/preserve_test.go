package session

import (
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
)

// TestNothingSeen: two compositions in which nothing happens, or in which nothing is observed, are
// not preserved at a level above L0.
func TestNothingSeen(t *testing.T) {
	t.Parallel()
	steps := [2]wire.Compared{{States: 2, Transitions: 1}, {States: 1}}
	looks := []wire.Seen{{Name: "A", Seen: [2]int{1, 1}}}
	for _, c := range []struct {
		name string
		rep  wire.Preservation
		want bool
	}{
		{"a view", wire.Preservation{Sides: steps, Views: [2]int{1, 0}}, false},
		{"an invariant", wire.Preservation{Sides: steps, Looks: looks}, false},
		{"no view", wire.Preservation{Sides: steps}, true},
		{"no step", wire.Preservation{Sides: [2]wire.Compared{{States: 1}, {States: 1}}, Views: [2]int{1, 1}, Looks: looks}, true},
	} {
		if got := nothingSeen(&c.rep); got != c.want {
			t.Errorf("%s: nothing seen %v", c.name, got)
		}
		if u := undecided(&c.rep, "why"); u.Level != "L0" || u.Reason != "why" || u.L2.NoFalse != "undecided" || len(u.Differences) > 0 {
			t.Errorf("%s: %+v", c.name, u)
		}
	}
}
