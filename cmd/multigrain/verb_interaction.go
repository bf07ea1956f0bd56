package main

import (
	"flag"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

var interactionVerb = verb{
	name: "interaction", args: "MANIFEST", summary: "which variables the modules interact through, and what the coarse grains drop",
	least: 1, most: 1,
	about: `The variables that guards depend on (D) and through which modules interact (I) are computed from the code of the actions.
Each coarse grain is held against the grain that it coarsens: whatever the modules under test, the environment or the
invariants see of it has to be kept. The level says how far that goes: L0 is about footprints, for all sizes, and does
not compare behaviours.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.BoolVar(&o.dot, "dot", false, "print the modules and the variables between them for Graphviz")
		fs.StringVar(&o.why, "why", "", "print the chain that keeps a `VARIABLE`")
	},
	run: runInteraction,
}

func runInteraction(c *call) int {
	o := c.resolve(c.args[0])
	c.doc.Spec = o.manifest.Name()
	if o.comp == nil {
		c.report(o.diags, o.manifest.Sources)
		return o.exit()
	}
	c.preserve(o)
	c.describe(&c.doc, o)
	if o.analysis == nil {
		c.report(o.diags, o.manifest.Sources)
		return o.exit()
	}
	o.static.detail(o.analysis)
	paint := c.painter(c.outWidth)
	switch {
	case c.opt.why != "":
		v := o.analysis.Variable(c.opt.why)
		if v == nil {
			return c.unknownVariable(o.static)
		}
		c.doc.Why = whyOf(v)
		c.print(c.doc.Why.text())
		return exitOf(o.diags)
	case c.opt.dot:
		c.print(o.static.dot(o.manifest.Name()))
	default:
		c.print(checkText{paint: paint}.head(o) + o.static.table() + "\n" + o.static.grains(paint) + o.static.summary(paint) + "\n")
	}
	c.report(o.diags, o.manifest.Sources)
	return o.exit()
}

// unknownVariable reports that -why names no variable.
func (c *call) unknownVariable(d *interactionDoc) int {
	var names []string
	for _, v := range d.Variables {
		names = append(names, v.Name)
	}
	c.report(hcl.Diagnostics{configs.Errorf(CodeFlagValue, "Unknown variable", hcl.Range{},
		"The state has no variable %q.%s", c.opt.why, configs.Hint(c.opt.why, names))}, nil)
	return exitUsage
}
