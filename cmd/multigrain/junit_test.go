package main

import (
	"encoding/xml"
	"fmt"
	"slices"
	"testing"
)

// TestJUnitOfCheck: every invariant is a case, and what is not known to hold is not passed.
func TestJUnitOfCheck(t *testing.T) {
	t.Parallel()
	violated := &exploration{Verdict: "violated", Invariants: []string{"A", "B.x"}, Violations: []violationDoc{{Invariant: "B", Instance: "x", Kind: "state", Depth: 3}}}
	for _, c := range []struct {
		name string
		doc  document
		want string
	}{
		{"holds", document{exploration: &exploration{Verdict: "holds", Invariants: []string{"A"}}}, "manifest A"},
		{"violated", document{exploration: violated, Interaction: &interactionDoc{}}, "manifest interaction A:skipped B.x:failure"},
		{"undecided", document{exploration: &exploration{Verdict: "undecided", Reason: "r", Invariants: []string{"A"}}}, "manifest A:skipped"},
		{"stopped", document{exploration: &exploration{Verdict: "undecided", Reason: "r"}}, "manifest exploration:skipped"},
		{"deadlock", document{exploration: &exploration{Verdict: "violated", Violations: []violationDoc{{Kind: "deadlock"}}}}, "manifest deadlock:failure"},
		{"broken", document{Interaction: &interactionDoc{}, Diagnostics: []diagnosticDoc{{Severity: "error", Code: "MG210"}}}, "manifest interaction:failure"},
		{"invalid", document{Diagnostics: []diagnosticDoc{{Severity: "error", Code: "MG103"}, {Severity: "error", Code: "MG104"}, {Severity: "warning", Code: "MG1"}}}, "manifest:error"},
	} {
		var s junitSuite
		if err := xml.Unmarshal(junitOfCheck(&c.doc), &s); err != nil {
			t.Fatal(err)
		}
		got, counts := "", map[string]int{}
		for _, x := range s.Cases {
			got += " " + x.Name
			for what, r := range map[string]*junitReason{"failure": x.Failure, "error": x.Error, "skipped": x.Skipped} {
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
