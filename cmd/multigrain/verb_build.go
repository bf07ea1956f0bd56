package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/configs"
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
	o := c.resolve(c.args[0])
	named(&c.doc, o)
	if o.comp != nil {
		c.preserve(o)
		c.describe(&c.doc, o)
	}
	var req wire.Request
	if o.comp != nil && !o.diags.HasErrors() {
		req = c.request(o)
		c.reduce(o, &req)
	}
	path := c.opt.output
	if info, err := os.Stat(path); path == "" || err == nil && info.IsDir() {
		path = filepath.Join(path, o.manifest.Name())
	}
	if o.comp != nil && !o.diags.HasErrors() {
		c.build(o, path)
	}
	c.report(o.diags, o.manifest.Sources)
	if code := o.exit(); code != shell.OK {
		return code
	}
	c.doc.Program = path
	c.doc.Requests = []wire.Request{req}
	c.print(fmt.Sprintf("%s is the program of %s.\n", path, o.manifest.Name()))
	return shell.OK
}

// build assembles the program and copies it to path.
func (c *call) build(o *outcome, path string) {
	in := shell.Catch()
	defer in.Release()
	program, diags := o.comp.Assemble(in.Soft)
	if in.Soft.Err() != nil {
		o.stopped = "interrupted while the program was built"
		return
	}
	o.add(diags...)
	if diags.HasErrors() {
		return
	}
	content, err := os.ReadFile(program)
	if err == nil {
		err = files.WriteFile(filepath.Clean(path), content, 0o755)
	}
	if err != nil {
		o.add(configs.Errorf(codes.Write, "Program cannot be written", hcl.Range{}, "%v. Name another file with -o.", err))
	}
}
