package main

import (
	"flag"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
)

// verb is something that the command does.
type verb struct {
	name    string
	args    string // as the usage line has them
	summary string
	about   string // more than the summary, for help
	// How many arguments it takes; most is -1 where there is no limit.
	least, most int
	// raw says that what stands behind the first argument is not read as flags: it is for another program.
	raw bool
	// options returns those of one call, which flags then set.
	options func() options
}

// options are those of a verb in one call: its own flags, and what it does with them.
type options interface {
	flags(*flag.FlagSet)
	run(*call) int
}

// plain is a verb without flags of its own.
type plain func(*call) int

func (plain) flags(*flag.FlagSet) {}

func (p plain) run(c *call) int { return p(c) }

// reserved are the names of verbs of later versions.
var reserved = []string{
	"sample", "rank", "monitor", "init",
}

// verbs are all verbs, in the order in which help lists them. It is a function because help is one of them.
func verbs() []*verb {
	return []*verb{
		&validateVerb, &interactionVerb, &checkVerb, &simulateVerb, &compareVerb, &testVerb, &changeVerb, &conformVerb, &replayVerb, &traceVerb, &monitorVerb, &showVerb, &listVerb, &fmtVerb, &buildVerb, &tapVerb, &explainVerb, &versionVerb,
		{name: "help", args: "[VERB]", summary: "what a verb does and which flags it takes", most: 1, options: func() options { return plain(runHelp) }},
	}
}

func verbNamed(name string) *verb {
	all := verbs()
	if k := slices.IndexFunc(all, func(v *verb) bool { return v.name == name }); k >= 0 {
		return all[k]
	}
	return nil
}

func verbNames() string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return strings.Join(names, ", ")
}

func (v *verb) usageLine() string {
	return strings.TrimSpace("multigrain " + v.name + " [flags] " + v.args)
}

func runHelp(c *call) int {
	if len(c.args) == 0 {
		return c.help(nil)
	}
	v := verbNamed(c.args[0])
	if v == nil {
		bad, _ := unknownVerb(c.args[0]).(*shell.UsageError)
		return c.usage(bad)
	}
	return c.help(v)
}

// help prints what a verb does, or what verbs there are.
func (c *call) help(v *verb) int {
	text := overview()
	if v != nil {
		text = v.help()
	}
	c.doc.Verb = "help"
	c.doc.Usage = text
	c.print(text)
	return shell.OK
}

func overview() string {
	var b strings.Builder
	b.WriteString("Checks mixed-grained specifications of distributed protocols.\n\nUsage: multigrain VERB [flags] [arguments]\n\n")
	t := text.Table{Indent: "  "}
	for _, v := range verbs() {
		t.Row(strings.TrimSpace(v.name+" "+v.args), v.summary)
	}
	b.WriteString(t.Text())
	b.WriteString("\nmultigrain help VERB says more. Flags stand anywhere, as -x or --x.\n\n" + settingsHelp + "\n" + exitHelp)
	return b.String()
}

const settingsHelp = `A user's settings are workers, memory, color (auto, always, never) and cache (a folder). They stand in multigrain/config.yaml,
.toml or .json of the user's configuration folder, or in the file that MULTIGRAIN_CONFIG names, and are overridden by
MULTIGRAIN_WORKERS, MULTIGRAIN_MEMORY, MULTIGRAIN_COLOR (or NO_COLOR) and MULTIGRAIN_CACHE, and by flags.
`

const exitHelp = `Exit codes:
    0  what was asked was completed and nothing found
    1  test or fmt -check differ
    2  wrong usage, or no manifest is found
   10  interaction not preserved, or a gap that is not accepted
   11  deadlock
   12  safety violation
   13  step property or liveness violation
   14  code-level assertion
   20  undecided: a limit, a timeout or an interrupt came first
   30  an implementation does not do what the specification does
  150  manifest, specification or trace invalid
  151  a capacity was exceeded
  153  system failure
`

func (v *verb) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n%s%s.\n", v.usageLine(), strings.ToUpper(v.summary[:1]), v.summary[1:])
	if v.about != "" {
		b.WriteString("\n" + v.about)
	}
	b.WriteString("\nFlags:\n")
	flagsOf(v.options(), new(common)).VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		if !shell.TakesValue(f) {
			value = ""
		}
		if f.DefValue == "true" {
			usage += " (default: true)"
		}
		fmt.Fprintf(&b, "  %s\n        %s\n", strings.TrimSpace("-"+f.Name+" "+value), usage)
	})
	return b.String()
}

var versionVerb = verb{
	name: "version", summary: "the version of this command", options: func() options { return plain(runVersion) },
}

func runVersion(c *call) int {
	c.doc.Version = version()
	c.print("multigrain " + c.doc.Version + "\n")
	return shell.OK
}

// version is the version of the module as the go command recorded it, with the revision where it was built from a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && !strings.Contains(v, s.Value[:min(12, len(s.Value))]) {
			v += " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return strings.TrimSpace(v + " " + info.GoVersion)
}
