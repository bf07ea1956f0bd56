package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
)

// fewActions is the number of actions up to which their table is shown without being asked for.
const fewActions = 30

// manyStates is the number from which on the memory for each says something.
const manyStates = 100_000

// checkText is the result of a check.
type checkText struct {
	paint   painter
	verbose bool
}

func (t checkText) text(o *outcome) string {
	if o.comp == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(t.head(o))
	if o.static != nil {
		b.WriteString(o.static.summary(t.paint) + "\n")
	}
	switch {
	case o.report != nil:
		b.WriteString("\n" + t.report(o.report, o.traces))
	case o.stopped != "":
		fmt.Fprintf(&b, "\n%s: %s\n", t.paint.in(yellow, "undecided"), o.stopped)
	}
	return b.String()
}

// head names the composition.
func (t checkText) head(o *outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  system %s, from %s\n\n", t.paint.in(bold, o.manifest.Name()), o.comp.Catalog.System, o.manifest.Path)
	b.WriteString(moduleTable(o.comp.Modules) + "\n")
	return b.String()
}

func moduleTable(modules []compose.ModuleChoice) string {
	rows := table{indent: "  "}
	for _, m := range modules {
		note := ""
		switch {
		case m.Target:
			note = "target"
		case m.By != "":
			note = "covered by " + m.By
		}
		rows.row(m.Module, m.Grain, note)
	}
	return rows.text()
}

func (t checkText) report(r *wire.Report, traces []string) string {
	var b strings.Builder
	b.WriteString(t.verdict(r))
	fmt.Fprintf(&b, "  %s, %s generated, depth %d\n", plural(r.Distinct, "distinct state"), count(r.Generated), r.Depth)
	fmt.Fprintf(&b, "  %s with %s, %s distinct; memory %s", elapsed(r.Seconds), plural(int64(r.Workers), "worker"),
		rate(r.Distinct, r.Seconds), size(r.Memory))
	if r.Distinct >= manyStates {
		fmt.Fprintf(&b, ", %.1f bytes for each state of %d", float64(r.Memory)/float64(r.Distinct), r.NodeBytes)
	}
	fmt.Fprintf(&b, "\n  digest %s, probability of a fingerprint collision %.1e\n", r.Digest, r.Collision)
	b.WriteString(indentAll(wrap(fmt.Sprintf("%s checked: %s", plural(int64(len(r.Invariants)), "invariant"),
		listOr(r.Invariants, "none")), 96), "  "))
	if r.Masked > 0 {
		fmt.Fprintf(&b, "  %s ended in an assertion that the manifest masks\n", plural(r.Masked, "step"))
	}
	if t.verbose || len(r.Actions) <= fewActions {
		b.WriteString("\n" + actionTable(r.Actions))
	}
	if t.verbose {
		b.WriteString("\n" + levelTable(r.Levels))
	}
	for k := range r.Violations {
		path := ""
		if k < len(traces) {
			path = traces[k]
		}
		b.WriteString("\n" + t.violation(&r.Violations[k], path))
	}
	return b.String()
}

// verdict is the line that matters most.
func (t checkText) verdict(r *wire.Report) string {
	style := green
	reason := ""
	switch r.Verdict {
	case "holds":
		reason = " within the bounds of the manifest, all states explored"
	case "violated":
		style = red
		reason = ": " + violated(r)
	case "undecided":
		style = yellow
		reason = ": " + strings.TrimSuffix(r.Reason, ".")
	}
	return t.paint.in(style, r.Verdict) + reason + "\n"
}

// violated names the properties that are violated, each once.
func violated(r *wire.Report) string {
	var names []string
	seen := map[string]bool{}
	for k := range r.Violations {
		if name := propertyName(&r.Violations[k]); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// listOr is a list with commas, or otherwise where it is empty.
func listOr(names []string, otherwise string) string {
	if len(names) == 0 {
		return otherwise
	}
	return strings.Join(names, ", ")
}

func actionTable(actions []wire.Action) string {
	t := table{indent: "  ", right: map[int]bool{2: true, 3: true, 4: true}}
	t.row("action", "module", "enabled", "fired", "distinct", "")
	for _, a := range actions {
		note := ""
		switch {
		case a.Spent:
			note = "its budget is 0"
		case a.Enabled == 0:
			note = "never enabled"
		}
		t.row(a.Name, a.Module, count(a.Enabled), count(a.Fired), count(a.Distinct), note)
	}
	return t.text()
}

// levelTable counts the states at each depth.
func levelTable(levels []int64) string {
	t := table{indent: "  ", right: map[int]bool{0: true, 1: true}}
	t.row("depth", "distinct")
	for k, n := range levels {
		t.row(strconv.Itoa(k), count(n))
	}
	return t.text()
}

// kinds says what is violated, for people.
var kinds = map[string]string{
	"state": "state invariant", "step": "step property", "assert": "code-level assertion", "liveness": "liveness property",
}

func (t checkText) violation(v *wire.Violation, path string) string {
	var b strings.Builder
	if v.Kind == "deadlock" {
		fmt.Fprintf(&b, "%s: a state without successors\n", t.paint.in(red, "Deadlock"))
	} else {
		fmt.Fprintf(&b, "%s %s is violated\n", t.paint.in(red, sentenceStart(kinds[v.Kind], v.Kind)), propertyName(v))
	}
	if v.Doc != "" {
		b.WriteString(indentAll(wrap(v.Doc, 96), "  "))
	}
	fmt.Fprintf(&b, "  counterexample of %s; %s at the end of its level", plural(int64(v.Depth), "step"), plural(v.At, "distinct state"))
	if v.Count > 1 {
		fmt.Fprintf(&b, "; seen %s times", count(v.Count))
	}
	b.WriteString("\n")
	if path != "" {
		fmt.Fprintf(&b, "  trace: %s\n", path)
	}
	if v.Trace != nil {
		b.WriteString("\n" + narrator{paint: t.paint, indent: "  "}.text(v.Trace))
	}
	return b.String()
}

// sentenceStart is a name with a capital, or another one where there is none.
func sentenceStart(name, otherwise string) string {
	if name == "" {
		name = otherwise
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func indentAll(text, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(indent + line)
	}
	return strings.TrimSuffix(b.String(), "\n") + "\n"
}
