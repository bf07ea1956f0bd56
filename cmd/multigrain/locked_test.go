package main

import (
	"encoding/json"
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

// unlocked are shipped manifests that state a level above L0, do not expect a violation, and have
// no entry: their comparisons do not end within ten minutes. check says undecided of them.
var unlocked = []string{}

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
// has it decided, expects a violation, or is named above. No entry is stale.
func TestLocked(t *testing.T) {
	t.Parallel()
	found := 0
	for path, m := range levels(t) {
		short := strings.TrimPrefix(path, "../../configs/")
		e := entryOf(t, path)
		if e == nil {
			if !excused(m.Expect) && !slices.Contains(unlocked, short) {
				t.Errorf("%s states level %s and has no entry in %s: run multigrain interaction -lock %s", short, m.Interaction.Level.Value, locks.Name, path)
			}
			continue
		}
		found++
		if slices.Contains(unlocked, short) && e.Level >= m.Interaction.Level.Value {
			t.Errorf("%s is decided, and is listed as one that is not", short)
		}
		t.Run(short, func(t *testing.T) {
			t.Parallel()
			x := interactionOf(t, path).Locked
			switch {
			case x == nil || x.Status == result.Stale || x.Status == result.Missing:
				t.Errorf("the entry is stale: run multigrain interaction -lock %s (%+v)", path, x)
			case x.Refused:
				t.Errorf("the manifest is refused: %+v", x)
			case x.Status != result.Decided && !slices.Contains(unlocked, short):
				t.Errorf("the level is not decided: %+v", x)
			}
		})
	}
	if found < 20 {
		t.Errorf("only %d manifests have an entry", found)
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
