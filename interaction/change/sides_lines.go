package change

import (
	"path"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/unified"
)

// compiled reports whether a file is code of a language that is compiled to classes, for programs
// and not for tests.
func compiled(name string) bool {
	return path.Ext(name) == ".java" && path.Base(name) != "package-info.java" && path.Base(name) != "module-info.java" && !slices.Contains(strings.Split(name, "/"), "test")
}

// brackets alone make no line of code.
var brackets = []string{"{", "}", "(", ")", "[", "]", ",", ";", "else", "try", "finally", "do"}

// codeLines returns the changed lines of a new text that have code: no comments, imports or
// annotations without effect alone, and more than brackets.
func codeLines(f *unified.File, t texts) (out []Line) {
	code := map[int]bool{}
	tokens := lex(f.New, t.after, inCode).tokens
	for k := 0; k < len(tokens); k++ {
		x := tokens[k]
		if (x.text == "import" || x.text == "package") && (k == 0 || tokens[k-1].text == ";" || tokens[k-1].text == "}") {
			for k+1 < len(tokens) && tokens[k].text != ";" {
				k++
			}
			continue
		}
		code[x.line] = code[x.line] || !slices.Contains(brackets, strings.TrimSpace(x.text))
	}
	loud := compare(f, t, func(string) bool { return false }).runs
	if f.Old == "" {
		return slices.DeleteFunc(changedLines(f, t.after), func(l Line) bool { return !code[l.Number] })
	}
	for _, l := range changedLines(&unified.File{Old: f.Old, New: f.New, Hunks: loud}, t.after) {
		if l.Removed || code[l.Number] {
			out = append(out, l)
		}
	}
	return out
}

// compiled notes a changed file, if it is compiled to classes.
func (s *Sides) compiled(f *unified.File, t texts) {
	if compiled(f.Old) {
		s.CompiledBefore = append(s.CompiledBefore, f.Old)
	}
	if compiled(f.New) {
		s.Compiled = append(s.Compiled, f.New)
		s.Lines[f.New] = codeLines(f, t)
	}
}

// Files returns the names of the changed files on both sides.
func (o Options) Files() (names []string, err error) {
	var r *repo
	if o.Dir != "" {
		if r, err = openRepo(o.Dir, o.Base); err != nil {
			return nil, err
		}
	}
	files, err := o.changed(r)
	for _, f := range files {
		for _, name := range []string{f.Old, f.New, f.From} {
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, err
}

// HasLines reports whether a diff has the lines of all its hunks, and not their headers only.
func HasLines(diff string) bool {
	files, err := unified.Parse(diff)
	return err == nil && !slices.ContainsFunc(files, func(f *unified.File) bool {
		return slices.ContainsFunc(f.Hunks, func(h unified.Hunk) bool { return h.Body == nil })
	})
}
