package interaction

import (
	"path/filepath"
	"testing"
)

// TestListing: loads with one listing see the constants, the imports and the files of their own
// overlays, and the go command is asked again only for the latter two.
func TestListing(t *testing.T) {
	t.Parallel()
	listing := new(Listing)
	added, err := filepath.Abs(filepath.Join(toyDir, "added.go"))
	if err != nil {
		t.Fatal(err)
	}
	more := overlay(t, toyDir, nil)
	more[added] = []byte("package toy\n\nconst Added = 1\n")
	for _, step := range []struct {
		what    string
		overlay map[string][]byte
		fits    bool
		fails   bool
	}{
		{"the package", nil, false, false},
		{"another constant", overlay(t, toyDir, []string{"state.go: MaxJobs    = 2 => MaxJobs    = 3"}), true, false},
		{"a constant that does not exist", overlay(t, toyDir, []string{"state.go: MaxJobs    = 2 => MaxJobs    = nothing"}), true, true},
		{"one more file", more, false, false},
		{"the package again", nil, false, false},
		{"a build constraint", overlay(t, toyDir, []string{"state.go: package toy => //go:build linux || !linux¶¶package toy"}), false, false},
		{"an import", overlay(t, toyDir, []string{"state.go: package toy => package toy¶¶import _ \"strings\""}), false, false},
	} {
		cfg := Config{Dir: ".", Package: "./" + toyDir, Overlay: step.overlay, Listing: listing}
		if listing.fits(cfg) != step.fits {
			t.Errorf("%s: the listing is used: %v", step.what, !step.fits)
		}
		p, findings, err := Load(cfg)
		if err != nil || HasErrors(findings) != step.fails || step.fails != (p == nil) {
			t.Errorf("%s: %v %v", step.what, findings, err)
			continue
		}
		if _, ok := step.overlay[added]; p != nil && (p.main.types.Scope().Lookup("Added") != nil) != ok {
			t.Errorf("%s: the added file was read: %v", step.what, !ok)
		}
	}
}
