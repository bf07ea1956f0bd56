package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/locks"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/configs"
)

var lockAll = flag.Bool("lock", false, "compare the shipped manifests whose entries are stale or missing, and write their lock files")

var lockedStore = flag.String("locked.store", "", "note in a `file` what TestLockedAgain has compared, and do not compare it again in the same sources")

// levels returns the shipped manifests that state a level above L0, by path.
func levels(t *testing.T) map[string]*configs.Manifest {
	t.Helper()
	found := map[string]*configs.Manifest{}
	err := filepath.WalkDir("../../configs", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && e.Name() == "testdata" {
			err = fs.SkipDir
		}
		if err != nil || filepath.Ext(path) != ".hcl" {
			return err
		}
		m, diags := configs.Load(path, configs.Options{})
		if !diags.HasErrors() && m.Interaction != nil && m.Interaction.Level.Or("L0") > "L0" {
			found[path] = m
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// excused reports whether a manifest with this expect block needs no entry: it expects a violation,
// it has no coarse grain, or nothing explores it.
func excused(x *configs.Expect) bool {
	return x != nil && (x.Verdict.Value == "violated" || x.Verdict.Value == "unexplored" || x.Interaction.Value == "none" ||
		x.Invariant.IsSet() || x.Instance.IsSet() || x.Kind.IsSet())
}

// entryOf returns the entry of a manifest; nil if there is none.
func entryOf(t *testing.T, path string) *locks.Entry {
	t.Helper()
	f, diags := locks.Read(locks.PathFor(path))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	name := strings.TrimSuffix(filepath.Base(path), ".hcl")
	k := slices.IndexFunc(f.Entries, func(e locks.Entry) bool { return e.Manifest == name })
	if k < 0 {
		return nil
	}
	return &f.Entries[k]
}

// TestLocked compares the shipped manifests with their lock files. A manifest that states a level
// has an entry or expects a violation. In the long tests no entry is stale, and
// none refuses its manifest. With -lock such entries are compared and written first.
func TestLocked(t *testing.T) {
	slow := os.Getenv("MULTIGRAIN_SLOW") != "" || *lockAll
	for path, m := range levels(t) {
		short := strings.TrimPrefix(path, "../../configs/")
		if entryOf(t, path) == nil && excused(m.Expect) {
			continue
		}
		t.Run(short, func(t *testing.T) {
			if e := entryOf(t, path); e == nil && !*lockAll {
				t.Fatalf("the manifest states level %s and has no entry in %s: run multigrain interaction -lock %s", m.Interaction.Level.Value, locks.Name, path)
			}
			if slow {
				checkEntry(t, path)
			}
		})
	}
}

// checkEntry checks that a manifest has an entry that is not stale, decides its level, and does not
// refuse it.
func checkEntry(t *testing.T, path string) {
	t.Helper()
	x := interactionOf(t, path).Locked
	if *lockAll && x != nil && (x.Status == result.Stale || x.Status == result.Missing) {
		x = interactionOf(t, path, "-lock", "-timeout", "10m").Locked
	}
	switch {
	case x == nil:
		t.Error("nothing is compared, since level L0 is broken or no grain is coarse")
	case x.Refused:
		t.Errorf("the manifest is refused: %s %s within %s", x.Level, x.Verdict, x.Bounds)
	case x.Status != result.Decided:
		t.Error(x.Reason)
	}
}

// TestLockedAgain compares all over again, and the results with the entries. If a correct change of
// the framework gives another result, raise comparisonVersion in package compose and lock again.
func TestLockedAgain(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it compares the compositions of all shipped manifests; set MULTIGRAIN_SLOW=1")
	}
	done := readDone(t)
	for path, m := range levels(t) {
		e := entryOf(t, path)
		if e == nil || e.Level < m.Interaction.Level.Value {
			continue // nothing is decided
		}
		// A sample takes some of the subtests, by the last characters of their names.
		t.Run(strings.TrimSuffix(strings.TrimPrefix(path, "../../configs/"), ".hcl"), func(t *testing.T) {
			key := fmt.Sprintf("%s %s %x", done.sources, path, sha256.Sum256(fmt.Append(nil, *e)))
			if done.has(key) {
				return
			}
			d := interactionOf(t, path, "-level", m.Interaction.Level.Value, "-again", "-timeout", "1h").Comparison
			if d == nil {
				t.Fatal("nothing was compared")
			}
			if again := locks.Of(e.Manifest, e.Digest, e.Code, d); !alike(again, *e) {
				t.Errorf("the result is another one:\n%+v\nin the lock file:\n%+v\nIf both are right, raise comparisonVersion in package compose and lock again.", again, *e)
				return
			}
			done.add(t, key)
		})
	}
}

// compared are the comparisons that gave what the lock files say. A run that was ended continues
// with the others.
type compared struct {
	sources string // a digest of the sources: an edit makes all comparisons necessary again
	keys    []string
}

func readDone(t *testing.T) *compared {
	t.Helper()
	c := new(compared)
	if *lockedStore == "" {
		return c
	}
	c.sources = sourcesDigest(t)
	data, err := os.ReadFile(*lockedStore)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	c.keys = strings.Split(string(data), "\n")
	return c
}

func (c *compared) has(key string) bool { return slices.Contains(c.keys, key) }

func (c *compared) add(t *testing.T, key string) {
	t.Helper()
	if *lockedStore == "" {
		return
	}
	f, err := os.OpenFile(*lockedStore, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, key); err != nil {
		t.Fatal(err)
	}
}

// sourcesDigest returns a digest of all Go files of the project except tests.
func sourcesDigest(t *testing.T) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && (e.Name() == "testdata" || e.Name() == ".git" || e.Name() == "docs") {
			return fs.SkipDir
		}
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(h, "%s %d\n%s", path, len(data), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// interactionOf runs the verb interaction.
func interactionOf(t *testing.T, path string, args ...string) *result.Interaction {
	t.Helper()
	out, _ := exec.Command("multigrain", append([]string{"interaction", path, "-json"}, args...)...).Output()
	var d result.Document
	if err := json.Unmarshal(out, &d); err != nil || d.Interaction == nil {
		t.Fatalf("%v: %s", err, out)
	}
	return d.Interaction
}

// alike reports whether two entries have the same result, whatever time it took.
func alike(a, b locks.Entry) bool {
	a.Seconds, b.Seconds = 0, 0
	return fmt.Sprint(a) == fmt.Sprint(b)
}
