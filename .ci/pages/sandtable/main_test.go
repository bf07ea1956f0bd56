package sandtable

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSystems: files of all rows are there, and their sizes are found.
func TestSystems(t *testing.T) {
	t.Parallel()
	for _, s := range systems {
		for _, path := range []string{s.manifest, s.driver} {
			if _, err := os.Stat(filepath.Join("../../..", path)); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
		}
		lines, variables, err := count(filepath.Join("../../..", s.folder))
		if err != nil || lines < 100 || variables < 10 {
			t.Errorf("%s: %d lines, %d variables, %v", s.name, lines, variables, err)
		}
	}
}
