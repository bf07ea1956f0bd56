package main

import (
	"flag"
	"fmt"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

var compareVerb = verb{
	name: "compare", args: "MANIFEST...", summary: "check several compositions under one budget, side by side", least: 1, most: -1,
	about: `Each manifest is checked like with check, one after the other, each with the same limits, such as -timeout. The table says
what each took and found, so that one sees what a choice of grains buys. Counterexamples are written only with -traces or -report.

The exit code is that of an error, or else that of the first violation, or else 20 where one is undecided, or else 0.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		exploring(fs, o)
		traceFolder(fs, o, "they are not written")
		stopping(fs, o, "each", "what each manifest says")
		fs.BoolVar(&o.allowBroken, "allow-broken", false, "explore compositions that are not preserved, with warnings")
	},
	run: runCompare,
}

// comparedDoc is one of the compositions that are compared.
type comparedDoc struct {
	Manifest string    `json:"manifest"`
	Result   *document `json:"result"`
}

func runCompare(c *call) int {
	in := shell.Catch()
	defer in.Release()
	var all []*outcome
	for _, path := range c.args {
		if in.Soft.Err() != nil {
			break
		}
		c.note("%s", path)
		o := c.examine(path, in)
		all = append(all, o)
		d := comparedDoc{path, new(document)}
		d.Result.start("check")
		c.describe(d.Result, o)
		for _, x := range o.diags {
			d.Result.Diagnostics = append(d.Result.Diagnostics, diagnosticOf(x))
		}
		c.doc.Compared = append(c.doc.Compared, d)
	}
	c.print(comparedText(c.args, all, c.painter(c.outWidth)))
	for k, o := range all {
		c.showBelow(c.args[k], o.diags, o.manifest.Sources)
	}
	codes := []int{exitOfAll(all)}
	if len(all) < len(c.args) {
		c.doc.Skipped = c.args[len(all):]
		c.print("Interrupted: not all manifests were compared.\n")
		codes = append(codes, shell.Undecided)
	}
	if c.opt.report != "" && !c.writeReport("compare", comparedText(c.args, all, painter(false))) {
		codes = append(codes, shell.System)
	}
	return shell.FirstBad(codes)
}

// exitOfAll is the exit code of several outcomes: errors before violations, of which the first counts, before what is undecided.
func exitOfAll(all []*outcome) int {
	failed, violated, undecided := shell.OK, shell.OK, shell.OK
	for _, o := range all {
		switch code := o.exit(); {
		case code == shell.Undecided:
			undecided = code
		case o.report != nil && len(o.report.Violations) > 0:
			if violated == shell.OK {
				violated = code
			}
		default:
			failed = max(failed, code)
		}
	}
	return shell.FirstBad([]int{failed, violated, undecided})
}

// comparedText is the table of compositions, in the columns of table 5 of the Remix paper.
func comparedText(paths []string, all []*outcome, paint painter) string {
	t := table{right: map[int]bool{1: true, 2: true, 3: true, 4: true}}
	t.row("specification", "time", "depth", "distinct", "violations", "verdict", "violated invariants")
	for k, o := range all {
		name := o.manifest.Name()
		if repeated(all, name) {
			name = paths[k]
		}
		r := o.report
		if r == nil {
			verdict := paint.in(red, found(o))
			if o.stopped != "" {
				verdict = paint.in(yellow, "undecided") + ": " + o.stopped
			}
			t.row(name, "-", "-", "-", "-", verdict)
			continue
		}
		verdict := paint.in(verdictStyle(r.Verdict), r.Verdict)
		if r.Reason != "" {
			verdict += ": " + strings.TrimSuffix(r.Reason, ".")
		}
		t.row(name, words.Elapsed(r.Seconds), strconv.Itoa(r.Depth), words.Count(r.Distinct), words.Count(seen(r, "")), verdict, violatedAt(r))
	}
	return t.text()
}

// violatedAt names what is violated, with the length of its shortest counterexample and how often it was seen, if that was
// asked for.
func violatedAt(r *wire.Report) string {
	var parts []string
	told := map[string]bool{}
	for k := range r.Violations {
		v := &r.Violations[k]
		name := propertyName(v)
		if told[name] {
			continue
		}
		told[name] = true
		text := fmt.Sprintf("%s in %s", name, words.Plural(int64(v.Depth), "step"))
		if n := seen(r, name); n > 1 {
			text += fmt.Sprintf(" (%s times)", words.Count(n))
		}
		parts = append(parts, text)
	}
	return words.ListOr(parts, "none")
}

// seen is how often a property was seen violated, with any last action; "" is any property.
func seen(r *wire.Report, name string) (n int64) {
	for k := range r.Violations {
		if v := &r.Violations[k]; name == "" || propertyName(v) == name {
			n += v.Count
		}
	}
	return n
}

// repeated reports whether several manifests have the name, as files of different folders may.
func repeated(all []*outcome, name string) bool {
	n := 0
	for _, o := range all {
		if o.manifest.Name() == name {
			n++
		}
	}
	return n > 1
}
