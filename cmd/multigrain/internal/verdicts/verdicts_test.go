package verdicts

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/reference/verdicts.md")

// TestDocument compares the document with the table.
func TestDocument(t *testing.T) {
	path := filepath.Join("..", "..", "..", "..", "docs", "reference", "verdicts.md")
	if *update {
		if err := os.WriteFile(path, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != Markdown() {
		t.Errorf("%s is out of date: run go test ./cmd/multigrain/internal/verdicts -update", path)
	}
}

// TestRows checks what all rows have in common.
func TestRows(t *testing.T) {
	known := map[int]bool{}
	for k, x := range Exits {
		known[x.Code] = true
		if k > 0 && x.Code <= Exits[k-1].Code {
			t.Errorf("exit code %d stands at the wrong place", x.Code)
		}
	}
	seen := map[[3]string]bool{}
	for _, r := range Table {
		key := [3]string{r.Verb, r.Word, r.Case}
		if seen[key] {
			t.Errorf("%v has two rows", key)
		}
		seen[key] = true
		if !known[r.Exit] {
			t.Errorf("%v: exit code %d has no meaning", key, r.Exit)
		}
		if r.Tone == Good && (r.Exit != ExitOK || r.JUnit == Failure || r.JUnit == Error) {
			t.Errorf("%v: good news that are none: %+v", key, r)
		}
		if r.Word == Undecided && (r.Exit != ExitUndecided || r.Tone != Open || r.JUnit != Error && r.JUnit != NoForm) {
			t.Errorf("%v: undecided has the exit code 20 and is an error in JUnit: %+v", key, r)
		}
		if r.Word == Violated && (r.Exit == ExitOK || r.Tone != Bad || r.JUnit != Failure && r.JUnit != NoForm) {
			t.Errorf("%v: a violation is none: %+v", key, r)
		}
		if r.Means == "" || r.JSON == "" || r.JUnit == "" || r.SARIF == "" {
			t.Errorf("%v lacks a form: %+v", key, r)
		}
	}
	if slices.Contains(Words("simulate"), Holds) {
		t.Error("simulate says holds")
	}
}

// TestNeeds: each row with exit code 0 has minima or the reason why it needs none, and no other row
// has. Without any one of its minima a verdict falls short.
func TestNeeds(t *testing.T) {
	for _, r := range Table {
		name := r.Verb + " " + r.name()
		if (r.Exit == ExitOK) != (len(r.Needs) > 0 || r.Free != "") || len(r.Needs) > 0 && r.Free != "" {
			t.Errorf("%s, exit code %d: %d minima, and the reason for none is %q", name, r.Exit, len(r.Needs), r.Free)
		}
		if n := Short(r.Verb, r.Word, r.Case, r.Enough()); n != nil {
			t.Errorf("%s lacks %q with all that it needs", name, n.Lacks)
		}
		for k := range r.Needs {
			l := r.Enough()
			for _, c := range r.Needs[k].Counts(&l) {
				*c = 0
			}
			if n := Short(r.Verb, r.Word, r.Case, l); n == nil || r.Needs[k].What == "" || n.Lacks == "" || n.Exit == ExitOK {
				t.Errorf("%s without %s: %+v", name, r.Needs[k].What, n)
			}
			for _, c := range r.Needs[k].Counts(&l) { // any one of the counts is enough
				*c = 1
				if !r.Needs[k].met(l) {
					t.Errorf("%s with one count of %s falls short", name, r.Needs[k].What)
				}
				*c = 0
			}
		}
	}
}

// TestFind finds rows by case, and panics at words that no row has.
func TestFind(t *testing.T) {
	if r := Find("check", Violated, Step); r.Exit != ExitStep {
		t.Errorf("a step property has exit code %d", r.Exit)
	}
	if r := Find("trace", Violated, ""); r.Exit != ExitMismatch {
		t.Errorf("a log that does not match has exit code %d", r.Exit)
	}
	for _, bad := range [][3]string{{"simulate", Holds, ""}, {"check", "perhaps", ""}, {"nothing", Holds, ""}, {"check", Violated, "mood"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v has a row", bad)
				}
			}()
			Find(bad[0], bad[1], bad[2])
		}()
	}
}

// TestAllows: a word and an exit code go together as the table says, or there is an error.
func TestAllows(t *testing.T) {
	for _, c := range []struct {
		verb   string
		word   Word
		exit   int
		failed bool
		want   bool
	}{
		{"check", Holds, ExitOK, false, true},
		{"check", Holds, ExitUndecided, false, false},
		{"check", Undecided, ExitOK, false, false},
		{"check", Undecided, ExitInvalid, true, true},
		{"check", Undecided, ExitInvalid, false, false},
		{"check", Violated, ExitAssert, true, true},
		{"simulate", Holds, ExitOK, false, false},
		{"monitor", Violated, ExitMismatch, false, true},
		{"monitor", Violated, ExitOK, false, false},
		{"check", "", ExitOK, false, false},
		{"list", "", ExitOK, false, true},
	} {
		if got := Allows(c.verb, c.word, c.exit, c.failed); got != c.want {
			t.Errorf("%s says %q and exits with %d, error %v: allowed %v", c.verb, c.word, c.exit, c.failed, got)
		}
	}
}

// TestLine fills in a first line; only its head is coloured.
func TestLine(t *testing.T) {
	paint := func(tone Tone, s string) string { return strings.Repeat("*", int(tone)) + s }
	row := Find("simulate", NothingFound, "")
	want := "*nothing found in 3 random walks of at most 9 steps; nothing is known about other behaviours"
	if got := row.Line(paint, "walks", "3 random walks", "steps", "9 steps"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
