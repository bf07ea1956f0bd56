//go:build unix

package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder makes a folder with a mode.
func folder(t *testing.T, path string, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// give gives a file, a folder or a link to another user, which only root can.
func give(t *testing.T, path string, user int) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to others")
	}
	if err := os.Lchown(path, user, user); err != nil {
		t.Skip(err)
	}
	return path
}

// TestModes lists modes of a folder and of one above it.
func TestModes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		above, at os.FileMode
		ok        bool
	}{
		{0o755, 0o755, true},
		{0o755, 0o700, true},
		{0o755, 0o777, false},
		{0o755, 0o757, false},
		{0o777, 0o700, false},
		{0o777 | os.ModeSticky, 0o700, true},
		{0o777 | os.ModeSticky, 0o777 | os.ModeSticky, false},
	} {
		above := folder(t, filepath.Join(t.TempDir(), "above"), 0o755)
		at := folder(t, filepath.Join(above, "at"), c.at)
		folder(t, above, c.above)
		if err := Private(at); (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "chmod go-w "+above) {
			t.Errorf("%v below %v: %v", c.at, c.above, err)
		}
		if err := Private(filepath.Join(at, "new", "er")); c.at&0o022 == 0 && (err == nil) != c.ok {
			t.Errorf("a new folder in %v below %v: %v", c.at, c.above, err)
		}
	}
}

// TestOwners gives folders and links to somebody else.
func TestOwners(t *testing.T) {
	t.Parallel()
	const somebody = 4711
	dir := t.TempDir()
	foreign := give(t, folder(t, filepath.Join(dir, "foreign"), 0o700), somebody)
	inside := folder(t, filepath.Join(foreign, "mine"), 0o700)
	own := folder(t, filepath.Join(dir, "own"), 0o700)
	folder(t, filepath.Join(dir, "shared"), 0o777|os.ModeSticky)
	link := func(name, to string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, relative := link("good", own), link("relative", "own")
	planted := give(t, link("shared/planted", own), somebody)
	// A link to a folder, then a step up, leads to the folder above its target.
	up := link("up", "shared/../../"+filepath.Base(dir)+"/inside/..")
	link("inside", inside)
	loop := link("loop", "loop")
	grouped := folder(t, filepath.Join(dir, "grouped"), 0o775)
	if err := os.Chown(grouped, 0, somebody); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		own: "", good: "", relative: "", filepath.Join(good, "new"): "",
		foreign: "belongs to user 4711", inside: "belongs to user 4711", planted: "belongs to user 4711", filepath.Join(planted, "new"): "belongs to user 4711",
		up: "belongs to user 4711", loop: "too many links", grouped: "lets other users write",
	} {
		if err := Private(path); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestRegular lists files that are not used.
func TestRegular(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good", 0o755)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(good, link); err != nil {
		t.Fatal(err)
	}
	if err := Private(filepath.Join(good, "below")); err != nil {
		t.Errorf("a file in the place of the folder, which others cannot change: %v", err)
	}
	if !Regular(good) {
		t.Error("a file of the user is refused")
	}
	for _, path := range []string{file("open", 0o757), link, dir, filepath.Join(dir, "missing"), give(t, file("foreign", 0o755), 4711)} {
		if Regular(path) {
			t.Errorf("%s is accepted", path)
		}
	}
}
