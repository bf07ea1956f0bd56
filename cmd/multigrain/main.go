package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // the static analysis allocates much and keeps little
	}
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Environ()}
	a.outWidth, a.errWidth = terminalWidth(os.Stdout), terminalWidth(os.Stderr)
	os.Exit(a.run(os.Args[1:]))
}

// app is the command's surroundings.
type app struct {
	in       io.Reader
	out, err io.Writer
	environ  []string // NAME=value, as os.Environ returns them
	// Columns of the terminals behind out and err; 0 where there is none.
	outWidth, errWidth int
}

// call is one run of a verb.
type call struct {
	*app
	verb     *verb
	args     []string
	opt      options
	settings settings
	// doc is what -json prints. Verbs fill it whether -json is given or not.
	doc document
}

// run is the command: it returns the exit code.
func (a *app) run(args []string) (code int) {
	out := &watched{to: a.out}
	a.out = out
	c := &call{app: a, verb: &verb{}}
	c.doc.start("")
	defer func() {
		if p := recover(); p != nil {
			code = c.fault(p, debug.Stack())
			c.finish()
		}
		if out.failed != nil {
			fmt.Fprintf(a.err, "multigrain: the result cannot be written: %v\n", out.failed)
			code = exitSystem
		}
	}()
	code = c.export(c.dispatch(args))
	c.finish()
	return code
}

// watched remembers that something could not be written.
type watched struct {
	to     io.Writer
	failed error
}

func (w *watched) Write(b []byte) (int, error) {
	n, err := w.to.Write(b)
	if err != nil && w.failed == nil {
		w.failed = err
	}
	return n, err
}

// dispatch reads the command line and the settings and runs the verb.
func (c *call) dispatch(args []string) int {
	v, rest, opt, err := parse(args)
	c.opt = opt
	if v != nil {
		c.verb = v
		c.doc.Verb = v.name
	} else if at := verbAt(args); at >= 0 {
		c.doc.Verb = args[at]
	}
	if err == errHelp {
		return c.help(v)
	}
	if err == nil {
		c.args = rest
		c.settings, err = loadSettings(c.environ)
	}
	var bad *usageError
	if errors.As(err, &bad) {
		return c.usage(bad)
	}
	c.opt.apply(c.settings)
	if diags := c.outputs(); diags.HasErrors() {
		c.report(diags, nil)
		return exitOf(diags)
	}
	return v.run(c)
}

// usage reports wrong usage.
func (c *call) usage(e *usageError) int {
	c.report(hcl.Diagnostics{configs.Errorf(e.code, e.summary, hcl.Range{}, "%s", e.detail)}, nil)
	if !c.opt.json {
		if c.verb.name == "" || c.verb.name == "help" {
			fmt.Fprintln(c.err, "\nVerbs: "+verbNames()+".\nSee multigrain help.")
		} else {
			fmt.Fprintf(c.err, "\nUsage: %s\nSee multigrain help %s.\n", c.verb.usageLine(), c.verb.name)
		}
	}
	return exitUsage
}

// report shows diagnostics on the standard error and puts them into the document. Sources hold the files that they point at.
func (c *call) report(diags hcl.Diagnostics, sources map[string]*hcl.File) {
	r := renderer{sources: sources, paint: c.painter(c.errWidth), width: c.errWidth}
	for _, d := range diags {
		c.doc.Diagnostics = append(c.doc.Diagnostics, diagnosticOf(d))
	}
	if !c.opt.json {
		io.WriteString(c.err, r.all(diags))
	}
}

// showBelow shows diagnostics below a table, under the name of the manifest that they are about. With -json they are in the
// manifest's own document.
func (c *call) showBelow(manifest string, diags hcl.Diagnostics, sources map[string]*hcl.File) {
	if c.opt.json || len(diags) == 0 {
		return
	}
	r := renderer{sources: sources, paint: c.painter(c.errWidth), width: c.errWidth}
	fmt.Fprintf(c.err, "\n%s\n%s", manifest, r.all(diags))
}

// print writes a text result; with -json there is none.
func (c *call) print(text string) {
	if !c.opt.json {
		io.WriteString(c.out, text)
	}
}

// note writes what is neither result nor progress, as a file's name. It is silent with -quiet and -json.
func (c *call) note(format string, args ...any) {
	if !c.opt.json && !c.opt.quiet {
		fmt.Fprintf(c.err, format+"\n", args...)
	}
}

// painter colours what goes to a terminal of that width.
func (c *call) painter(width int) painter {
	switch {
	case c.opt.noColor || c.settings.Color == "never":
		return painter(false)
	case c.settings.Color == "always":
		return painter(true)
	}
	return painter(width > 0)
}

// finish prints the document.
func (c *call) finish() {
	if c.opt.json {
		c.doc.write(c.out)
	}
}

// fault reports a fault of this command itself.
func (c *call) fault(p any, stack []byte) int {
	detail := fmt.Sprintf("This is a fault of multigrain itself: %v.", p)
	if path, err := c.keep("multigrain", fmt.Sprintf("%v\n\n%s", p, stack)); err == nil {
		detail += fmt.Sprintf(" What a report needs is in %s.", path)
	}
	c.report(hcl.Diagnostics{configs.Errorf(CodeInternal, "Internal error", hcl.Range{}, "%s", detail)}, nil)
	return exitSystem
}
