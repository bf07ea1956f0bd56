package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/configs"
)

// Common are the options of all verbs.
type Common struct {
	Vars                 []configs.Assignment
	Json, Quiet, noColor bool
	progress             string // text, json or none
}

// errHelp says that help was asked for.
var errHelp = errors.New("help")

// flagsOf returns the flags of all verbs and those of one; own may be nil.
func flagsOf(own Options, o *Common) *flag.FlagSet {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Func("var", "set a variable of the manifest: `name=value`; may be repeated", func(s string) error {
		o.Vars = append(o.Vars, configs.Assignment{Var: s})
		return nil
	})
	fs.Func("var-file", "set variables from a `file` of name = value lines; may be repeated", func(s string) error {
		if s == "" {
			return errors.New("it needs a file")
		}
		o.Vars = append(o.Vars, configs.Assignment{File: s})
		return nil
	})
	fs.Func("set", "give a bound, an option, or invariants, except, constraints, properties or deadlock of the check block another value for this run: `name=value`, as crashes=1 or invariants=A,B; may be repeated", func(s string) error {
		if s == "" {
			return errors.New("it needs a name and a value, as crashes=1")
		}
		o.Vars = append(o.Vars, configs.Assignment{Set: s})
		return nil
	})
	fs.BoolVar(&o.Json, "json", false, "print one JSON document instead of text")
	fs.BoolVar(&o.Quiet, "quiet", false, "no progress and no notes on the standard error")
	fs.Func("progress", "how progress is written to the standard error, also with -json: `text|json|none`; json is an object a line (default: text)", func(s string) error {
		if o.progress = s; s != "text" && s != "json" && s != "none" {
			return errors.New("text, json and none are possible")
		}
		return nil
	})
	fs.BoolVar(&o.noColor, "no-color", false, "no colours")
	if own != nil {
		own.Flags(fs)
	}
	return fs
}

// Flags returns the flags of all verbs together, to find the verb among them.
func (vs Verbs) Flags() *flag.FlagSet {
	fs := flagsOf(nil, new(Common))
	for _, v := range vs {
		own, options := flag.NewFlagSet("", flag.ContinueOnError), v.Options()
		options.Flags(own)
		for before, now := range formerOf(options) {
			if f := own.Lookup(now); f != nil && fs.Lookup(before) == nil {
				fs.Var(f.Value, before, f.Usage)
			}
		}
		own.VisitAll(func(f *flag.Flag) {
			if fs.Lookup(f.Name) == nil {
				fs.Var(f.Value, f.Name, f.Usage)
			}
		})
	}
	return fs
}

// renamed are options some of whose flags had other names in an earlier version.
type renamed interface {
	// Former returns the names of today by the names of before.
	Former() map[string]string
}

// formerOf returns the names of today of a verb's flags by the names of before.
func formerOf(own Options) map[string]string {
	if x, ok := own.(renamed); ok {
		return x.Former()
	}
	return nil
}

// FlagSet returns the flags of a verb, with those of all verbs.
func (v *Verb) FlagSet() *flag.FlagSet { return flagsOf(v.Options(), new(Common)) }

// CommandLine holds the verb, the arguments and the options of a command line.
type CommandLine struct {
	Common
	verb *Verb   // nil where none is named
	Own  Options // of the verb
	Args []string
	// Former are the flags that were given by a name of before, as pairs of that name and the name
	// of today.
	Former [][2]string
}

// Parse reads a command line: the verb, its arguments and its options. Flags stand anywhere, as
// -x or --x; after -- nothing is a flag. The error is errHelp or a *usageError; options that say
// how to report it are right nevertheless.
func (vs Verbs) Parse(args []string) (cl CommandLine, err error) {
	o := &cl.Common
	at := vs.at(args)
	defer func() {
		if err != nil || at < 0 {
			o.Json, o.Quiet, o.noColor = shell.Scan(args, "json"), shell.Scan(args, "quiet"), shell.Scan(args, "no-color")
		}
	}()
	if at < 0 {
		if shell.Scan(args, "h") || shell.Scan(args, "help") {
			return cl, errHelp
		}
		if shell.Scan(args, "version") {
			cl.verb = vs.Named("version")
			cl.Own = cl.verb.Options()
			return cl, nil
		}
		return cl, shell.WrongUsage(codes.Arguments, "No verb given", "Say what to do: multigrain VERB [flags] [arguments].")
	}
	name := args[at]
	v := vs.Named(name)
	if v == nil {
		return cl, vs.Unknown(name)
	}
	cl.verb, cl.Own = v, v.Options()
	fs := flagsOf(cl.Own, o)
	rest := slices.Concat(args[:at], args[at+1:])
	var others []string
	if v.Raw {
		rest, others = cutRaw(fs, rest)
	}
	rest, err = vs.parseFlags(fs, &cl, rest)
	rest = append(rest, others...)
	switch {
	case err != nil:
	case slices.Contains(rest, ""):
		err = shell.WrongUsage(codes.Arguments, "Empty argument", "One of the arguments is empty. Is a variable of the shell not set?")
	case len(rest) < v.Least:
		err = shell.WrongUsage(codes.Arguments, "Missing argument", fmt.Sprintf("%s needs %s.", v.Name, strings.TrimSuffix(v.Args, "...")))
	case v.Most >= 0 && len(rest) > v.Most:
		err = shell.WrongUsage(codes.Arguments, "Superfluous argument", fmt.Sprintf("%s does not take %q.", v.Name, rest[v.Most]))
	}
	if err == nil && !v.composes() && slices.ContainsFunc(o.Vars, func(a configs.Assignment) bool { return a.Set != "" }) {
		err = shell.WrongUsage(codes.Flags, "Superfluous flag", fmt.Sprintf("%s composes no manifest, so -set changes nothing there. Leave it out.", v.Name))
	}
	cl.Args = rest
	return cl, err
}

// cutRaw splits args after the first one that is neither a flag nor the value of one.
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

// Unknown returns the error for a name that no verb has. It names a similar verb if there is one,
// or says that the verb is not in this version.
func (vs Verbs) Unknown(name string) error {
	if slices.Contains(reserved, name) {
		return shell.WrongUsage(codes.UnknownVerb, "Unknown verb", fmt.Sprintf("The verb %q is not in this version.", name))
	}
	var names []string
	for _, v := range vs {
		names = append(names, v.Name)
	}
	hint := ""
	if s := configs.Suggest(name, names); s != "" {
		hint = fmt.Sprintf(" Did you mean %q?", s)
	}
	return shell.WrongUsage(codes.UnknownVerb, "Unknown verb", fmt.Sprintf("There is no verb %q.%s", name, hint))
}

// at returns the index of the first argument that is neither a flag nor the value of one, or -1.
func (vs Verbs) at(args []string) int {
	all := vs.Flags()
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
func (vs Verbs) parseFlags(fs *flag.FlagSet, cl *CommandLine, args []string) (rest []string, err error) {
	v, former := cl.verb, formerOf(cl.Own)
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
		if now := former[name]; f == nil && now != "" {
			cl.Former = append(cl.Former, [2]string{name, now})
			f, name = fs.Lookup(now), now
		}
		if f == nil {
			return nil, vs.unknownFlag(fs, v, name)
		}
		if shell.TakesValue(f) && !has {
			if k++; k == len(args) {
				return nil, shell.WrongUsage(codes.FlagValue, "Flag needs a value", fmt.Sprintf("Write a value after -%s.", name))
			}
			value = args[k]
			// A flag that lost its value would take the next one for it.
			if next, _, _ := shell.CutFlag(value); fs.Lookup(next) != nil || former[next] != "" {
				return nil, shell.WrongUsage(codes.FlagValue, "Flag needs a value",
					fmt.Sprintf("Write a value after -%s: -%s is a flag of %s. If it is the value, write -%s=%s.", name, next, v.Name, name, value))
			}
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

// with returns the verbs that have a flag.
func (vs Verbs) with(name string) (out []string) {
	for _, v := range vs {
		if flagsOf(v.Options(), new(Common)).Lookup(name) != nil {
			out = append(out, v.Name)
		}
	}
	return out
}

func (vs Verbs) unknownFlag(fs *flag.FlagSet, v *Verb, name string) error {
	var known []string
	fs.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
	hint := ""
	if s := configs.Suggest(name, known); s != "" {
		hint = fmt.Sprintf(" Did you mean -%s?", s)
	} else if with := vs.with(name); len(with) > 0 {
		hint = fmt.Sprintf(" It is a flag of %s.", strings.Join(with, ", "))
	}
	return shell.WrongUsage(codes.UnknownFlag, "Unknown flag", fmt.Sprintf("%s has no flag -%s.%s", v.Name, name, hint))
}
