package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

var buildVerb = verb{
	name: "build", args: "MANIFEST", summary: "assemble the program of a composition and keep it", least: 1, most: 1,
	about: `The program reads one request, a line of JSON, on its standard input and answers in lines of JSON on its standard
output, until its input is closed. With -json the request that checks the manifest is printed.
`,
	options: func() options { return new(buildOptions) },
}

// buildOptions are the options of build.
type buildOptions struct {
	bounded
	output      string
	allowBroken bool
}

func (o *buildOptions) flags(fs *flag.FlagSet) {
	fs.StringVar(&o.output, "o", "", "write the program to `FILE`, or into that folder (default: the manifest's name)")
	fs.BoolVar(&o.allowBroken, "allow-broken", false, "build a composition that is not preserved, with a warning")
}

// places are the files and folders that flags name.
func (o *buildOptions) places() []shell.Place {
	return []shell.Place{{Path: o.output, Flag: "-o", Summary: "Output cannot be written", Either: true}}
}

func (o *buildOptions) run(c *call) int {
	r := c.resolve(shell.Uncaught())
	r.Named(&c.doc)
	if r.Composition != nil {
		r.Preserve(o.allowBroken)
		r.Describe(&c.doc)
	}
	var req wire.Request
	if r.Composition != nil && !r.Diagnostics.HasErrors() {
		req = r.Exploration(o.Limits, false)
		r.Reduce(&req, session.Reductions{})
	}
	path := o.output
	if info, err := os.Stat(path); path == "" || err == nil && info.IsDir() {
		path = filepath.Join(path, r.Manifest.Name())
	}
	if r.Composition != nil && !r.Diagnostics.HasErrors() {
		in := shell.Catch()
		defer in.Release()
		r.Env.Until(in.Soft, in.Hard)
		r.Build(path)
	}
	c.report(r.Diagnostics, r.Manifest.Sources)
	if code := exitCode(r); code != shell.OK {
		return code
	}
	c.doc.Program = path
	c.doc.Requests = []wire.Request{req}
	c.print(fmt.Sprintf("%s is the program of %s.\n", path, r.Manifest.Name()))
	return shell.OK
}
