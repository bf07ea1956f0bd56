package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // the static analysis allocates much and keeps little
	}
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Environ()}
	a.outWidth, a.errWidth = shell.TerminalWidth(os.Stdout), shell.TerminalWidth(os.Stderr)
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
	commandLine
	settings shell.Settings
	// doc is what -json prints. Verbs fill it whether -json is given or not.
	doc result.Document
}

// run is the command: it returns the exit code.
func (a *app) run(args []string) (code int) {
	out := &shell.Watched{To: a.out}
	a.out = out
	c := &call{app: a, commandLine: commandLine{verb: &verb{}}}
	c.doc.Start("")
	defer func() {
		if p := recover(); p != nil {
			code = c.fault(p, debug.Stack())
			c.finish()
		}
		if out.Failed != nil {
			fmt.Fprintf(a.err, "multigrain: the result cannot be written: %v\n", out.Failed)
			code = shell.System
		}
	}()
	code = c.export(c.dispatch(args))
	c.finish()
	return code
}

// dispatch reads the command line and the settings and runs the verb.
func (c *call) dispatch(args []string) int {
	line, err := parse(args)
	v := line.verb
	c.commandLine = line
	if v != nil {
		c.doc.Verb = v.name
	} else if at := verbAt(args); at >= 0 {
		c.doc.Verb = args[at]
	}
	if err == errHelp {
		return c.help(v)
	}
	if v == nil {
		c.verb = &verb{}
	}
	if err == nil {
		c.settings, err = shell.LoadSettings(c.environ)
	}
	var bad *shell.UsageError
	if errors.As(err, &bad) {
		return c.usage(bad)
	}
	if b, ok := c.own.(interface{ settle(shell.Settings) }); ok {
		b.settle(c.settings)
	}
	if diags := c.outputs(); diags.HasErrors() {
		c.report(diags, nil)
		return shell.ExitOf(diags)
	}
	return c.own.run(c)
}

// usage reports wrong usage.
func (c *call) usage(e *shell.UsageError) int {
	c.report(hcl.Diagnostics{configs.Errorf(e.Code, e.Summary, hcl.Range{}, "%s", e.Detail)}, nil)
	if !c.json {
		if c.verb.name == "" || c.verb.name == "help" {
			fmt.Fprintln(c.err, "\nVerbs: "+verbNames()+".\nSee multigrain help.")
		} else {
			fmt.Fprintf(c.err, "\nUsage: %s\nSee multigrain help %s.\n", c.verb.usageLine(), c.verb.name)
		}
	}
	return shell.Usage
}

// report shows diagnostics on the standard error and puts them into the document. Sources hold the files that they point at.
func (c *call) report(diags hcl.Diagnostics, sources map[string]*hcl.File) {
	docs := session.DiagnosticsOf(diags, sources)
	c.doc.Diagnostics = append(c.doc.Diagnostics, docs...)
	c.showDiagnostics(docs)
}

// showDiagnostics shows diagnostics on the standard error. With -json they are in the document.
func (c *call) showDiagnostics(docs []result.Diagnostic) {
	if !c.json {
		r := text.Diagnostics{Paint: c.painter(c.errWidth), Width: c.errWidth}
		io.WriteString(c.err, r.All(docs))
	}
}

// showBelow shows diagnostics below a table, under the name of the manifest that they are about. With -json they are in the
// manifest's own document.
func (c *call) showBelow(manifest string, docs []result.Diagnostic) {
	if c.json || len(docs) == 0 {
		return
	}
	fmt.Fprintf(c.err, "\n%s\n", manifest)
	c.showDiagnostics(docs)
}

// print writes a text result; with -json there is none.
func (c *call) print(text string) {
	if !c.json {
		io.WriteString(c.out, text)
	}
}

// note writes what is neither result nor progress, as a file's name. It is silent with -quiet and -json.
func (c *call) note(format string, args ...any) {
	if !c.json && !c.quiet {
		fmt.Fprintf(c.err, format+"\n", args...)
	}
}

// painter colours what goes to a terminal of that width.
func (c *call) painter(width int) text.Painter {
	switch {
	case c.noColor || c.settings.Color == "never":
		return text.Painter(false)
	case c.settings.Color == "always":
		return text.Painter(true)
	}
	return text.Painter(width > 0)
}

// finish prints the document.
func (c *call) finish() {
	if c.json {
		c.doc.Write(c.out)
	}
}

// fault reports a fault of this command itself.
func (c *call) fault(p any, stack []byte) int {
	detail := fmt.Sprintf("This is a fault of multigrain itself: %v.", p)
	if path, err := c.keep("multigrain", fmt.Sprintf("%v\n\n%s", p, stack)); err == nil {
		detail += fmt.Sprintf(" What a report needs is in %s.", path)
	}
	c.report(hcl.Diagnostics{configs.Errorf(codes.Internal, "Internal error", hcl.Range{}, "%s", detail)}, nil)
	return shell.System
}
