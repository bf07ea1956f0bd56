package command

import (
	"flag"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/compose"
)

// Verb is something that the command does.
type Verb struct {
	Name    string
	Args    string // as the usage line has them
	Summary string
	About   string // more than the summary, for help
	Code    string // which code of others it runs: sentences for help and the trust page
	// How many arguments it takes; most is -1 where there is no limit.
	Least, Most int
	// Raw says that arguments after the first are not read as flags: they are for another
	// program.
	Raw bool
	// Options returns those of one call, which flags then set.
	Options func() Options
}

// composes reports whether the verb composes a manifest: its own argument, or that of a trace.
func (v *Verb) composes() bool { return v.Name == "validate" || v.Code != RunsNone && !v.Raw }

// Sentences for Verb.Code. docs/explanation/trust.md has them too.
const (
	RunsNone    = "It runs no code of the packages and files that it reads."
	RunsBuild   = "It compiles the package of the specification and does not run it."
	RunsSpec    = "It compiles and runs the package of the specification, and what that package imports."
	RunsAdapter = "It compiles and runs the packages of the specification and of the adapter, and what they import. Of a driver it starts the processes."
)

// Options are those of a verb in one call: its own flags, and what it does with them.
type Options interface {
	Flags(*flag.FlagSet)
	Run(*Call) int
}

// Plain is a verb without flags of its own.
type Plain func(*Call) int

// Flags declares no flags.
func (Plain) Flags(*flag.FlagSet) {}

// Run calls p and returns its exit code.
func (p Plain) Run(c *Call) int { return p(c) }

// reserved are the names of verbs of later versions.
var reserved = []string{
	"sample", "init",
}

// Verbs are verbs in the order in which help lists them.
type Verbs []*Verb

// Named returns the verb of a name; nil where there is none.
func (vs Verbs) Named(name string) *Verb {
	if k := slices.IndexFunc(vs, func(v *Verb) bool { return v.Name == name }); k >= 0 {
		return vs[k]
	}
	return nil
}

func (vs Verbs) names() string {
	var names []string
	for _, v := range vs {
		names = append(names, v.Name)
	}
	return strings.Join(names, ", ")
}

func (v *Verb) usageLine() string {
	return strings.TrimSpace("multigrain " + v.Name + " [flags] " + v.Args)
}

// Help prints what a verb does, or what verbs there are.
func (c *Call) Help(v *Verb) int {
	text := c.Verbs.overview(c.OutWidth)
	if v != nil {
		text = v.help(c.OutWidth)
	}
	c.Doc.Verb = "help"
	c.Doc.Usage = text
	c.Print(text)
	return shell.OK
}

func (vs Verbs) overview(width int) string {
	var b strings.Builder
	b.WriteString("Checks mixed-grained specifications of distributed protocols.\n\nUsage: multigrain VERB [flags] [arguments]\n\n")
	t := text.Table{Indent: "  "}
	for _, v := range vs {
		t.Row(strings.TrimSpace(v.Name+" "+v.Args), v.Summary)
	}
	b.WriteString(t.Wrapped(width))
	b.WriteString("\nmultigrain help VERB says more. Flags stand anywhere, as -x or --x.\n\n" + text.Flow(settingsHelp, 0, width) + "\n" + exitHelp(width))
	return b.String()
}

const settingsHelp = `A user's settings are workers, memory, color (auto, always, never) and cache (a folder). They stand in multigrain/config.yaml,
.toml or .json of the user's configuration folder, or in the file that MULTIGRAIN_CONFIG names, and are overridden by
MULTIGRAIN_WORKERS, MULTIGRAIN_MEMORY, MULTIGRAIN_COLOR (or NO_COLOR) and MULTIGRAIN_CACHE, and by flags.
`

// exitHelp lists the exit codes.
func exitHelp(width int) string {
	t := text.Table{Indent: "  "}
	for _, x := range verdicts.Exits {
		t.Row(fmt.Sprintf("%3d", x.Code), x.Means)
	}
	return "Exit codes:\n" + t.Wrapped(width)
}

func (v *Verb) help(width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n%s", v.usageLine(), text.Flow(strings.ToUpper(v.Summary[:1])+v.Summary[1:]+".", 0, width))
	if v.About != "" {
		b.WriteString("\n" + text.Flow(v.About, 0, width))
	}
	if v.Code != "" {
		b.WriteString("\n" + text.Flow(v.Code, 0, width))
	}
	b.WriteString("\nFlags:\n")
	flagsOf(v.Options(), new(Common)).VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		if !shell.TakesValue(f) {
			value = ""
		}
		if f.DefValue == "true" {
			usage += " (default: true)"
		}
		fmt.Fprintf(&b, "  %s\n%s", strings.TrimSpace("-"+f.Name+" "+value), text.Flow(usage, 8, width))
	})
	return b.String()
}

// Version returns the version of the release or the one that the go command recorded, with the
// revision where it was built from a checkout.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := compose.Recorded()
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && !strings.Contains(v, s.Value[:min(12, len(s.Value))]) {
			v += " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return strings.TrimSpace(v + " " + info.GoVersion)
}
