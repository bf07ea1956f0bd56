package text

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Confirmation is the result of trying to see a bug on an implementation.
type Confirmation struct {
	Paint   Painter
	Verbose bool // show all attempts, and the counterexample
}

// Text returns the result as text. Its verdict is the line after the table of modules.
func (t Confirmation) Text(doc *result.Document) string {
	d := doc.Confirm
	var b strings.Builder
	b.WriteString(Head(doc, t.Paint))
	what := strings.TrimSpace(d.Implementation + " " + d.Version)
	row := verdicts.Find(doc.Verb, d.Verdict, "")
	b.WriteString(row.Line(t.Paint.tone, "what", what, "property", d.Property, "reason", d.Reason,
		"shown", fmt.Sprint(d.Runs.Shown), "runs", words.Plural(int64(d.Runs.Begun()), "run")) + "\n")
	if d.Distinct > 0 {
		fmt.Fprintf(&b, "  specification: variant %s, %s\n", d.Variant, words.Plural(d.Distinct, "distinct state"))
	}
	if d.Length > 0 {
		fmt.Fprintf(&b, "  schedule: %s that end in a violation of %s\n", words.Plural(int64(d.Length), "step"), d.Property)
	}
	t.attempts(&b, "runs", d.Runs)
	t.attempts(&b, "controls", d.Controls)
	for k := range d.Attempts {
		t.attempt(&b, d, k)
	}
	if d.Counterexample != nil && t.Verbose {
		b.WriteString("\n" + Behaviour{Paint: t.Paint, indent: "  "}.Text(d.Counterexample))
	}
	if d.Trace != "" {
		fmt.Fprintf(&b, "\n  trace: %s\n", d.Trace)
	}
	if d.Folder != "" {
		fmt.Fprintf(&b, "  handed on in the folder %s; its README.md has the command\n", d.Folder)
	}
	return b.String()
}

// attempts counts attempts of one kind; nothing where there was none.
func (t Confirmation) attempts(b *strings.Builder, kind string, n result.Attempts) {
	if n.Begun()+n.Spoilt == 0 {
		return
	}
	driven := n.Shown + n.Absent + n.Unjudged
	fmt.Fprintf(b, "  %s: %d of %d driven to the end, the symptom seen in %d", kind, driven, n.Begun(), n.Shown)
	for _, x := range []struct {
		count int
		what  string
	}{
		{n.Unjudged, "not judged"}, {n.Departed, "departed"}, {n.Undriven, "not driven to the end"},
		{n.Spoilt, "spoilt before the first step and repeated"},
	} {
		if x.count > 0 {
			fmt.Fprintf(b, "; %d %s", x.count, x.what)
		}
	}
	b.WriteString("\n")
}

// attempt shows an attempt, without Verbose the first of each kind and outcome.
func (t Confirmation) attempt(b *strings.Builder, d *result.Confirmation, k int) {
	a := &d.Attempts[k]
	number := 1
	for _, before := range d.Attempts[:k] {
		if before.Control != a.Control {
			continue
		}
		if number++; !t.Verbose && before.Outcome == a.Outcome {
			return
		}
	}
	kind := "run"
	if a.Control {
		kind = "control"
	}
	fmt.Fprintf(b, "\n  %s %d, %s after %s, %s\n", kind, number, a.Outcome, words.Plural(int64(a.Steps), "step"), words.Elapsed(a.Seconds))
	if a.Message != "" {
		fmt.Fprintf(b, "    step %d, %s: %s\n", a.Step, a.Action, strings.ReplaceAll(a.Message, "\n", "\n    "))
	}
	for _, x := range a.Sightings {
		came := "not seen"
		switch {
		case !x.Judged:
			came = "not judged"
		case x.Seen:
			came = "seen"
		}
		fmt.Fprintf(b, "    %s, %s: %s\n", x.Word, came, x.Text)
	}
	for _, line := range a.Log {
		fmt.Fprintf(b, "    %s\n", line)
	}
}
