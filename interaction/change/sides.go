package change

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// Sides are folders with the code before and after a change.
type Sides struct {
	Before, After string
	// Lines are the changed lines of Go, Java and Python outside of tests, by file, in the new
	// text. Those of Java and Python have code.
	Lines map[string][]Line
	// Gone are the lines of the old text of such files that are removed or replaced, by the old
	// file.
	Gone map[string][]int
	// Compiled are the changed files of Java and Python outside of tests, on both sides.
	Compiled, CompiledBefore []string
	// Ignored are those that a rule of the implementation block ignores. What is compiled may need
	// them.
	Ignored, IgnoredBefore []string
	// Hash identifies the change: 16 hexadecimal digits of a hash of the changed files on both
	// sides.
	Hash string
}

// Line is a line of the new text of a file or, if Removed, the line before which lines were
// removed.
type Line struct {
	Number  int // from 1
	Removed bool
}

// WriteSides writes the code on both sides of a change into folders below to, which are named by
// their content, and leaves the user's folder as it is. Untracked files of a repository of Git
// count, ignored ones do not. The error says what is missing, such as the bodies of a diff's hunks.
func WriteSides(o Options, to string) (*Sides, error) {
	r, err := openRepo(o.Dir, o.Base)
	if err != nil {
		return nil, err
	}
	files, err := o.changed(r)
	if err != nil {
		return nil, err
	}
	names, err := r.files()
	if err != nil {
		return nil, err
	}
	before, after := map[string]*string{}, map[string]*string{} // the changed files; nil is none
	hash := sha256.New()
	for _, f := range files {
		if f.Absent {
			return nil, fmt.Errorf("only one side has %s, and the diff has no lines of it: give one of diff -ruN", f.Path())
		}
		if f.Special != "" { // no folder has it as a file
			continue
		}
		t, err := o.sidesOf(r, f)
		if err != nil {
			return nil, err
		}
		for _, x := range []struct {
			name, other string
			here, there map[string]*string
			text        string
		}{{f.Old, f.New, before, after, t.before}, {f.New, f.Old, after, before, t.after}} {
			if x.name == "" {
				continue
			}
			x.here[x.name] = &x.text
			if _, known := x.there[x.name]; x.other != x.name && !known {
				x.there[x.name] = nil
			}
		}
		fmt.Fprintf(hash, "%q %q %q %q\n", f.Old, f.New, t.before, t.after)
	}
	s := &Sides{Lines: map[string][]Line{}, Gone: map[string][]int{}, Hash: hex.EncodeToString(hash.Sum(nil)[:8])}
	if s.Before, err = r.write(names, before, to); err != nil {
		return nil, err
	}
	if s.After, err = r.write(names, after, to); err != nil {
		return nil, err
	}
	for _, f := range files {
		if rule, _ := o.fileRule(f.New); goSide(f.New) && f.Special == "" && (rule == nil || rule.Policy != Ignore) {
			s.Lines[f.New] = changedLines(f, *after[f.New])
		} else if f.Special == "" && (rule == nil || rule.Policy != Ignore) {
			o.compiledIn(s, f, textsIn(f, before, after))
		} else if f.Special == "" {
			o.ignoredIn(s, f)
		}
		if rule, _ := o.fileRule(f.Old); goSide(f.Old) && f.Special == "" && (rule == nil || rule.Policy != Ignore) {
			if lines := goneLines(f, *before[f.Old]); lines != nil {
				s.Gone[f.Old] = lines
			}
		}
	}
	return s, nil
}

// textsIn returns the texts of a changed file that were written.
func textsIn(f *unified.File, before, after map[string]*string) (t texts) {
	if text := before[f.Old]; text != nil {
		t.before = *text
	}
	if text := after[f.New]; text != nil {
		t.after = *text
	}
	return t
}

// sidesOf returns the texts of a changed file on both sides.
func (o Options) sidesOf(r *repo, f *unified.File) (texts, error) {
	t := r.texts(f)
	if t != (texts{}) {
		if here := r.read(f.Path()); r.base == "" && f.Old == f.New && here != t.before && here != t.after {
			return t, fmt.Errorf("the folder has %s of neither side of the change, so that the code of no side is there; check out the commit of the change", f.Path())
		}
		return t, nil
	}
	_, pass := o.kind(r, f)
	switch {
	case f.Binary || pass: // it is named, or cannot matter: as the folder has it
		text := cmp.Or(r.read(f.Old), r.read(f.New))
		return texts{text, text}, nil
	case len(f.Hunks) > 0 || f.Old != "" && f.New != "":
		return t, fmt.Errorf("%s cannot be made as the change leaves it: %s; give the whole diff, or a repository with -repo and -base", f.Path(), r.misfit(f))
	}
	return t, nil // an empty file
}

// misfit says why a diff of a file does not fit the folder, with the first hunk that does not.
func (r *repo) misfit(f *unified.File) string {
	if slices.ContainsFunc(f.Hunks, func(h unified.Hunk) bool { return h.Body == nil }) {
		return "the diff has no lines for its hunks"
	}
	text := cmp.Or(r.read(f.Source()), r.read(f.New))
	if text == "" {
		return "the folder has no file of that name"
	}
	h := unified.Misfit(text, f.Hunks, false)
	if h == nil {
		return "the object that the diff names is another one"
	}
	return fmt.Sprintf("the hunk %s does not fit the folder", h.Header())
}

// changedLines returns the changed lines of a file's new text: all of a file that is new.
func changedLines(f *unified.File, text string) (out []Line) {
	if len(f.Hunks) == 0 && f.Mode {
		return nil
	}
	if len(f.Hunks) == 0 || f.From != "" {
		for k := range strings.Count(text, "\n") + 1 {
			out = append(out, Line{Number: k + 1})
		}
		return out
	}
	for k := range f.Hunks {
		for _, h := range f.Hunks[k].Runs() {
			for n := range h.New.Lines {
				out = append(out, Line{Number: h.New.Start + n})
			}
			if h.New.Lines == 0 {
				out = append(out, Line{Number: h.New.Start + 1, Removed: true})
			}
		}
	}
	return out
}

// goneLines returns the lines of a file's old text that are removed or replaced: all of a file that
// goes, and none of one that stays as it is.
func goneLines(f *unified.File, text string) (out []int) {
	if len(f.Hunks) == 0 && f.New == "" {
		for k := range strings.Count(text, "\n") + 1 {
			out = append(out, k+1)
		}
	}
	for k := range f.Hunks {
		for _, h := range f.Hunks[k].Runs() {
			for n := range h.Old.Lines {
				out = append(out, h.Old.Start+n)
			}
		}
	}
	return out
}

// files returns the files of the folder, with slashes: those of a repository of Git that it does
// not ignore, or all that are regular.
func (r *repo) files() (names []string, err error) {
	if out, err := r.git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "."); err == nil {
		for name := range strings.SplitSeq(out, "\x00") {
			if info, err := os.Lstat(filepath.Join(r.dir, filepath.FromSlash(name))); name != "" && err == nil && info.Mode().IsRegular() {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			return names, nil
		}
	}
	err = filepath.WalkDir(r.dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rest, err := filepath.Rel(r.dir, at)
		names = append(names, filepath.ToSlash(rest))
		return err
	})
	return names, err
}

// Overlay returns the files with which a folder has the code of a side: contents by absolute path.
// A file of Go that the side lacks has its package clause only. Files in the folders apart, which
// are absolute, stay as they are.
func Overlay(dir, side string, apart []string) (map[string][]byte, error) {
	here, there := &repo{dir: dir}, &repo{dir: side}
	var files [2][]string
	for k, r := range []*repo{here, there} {
		var err error
		if files[k], err = r.files(); err != nil {
			return nil, err
		}
	}
	out := map[string][]byte{}
	put := func(name string, text []byte) {
		if at := filepath.Join(dir, filepath.FromSlash(name)); !slices.Contains(apart, filepath.Dir(at)) {
			out[at] = text
		}
	}
	for _, name := range files[1] {
		text, err := host.ReadFile(filepath.Join(side, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		if old, err := host.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || !bytes.Equal(old, text) {
			put(name, text)
		}
	}
	for _, name := range files[0] {
		if path.Ext(name) != ".go" || slices.Contains(files[1], name) {
			continue
		}
		g, err := parser.ParseFile(token.NewFileSet(), "", here.read(name), parser.PackageClauseOnly)
		if err == nil {
			put(name, []byte("package "+g.Name.Name+"\n"))
		}
	}
	return out, nil
}

// write copies the folder with other texts for some files, and returns the path of the copy: that
// of its content. A text that is nil is no file.
func (r *repo) write(names []string, texts map[string]*string, to string) (string, error) {
	content := map[string][]byte{}
	for _, name := range names {
		if _, changed := texts[name]; changed {
			continue
		}
		text, err := host.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		content[name] = text
	}
	for name, text := range texts {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return "", fmt.Errorf("the change names the file %q, which is outside of the folder", name)
		}
		if text != nil {
			content[name] = []byte(*text)
		}
	}
	all, name := contentName(content)
	dir := filepath.Join(to, name)
	if _, err := SideIn(to, filepath.Base(dir)); err == nil {
		return dir, nil
	}
	if err := host.MkdirAll(to, 0o755); err != nil {
		return "", err
	}
	work, err := host.MkdirTemp(to, ".new-*")
	if err != nil {
		return "", err
	}
	defer host.RemoveAll(work)
	for _, name := range all {
		at := filepath.Join(work, "made", filepath.FromSlash(name))
		if err := host.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return "", err
		}
		if err := host.WriteFile(at, content[name], 0o644); err != nil {
			return "", err
		}
	}
	// A folder there is damaged, or another run was faster.
	made := filepath.Join(work, "made")
	if err := host.MkdirAll(made, 0o755); err != nil { // all files are new, or gone
		return "", err
	}
	for range 2 {
		if err = host.Rename(made, dir); err == nil {
			return dir, nil
		}
		if _, there := SideIn(to, name); there == nil {
			return dir, nil
		}
		_ = host.Rename(dir, filepath.Join(work, "damaged"))
	}
	return "", err
}

// sideName matches the name of a folder with the code on one side of a change.
var sideName = regexp.MustCompile(`^[0-9a-f]{32}$`)

// SideIn returns the folder below to with the code of one side of a change, by the name that
// WriteSides gave it: a hash of its files. The error says that the folder is missing, or does not
// have these files.
func SideIn(to, name string) (string, error) {
	if !sideName.MatchString(name) {
		return "", fmt.Errorf("%q is no hash of code", name)
	}
	dir := filepath.Join(to, name)
	content := map[string][]byte{}
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rest, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is no regular file", at)
		}
		content[filepath.ToSlash(rest)], err = host.ReadFile(at)
		return err
	})
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("there is no folder %s", dir)
	case err != nil:
		return "", err
	}
	if _, found := contentName(content); found != name {
		return "", fmt.Errorf("the files in %s are not those that were written", dir)
	}
	return dir, nil
}

// compiled reports whether a file is code that adapters run, for programs and not for tests: of a
// language that is compiled to classes, or of packages of Python.
func (o Options) compiled(name string) bool {
	return inPython(o.Python, name) || path.Ext(name) == ".java" && path.Base(name) != "package-info.java" && path.Base(name) != "module-info.java" && !slices.Contains(strings.Split(name, "/"), "test")
}

// brackets alone make no line of code.
var brackets = []string{"{", "}", "(", ")", "[", "]", ",", ";", "else", "try", "finally", "do"}

// codeLines returns the changed lines of a new text that have code: no comments, imports or
// annotations without effect alone, and more than brackets.
func codeLines(f *unified.File, t texts) (out []Line) {
	code, inPy := map[int]bool{}, path.Ext(f.New) == ".py"
	tokens := lex(f.New, t.after, inCode).tokens
	for k := 0; k < len(tokens); k++ {
		x := tokens[k]
		if !inPy && (x.text == "import" || x.text == "package") && (k == 0 || tokens[k-1].text == ";" || tokens[k-1].text == "}") {
			for k+1 < len(tokens) && tokens[k].text != ";" {
				k++
			}
			continue
		}
		code[x.line] = code[x.line] || !slices.Contains(brackets, strings.TrimSpace(x.text))
	}
	loud := compare(f, t).runs
	if f.Old == "" {
		return slices.DeleteFunc(changedLines(f, t.after), func(l Line) bool { return !code[l.Number] })
	}
	for _, run := range loud {
		lines := changedLines(&unified.File{Old: f.Old, New: f.New, Hunks: []unified.Hunk{run}}, t.after)
		had := len(out)
		for _, l := range lines {
			if l.Removed || code[l.Number] {
				out = append(out, l)
			}
		}
		if len(out) == had && len(lines) > 0 { // a blank line or a comment takes the place of code
			out = append(out, Line{Number: lines[len(lines)-1].Number + 1, Removed: true})
		}
	}
	return out
}

// compiledIn notes a changed file, if adapters run its code.
func (o Options) compiledIn(s *Sides, f *unified.File, t texts) {
	if o.compiled(f.Old) {
		s.CompiledBefore = append(s.CompiledBefore, f.Old)
		if lines := goneLines(f, t.before); lines != nil {
			s.Gone[f.Old] = lines
		}
	}
	if o.compiled(f.New) {
		s.Compiled = append(s.Compiled, f.New)
		s.Lines[f.New] = codeLines(f, t)
	}
}

// ignoredIn notes a changed file that a rule ignores, if it can be compiled.
func (o Options) ignoredIn(s *Sides, f *unified.File) {
	if o.compiled(f.Old) {
		s.IgnoredBefore = append(s.IgnoredBefore, f.Old)
	}
	if o.compiled(f.New) {
		s.Ignored = append(s.Ignored, f.New)
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

// contentName returns the names of files, sorted, and the name of a folder that has them: a hash of
// the names and contents.
func contentName(content map[string][]byte) (names []string, name string) {
	for file := range content {
		names = append(names, file)
	}
	slices.Sort(names)
	hash := sha256.New()
	for _, file := range names {
		fmt.Fprintf(hash, "%q %d\n", file, len(content[file]))
		hash.Write(content[file])
	}
	return names, hex.EncodeToString(hash.Sum(nil)[:16])
}
