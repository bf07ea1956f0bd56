package junit

import (
	"encoding/xml"
	"fmt"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
)

// TestJUnitOfCheck: every invariant is a case, and what is not known to hold is not passed.
func TestJUnitOfCheck(t *testing.T) {
	t.Parallel()
	violated := &result.Exploration{Verdict: "violated", Invariants: []string{"A", "B.x"}, Violations: []result.Violation{{Invariant: "B", Instance: "x", Kind: "state", Depth: 3}}}
	for _, c := range []struct {
		name string
		doc  result.Document
		want string
	}{
		{"holds", result.Document{Looked: verdicts.Find("check", verdicts.Holds, "").Enough(), Exploration: &result.Exploration{Verdict: "holds", Invariants: []string{"A"}}}, "manifest A"},
		{"nothing looked at", result.Document{Exploration: &result.Exploration{Verdict: "holds", Invariants: []string{"A"}}}, "manifest A:error"},
		{"violated", result.Document{Exploration: violated, Interaction: &result.Interaction{}}, "manifest interaction A:skipped B.x:failure"},
		{"undecided", result.Document{Exploration: &result.Exploration{Verdict: "undecided", Reason: "r", Invariants: []string{"A"}}}, "manifest A:error"},
		{"stopped", result.Document{Exploration: &result.Exploration{Verdict: "undecided", Reason: "r"}}, "manifest exploration:error"},
		{"deadlock", result.Document{Exploration: &result.Exploration{Verdict: "violated", Violations: []result.Violation{{Kind: "deadlock"}}}}, "manifest deadlock:failure"},
		{"broken", result.Document{Interaction: &result.Interaction{}, Diagnostics: []result.Diagnostic{{Severity: "error", Code: "MG210"}}}, "manifest interaction:failure"},
		{"invalid", result.Document{Diagnostics: []result.Diagnostic{{Severity: "error", Code: "MG103"}, {Severity: "error", Code: "MG104"}, {Severity: "warning", Code: "MG1"}}}, "manifest:error"},
	} {
		var s suite
		if err := xml.Unmarshal(OfCheck(&c.doc), &s); err != nil {
			t.Fatal(err)
		}
		got, counts := "", map[string]int{}
		for _, x := range s.Cases {
			got += " " + x.Name
			for what, r := range map[string]*reason{"failure": x.Failure, "error": x.Error, "skipped": x.Skipped} {
				if r != nil {
					got += ":" + what
					counts[what]++
				}
			}
		}
		if got[1:] != c.want {
			t.Errorf("%s: %s, want %s", c.name, got[1:], c.want)
		}
		have := []int{s.Tests, s.Failures, s.Errors, s.Skipped}
		if want := []int{len(s.Cases), counts["failure"], counts["error"], counts["skipped"]}; !slices.Equal(have, want) {
			t.Error(fmt.Sprint(c.name, ": counts ", have, ", want ", want))
		}
	}
}

// TestDirections: no mark that changes the direction of text reaches the XML, wherever it stands.
func TestDirections(t *testing.T) {
	t.Parallel()
	const evil = "a\u202eb\u2066c\u2028d"
	doc := result.Document{Spec: evil, Exploration: &result.Exploration{Verdict: "violated", Invariants: []string{evil},
		Violations: []result.Violation{{Invariant: evil, Kind: "state", Doc: evil, Trace: evil}}},
		Diagnostics: []result.Diagnostic{{Severity: "error", File: evil, Summary: evil, Detail: evil}}}
	for _, text := range [][]byte{OfCheck(&doc), OfTests([]result.Test{{Manifest: evil, Expected: evil, Found: evil, Differences: []string{evil}}}, []string{evil})} {
		if terminal.Visible(string(text)) != string(text) {
			t.Errorf("%q", text)
		}
	}
}
