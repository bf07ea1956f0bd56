package cleanup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// filled makes a folder with a marker and empty files in it.
func filled(t *testing.T, names ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".multigrain")
	if err := files.MakeOwn(dir, map[string]string{files.Ignore: files.IgnoreText}); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := files.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// below lists all files and folders in a folder, by their paths in it.
func below(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, path); rel != "." {
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNames says for each name whether a folder for traces keeps it.
func TestNames(t *testing.T) {
	kept := []string{
		".gitignore", ".made-by-multigrain", ".hidden-I.itf.json", "a-I.itf.json.bak", "a-b.log", "folder-I.itf.json",
		"folder-I.itf.json/a-I.itf.json", "notes.txt", "plain.itf.json",
	}
	dir := filled(t, "a-I.itf.json", "a-I.log", ".a-I.itf.json-123", ".a-I.log-45",
		"a-b.log", "plain.itf.json", ".hidden-I.itf.json", "a-I.itf.json.bak", "notes.txt", "folder-I.itf.json/a-I.itf.json")
	d := new(result.Clean)
	if err := Traces(dir, d); err != nil {
		t.Fatal(err)
	}
	slices.Sort(kept)
	if have := below(t, dir); !slices.Equal(have, kept) {
		t.Errorf("left %v, want %v", have, kept)
	}
	if len(d.Removed) != 4 || len(d.Left) != len(kept)-3 {
		t.Errorf("%v", d)
	}
}

// TestIgnoreOfUser keeps a .gitignore that the user has changed.
func TestIgnoreOfUser(t *testing.T) {
	dir := filled(t, "a-I.itf.json")
	if err := os.WriteFile(filepath.Join(dir, files.Ignore), []byte("*\n!keep\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Traces(dir, new(result.Clean)); err != nil {
		t.Fatal(err)
	}
	if have := below(t, dir); !slices.Equal(have, []string{files.Ignore, files.Marker}) {
		t.Errorf("left %v", have)
	}
}

// TestWrittenMeanwhile closes a folder in which another run has written a trace in the meantime.
func TestWrittenMeanwhile(t *testing.T) {
	dir := filled(t)
	f, err := open(dir, new(result.Clean))
	if err != nil {
		t.Fatal(err)
	}
	if err := files.WriteOwn(filepath.Join(dir, "a-I.itf.json"), nil); err != nil {
		t.Fatal(err)
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
	if have, want := below(t, dir), []string{files.Ignore, files.Marker, "a-I.itf.json"}; !slices.Equal(have, want) {
		t.Errorf("left %v, want %v", have, want)
	}
}

// TestCache cleans a cache whose folders have files of the user, links, and what is not computed
// again.
func TestCache(t *testing.T) {
	key := "0123456789abcdef0123456789abcdef"
	kept := []string{
		".gitignore", ".made-by-multigrain", "checkpoint.key", "crashes", "crashes/a.txt", "mine", "mine/" + key,
		"programs", "programs/link", "programs/" + key + ".old",
	}
	dir := filled(t, "programs/"+key, "programs/"+key+".old", "programs/.build-12/main.go",
		"catalogs/"+key+".json", "catalogs/.new-3", "journals/.new-7/walk-0", "modules/"+key+"/sub/go.mod", "changes/"+key+"/raft.go", "workspaces/"+key+"/go.work", "crashes/a.txt", "checkpoint.key", "mine/"+key)
	outside := filled(t, "a-I.itf.json")
	if err := os.Symlink(outside, filepath.Join(dir, "programs", "link")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "modules", key, "link")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "traces"), 0o755); err != nil {
		t.Fatal(err)
	}
	listed := &result.Clean{Listed: true}
	before := below(t, dir)
	if err := Cache(dir, listed); err != nil || !slices.Equal(below(t, dir), before) {
		t.Errorf("-n: %v", err)
	}
	d := new(result.Clean)
	if err := Cache(dir, d); err != nil {
		t.Fatal(err)
	}
	slices.Sort(kept)
	have := below(t, dir)
	slices.Sort(have)
	if !slices.Equal(have, kept) {
		t.Errorf("left %v, want %v", have, kept)
	}
	if !slices.Equal(d.Removed, listed.Removed) || len(d.Removed) != 8 {
		t.Errorf("removed %v, listed %v", d.Removed, listed.Removed)
	}
	if have := below(t, outside); len(have) != 3 {
		t.Errorf("outside: %v", have)
	}
}

// TestForeign refuses folders without a marker and links. A missing folder is clean.
func TestForeign(t *testing.T) {
	own := filled(t, "a-I.itf.json")
	linked := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(own, linked); err != nil {
		t.Skip(err)
	}
	for _, clean := range []func(string, *result.Clean) error{Traces, Cache} {
		for _, dir := range []string{linked, t.TempDir()} {
			var foreign *ForeignError
			if err := clean(dir, new(result.Clean)); !errors.As(err, &foreign) {
				t.Errorf("%s: %v", dir, err)
			}
		}
		if err := clean(filepath.Join(own, "missing"), new(result.Clean)); err != nil {
			t.Error(err)
		}
	}
	if have := below(t, own); len(have) != 3 {
		t.Errorf("left %v", have)
	}
}

// TestCacheInUse: what a running command uses by its path stays, and the rest is removed.
func TestCacheInUse(t *testing.T) {
	t.Parallel()
	cache := filepath.Join(t.TempDir(), "cache")
	if err := files.MakeOwn(cache, nil); err != nil {
		t.Fatal(err)
	}
	const name = "0123456789abcdef0123456789abcdef"
	for _, path := range []string{"changes/" + name + "/a.go", "workspaces/" + name + "/go.work", "journals/.new-7/walk-0", "walks/" + name + ".json"} {
		if err := files.WriteFile(filepath.Join(cache, filepath.FromSlash(path)), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files.Use(cache)
	var out result.Clean
	if err := Cache(cache, &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Removed) != 1 || len(out.Left) != 3 || !strings.Contains(out.Left[0].Reason, "a running command uses it") {
		t.Errorf("removed %v, left %v", out.Removed, out.Left)
	}
}
