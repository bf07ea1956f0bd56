package main

import (
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

var relock = flag.Bool("lock", false, "compare the shipped manifests whose entries are stale or missing, and write their lock files")

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
	slow := os.Getenv("MULTIGRAIN_SLOW") != "" || *relock
	for path, m := range levels(t) {
		short := strings.TrimPrefix(path, "../../configs/")
		if entryOf(t, path) == nil && excused(m.Expect) {
			continue
		}
		t.Run(short, func(t *testing.T) {
			if e := entryOf(t, path); e == nil && !*relock {
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
	if *relock && x != nil && (x.Status == result.Stale || x.Status == result.Missing) {
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
	for path, m := range levels(t) {
		e := entryOf(t, path)
		if e == nil || e.Level < m.Interaction.Level.Value {
			continue // nothing is decided
		}
		// A sample takes some of the subtests, by the last characters of their names.
		t.Run(strings.TrimSuffix(strings.TrimPrefix(path, "../../configs/"), ".hcl"), func(t *testing.T) {
			d := interactionOf(t, path, "-level", m.Interaction.Level.Value, "-again", "-timeout", "1h").Comparison
			if d == nil {
				t.Fatal("nothing was compared")
			}
			if again := locks.Of(e.Manifest, e.Digest, d); fmt.Sprint(again) != fmt.Sprint(*e) {
				t.Errorf("the result is another one:\n%+v\nin the lock file:\n%+v\nIf both are right, raise comparisonVersion in package compose and lock again.", again, *e)
			}
		})
	}
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
