package main

import (
	"bytes"
	"cmp"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
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
		exploring(fs, o)
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
func (c *call) examine(path string, in shell.Interrupts) *outcome {
	o := c.resolve(path)
	if o.comp == nil {
		return o
	}
	c.preserve(o)
	if o.diags.HasErrors() {
		return o
	}
	c.explore(o, c.request(o), in)
	return o
}

// show prints an outcome and fills in the document: results first, then what there is to say about them.
func (c *call) show(o *outcome) {
	c.describe(&c.doc, o)
	c.print(text.Check{Paint: c.painter(c.outWidth), Verbose: c.opt.verbose}.Text(&c.doc))
	c.report(o.diags, o.manifest.Sources)
}

// named says which manifest a document is about.
func named(d *result.Document, o *outcome) {
	d.Spec, d.Manifest = o.manifest.Name(), o.manifest.Path
}

// describe fills an outcome into a document, without its diagnostics.
func (c *call) describe(d *result.Document, o *outcome) {
	named(d, o)
	if o.comp != nil {
		compositionOf(d, o.comp)
	}
	if o.static != nil {
		d.Interaction = o.static
	}
	switch {
	case o.report != nil:
		d.Exploration = explorationOf(o)
	case o.stopped != "":
		d.Exploration = &result.Exploration{Verdict: "undecided", Stopped: true, Reason: o.stopped, Actions: []result.Action{}, Violations: []result.Violation{}}
	}
}

// finished writes the report of an outcome that is shown, if one is asked for, and returns the exit code.
func (c *call) finished(o *outcome) int {
	if c.opt.report != "" {
		originate(&c.doc, o, time.Now())
		whole := text.Check{Verbose: true}.Text(&c.doc)
		if len(o.diags) > 0 {
			whole += "\n" + text.Diagnostics{}.All(c.doc.Diagnostics)
		}
		if code := o.exit(); !(c.writeReport(o.manifest.Name(), whole) && c.writePages(&c.doc)) && (code == shell.OK || code == shell.Undecided) {
			return shell.System
		}
	}
	return o.exit()
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

// originate adds to a document what a report says of where it comes from.
func originate(d *result.Document, o *outcome, at time.Time) {
	version := "unknown"
	if b, ok := debug.ReadBuildInfo(); ok {
		version = b.Main.Version
	}
	host, _ := os.Hostname()
	d.Origin = &result.Origin{At: at.Format(time.DateTime), Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Processors: runtime.NumCPU(), Host: host, Command: strings.Join(os.Args, " ")}
	d.Sources = nil
	for _, name := range slices.Sorted(maps.Keys(o.manifest.Sources)) {
		if slices.Contains(o.manifest.Files, name) {
			d.Sources = append(d.Sources, result.Source{File: words.ShortPath(name), Text: string(o.manifest.Sources[name].Bytes)})
		}
	}
}
