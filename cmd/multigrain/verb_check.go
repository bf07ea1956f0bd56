package main

import (
	"bytes"
	"flag"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

var checkVerb = verb{
	name: "check", args: "MANIFEST", summary: "explore all states of a composition", least: 1, most: 1,
	about: `The composition is first examined for interaction preservation; one that is not preserved is refused. Then its program is assembled and explored breadth first, so a counterexample is a shortest one. Its
states are written as ITF JSON into MANIFEST-INVARIANT.itf.json, which multigrain show tells step by step.

The verdict is holds, violated or undecided. It is about the bounds of the manifest. Ctrl-C ends the exploration and shows
what was found by then; a second one ends it at once.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		exploring(fs, o)
		fs.BoolVar(&o.allowBroken, "allow-broken", false, "explore a composition that is not preserved, with a warning")
		fs.BoolVar(&o.verbose, "v", false, "show all actions and the states at each depth, however many")
	},
	run: runCheck,
}

func runCheck(c *call) int {
	in := catch()
	defer in.release()
	o := c.examine(c.args[0], in)
	c.show(o)
	if c.opt.report != "" {
		c.writeReport(o)
	}
	return o.exit()
}

// examine checks a manifest as far as it goes.
func (c *call) examine(path string, in interrupts) *outcome {
	o := c.resolve(path)
	if o.comp == nil {
		return o
	}
	c.preserve(o)
	if o.diags.HasErrors() {
		return o
	}
	c.explore(o, in)
	return o
}

// show prints an outcome and fills in the document: results first, then what there is to say about them.
func (c *call) show(o *outcome) {
	c.describe(&c.doc, o)
	c.print(checkText{c.painter(c.outWidth), c.opt.verbose}.text(o))
	c.report(o.diags, o.manifest.Sources)
}

// describe fills an outcome into a document, without its diagnostics.
func (c *call) describe(d *document, o *outcome) {
	d.Spec = o.manifest.Name()
	if o.comp != nil {
		d.composition(o.comp)
	}
	if o.static != nil {
		d.Interaction = o.static
	}
	switch {
	case o.report != nil:
		d.exploration = explorationOf(o.report, o.traces)
	case o.stopped != "":
		d.exploration = &exploration{Verdict: "undecided", Reason: o.stopped, Actions: []actionDoc{}, Violations: []violationDoc{}}
	}
}

// writeReport writes the result as text and as a document into the folder of -report.
func (c *call) writeReport(o *outcome) {
	var doc bytes.Buffer
	c.doc.write(&doc)
	text := checkText{verbose: true}.text(o)
	plain := renderer{sources: o.manifest.Sources}
	if len(o.diags) > 0 {
		text += "\n" + plain.all(o.diags)
	}
	stem := filepath.Join(c.opt.report, fileName(o.manifest.Name()))
	for path, content := range map[string][]byte{stem + ".json": doc.Bytes(), stem + ".txt": []byte(text)} {
		if err := writeFile(path, content, 0o644); err != nil {
			d := configs.Errorf(CodeWrite, "Report cannot be written", hcl.Range{}, "%v. Name another folder with -report.", err)
			o.add(d)
			c.report(hcl.Diagnostics{d}, nil)
			return
		}
	}
	c.note("report: %s.txt, %s.json", stem, stem)
}
