package command

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/diagnostics"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

// App is the command's surroundings.
type App struct {
	Verbs    Verbs
	In       io.Reader
	Out, Err io.Writer
	Environ  []string // NAME=value, as os.Environ returns them
	// Columns of the terminals to which out and err write; 0 where they write to none.
	OutWidth, ErrWidth int
	// Ended is called with the document of a call and its exit code. It may be nil.
	Ended func(d *result.Document, code int)

	rewritten io.Writer // the standard error for lines that are rewritten
}

// Call is one run of a verb.
type Call struct {
	*App
	CommandLine
	settings shell.Settings
	printed  bool // a text result is printed
	setShown bool // and says what -set replaces
	// Doc is the document that -json prints. Verbs fill it whether -json is given or not.
	Doc result.Document
}

// Run returns the command: it returns the exit code.
func (a *App) Run(args []string) (code int) {
	if slices.Contains(a.Environ, "TERM=dumb") { // it is written to as a file is
		a.OutWidth, a.ErrWidth = 0, 0
	}
	out := &shell.Watched{To: a.Out}
	a.Out, a.Err, a.rewritten = &terminal.Writer{To: out}, &terminal.Writer{To: a.Err}, a.Err
	c := &Call{App: a, CommandLine: CommandLine{verb: &Verb{}}}
	c.Doc.Start("")
	defer func() {
		if p := recover(); p != nil {
			code = c.fault(p, debug.Stack())
			c.finish()
		}
		if out.Failed != nil {
			fmt.Fprintf(a.Err, "multigrain: the result cannot be written: %v\n", out.Failed)
			code = shell.System
		}
	}()
	code = c.export(c.dispatch(args))
	c.finish()
	if a.Ended != nil {
		a.Ended(&c.Doc, code)
	}
	return code
}

// dispatch reads the command line and the settings and runs the verb.
func (c *Call) dispatch(args []string) int {
	line, err := c.Verbs.Parse(args)
	v := line.verb
	c.CommandLine = line
	if v != nil {
		c.Doc.Verb = v.Name
	} else if at := c.Verbs.at(args); at >= 0 {
		c.Doc.Verb = args[at]
	}
	if err == errHelp {
		return c.Help(v)
	}
	if v == nil {
		c.verb = &Verb{}
	}
	if err == nil {
		c.settings, err = shell.LoadSettings(c.Environ)
	}
	var bad *shell.UsageError
	if errors.As(err, &bad) {
		return c.Usage(bad)
	}
	for _, f := range line.Former {
		c.Note("-%s is called -%s now. The old name is an alias in this version.", f[0], f[1])
	}
	if b, ok := c.Own.(interface{ Settle(shell.Settings) }); ok {
		b.Settle(c.settings)
	}
	if diags := c.outputs(); diags.HasErrors() {
		c.Report(diags, nil)
		return shell.ExitOf(diags)
	}
	c.Doc.Set = c.replaced()
	code := c.Own.Run(c)
	if len(c.Doc.Set) > 0 && c.printed && !c.setShown {
		c.Print("\n" + text.Set(c.Doc.Set))
	}
	return code
}

// replaced returns what -set gives to names, each once: the last value counts.
func (c *Call) replaced() (out []result.Setting) {
	for _, a := range c.Vars {
		name, value, _ := strings.Cut(a.Set, "=")
		name = strings.TrimSpace(name)
		out = slices.DeleteFunc(out, func(s result.Setting) bool { return s.Name == name })
		if name != "" {
			out = append(out, result.Setting{Name: name, Value: strings.TrimSpace(value)})
		}
	}
	return out
}

// Usage reports wrong usage.
func (c *Call) Usage(e *shell.UsageError) int {
	c.Report(hcl.Diagnostics{configs.Errorf(e.Code, e.Summary, hcl.Range{}, "%s", e.Detail)}, nil)
	if !c.Json {
		if c.verb.Name == "" || c.verb.Name == "help" {
			fmt.Fprintln(c.Err, "\nVerbs: "+c.Verbs.names()+".\nSee multigrain help.")
		} else {
			fmt.Fprintf(c.Err, "\nUsage: %s\nSee multigrain help %s.\n", c.verb.usageLine(), c.verb.Name)
		}
	}
	return shell.Usage
}

// Report shows diagnostics on the standard error and puts them into the document. Sources hold
// the files that they point at.
func (c *Call) Report(diags hcl.Diagnostics, sources map[string]*hcl.File) {
	docs := diagnostics.All(diags, sources)
	c.Doc.Diagnostics = append(c.Doc.Diagnostics, docs...)
	c.showDiagnostics(docs)
}

// showDiagnostics shows diagnostics on the standard error. With -json they are in the document.
func (c *Call) showDiagnostics(docs []result.Diagnostic) {
	if !c.Json {
		r := text.Diagnostics{Paint: c.Painter(c.ErrWidth), Width: c.ErrWidth}
		io.WriteString(c.Err, r.All(docs))
	}
}

// ShowBelow shows diagnostics below a table, under the name of the manifest that they are about.
// With -json they are in the manifest's own document.
func (c *Call) ShowBelow(manifest string, docs []result.Diagnostic) {
	if c.Json || len(docs) == 0 {
		return
	}
	fmt.Fprintf(c.Err, "\n%s\n", manifest)
	c.showDiagnostics(docs)
}

// Print writes a text result; with -json there is none.
func (c *Call) Print(shown string) {
	c.printed = c.printed || shown != ""
	c.setShown = c.setShown || len(c.Doc.Set) > 0 && strings.Contains(shown, text.Set(c.Doc.Set))
	if !c.Json {
		io.WriteString(c.Out, text.Fit(shown, c.OutWidth))
	}
}

// Raw returns the standard output without the conversion of text for terminals.
func (c *Call) Raw() io.Writer {
	if w, ok := c.Out.(*terminal.Writer); ok {
		return w.To
	}
	return c.Out
}

// PrintFile writes the content of a file, as it is unless it goes to a terminal.
func (c *Call) PrintFile(content string) {
	c.setShown = true // a file has no other lines
	to := c.Out
	if w, ok := c.Out.(*terminal.Writer); ok && c.OutWidth == 0 {
		to = w.To
	}
	if !c.Json {
		io.WriteString(to, content)
	}
}

// Note writes what is neither result nor progress, as a file's name. It is silent with -quiet and
// -json.
func (c *Call) Note(format string, args ...any) {
	if !c.Json && !c.Quiet {
		fmt.Fprintf(c.Err, format+"\n", args...)
	}
}

// Painter colours what goes to a terminal of that width.
func (c *Call) Painter(width int) text.Painter {
	switch {
	case c.noColor || c.settings.Color == "never":
		return text.Painter(false)
	case c.settings.Color == "always":
		return text.Painter(true)
	}
	return text.Painter(width > 0)
}

// finish prints the document.
func (c *Call) finish() {
	if c.Json {
		c.Doc.Write(c.Out)
	}
}

// fault reports a fault of this command itself.
func (c *Call) fault(p any, stack []byte) int {
	detail := fmt.Sprintf("This is a fault of multigrain itself: %v.", p)
	if path, err := c.keep("multigrain", fmt.Sprintf("%v\n\n%s", p, stack)); err == nil {
		detail += fmt.Sprintf(" What a report needs is in %s.", path)
	}
	c.Report(hcl.Diagnostics{configs.Errorf(codes.Internal, "Internal error", hcl.Range{}, "%s", detail)}, nil)
	return shell.System
}
