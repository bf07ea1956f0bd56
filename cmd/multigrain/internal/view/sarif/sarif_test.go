package sarif

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/sariftest"
)

// TestSARIF makes logs of documents that have everything and nothing.
func TestSARIF(t *testing.T) {
	t.Parallel()
	full := result.Document{Verb: "change", Spec: "x",
		Diagnostics: []result.Diagnostic{
			{Severity: "error", Code: "MG103", Summary: "Unknown grain", Detail: "No.", File: "a b/x#1.hcl", Line: 3, Column: 2,
				Related: []result.Related{{File: "/abs/y.go", Line: 7, Column: 1, Message: "here"}}},
			{Severity: "warning", Code: "MG103", Summary: "Unknown grain", Detail: "No, again."},
			{Severity: "warning", Code: "MG521", Summary: "Action never enabled", Detail: "A.", File: "x.hcl"},
		},
		Interaction: &result.Interaction{Findings: []result.Finding{
			{Kind: "lost-update", Code: "MG210", Severity: "error", Message: "is a diagnostic as well"},
			{Kind: "missed-behaviour", Code: "MG219", Severity: "note", Message: "accepted", Accepted: true, File: "z.go", Line: 4},
		}},
		Change: &result.Change{ChangeAnalysis: result.ChangeAnalysis{Unmodelled: []result.Unmodelled{
			{Declaration: result.Declaration{Name: "f", Kind: "function", How: "added", File: "f.go", Line: 5, Last: 9}, Reason: "r"},
			{Declaration: result.Declaration{Name: "g", Kind: "lines", How: "added", File: "g.go"}, Reason: "r"},
		}}},
		Exploration: &result.Exploration{Verdict: "undecided", Reason: "a limit", Violations: []result.Violation{
			{Invariant: "I-8", Kind: "state", Depth: 3, Trace: "t.itf.json", Doc: "doc"}, {Invariant: "I-11", Instance: "x", Kind: "assert"}, {Kind: "deadlock"},
		}},
	}
	text := Of(&full, Info{Manifest: "x.hcl", Version: "v1", ExitCode: 12, Successful: true})
	if err := sariftest.Check(text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	var log sarifLog
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range log.Runs[0].Results {
		at := "-"
		if len(r.Locations) > 0 {
			at = r.Locations[0].Physical.Artifact.URI
			if g := r.Locations[0].Physical.Region; g != nil {
				at += fmt.Sprintf(":%d-%d", g.StartLine, g.EndLine)
			}
		}
		got = append(got, fmt.Sprintf("%s %s %s %d", r.RuleID, r.Level, at, len(r.Suppressions)))
	}
	want := []string{"MG103 error a%20b/x%231.hcl:3-0 0", "MG103 warning - 0", "MG521 warning x.hcl 0", "MG219 note z.go:4-0 1",
		"unmodelled-change warning f.go:5-9 0", "unmodelled-change warning g.go 0", "I-8 error x.hcl:1-0 0", "I-11.x error x.hcl:1-0 0",
		"deadlock error x.hcl:1-0 0", "undecided none x.hcl:1-0 0"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if u := log.Runs[0].Results[0].Related[0].Physical.Artifact.URI; u != "file:///abs/y.go" {
		t.Errorf("an absolute path is %s", u)
	}
	var empty result.Document
	empty.Start("validate")
	if err := sariftest.Check(Of(&empty, Info{Version: "v1", Successful: true})); err != nil {
		t.Error(err)
	}
}

// TestObserved: what changed code did has places in the changed code.
func TestObserved(t *testing.T) {
	t.Parallel()
	places := []result.RanPlace{
		{File: "log.go", Line: 4, Kind: "line", Text: "x()"},
		{File: "log.go", Line: 9, Kind: "line", Text: "y()", True: true},
		{File: "log.go", Line: 9, Column: 5, Kind: "branch", Text: "a", True: true},
	}
	rules := func(o result.Observed) (got []string) {
		o.Places = places
		text := Of(&result.Document{Verb: "change", Change: &result.Change{Observed: &o}}, Info{Manifest: "x.hcl", Version: "v1", Successful: true})
		if err := sariftest.Check(text); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		var log sarifLog
		if err := json.Unmarshal(text, &log); err != nil {
			t.Fatal(err)
		}
		for _, r := range log.Runs[0].Results {
			got = append(got, fmt.Sprintf("%s %s %s:%d", r.RuleID, r.Level, r.Locations[0].Physical.Artifact.URI, r.Locations[0].Physical.Region.StartLine))
		}
		return got
	}
	uncovered := []string{"changed-code-not-covered none log.go:4", "changed-code-not-covered none log.go:9"}
	for _, c := range []struct {
		o    result.Observed
		want []string
	}{
		{result.Observed{Verdict: "violated", Broken: []result.BrokenInCode{{Invariant: "I-1", Kind: "state"}}, Found: []result.Difference{{Kind: "variable", Variable: "X"}}},
			[]string{"I-1 error log.go:9", "changed-code-differs error log.go:9"}},
		{result.Observed{Verdict: "differs", Found: []result.Difference{{Kind: "panic", Message: "m"}}}, []string{"changed-code-differs error log.go:9"}},
		{result.Observed{Verdict: "undecided", Reason: "r"}, nil},
		{result.Observed{Verdict: "behaves"}, nil},
	} {
		want := slices.Concat(c.want, uncovered)
		if c.o.Verdict == "undecided" {
			want = append(want, "undecided none log.go:9")
		}
		if got := rules(c.o); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.o.Verdict, got, want)
		}
	}
}

// TestAccepted: what -accept-uncovered accepts is a suppressed note at its line.
func TestAccepted(t *testing.T) {
	t.Parallel()
	o := result.Observed{Verdict: "behaves", Accepted: []string{"log.go:4 did not run"}, Places: []result.RanPlace{
		{File: "log.go", Line: 4, Kind: "line", Text: "x()"}, {File: "log.go", Line: 9, Kind: "line", Text: "y()", True: true}}}
	text := Of(&result.Document{Verb: "change", Change: &result.Change{Observed: &o}}, Info{Manifest: "x.hcl", Version: "v1", Successful: true})
	if err := sariftest.Check(text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	var log sarifLog
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	rs := log.Runs[0].Results
	if len(rs) != 1 || rs[0].Level != "note" || len(rs[0].Suppressions) != 1 || rs[0].Locations[0].Physical.Region.StartLine != 4 {
		t.Errorf("%s", text)
	}
}
