package reduce_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/reduce"
)

// TestPosition: a panic in a reduction has the position of its caller, not one in this project.
func TestPosition(t *testing.T) {
	type node = checker.Node[struct{ A uint64 }, [0]uint8]
	spec := &checker.Spec[node]{}
	if err := reduce.Slice(spec, []string{"A"}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Fatal("a missing node is represented")
		}
		pcs := make([]uintptr, 64) // from the panic on
		file, _, ours := checker.SpecPosition(pcs[:runtime.Callers(2, pcs)], "no/strategy")
		if filepath.Base(file) != "position_test.go" || ours {
			t.Errorf("the position is in %s, of this project: %v", file, ours)
		}
	}()
	spec.Represent(nil, new(node))
}
