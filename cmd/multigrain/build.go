package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

var buildVerb = command.Verb{
	Name: "build", Args: "MANIFEST", Summary: "assemble the program of a composition and keep it", Least: 1, Most: 1,
	About: `The program reads one request, a line of JSON, on its standard input. It answers check and simulate, in lines of
JSON on its standard output, until its input is closed. With -json the request that checks the manifest is printed.
`,
	Code:    command.RunsBuild,
	Options: func() command.Options { return new(buildOptions) },
}

// buildOptions are the options of build.
type buildOptions struct {
	command.Bounded
	output      string
	allowBroken bool
}

func (o *buildOptions) Flags(fs *flag.FlagSet) {
	fs.StringVar(&o.output, "out", "", "write the program to `FILE`, or into that folder (default: the manifest's name)")
	fs.BoolVar(&o.allowBroken, "allow-broken", false, "build a composition that is not preserved, with a warning")
}

// Former returns the flags that had other names.
func (o *buildOptions) Former() map[string]string { return map[string]string{"o": "out"} }

// Places returns the files and folders that flags name.
func (o *buildOptions) Places() []shell.Place {
	return []shell.Place{{Path: o.output, Flag: "-out", Summary: "Output cannot be written", Either: true}}
}

func (o *buildOptions) Run(c *command.Call) int {
	r := c.Resolve(shell.Uncaught())
	r.Named(&c.Doc)
	if r.Composition != nil {
		r.Preserve(o.allowBroken)
		r.Describe(&c.Doc)
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
		r.Describe(&c.Doc)
	}
	c.Report(r.Diagnostics, r.Manifest.Sources)
	if code := c.Exit(); code != shell.OK {
		return code
	}
	c.Doc.Program = path
	c.Doc.Requests = []wire.Request{req}
	c.Print(fmt.Sprintf("%s is the program of %s.\n", path, r.Manifest.Name()))
	return shell.OK
}
