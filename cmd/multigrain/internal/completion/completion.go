// Package completion writes scripts with which shells complete the command line. They are made from
// the tables of verbs and flags.
package completion

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

// Verb is the verb completion.
var Verb = command.Verb{
	Name: "completion", Args: "bash|zsh|fish", Summary: "print a script with which a shell completes verbs and flags", Least: 1, Most: 1,
	About: `Load the script in the shell's own start file:

    source <(multigrain completion bash)   # in ~/.bashrc
    source <(multigrain completion zsh)    # in ~/.zshrc, after compinit
    multigrain completion fish > ~/.config/fish/completions/multigrain.fish

It has the verbs and flags of this version, the values of flags that have few, and files and folders.
`,
	Code:    command.RunsNone,
	Options: func() command.Options { return command.Plain(run) },
}

// Shells are the shells that have a script.
var Shells = []string{"bash", "zsh", "fish"}

func run(c *command.Call) int {
	text := Script(c.Args[0], c.Verbs)
	if text == "" {
		return c.Usage(shell.WrongUsage(codes.UnknownName, "Unknown shell", fmt.Sprintf("There is no script for %q. Name one of %s.", c.Args[0], strings.Join(Shells, ", "))).(*shell.UsageError))
	}
	c.Doc.Usage = text
	c.PrintFile(text)
	return shell.OK
}

// Script returns the script for a shell; "" where there is none.
func Script(name string, all command.Verbs) string {
	verbs := tableOf(all)
	switch name {
	case "bash":
		return bash(verbs)
	case "zsh":
		return zsh(verbs)
	case "fish":
		return fish(verbs)
	}
	return ""
}

// verb is a row of the table. Words are the values of its argument; nil: files.
type verb struct {
	name, summary string
	words         []string
	flags         []option
}

// option is a flag. Kind says what follows it: nothing, one of words, a file, a folder, or any
// text.
type option struct {
	name, usage, kind string
	words             []string
}

const (
	nothing = ""
	word    = "word"
	file    = "file"
	folder  = "folder"
	anyText = "text"
)

var alternatives = regexp.MustCompile(`^[a-z][a-z0-9-]*(\|[A-Za-z][A-Za-z0-9-]*)+$`)

func tableOf(all command.Verbs) (out []verb) {
	var names []string
	for _, v := range all {
		names = append(names, v.Name)
	}
	for _, v := range all {
		row := verb{name: v.Name, summary: v.Summary}
		switch {
		case v.Name == "help":
			row.words = names
		case alternatives.MatchString(v.Args):
			row.words = strings.Split(v.Args, "|")
		}
		v.FlagSet().VisitAll(func(f *flag.Flag) { row.flags = append(row.flags, optionOf(f)) })
		out = append(out, row)
	}
	return out
}

func optionOf(f *flag.Flag) option {
	value, usage := flag.UnquoteUsage(f)
	o := option{name: f.Name, usage: short(usage), kind: anyText}
	switch upper := strings.ToUpper(value); {
	case !shell.TakesValue(f):
		o.kind = nothing
	case alternatives.MatchString(value):
		o.kind = word
		for w := range strings.SplitSeq(value, "|") {
			if strings.ToUpper(w) != w { // N and FILE stand for any text
				o.words = append(o.words, w)
			}
		}
	case upper == "DIR" || upper == "FOLDER":
		o.kind = folder
	case strings.Contains(upper, "FILE") || strings.HasPrefix(upper, "TRACE") || upper == "PATH":
		o.kind = file
	}
	return o
}

// short returns the first part of a usage, without what shells would read.
func short(usage string) string {
	if k := strings.IndexAny(usage, ":;("); k > 0 {
		usage = usage[:k]
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\'':
			return '’'
		case strings.ContainsRune("\"`$\\[]", r):
			return -1
		}
		return r
	}, strings.TrimSpace(usage))
}

func names(flags []option, kind string) (out []string) {
	for _, f := range flags {
		if kind == "*" || f.kind == kind {
			out = append(out, "-"+f.name)
		}
	}
	return out
}

// bash completes by three functions of cases: the verb, the value of the flag before, a flag or an
// argument.
func bash(verbs []verb) string {
	var b, flags, values, args strings.Builder
	var all []string
	valued := map[string]bool{}
	for _, v := range verbs {
		all = append(all, v.name)
		fmt.Fprintf(&flags, "    %s) echo '%s' ;;\n", v.name, strings.Join(names(v.flags, "*"), " "))
		for _, o := range v.flags {
			if o.kind != nothing {
				valued["-"+o.name], valued["--"+o.name] = true, true
			}
			switch o.kind {
			case word:
				fmt.Fprintf(&values, "    %s:-%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", v.name, o.name, strings.Join(o.words, " "))
			case folder:
				fmt.Fprintf(&values, "    %s:-%s) COMPREPLY=($(compgen -d -- \"$cur\")) ;;\n", v.name, o.name)
			case file:
				fmt.Fprintf(&values, "    %s:-%s) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n", v.name, o.name)
			case anyText:
				fmt.Fprintf(&values, "    %s:-%s) COMPREPLY=() ;;\n", v.name, o.name)
			}
		}
		if v.words != nil {
			fmt.Fprintf(&args, "    %s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", v.name, strings.Join(v.words, " "))
		}
	}
	takes := slices.Sorted(func(yield func(string) bool) {
		for n := range valued {
			if !yield(n) {
				return
			}
		}
	})
	b.WriteString("# Completion of multigrain for bash: source <(multigrain completion bash)\n")
	fmt.Fprintf(&b, "_multigrain_flags() {\n  case \"$1\" in\n%s  esac\n}\n", flags.String())
	fmt.Fprintf(&b, `_multigrain() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="" verb="" k w
  compopt -o filenames 2>/dev/null
  for ((k = 1; k < COMP_CWORD; k++)); do
    w="${COMP_WORDS[k]}"
    prev="$w"
    case "$w" in
    %s) ((k++)) ;;
    -*) ;;
    *) [ -n "$verb" ] || verb="$w" ;;
    esac
  done
  prev="${COMP_WORDS[COMP_CWORD-1]}"
  prev="${prev/#--/-}"
  if [ -z "$verb" ]; then
    COMPREPLY=($(compgen -W '%s' -- "$cur"))
    return
  fi
  case "$verb:$prev" in
%s    *)
      if [[ "$cur" == -* ]]; then
        local flags="$(_multigrain_flags "$verb")"
        [[ "$cur" == --* ]] && flags=" $flags" && flags="${flags// -/ --}"
        COMPREPLY=($(compgen -W "$flags" -- "$cur"))
        return
      fi
      case "$verb" in
%s      *) COMPREPLY=($(compgen -f -- "$cur")) ;;
      esac ;;
  esac
}
complete -F _multigrain multigrain
`, strings.Join(takes, "|"), strings.Join(all, " "), values.String(), args.String())
	return b.String()
}

// zsh describes each verb's flags to _arguments.
func zsh(verbs []verb) string {
	var b strings.Builder
	b.WriteString("#compdef multigrain\n# Completion of multigrain for zsh: source <(multigrain completion zsh)\n_multigrain() {\n  local -a verbs\n  verbs=(\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "    '%s:%s'\n", v.name, short(v.summary))
	}
	b.WriteString("  )\n  local verb=\"\" k\n  for ((k = 2; k < CURRENT; k++)); do\n    if [[ ${words[k]} != -* && -z $verb ]]; then verb=${words[k]}; fi\n  done\n" +
		"  if [[ -z $verb ]]; then\n    _describe verb verbs\n    return\n  fi\n  case $verb in\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "  %s) _arguments", v.name)
		for _, o := range v.flags {
			fmt.Fprintf(&b, " \\\n    '*-%s[%s]%s'", o.name, o.usage, zshValue(o))
		}
		action := "_files"
		if v.words != nil {
			action = "(" + strings.Join(v.words, " ") + ")"
		}
		fmt.Fprintf(&b, " \\\n    '1:verb:' '*:argument:%s' ;;\n", action)
	}
	b.WriteString("  esac\n}\ncompdef _multigrain multigrain\n")
	return b.String()
}

func zshValue(o option) string {
	switch o.kind {
	case nothing:
		return ""
	case word:
		return ":value:(" + strings.Join(o.words, " ") + ")"
	case folder:
		return ":folder:_files -/"
	case file:
		return ":file:_files"
	}
	return ":value: "
}

// fish has a line for each flag of each verb.
func fish(verbs []verb) string {
	var b strings.Builder
	b.WriteString("# Completion of multigrain for fish\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "complete -c multigrain -n __fish_use_subcommand -f -a %s -d '%s'\n", v.name, short(v.summary))
		seen := fmt.Sprintf("-n '__fish_seen_subcommand_from %s'", v.name)
		if v.words != nil {
			fmt.Fprintf(&b, "complete -c multigrain %s -f -a '%s'\n", seen, strings.Join(v.words, " "))
		}
		for _, o := range v.flags {
			fmt.Fprintf(&b, "complete -c multigrain %s -o %s -d '%s'", seen, o.name, o.usage)
			switch o.kind {
			case word:
				fmt.Fprintf(&b, " -x -a '%s'", strings.Join(o.words, " "))
			case folder:
				b.WriteString(" -x -a '(__fish_complete_directories)'")
			case file:
				b.WriteString(" -r")
			case anyText:
				b.WriteString(" -x")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
