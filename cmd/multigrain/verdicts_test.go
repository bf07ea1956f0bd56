package main

import (
	"encoding/xml"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/refine"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/schema"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/junit"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/sarif"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
)

// unlisted says what a call printed that the table of verdicts does not have: a word with an exit
// code, or a first line that belongs to another word. It returns "" if there is nothing of the
// kind. All tests that run the command ask it.
func unlisted(d *result.Document, code int, printed string) string {
	word, which := d.Outcome()
	if d.Verb == "tap" {
		return "" // a tap has exit codes of its own
	}
	changed := func(f result.File) bool { return f.Changed }
	if d.Verb == "fmt" && code == verdicts.ExitDiffers && slices.ContainsFunc(d.Files, changed) {
		word = verdicts.Differs // with -check, which the document does not tell
	}
	if !verdicts.Allows(d.Verb, word, code, hasErrors(d)) {
		return fmt.Sprintf("%s says %q and exits with %d", d.Verb, word, code)
	}
	if d.Verb == "test" || d.Verb == "compare" || strings.HasPrefix(printed, "{") {
		return "" // a table of several words, or a document
	}
	head := ""
	if word != verdicts.Done {
		head = verdicts.Find(d.Verb, word, which).Head
	}
	for line := range strings.Lines(printed) {
		for _, r := range verdicts.Of(d.Verb) {
			if r.Head != "" && r.Head != head && startsWith(line, r.Head) {
				return fmt.Sprintf("%s says %q and prints %q", d.Verb, word, line)
			}
		}
	}
	return ""
}

// startsWith reports whether a line starts with the head of a verdict.
func startsWith(line, head string) bool {
	rest, ok := strings.CutPrefix(line, head)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], " :,;\n"))
}

func hasErrors(d *result.Document) bool {
	return slices.ContainsFunc(d.Diagnostics, func(x result.Diagnostic) bool { return x.Severity == "error" }) ||
		slices.ContainsFunc(d.Compared, func(x result.Compared) bool { return hasErrors(x.Result) })
}

// documentOf returns a document with the verdict of a row.
func documentOf(r verdicts.Row) *result.Document {
	d := new(result.Document)
	d.Start(r.Verb)
	d.System, d.Spec, d.Looked = "s", "spec", r.Enough()
	x := &result.Exploration{Verdict: r.Word, Reason: "why", Invariants: []string{"A"}, Actions: []result.Action{}}
	if r.Word == verdicts.Violated && r.Case != "" {
		x.Violations = []result.Violation{{Invariant: "A", Kind: r.Case}}
	}
	yes, no := true, false
	switch r.Verb {
	case "simulate":
		x.Simulation = &result.Simulation{}
		d.Exploration = x
	case "change":
		if d.Exploration = x; r.Word == verdicts.Behaves || r.Word == verdicts.Verified || r.Word == verdicts.Differs || r.Case == verdicts.Panic {
			d.Exploration, d.Change = nil, observedWith(r)
		}
	case "check", "build":
		d.Exploration = x
	case "trace":
		d.Exploration, d.Validation = x, &result.Validation{Validation: &wire.Validation{}}
	case "conform", "replay":
		d.Conform = &result.Conformance{Verdict: r.Word}
		if r.Case == verdicts.Judged {
			d.Conform.Judged = "A"
		} else if r.Case != "" {
			d.Conform.Broken = []result.BrokenInCode{{Invariant: "A", Kind: r.Case, Counterexample: &result.Behaviour{}}}
		}
	case "diff":
		d.Diff = &result.Diff{Verdict: r.Word}
	case "confirm":
		d.Confirm = &result.Confirmation{Verdict: r.Word}
	case "rank":
		d.Ranking = &result.Ranking{Verdict: r.Word}
	case "plan":
		d.Plan = &result.Plan{Verdict: r.Word}
	case "refine":
		d.Refinement = &result.Refinement{Verdict: r.Word}
	case "run":
		if r.Word != verdicts.Done {
			d.Fleet = &result.Fleet{Jobs: 1, Ended: []result.FleetJob{{Outcome: r.Word}}}
		}
	case "monitor":
		if r.Case == verdicts.Selftest {
			d.Selftest = &result.Selftest{Verdict: r.Word}
			break
		}
		d.Monitor = &result.Monitor{Verdict: r.Word}
		if r.Word == verdicts.Violated {
			d.Monitor.Alarm = &result.Alarm{}
		}
	case "validate":
		d.Valid = &yes
		if r.Word == verdicts.Invalid {
			d.Valid = &no
			d.Diagnostics = []result.Diagnostic{{Severity: "error", Code: "MG103"}}
		}
	case "interaction":
		if r.Word == verdicts.Fresh || r.Word == verdicts.Stale {
			d.Locks = &result.Locks{Verdict: r.Word}
			if r.Word == verdicts.Stale {
				d.Locks.Stale = []result.StaleEntry{{Manifest: "a.hcl", Reason: "why"}}
			}
			break
		}
		d.Interaction = &result.Interaction{Verdict: r.Word, Level: "L0"}
		if r.Case == verdicts.Behaviours {
			d.Interaction.Level = "L2"
		}
		if r.Case == verdicts.Mutants {
			d.Interaction = &result.Interaction{Verdict: verdicts.Preserved, Level: "L3", Mutants: &result.Mutants{Verdict: r.Word}}
			if r.Word == verdicts.Broken {
				d.Diagnostics = []result.Diagnostic{{Severity: "error", Code: "MG236"}}
			}
			break
		}
		if r.Case == verdicts.Unaccepted || r.Word == verdicts.Broken {
			d.Interaction.Findings = []result.Finding{{Severity: "error"}}
			d.Diagnostics = []result.Diagnostic{{Severity: "error", Code: "MG210"}}
		}
		if r.Word == verdicts.Undecided {
			d.Interaction.Verdict, d.Exploration = verdicts.Preserved, result.Unexplored("why")
		}
	case "compare":
		inner := documentOf(verdicts.Find("check", r.Word, r.Case))
		holds := documentOf(verdicts.Find("check", verdicts.Holds, ""))
		d.Compared = []result.Compared{{Result: holds}, {Result: inner}, {Result: holds}}
	case "test":
		d.Tests = []result.Test{{OK: r.Word == verdicts.AsExpected, Found: "x"}}
		d.Interrupted = r.Word == verdicts.Undecided
	}
	if r.Word == verdicts.Done {
		d.Exploration = nil
	}
	return d
}

// observedWith returns what changed code did, with the verdict of a row.
func observedWith(r verdicts.Row) *result.Change {
	o := &result.Observed{Verdict: r.Word, Reason: "why"}
	if r.Case == verdicts.Accepted {
		o.Places = []result.RanPlace{{File: "a.go", Line: 3, Kind: "line"}, {File: "a.go", Line: 4, Kind: "line", True: true}}
		o.Accepted = []string{o.Places[0].Missing()}
	}
	if r.Word != verdicts.Behaves && r.Word != verdicts.Verified {
		o.Found = []result.Difference{{Kind: "variable", Variable: "A", Counterexample: &result.Behaviour{}}}
	}
	if r.Word == verdicts.Violated {
		o.Broken = []result.BrokenInCode{{Invariant: "A", Kind: r.Case, Counterexample: &result.Behaviour{}}}
	}
	return &result.Change{Observed: o}
}

// textOf returns the text of a document.
func textOf(d *result.Document) string {
	switch d.Verb {
	case "change":
		if d.Change != nil {
			return text.Observed{}.Text(d.Change.Observed)
		}
	case "conform", "replay":
		return text.Conformance{}.Text(d)
	case "refine":
		return refine.Line(d.Refinement, "abstract", false)
	case "diff":
		return text.Diff(d.Diff, false)
	case "confirm":
		return text.Confirmation{}.Text(d)
	case "monitor":
		if d.Selftest != nil {
			return text.Selftest(d.Selftest, false)
		}
		return text.Monitor(d.Monitor, false)
	case "trace":
		return text.Validation{}.Text(d)
	case "interaction":
		if d.Locks != nil {
			return text.Locks(d.Locks, false)
		}
		return text.InteractionSummary(d.Interaction, false)
	case "rank":
		return text.Ranked(d.Ranking, false)
	case "plan":
		return text.Planned(d.Plan, false)
	case "compare":
		return text.Compared(d.Compared, false)
	}
	return text.Check{}.Text(d)
}

// TestVerdicts walks all verbs. Each has rows. A document with the verdict of a row has the exit
// code, the first line and the forms of the row.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, v := range verbs() {
		rows := verdicts.Of(v.Name)
		if len(rows) == 0 {
			t.Errorf("the table of verdicts has no row for the verb %s", v.Name)
		}
		for _, r := range rows {
			if r.Verb == "tap" || r.Word == verdicts.Differs && r.Verb == "fmt" {
				continue // decided by more than a document
			}
			d := documentOf(r)
			if code := command.ExitOf(d); code != r.Exit {
				t.Errorf("%s %s (%s): exit code %d, the row says %d", r.Verb, r.Word, r.Case, code, r.Exit)
			}
			printed := textOf(d)
			if wrong := unlisted(d, r.Exit, printed); wrong != "" {
				t.Errorf("%s %s (%s): %s", r.Verb, r.Word, r.Case, wrong)
			}
			lines := strings.Split(printed, "\n")
			begins := func(line string) bool { return startsWith(line, r.Head) }
			switch r.Verb {
			case "check", "change", "simulate", "conform", "replay", "confirm", "trace", "monitor", "rank", "plan":
				if r.Head != "" && !slices.ContainsFunc(lines, begins) {
					t.Errorf("%s %s (%s): no line starts with %q:\n%s", r.Verb, r.Word, r.Case, r.Head, printed)
				}
			}
			forms(t, r, d)
		}
	}
	for _, r := range verdicts.Table {
		if verbs().Named(r.Verb) == nil {
			t.Errorf("the table of verdicts has a row for %q, which is no verb", r.Verb)
		}
	}
}

// TestMinima breaks each minimum of each green verdict of each verb. The document of the run is
// undecided then, in all its forms, and says what the run lacks.
func TestMinima(t *testing.T) {
	t.Parallel()
	broken := 0
	for _, r := range verdicts.Table {
		for _, n := range r.Needs {
			if n.Exit != verdicts.ExitUndecided {
				continue // an error before there is a verdict: TestScript/looked
			}
			broken++
			d := documentOf(r)
			d.Settle()
			if code := command.ExitOf(d); code != verdicts.ExitOK {
				t.Errorf("%s %s (%s): exit code %d with all that it needs", r.Verb, r.Word, r.Case, code)
			}
			d = documentOf(r)
			for _, count := range n.Counts(&d.Looked) {
				*count = 0
			}
			if code := command.ExitOf(d); code != verdicts.ExitUndecided {
				t.Errorf("%s %s (%s) without %s: exit code %d before the reason is given", r.Verb, r.Word, r.Case, n.What, code)
			}
			d.Settle()
			if word, _ := d.Outcome(); word != verdicts.Undecided || command.ExitOf(d) != verdicts.ExitUndecided {
				t.Errorf("%s %s (%s) without %s: %s, exit code %d", r.Verb, r.Word, r.Case, n.What, word, command.ExitOf(d))
			}
			if r.Verb == "compare" {
				continue // each composition has its own line
			}
			if r.Verb != "interaction" && !strings.Contains(textOf(d), n.Lacks) {
				t.Errorf("%s %s (%s) without %s: the text does not say %q:\n%s", r.Verb, r.Word, r.Case, n.What, n.Lacks, textOf(d))
			}
			forms(t, verdicts.Find(r.Verb, verdicts.Undecided, r.Case), d)
		}
	}
	if broken < 20 {
		t.Errorf("only %d minima were broken", broken)
	}
}

// forms compares JUnit and SARIF of a document with its row.
func forms(t *testing.T, r verdicts.Row, d *result.Document) {
	if r.JUnit != verdicts.NoForm && (r.Verb == "check" || r.Verb == "change" || r.Verb == "interaction") {
		var s struct {
			Cases []struct {
				Failure, Error, Skipped *struct{}
			} `xml:"testcase"`
		}
		if err := xml.Unmarshal([]byte(strings.NewReplacer("<failure", "<Failure", "</failure", "</Failure", "<error", "<Error", "</error", "</Error",
			"<skipped", "<Skipped", "</skipped", "</Skipped").Replace(string(junit.OfCheck(d)))), &s); err != nil {
			t.Fatal(err)
		}
		form := verdicts.Pass
		for _, c := range s.Cases {
			switch {
			case c.Failure != nil:
				form = verdicts.Failure
			case c.Error != nil:
				form = verdicts.Error
			case c.Skipped != nil:
				form = verdicts.Skip
			}
		}
		if form != r.JUnit {
			t.Errorf("%s %s (%s): %s in JUnit, the row says %s", r.Verb, r.Word, r.Case, form, r.JUnit)
		}
	}
	log := string(sarif.Of(d, sarif.Info{}))
	switch r.SARIF {
	case "no result":
		if strings.Contains(log, `"ruleId"`) {
			t.Errorf("%s %s (%s): SARIF has a result", r.Verb, r.Word, r.Case)
		}
	case "level error, kind fail":
		if !strings.Contains(log, `"level": "error"`) || !strings.Contains(log, `"kind": "fail"`) {
			t.Errorf("%s %s (%s): SARIF has no error: %s", r.Verb, r.Word, r.Case, log)
		}
	case "level note, suppressed, for what did not run":
		if !strings.Contains(log, `"level": "note"`) || !strings.Contains(log, `"suppressions"`) {
			t.Errorf("%s %s (%s): SARIF has no suppressed note: %s", r.Verb, r.Word, r.Case, log)
		}
	case "level none, kind open":
		if !strings.Contains(log, `"level": "none"`) || !strings.Contains(log, `"kind": "open"`) {
			t.Errorf("%s %s (%s): SARIF has no open result: %s", r.Verb, r.Word, r.Case, log)
		}
	}
}

// TestVerdictWords: outside of the table no code of the command spells a word of it. What is not in
// the table can be printed only by a word that is.
func TestVerdictWords(t *testing.T) {
	t.Parallel()
	allowed := map[string]string{ // words that are no verdicts here
		"internal/view/text/reasons.go": "holds", "internal/view/text/check.go": "violated", "internal/monitor/service.go": "undecided alarm",
		// the occasion of a judgement
		"internal/view/text/monitor.go": "alarm",
		// names of facts and of tables
		"internal/view/html/real.go": "alarm undecided",
		// names of counts
		"internal/locks/mutants.go": "undecided", "internal/view/text/preservation.go": "undecided",
	}
	words := []string{"holds", "violated", "undecided", "nothing-found", "preserved", "gap", "broken", "conforms", "alarm"}
	read := 0
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if e.IsDir() && (e.Name() == "testdata" || path == "internal/verdicts") {
			return fs.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		read++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				for _, w := range words {
					if startsWith(text, w) && (text == w || strings.HasPrefix(text, w+":")) && !strings.Contains(allowed[path], w) {
						t.Errorf("%s spells the verdict %q: take it from package verdicts", path, w)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil || read < 100 {
		t.Fatalf("%d files were read; %v", read, err)
	}
}

// TestVerdictSchema compares the words that the schema allows with those of the table.
func TestVerdictSchema(t *testing.T) {
	t.Parallel()
	all := func(verbs ...string) (words []string) {
		for _, v := range verbs {
			words = append(words, verdicts.Words(v)...)
		}
		slices.Sort(words)
		return slices.DeleteFunc(slices.Compact(words), func(w string) bool { return w == verdicts.Done })
	}
	// Changed code has these words, and no exploration.
	ofCode := func(w string) bool { return w == verdicts.Behaves || w == verdicts.Verified || w == verdicts.Differs }
	for field, want := range map[string][]string{
		"fields/properties/verdict":       slices.DeleteFunc(all("check", "simulate", "change", "trace", "build"), ofCode),
		"Observed/properties/verdict":     all("change"),
		"Conformance/properties/verdict":  all("conform", "replay"),
		"Confirmation/properties/verdict": all("confirm"),
		"Monitor/properties/verdict":      slices.DeleteFunc(all("monitor"), func(w string) bool { return w == verdicts.NothingFound }),
		"Selftest/properties/verdict":     slices.DeleteFunc(all("monitor"), func(w string) bool { return w == verdicts.Holds }),
		"Ranking/properties/verdict":      all("rank"),
		"Plan/properties/verdict":         all("plan"),
		"Interaction/properties/verdict":  slices.DeleteFunc(all("interaction"), func(w string) bool { return w == verdicts.Undecided || w == verdicts.Fresh || w == verdicts.Stale }),
	} {
		have := schema.Values(field)
		slices.Sort(have)
		if !slices.Equal(have, want) {
			t.Errorf("%s allows %q, the table has %q", field, have, want)
		}
	}
	for _, v := range []string{"check", "simulate", "change", "trace"} {
		have := schema.Values("" + v + "-document/properties/verdict")
		slices.Sort(have)
		if want := slices.DeleteFunc(all(v), ofCode); !slices.Equal(have, want) {
			t.Errorf("documents of %s allow %q, the table has %q", v, have, want)
		}
	}
}
