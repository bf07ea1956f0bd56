package mutants

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBounds: the checkout has each manifest with other bounds as the table of subjects says, and no
// other one.
func TestBounds(t *testing.T) {
	t.Chdir("../../..")
	want := map[string]bool{}
	for _, s := range subjects {
		if s.bounds == "" {
			continue
		}
		path, text, err := s.extended()
		if err != nil {
			t.Fatal(err)
		}
		if want[path] {
			t.Errorf("two subjects have the manifest %s", path)
		}
		want[path] = true
		if have, err := os.ReadFile(path); err != nil || string(have) != text {
			t.Errorf("%s: %v, want\n%s", path, err, text)
		}
	}
	files, err := filepath.Glob(filepath.Join(boundsFolder, "*"))
	if err != nil || len(files) != len(want) {
		t.Errorf("%d files for %d subjects with other bounds, %v", len(files), len(want), err)
	}
}
