package main

import (
	"bytes"
	"cmp"
	"flag"
	"path/filepath"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/html"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

var checkVerb = verb{
	name: "check", args: "MANIFEST", summary: "explore all states of a composition", least: 1, most: 1,
	about: `The composition is first examined for interaction preservation; one that is not preserved is refused. Then its program is assembled and explored breadth first, so a counterexample is a shortest one. Its
states are written as ITF JSON into MANIFEST-INVARIANT.itf.json, which multigrain show tells step by step.

Where the search goes on past a violation, with -stop or stop in the check block, violations are grouped by invariant and last
action, with how often each was seen and a shortest counterexample; of each invariant the shortest one is told, with -v all.

The verdict is holds, violated or undecided. It is about the bounds of the manifest. Ctrl-C ends the exploration and shows
what was found by then; a second one ends it at once.
` + aboutCheckpoints,
	flags: func(fs *flag.FlagSet, o *options) {
		exploringFlags(fs, o)
		traceFolder(fs, o, "the working folder")
		findingsFile(fs, o)
		junitFile(fs, o)
		checkpoints(fs, &o.keeping)
		explaining(fs, o)
		stopping(fs, o, "the search", "what the manifest says")
		fs.BoolVar(&o.allowBroken, "allow-broken", false, "explore a composition that is not preserved, with a warning")
		fs.BoolVar(&o.slice, "slice", false, "leave variables out of the state that no guard and no checked property can depend on, as slice in the check block")
		fs.BoolVar(&o.symmetry, "symmetry", false, "take states for one that differ in which server is which, as symmetry in the check block; refused where the specification tells servers apart")
		fs.BoolVar(&o.por, "por", false, "leave out orders of independent steps, as por in the check block: partial-order reduction; refused with step properties and with symmetry")
		fs.BoolVar(&o.verbose, "v", false, "show all actions and the states at each depth, however many")
	},
	run: runCheck,
}

func runCheck(c *call) int {
	in := shell.Catch()
	defer in.Release()
	o := c.examine(c.args[0], in)
	c.show(o)
	return c.finished(o)
}

// examine checks a manifest as far as it goes.
func (c *call) examine(path string, in shell.Interrupts) *session.Run {
	o := c.env(in).Resolve(path, c.opt.vars)
	if o.Composition == nil {
		return o
	}
	o.Preserve(c.opt.allowBroken)
	if o.Diagnostics.HasErrors() {
		return o
	}
	o.Explore(o.Exploration(c.limits(), c.opt.slice), c.exploring())
	return o
}

// show prints an outcome and fills in the document: results first, then what there is to say about them.
func (c *call) show(o *session.Run) {
	o.Describe(&c.doc)
	c.print(text.Check{Paint: c.painter(c.outWidth), Verbose: c.opt.verbose}.Text(&c.doc))
	c.report(o.Diagnostics, o.Manifest.Sources)
}

// finished writes the report of an outcome that is shown, if one is asked for, and returns the exit code.
func (c *call) finished(o *session.Run) int {
	if c.opt.report != "" {
		o.Originate(&c.doc, time.Now())
		whole := text.Check{Verbose: true}.Text(&c.doc)
		if len(o.Diagnostics) > 0 {
			whole += "\n" + text.Diagnostics{}.All(c.doc.Diagnostics)
		}
		if code := exitCode(o); !(c.writeReport(o.Manifest.Name(), whole) && c.writePages(&c.doc)) && (code == shell.OK || code == shell.Undecided) {
			return shell.System
		}
	}
	return exitCode(o)
}

// writeReport writes the result as text and as a document into the folder of -report. It reports whether that went well.
func (c *call) writeReport(name, text string) bool {
	var doc bytes.Buffer
	c.doc.Write(&doc)
	stem := filepath.Join(c.opt.report, words.FileName(name))
	for path, content := range map[string][]byte{stem + ".json": doc.Bytes(), stem + ".txt": []byte(text)} {
		if err := files.WriteFile(path, content, 0o644); err != nil {
			d := configs.Errorf(codes.Write, "Report cannot be written", hcl.Range{}, "%v. Name another folder with -report.", err)
			c.report(hcl.Diagnostics{d}, nil)
			return false
		}
	}
	c.note("report: %s.txt, %s.json", stem, stem)
	return true
}

// writePages writes a page of the result into the folder of -report, and one of each counterexample beside it. It reports
// whether that went well.
func (c *call) writePages(d *result.Document) bool {
	pages, failed := html.Pages(d)
	for name, text := range pages {
		failed = cmp.Or(failed, files.WriteFile(filepath.Join(c.opt.report, name), []byte(text), 0o644))
	}
	if failed != nil {
		d := configs.Errorf(codes.Write, "Report cannot be written", hcl.Range{}, "%v. Name another folder with -report.", failed)
		c.report(hcl.Diagnostics{d}, nil)
		return false
	}
	c.note("page: %s", filepath.Join(c.opt.report, words.FileName(d.Spec)+".html"))
	return true
}
