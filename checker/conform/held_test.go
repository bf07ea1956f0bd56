package conform_test

import (
	"maps"
	"testing"

	"github.com/multigrain/multigrain/checker/conform"
)

// rope has fields for which the lift's specification has no variables.
type rope struct {
	turns int
	ends  int // that are worn out
}

// hoist is a cabin with a rope.
type hoist struct {
	cabin
	rope  *rope
	twice bool
}

func (h *hoist) Start(s *lift) error {
	h.rope = &rope{ends: 2}
	return h.cabin.Start(s)
}

func (h *hoist) Perform(s conform.Step[lift]) error {
	if h.rope.turns++; h.twice && s.Action == "Close" {
		h.rope.turns++
	}
	return h.cabin.Perform(s)
}

func (h *hoist) Holds() []any { return []any{h.rope} }

func hoists(twice bool) conform.Implementation[lift] {
	return conform.Implementation[lift]{Name: "hoist", Open: func(conform.Setup) (conform.Adapter[lift], error) {
		return &hoist{twice: twice}, nil
	}}
}

// TestHeld: two implementations that agree in all variables and differ in a field have other sums
// of this field, and equal ones of the others. Workers make no difference.
func TestHeld(t *testing.T) {
	sums := func(twice bool, workers int) map[string]uint64 {
		impl := hoists(twice)
		impl.Module = "github.com/multigrain/multigrain"
		res, err := conform.Run(liftSpec(t), impl, conform.Options{Depth: 30, Number: 60, Workers: workers, Seed: 3, Held: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Found) > 0 || res.Traces != 60 {
			t.Fatalf("%d walks, %+v", res.Traces, res.Found)
		}
		return res.Held
	}
	const turns, ends = "github.com/multigrain/multigrain/checker/conform_test.rope.turns", "github.com/multigrain/multigrain/checker/conform_test.rope.ends"
	once, twice := sums(false, 1), sums(true, 1)
	if len(once) != 2 || once[turns] == 0 || !maps.Equal(once, sums(false, 3)) {
		t.Fatalf("%v", once)
	}
	if once[turns] == twice[turns] || once[ends] != twice[ends] {
		t.Errorf("%v and %v", once, twice)
	}
	res, err := conform.Run(liftSpec(t), cabins("", nil), conform.Options{Depth: 30, Number: 5, Workers: 1, Held: true})
	if err != nil || res.Held != nil {
		t.Errorf("an adapter that names no objects has sums: %v, %v", res.Held, err)
	}
}
