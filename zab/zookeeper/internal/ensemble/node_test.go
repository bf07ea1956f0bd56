package ensemble

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRemoveEmptyLog removes the last file of a log if it is empty, and no other one.
func TestRemoveEmptyLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if got := removeEmptyLog(filepath.Join(dir, "none")); got != "" {
		t.Errorf("%s was removed, and there is none", got)
	}
	for name, content := range map[string]string{"log.9": "", "log.100000001": "ZKLG", "log.10000000a": "", "snapshot.10000000b": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"log.10000000a", ""} {
		if got := removeEmptyLog(dir); got != want {
			t.Errorf("%q was removed, want %q", got, want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 3 {
		t.Errorf("%v, %d files are left", err, len(left))
	}
}
