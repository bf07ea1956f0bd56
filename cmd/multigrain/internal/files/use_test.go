//go:build unix && !aix && !solaris

package files

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUse: a folder is cleaned only while no process uses it, also if the file of the lock is
// removed. Locks of one process are those of its open files.
func TestUse(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache")
	Use(dir)
	if _, ok := Alone(dir, true); ok {
		t.Error("a folder in use is not seen")
	}
	if _, ok := Alone(dir, false); ok {
		t.Error("a folder in use is cleaned")
	}
	other := t.TempDir()
	if _, ok := Alone(other, true); !ok || len(entries(t, other)) > 0 {
		t.Errorf("a look at a folder leaves %v", entries(t, other))
	}
	release, ok := Alone(other, false)
	if _, again := Alone(other, false); !ok || again {
		t.Errorf("cleaned %t, and by another one %t", ok, again)
	}
	if err := os.Remove(filepath.Join(other, Used)); err != nil {
		t.Fatal(err)
	}
	release()
	Use(other)
	if _, ok := Alone(other, false); ok {
		t.Error("a folder is cleaned that is in use since its lock was removed")
	}
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// TestUseMakes: a folder that the verb clean removed as a whole, while a command began, is the
// command's own again.
func TestUseMakes(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "cache")
	Use(folder)
	if err := Foreign(folder); err != nil {
		t.Error(err)
	}
}
