package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/monitor"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// options are the flags of all verbs.
type options struct {
	// Of all verbs.
	vars                 []configs.Assignment
	json, quiet, noColor bool

	// Of the verbs that explore.
	workers   int
	timeout   time.Duration
	maxStates int64
	memory    int64
	seed      *uint64 // nil where it is not given
	report    string

	strict, allowBroken, verbose bool            // check
	explain                      bool            // check, simulate
	branches                     bool            // conform
	traces                       string          // check, test
	walks                        session.Walks   // simulate
	keeping                      session.Keeping // check
	stop                         *int            // check, compare; nil where it is not given
	check, diff, recursive       bool            // fmt
	write, list                  bool            // fmt
	dot, again                   bool            // interaction; again: test, too
	suggest                      bool            // interaction
	slice                        bool            // check
	symmetry, por                bool            // check
	why, level                   string          // interaction
	sarif                        string          // validate, interaction, check, change
	filter, junit                string          // test
	full                         bool            // show
	format                       string          // show
	output                       string          // build
	impl, manifest               string          // conform, replay
	changing                     changeFlags     // change

	monitor monitor.Flags // monitor
}

// apply takes the user's settings where no flag was given.
func (o *options) apply(s shell.Settings) {
	if o.workers == 0 {
		o.workers = s.Workers
	}
	if o.memory == 0 {
		o.memory = s.Memory
	}
}

// errHelp says that help was asked for.
var errHelp = errors.New("help")

// flags are the flags of v, with o behind them. v may be nil: then they are those of all verbs.
func flags(v *verb, o *options) *flag.FlagSet {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Func("var", "set a variable of the manifest: `name=value`; may be repeated", func(s string) error {
		o.vars = append(o.vars, configs.Assignment{Var: s})
		return nil
	})
	fs.Func("var-file", "set variables from a `file` of name = value lines; may be repeated", func(s string) error {
		if s == "" {
			return errors.New("it needs a file")
		}
		o.vars = append(o.vars, configs.Assignment{File: s})
		return nil
	})
	fs.BoolVar(&o.json, "json", false, "print one JSON document instead of text")
	fs.BoolVar(&o.quiet, "quiet", false, "no progress and no notes on the standard error")
	fs.BoolVar(&o.noColor, "no-color", false, "no colours")
	if v != nil {
		if v.flags != nil {
			v.flags(fs, o)
		}
		return fs
	}
	for _, other := range verbs() {
		if other.flags == nil {
			continue
		}
		own := flag.NewFlagSet("", flag.ContinueOnError)
		other.flags(own, o)
		own.VisitAll(func(f *flag.Flag) {
			if fs.Lookup(f.Name) == nil {
				fs.Var(f.Value, f.Name, f.Usage)
			}
		})
	}
	return fs
}

// exploringFlags declares the flags of the verbs that explore all states.
func exploringFlags(fs *flag.FlagSet, o *options) {
	limitFlags(fs, o)
	memoryLimit(fs, o, "keep at most a `size` in memory, such as 12GiB or 500M, and the rest on disk; end undecided where the fingerprints alone take more")
	timeLimit(fs, o, "end undecided after a `duration` of exploration, such as 90s or 10m")
	start(fs, o, "start of the random choices, `N`; exhaustive exploration makes none")
}

// stopping declares -stop: what ends, and what it does without the flag.
func stopping(fs *flag.FlagSet, o *options, what, otherwise string) {
	usage := "end " + what + " after the first violation, never, or behind the depth at which there are N of them: `first|never|N` (default: " + otherwise + ")"
	fs.Func("stop", usage, func(s string) error {
		n, err := strconv.Atoi(s)
		switch {
		case s == "first":
			n = 1
		case s == "never":
			n = 0
		case err != nil || n < 1:
			return errors.New("first, never or a whole number of at least 1 is wanted")
		}
		o.stop = &n
		return nil
	})
}

// memoryLimit declares -mem.
func memoryLimit(fs *flag.FlagSet, o *options, usage string) {
	fs.Func("mem", usage, func(s string) (err error) {
		o.memory, err = words.ParseSize(s)
		return err
	})
}

// comparingFlags declares -again.
func comparingFlags(fs *flag.FlagSet, o *options) {
	fs.BoolVar(&o.again, "again", false, "compare for levels L1 and L2, though the result of the same sources and bounds is stored")
}

// findingsFile declares -sarif.
func findingsFile(fs *flag.FlagSet, o *options) {
	fs.StringVar(&o.sarif, "sarif", "", "write what is found as SARIF 2.1.0 to `FILE`")
}

// junitFile declares -junit.
func junitFile(fs *flag.FlagSet, o *options) {
	fs.StringVar(&o.junit, "junit", "", "write the results as JUnit XML to `FILE`")
}

// traceFolder declares -traces, with what happens without it.
func traceFolder(fs *flag.FlagSet, o *options, otherwise string) {
	fs.StringVar(&o.traces, "traces", "", "write counterexamples into the folder `DIR` (default: "+otherwise+")")
}

// timeLimit declares -timeout.
func timeLimit(fs *flag.FlagSet, o *options, usage string) {
	fs.Func("timeout", usage, func(s string) (err error) {
		if o.timeout, err = time.ParseDuration(s); err != nil || o.timeout <= 0 {
			return errors.New("a positive duration with a unit is wanted, such as 90s or 10m")
		}
		return nil
	})
}

// start declares -seed.
func start(fs *flag.FlagSet, o *options, usage string) {
	fs.Func("seed", usage, func(s string) error {
		n, err := strconv.ParseUint(s, 10, 64)
		if o.seed = &n; err != nil {
			return errors.New("a whole number of at least 0 and at most 64 bits is wanted")
		}
		return nil
	})
}

// limitFlags declares the other flags of the verbs that explore.
func limitFlags(fs *flag.FlagSet, o *options) {
	fs.Func("workers", "explore with `N` workers; 0, the default, is one for each processor. The first violation is the same with any number, which others there are may not be", func(s string) (err error) {
		o.workers, err = words.ParseCount(s)
		return err
	})
	stateLimit(fs, o, "end undecided after `N` distinct states")
	fs.StringVar(&o.report, "report", "", "write the result as text and as JSON, and the traces, into the folder `DIR`")
	fs.BoolVar(&o.strict, "strict", false, "treat actions that are never enabled and goals that are not reached as errors")
}

// stateLimit declares -max-states.
func stateLimit(fs *flag.FlagSet, o *options, usage string) {
	fs.Func("max-states", usage, func(s string) error {
		n, err := strconv.ParseInt(s, 10, 64)
		if o.maxStates = n; err != nil || n < 1 {
			return errors.New("a whole number of at least 1 is wanted")
		}
		return nil
	})
}

// parse reads a command line: the verb, its arguments and its options. Flags stand anywhere, as -x or --x; behind -- nothing
// is a flag. The error is errHelp or a *usageError; options that say how to report it are right nevertheless.
func parse(args []string) (v *verb, rest []string, o options, err error) {
	at := verbAt(args)
	defer func() {
		if err != nil || at < 0 {
			o.json, o.quiet, o.noColor = shell.Scan(args, "json"), shell.Scan(args, "quiet"), shell.Scan(args, "no-color")
		}
	}()
	if at < 0 {
		if shell.Scan(args, "h") || shell.Scan(args, "help") {
			return nil, nil, o, errHelp
		}
		if shell.Scan(args, "version") {
			return verbNamed("version"), nil, o, nil
		}
		return nil, nil, o, shell.WrongUsage(codes.Arguments, "No verb given", "Say what to do: multigrain VERB [flags] [arguments].")
	}
	name := args[at]
	if v = verbNamed(name); v == nil {
		return nil, nil, o, unknownVerb(name)
	}
	rest = slices.Concat(args[:at], args[at+1:])
	var others []string
	if v.raw {
		rest, others = cutRaw(flags(v, &o), rest)
	}
	rest, err = parseFlags(flags(v, &o), v, rest)
	rest = append(rest, others...)
	switch {
	case err != nil:
	case slices.Contains(rest, ""):
		err = shell.WrongUsage(codes.Arguments, "Empty argument", "One of the arguments is empty. Is a variable of the shell not set?")
	case len(rest) < v.least:
		err = shell.WrongUsage(codes.Arguments, "Missing argument", fmt.Sprintf("%s needs %s.", v.name, v.args))
	case v.most >= 0 && len(rest) > v.most:
		err = shell.WrongUsage(codes.Arguments, "Superfluous argument", fmt.Sprintf("%s does not take %q.", v.name, rest[v.most]))
	}
	return v, rest, o, err
}

// cutRaw splits args behind the first one that is neither a flag nor the value of one.
func cutRaw(fs *flag.FlagSet, args []string) (own, others []string) {
	for k := 0; k < len(args); k++ {
		name, _, has := shell.CutFlag(args[k])
		switch {
		case name == "" && args[k] != "--":
			return args[:k+1], slices.Clone(args[k+1:])
		case !has && shell.TakesValue(fs.Lookup(name)):
			k++
		}
	}
	return args, nil
}

func unknownVerb(name string) error {
	if slices.Contains(reserved, name) {
		return shell.WrongUsage(codes.UnknownVerb, "Unknown verb", fmt.Sprintf("The verb %q is not in this version.", name))
	}
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	hint := ""
	if s := configs.Suggest(name, names); s != "" {
		hint = fmt.Sprintf(" Did you mean %q?", s)
	}
	return shell.WrongUsage(codes.UnknownVerb, "Unknown verb", fmt.Sprintf("There is no verb %q.%s", name, hint))
}

// verbAt is the index of the first argument that is neither a flag nor the value of one, or -1.
func verbAt(args []string) int {
	all := flags(nil, new(options))
	for k := 0; k < len(args); k++ {
		name, _, has := shell.CutFlag(args[k])
		switch {
		case args[k] == "--":
			return -1
		case name == "":
			return k
		case !has && shell.TakesValue(all.Lookup(name)):
			k++
		}
	}
	return -1
}

// parseFlags sets flags wherever they stand and returns the other arguments.
func parseFlags(fs *flag.FlagSet, v *verb, args []string) (rest []string, err error) {
	for k := 0; k < len(args); k++ {
		name, value, has := shell.CutFlag(args[k])
		switch {
		case args[k] == "--":
			return append(rest, args[k+1:]...), nil
		case name == "":
			rest = append(rest, args[k])
			continue
		case name == "h" || name == "help":
			return nil, errHelp
		}
		f := fs.Lookup(name)
		if f == nil {
			return nil, unknownFlag(fs, v, name)
		}
		if shell.TakesValue(f) && !has {
			if k++; k == len(args) {
				return nil, shell.WrongUsage(codes.FlagValue, "Flag needs a value", fmt.Sprintf("Write a value behind -%s.", name))
			}
			value = args[k]
		} else if !has {
			value = "true"
		}
		if err := f.Value.Set(value); err != nil {
			reason := strings.TrimSuffix(err.Error(), ".")
			if reason == "parse error" {
				reason = "it cannot be read"
			}
			return nil, shell.WrongUsage(codes.FlagValue, "Wrong value of flag", fmt.Sprintf("-%s cannot be %q: %s.", name, value, reason))
		}
	}
	return rest, nil
}

// verbsWith are the verbs that have a flag.
func verbsWith(name string) (out []string) {
	for _, v := range verbs() {
		if flags(v, new(options)).Lookup(name) != nil {
			out = append(out, v.name)
		}
	}
	return out
}

func unknownFlag(fs *flag.FlagSet, v *verb, name string) error {
	var known []string
	fs.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
	hint := ""
	if s := configs.Suggest(name, known); s != "" {
		hint = fmt.Sprintf(" Did you mean -%s?", s)
	} else if with := verbsWith(name); len(with) > 0 {
		hint = fmt.Sprintf(" It is a flag of %s.", strings.Join(with, ", "))
	}
	return shell.WrongUsage(codes.UnknownFlag, "Unknown flag", fmt.Sprintf("%s has no flag -%s.%s", v.name, name, hint))
}
