package files

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestMakeOwnTogether makes one folder many times at once: all calls agree that it is the
// command's.
func TestMakeOwnTogether(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if err := MakeOwn(folder, map[string]string{Ignore: IgnoreText}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for name, want := range map[string]string{Marker: "", Ignore: "*\n"} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	left, err := os.ReadDir(filepath.Dir(folder))
	if err != nil || len(left) != 1 {
		t.Errorf("next to it: %v, %v", left, err)
	}
}

// TestForeign lists what is not a folder of the command.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "own")
	if err := MakeOwn(own, nil); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(at("empty"), 0o755))
	must(os.WriteFile(at("file"), nil, 0o644))
	must(os.Symlink(own, at("link")))
	must(os.Mkdir(at("borrowed"), 0o755))
	must(os.Symlink(filepath.Join(own, Marker), filepath.Join(at("borrowed"), Marker)))
	for name, want := range map[string]string{
		"empty":    at("empty") + " has no file .made-by-multigrain",
		"file":     at("file") + " is a file and no folder",
		"link":     at("link") + " is a link",
		"borrowed": ".made-by-multigrain in " + at("borrowed") + " is no regular file",
	} {
		if err := MakeOwn(at(name), nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if err := Foreign(own); err != nil {
		t.Error(err)
	}
}
