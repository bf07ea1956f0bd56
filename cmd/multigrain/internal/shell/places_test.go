package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCanHold asks of folders that are there, that can be made, and that cannot.
func TestCanHold(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir:                          "",
		filepath.Join(dir, "a", "b"): "",
		file:                         "is a file and no folder",
		filepath.Join(file, "a"):     "cannot be written into",
	} {
		err := CanHold(path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if found, _ := os.ReadDir(dir); len(found) != 1 {
		t.Errorf("the question left %v", found)
	}
}

// TestCanHoldForbidden asks of a folder whose mode allows nothing.
func TestCanHoldForbidden(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := CanHold(dir); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("%v", err)
	}
}
