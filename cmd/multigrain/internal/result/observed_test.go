package result

import (
	"slices"
	"testing"
)

// TestNotObserved: places that are not observed have a text for each line. The first ones of many
// are named, and those with other contents come first.
func TestNotObserved(t *testing.T) {
	t.Parallel()
	of := func(line int, place string) Written { return Written{File: "a.go", Line: line, Place: place} }
	all := []Written{of(1, "p.a"), of(1, "p.b"), of(1, "p.b"), of(1, "p.c"), of(1, "p.d"), of(1, "p.e"), of(2, "p.f")}
	seen, equal, differs, gone := of(3, "p.g"), of(3, "p.h"), of(4, "p.i"), of(5, "p.j")
	seen.Observed, equal.Equal, differs.Differs, gone.Removed, gone.Changes = true, true, true, true, true
	want := []string{
		"a.go:4 writes p.i, which the adapter does not observe and which has other contents than before the change",
		"a.go:1 writes p.a, p.b, p.c and 2 more places, which the adapter does not observe",
		"a.go:2 writes p.f, which the adapter does not observe",
		"before the change a.go:5 changes p.j, which the adapter does not observe",
	}
	if got := NotObserved(append(all, seen, equal, differs, gone)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := NotObserved(all[:5]); !slices.Equal(got, []string{"a.go:1 writes p.a, p.b, p.c, p.d, which the adapter does not observe"}) {
		t.Errorf("%q", got)
	}
}
