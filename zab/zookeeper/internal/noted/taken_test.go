package noted

import (
	"slices"
	"testing"
)

// TestTaken: a condition has led to both ways once both offsets were seen.
func TestTaken(t *testing.T) {
	t.Parallel()
	spots := []Spot{{Place: 0, Class: "p.A", Offset: 3}, {Place: 1, Class: "p.A", Offset: 7, Next: 10, Jump: 20}, {Place: 0, Class: "p.B", Offset: 1}}
	x := NewTaken(spots, 2)
	if !slices.Equal(x.Classes(), []string{"p.A", "p.B"}) || len(x.In("p.A")) != 2 {
		t.Errorf("classes %q", x.Classes())
	}
	x.Line(spots[0])
	if x.Jump(spots[1], 20) || x.Jump(spots[1], 15) {
		t.Error("one way is not both, and an exception's handler is none")
	}
	if !slices.Equal(x.Ran(), []bool{false, true, true, false}) {
		t.Errorf("ran %v", x.Ran())
	}
	if !x.Jump(spots[1], 10) {
		t.Error("both ways")
	}
	if x.Forget(); slices.Contains(x.Ran(), true) {
		t.Error("it does not forget")
	}
}
