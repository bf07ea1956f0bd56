package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

var buildVerb = verb{
	name: "build", args: "MANIFEST", summary: "assemble the program of a composition and keep it", least: 1, most: 1,
	about: `The program reads one request, a line of JSON, on its standard input and answers in lines of JSON on its standard
output, until its input is closed. With -json the request that checks the manifest is printed.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.output, "o", "", "write the program to `FILE`, or into that folder (default: the manifest's name)")
		fs.BoolVar(&o.allowBroken, "allow-broken", false, "build a composition that is not preserved, with a warning")
	},
	run: runBuild,
}

func runBuild(c *call) int {
	o := c.resolve(shell.Uncaught())
	o.Named(&c.doc)
	if o.Composition != nil {
		o.Preserve(c.opt.allowBroken)
		o.Describe(&c.doc)
	}
	var req wire.Request
	if o.Composition != nil && !o.Diagnostics.HasErrors() {
		req = o.Exploration(c.limits(), c.opt.slice)
		o.Reduce(&req, c.exploring().Reductions)
	}
	path := c.opt.output
	if info, err := os.Stat(path); path == "" || err == nil && info.IsDir() {
		path = filepath.Join(path, o.Manifest.Name())
	}
	if o.Composition != nil && !o.Diagnostics.HasErrors() {
		in := shell.Catch()
		defer in.Release()
		o.Env.Until(in.Soft, in.Hard)
		o.Build(path)
	}
	c.report(o.Diagnostics, o.Manifest.Sources)
	if code := exitCode(o); code != shell.OK {
		return code
	}
	c.doc.Program = path
	c.doc.Requests = []wire.Request{req}
	c.print(fmt.Sprintf("%s is the program of %s.\n", path, o.Manifest.Name()))
	return shell.OK
}
