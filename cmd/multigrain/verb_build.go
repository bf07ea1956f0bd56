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
	o.named(&c.doc)
	if o.comp != nil {
		o.preserve(c.opt.allowBroken)
		o.describe(&c.doc)
	}
	var req wire.Request
	if o.comp != nil && !o.diags.HasErrors() {
		req = o.exploration(c.limits(), c.opt.slice)
		o.reduce(&req, c.exploring().reductions)
	}
	path := c.opt.output
	if info, err := os.Stat(path); path == "" || err == nil && info.IsDir() {
		path = filepath.Join(path, o.manifest.Name())
	}
	if o.comp != nil && !o.diags.HasErrors() {
		in := shell.Catch()
		defer in.Release()
		o.env.until(in.Soft, in.Hard)
		o.build(path)
	}
	c.report(o.diags, o.manifest.Sources)
	if code := exitCode(o); code != shell.OK {
		return code
	}
	c.doc.Program = path
	c.doc.Requests = []wire.Request{req}
	c.print(fmt.Sprintf("%s is the program of %s.\n", path, o.manifest.Name()))
	return shell.OK
}
