package main

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

// common are the options of all verbs.
type common struct {
	vars                 []configs.Assignment
	json, quiet, noColor bool
}

// errHelp says that help was asked for.
var errHelp = errors.New("help")

// flagsOf are the flags of all verbs and those of one; own may be nil.
func flagsOf(own options, o *common) *flag.FlagSet {
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
	if own != nil {
		own.flags(fs)
	}
	return fs
}

// allFlags are the flags of all verbs together, to find the verb among them.
func allFlags() *flag.FlagSet {
	fs := flagsOf(nil, new(common))
	for _, v := range verbs() {
		own := flag.NewFlagSet("", flag.ContinueOnError)
		v.options().flags(own)
		own.VisitAll(func(f *flag.Flag) {
			if fs.Lookup(f.Name) == nil {
				fs.Var(f.Value, f.Name, f.Usage)
			}
		})
	}
	return fs
}

// commandLine is what a command line says.
type commandLine struct {
	common
	verb *verb   // nil where none is named
	own  options // of the verb
	args []string
}

// parse reads a command line: the verb, its arguments and its options. Flags stand anywhere, as -x or --x; behind -- nothing
// is a flag. The error is errHelp or a *usageError; options that say how to report it are right nevertheless.
func parse(args []string) (cl commandLine, err error) {
	o := &cl.common
	at := verbAt(args)
	defer func() {
		if err != nil || at < 0 {
			o.json, o.quiet, o.noColor = shell.Scan(args, "json"), shell.Scan(args, "quiet"), shell.Scan(args, "no-color")
		}
	}()
	if at < 0 {
		if shell.Scan(args, "h") || shell.Scan(args, "help") {
			return cl, errHelp
		}
		if shell.Scan(args, "version") {
			cl.verb = verbNamed("version")
			cl.own = cl.verb.options()
			return cl, nil
		}
		return cl, shell.WrongUsage(codes.Arguments, "No verb given", "Say what to do: multigrain VERB [flags] [arguments].")
	}
	name := args[at]
	v := verbNamed(name)
	if v == nil {
		return cl, unknownVerb(name)
	}
	cl.verb, cl.own = v, v.options()
	fs := flagsOf(cl.own, o)
	rest := slices.Concat(args[:at], args[at+1:])
	var others []string
	if v.raw {
		rest, others = cutRaw(fs, rest)
	}
	rest, err = parseFlags(fs, v, rest)
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
	cl.args = rest
	return cl, err
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
	all := allFlags()
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
		if flagsOf(v.options(), new(common)).Lookup(name) != nil {
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
