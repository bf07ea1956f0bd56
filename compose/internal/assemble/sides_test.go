package assemble

import (
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"testing"
)

// TestConstantUses: a name counts where Go needs a constant, and nowhere else.
func TestConstantUses(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "a.go", `package a

const A = B + 1

type T struct{ X [N]int }

var V = Free

func f() int {
	const local = C
	switch Free {
	case Free:
	}
	return len([2 * M]int{}) + Free
}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := &goFile{tree: tree}
	if got, want := slices.Sorted(maps.Keys(f.constantUses())), []string{"B", "C", "M", "N"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	r := &Rewriting{fset: fset, files: []*goFile{f}}
	if why := r.CanVary("N"); why == nil || why.Error() != "constant N cannot be a variable: see a.go:5" {
		t.Errorf("N: %v", why)
	}
	if why := r.CanVary("Free"); why != nil {
		t.Errorf("Free: %v", why)
	}
}
