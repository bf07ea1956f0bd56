package reduce_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/checker/internal/reduce"
)

// TestPosition: a panic in a reduction has the position of its caller, not one in this project.
func TestPosition(t *testing.T) {
	type node = checker.Node[struct{ A uint64 }, [0]uint8]
	spec := &checker.Spec[node]{}
	if err := reduce.Slice(spec, []string{"A"}); err != nil {
		t.Fatal(err)
	}
	wantCaller(t, func() { spec.Represent(nil, new(node)) })
}

// TestPositionInLayout: so has a panic in the package that knows where values lie.
func TestPositionInLayout(t *testing.T) {
	wantCaller(t, func() { layout.ChainsIn(nil) })
}

// wantCaller runs do, which must panic, and expects the position of the panic in this file.
func wantCaller(t *testing.T, do func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Fatal("there is no panic")
		}
		pcs := make([]uintptr, 64) // from the panic on
		file, _, ours := checker.SpecPosition(pcs[:runtime.Callers(2, pcs)], "no/strategy")
		if filepath.Base(file) != "position_test.go" || ours {
			t.Errorf("the position is in %s, of this project: %v", file, ours)
		}
	}()
	do()
}
