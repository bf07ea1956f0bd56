package change

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// inertAnnotations are annotations of Java that nothing which runs reads.
var inertAnnotations = []string{"Override", "SuppressWarnings", "Deprecated", "SuppressFBWarnings"}

// withoutAnnotations returns the tokens of a Java file without annotations that have no effect. An
// annotation whose end is not there stays.
func withoutAnnotations(file string, all []lexeme) []lexeme {
	if path.Ext(file) != ".java" {
		return all
	}
	var out []lexeme
	for k := 0; k < len(all); k++ {
		if n := annotation(all[k:]); n > 0 {
			k += n - 1
			continue
		}
		out = append(out, all[k])
	}
	return out
}

// annotation returns how many tokens an annotation without effect has that begins here; 0 where
// none does.
func annotation(all []lexeme) int {
	at := func(k int) string {
		if k < len(all) {
			return all[k].text
		}
		return ""
	}
	if at(0) != "@" {
		return 0
	}
	n := 1
	for at(n+1) == "." {
		n += 2
	}
	if !slices.Contains(inertAnnotations, at(n)) {
		return 0
	}
	if n++; at(n) != "(" {
		return n
	}
	for depth := 0; n < len(all); n++ {
		switch at(n) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return n + 1
			}
		}
	}
	return 0
}

// imports are the imports of a Java file: by the simple name that each binds, what it names. Those
// of all names of a package or class are in wild.
type imports struct {
	named map[string][]string
	wild  []string
}

// withoutImports returns the tokens of a Java file without its imports, and adds these.
func (i *imports) withoutImports(file string, all []lexeme) []lexeme {
	if path.Ext(file) != ".java" {
		return all
	}
	if i.named == nil {
		i.named = map[string][]string{}
	}
	var out []lexeme
	for k := 0; k < len(all); k++ {
		end := slices.IndexFunc(all[k:], func(t lexeme) bool { return t.text == ";" })
		if all[k].text != "import" || end < 0 {
			out = append(out, all[k])
			continue
		}
		i.add(all[k+1 : k+end])
		k += end
	}
	return out
}

func (i *imports) add(words []lexeme) {
	var name strings.Builder
	for _, w := range words {
		name.WriteString(w.text)
	}
	whole := name.String() // with "static" in front where it is one of a member
	k := strings.LastIndexByte(whole, '.')
	simple := whole[k+1:]
	switch {
	case simple == "*" && !slices.Contains(i.wild, whole[:k]):
		i.wild = append(i.wild, whole[:k])
	case simple != "*" && !slices.Contains(i.named[simple], whole):
		i.named[simple] = append(i.named[simple], whole)
	}
}

// rebinds reports whether the imports of a file bind a name to something else than before. If one
// side imports a name and the other one only uses it, its package binds it there. That is something
// else, unless the other side imports all names of the package that the import is from.
func rebinds(before, after imports, had, has func(name string) bool) bool {
	gone, come := without(before.wild, after.wild), without(after.wild, before.wild)
	if len(gone) > 0 && len(come) > 0 {
		return true
	}
	other := func(a, b imports, uses func(string) bool) bool {
		for name, from := range a.named {
			to := b.named[name]
			switch {
			case len(to) == 0 && !slices.Contains(b.wild, strings.TrimSuffix(from[0], "."+name)) && uses(name):
				return true
			case len(to) > 0 && (len(without(to, from)) > 0 || len(without(from, to)) > 0):
				return true
			}
		}
		return false
	}
	return other(after, before, had) || other(before, after, has)
}

// without returns what is in a and not in b.
func without(a, b []string) (out []string) {
	for _, x := range a {
		if !slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

// hashComments are files with comments from # to the end of a line, by their ends. Each has what
// begins a text of several lines, or a line that continues, where a line that begins with # may be
// no comment.
var hashComments = map[string]*regexp.Regexp{
	".sh": scripts, ".bash": scripts, ".yml": blocks, ".yaml": blocks, ".toml": scripts,
	".cfg": continued, ".conf": continued, ".properties": continued,
}

var (
	scripts   = regexp.MustCompile(`<<|"""|\'\'\'|\\\r?(\n|$)`)
	blocks    = regexp.MustCompile(`(?m)[|>][-+0-9]*\s*(#.*)?$`)
	continued = regexp.MustCompile(`\\\r?(\n|$)`)
)

// withoutHashes compares the changed parts of a file with comments from # on. It needs both texts.
// Ok is false for other files, and where a line that begins with # may be no comment.
func withoutHashes(f *unified.File, t texts) (out compared, ok bool) {
	other := hashComments[path.Ext(f.Path())]
	if other == nil || t.before == "" || t.after == "" || other.MatchString(t.before) || other.MatchString(t.after) {
		return out, false
	}
	before, after := strings.Split(t.before, "\n"), strings.Split(t.after, "\n")
	if other != continued && (openText(before) || openText(after)) {
		return out, false
	}
	for k := range f.Hunks {
		for _, r := range f.Hunks[k].Runs() {
			if onlyHashes(before, r.Old) && onlyHashes(after, r.New) {
				out.quiet++
			} else {
				out.runs = append(out.runs, r)
			}
		}
	}
	return out, true
}

// onlyHashes reports whether some lines are comments, or have white space alone. The first line of
// a file may name its interpreter.
func onlyHashes(lines []string, at unified.Span) bool {
	for n := at.Start; n < at.Start+at.Lines; n++ {
		if n < 1 || n > len(lines) {
			return false
		}
		line := strings.TrimSpace(lines[n-1])
		if line != "" && !strings.HasPrefix(line, "#") || n == 1 && strings.HasPrefix(line, "#!") {
			return false
		}
	}
	return true
}

// openText reports whether a text in quotation marks may have several lines.
func openText(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		line = strings.TrimSpace(line)
		return !strings.HasPrefix(line, "#") && (strings.Count(line, `"`)%2 != 0 || strings.Count(line, "'")%2 != 0)
	})
}

// logLevels are the methods of a logger that write a line, and pureCalls those in its arguments
// that have no effect.
var (
	loggerNames = []string{"LOG", "LOGGER", "log", "logger"}
	logLevels   = []string{"trace", "debug", "info", "warn", "error"}
	pureCalls   = []string{"Long.toHexString", "Integer.toHexString", "Long.toString", "Integer.toString", "String.valueOf", "String.format", "Arrays.toString", "Objects.toString"}
	pureSigns   = []string{"(", ")", ",", ".", ":", "this"}
)

// withoutLogs returns the tokens of a Java file without statements that write a log. What else
// their arguments do stays: calls, and values of objects, which may be null. Objects that are
// logged are taken to have a toString without effect.
func withoutLogs(file string, all []lexeme) (out []lexeme) {
	if path.Ext(file) != ".java" {
		return all
	}
	for k := 0; k < len(all); k++ {
		n, effects := logStatement(all[k:])
		if n == 0 || k > 0 && !slices.Contains([]string{";", "{", "}", ")", "else"}, all[k-1].text) {
			out = append(out, all[k])
			continue
		}
		out = append(out, effects...)
		// It may be a branch. So may the first statement of a hunk, before which nothing is known.
		if k == 0 || all[k-1].text == ")" || all[k-1].text == "else" {
			out = append(out, lexeme{";", all[k].line})
		}
		k += n - 1
	}
	return out
}

// logStatement returns how many tokens a statement that writes a log has, if one begins here, and
// which of them may have another effect; else 0. It takes no casts and no operators but a plus sign
// after a text: with a null value others can fail.
func logStatement(all []lexeme) (n int, effects []lexeme) {
	if len(all) < 5 || !slices.Contains(loggerNames, all[0].text) || all[1].text != "." || !slices.Contains(logLevels, all[2].text) || all[3].text != "(" {
		return 0, nil
	}
	depth, text := 1, false // text: the argument begins with a text
	for k := 4; k+1 < len(all); k++ {
		begins, t := depth == 1 && (k == 4 || all[k-1].text == ","), all[k].text
		text = t[0] == '"' && begins || text && !begins
		if all[k-1].text == ")" && (word(t[0]) || t[0] == '"' || t == "(") { // a cast
			return 0, nil
		}
		switch {
		case t == "+" && text && depth == 1:
		case t == "(":
			depth++
		case t == ")":
			if depth--; depth == 0 {
				if all[k+1].text != ";" {
					return 0, nil
				}
				return k + 2, effects
			}
		case word(t[0]) && t != "this":
			name, end := t, k+1
			for end+1 < len(all) && all[end].text == "." && word(all[end+1].text[0]) {
				name, end = name+"."+all[end+1].text, end+2
			}
			call := end < len(all) && all[end].text == "("
			if t == "new" || end > k+1 && !call && !classConstant(name) || call && !slices.Contains(pureCalls, name) {
				effects = append(effects, lexeme{name, all[k].line})
			}
			k = end - 1
		case t[0] != '"' && t[0] != '\'' && !slices.Contains(pureSigns, t):
			return 0, nil
		}
	}
	return 0, nil
}

// classConstant reports whether a name with dots is that of a constant of a class.
func classConstant(name string) bool {
	return name[0] >= 'A' && name[0] <= 'Z' && strings.ToUpper(name[strings.LastIndexByte(name, '.'):]) == name[strings.LastIndexByte(name, '.'):] && strings.Count(name, ".") == 1
}
