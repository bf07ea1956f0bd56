package changes

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsimple"
)

// refactoring is a change of a library that keeps its behaviour. The table has changed lines only:
// the library's code comes from the module cache.
type refactoring struct {
	Name string `hcl:"name,label"`
	// What says in words what the change does.
	What string `hcl:"what"`
	// Manifest is the one that is walked: that of the library where it is empty.
	Manifest string   `hcl:"manifest,optional"`
	Renames  []rename `hcl:"rename,block"` // done first
	Edits    []edit   `hcl:"edit,block"`
	Adds     []add    `hcl:"add,block"`
}

// rename gives an identifier another name.
type rename struct {
	// File limits the rename to a file, In to one of its functions. Without a file it is done in
	// all files of the package in the folder.
	File   string `hcl:"file,optional"`
	In     string `hcl:"in,optional"`
	Folder string `hcl:"folder,optional"`
	From   string `hcl:"from"`
	To     string `hcl:"to"`
}

// edit replaces lines of a function.
type edit struct {
	File string `hcl:"file"`
	// In is a function, or a method with the type of its receiver.
	In string `hcl:"in"`
	// Line is one line of the function or several that follow each other. They must be there
	// exactly once. Spaces around a line do not count.
	Line    string `hcl:"line"`
	Becomes string `hcl:"becomes"`
}

// add appends code to a file, which is new where the library does not have it.
type add struct {
	File string `hcl:"file"`
	Text string `hcl:"text"`
}

// refactorings reads a table.
func refactorings(file string, text []byte) ([]refactoring, error) {
	var all struct {
		Refactorings []refactoring `hcl:"refactoring,block"`
	}
	if err := hclsimple.Decode(file, text, nil, &all); err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, r := range all.Refactorings {
		if names[r.Name] {
			return nil, fmt.Errorf("%s has two refactorings %q: give one another name", file, r.Name)
		}
		names[r.Name] = true
	}
	return all.Refactorings, nil
}

// sources are the texts of a library's files, read when they are first asked for.
type sources struct {
	dir    string
	before map[string]string
	after  map[string]string
}

// apply does a refactoring of the library in a folder.
func (r *refactoring) apply(dir string) (*sources, error) {
	s := &sources{dir, map[string]string{}, map[string]string{}}
	for _, x := range r.Renames {
		if err := s.rename(x); err != nil {
			return nil, fmt.Errorf("refactoring %q: %w", r.Name, err)
		}
	}
	edits := map[string][]edit{}
	for _, x := range r.Edits {
		edits[x.File] = append(edits[x.File], x)
	}
	for file, all := range edits {
		if err := s.edit(file, all); err != nil {
			return nil, fmt.Errorf("refactoring %q: %w", r.Name, err)
		}
	}
	for _, x := range r.Adds {
		s.add(x)
	}
	return s, nil
}

// diff returns a refactoring of the library in a folder as a unified diff.
func (r *refactoring) diff(dir string) (string, error) {
	s, err := r.apply(dir)
	if err != nil {
		return "", err
	}
	return unified(s.before, s.after)
}

// unified returns the difference of the texts of files as Git writes it. A file that only one side
// has is new or removed.
func unified(before, after map[string]string) (string, error) {
	work, err := os.MkdirTemp("", "changes-table-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	git := func(args ...string) ([]byte, error) {
		cmd := exec.Command("git", append([]string{"-c", "diff.noprefix=false", "-c", "core.autocrlf=false"}, args...)...)
		cmd.Dir = work
		return cmd.Output()
	}
	if _, err := git("init", "-q"); err != nil {
		return "", err
	}
	for _, x := range []struct {
		texts map[string]string
		add   string
	}{{before, "-A"}, {after, "-AN"}} {
		for name, text := range x.texts {
			path := filepath.Join(work, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return "", err
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return "", err
			}
		}
		if _, err := git("add", x.add); err != nil {
			return "", err
		}
	}
	out, err := git("diff", "--no-color", "--no-ext-diff")
	return string(out), err
}

func (s *sources) read(name string) (string, error) {
	if text, ok := s.after[name]; ok {
		return text, nil
	}
	text, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	s.before[name] = string(text)
	return string(text), nil
}

// function returns the lines of a function in a file, from 1.
func function(name, text, in string) (first, last int, err error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return 0, 0, err
	}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && nameOf(f) == in {
			return fset.Position(f.Pos()).Line, fset.Position(f.End()).Line, nil
		}
	}
	return 0, 0, fmt.Errorf("%s has no function %s", name, in)
}

// nameOf returns the name of a function, after the type of its receiver if it has one.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// edit replaces lines of a file. All edits are those of the text before them.
func (s *sources) edit(file string, edits []edit) error {
	text, err := s.read(file)
	if err != nil {
		return err
	}
	lines := strings.Split(text, "\n")
	by := map[int]string{} // by the index of a line
	for _, x := range edits {
		at, n, err := x.find(text, lines)
		if err != nil {
			return err
		}
		for k := at; k < at+n; k++ {
			if _, twice := by[k]; twice {
				return fmt.Errorf("two edits change line %d of %s: make one of them", k+1, file)
			}
			by[k] = removed
		}
		if x.Becomes != "" {
			by[at] = strings.TrimRight(x.Becomes, "\n")
		}
	}
	var out []string
	for k, line := range lines {
		switch to, changed := by[k]; {
		case !changed:
			out = append(out, line)
		case to != removed:
			out = append(out, to)
		}
	}
	s.after[file] = strings.Join(out, "\n")
	return nil
}

// removed stands for a line that is no more.
const removed = "\x00"

// find returns the index of an edit's first line, and how many lines it changes.
func (x *edit) find(text string, lines []string) (at, n int, err error) {
	first, last, err := function(x.File, text, x.In)
	if err != nil {
		return 0, 0, err
	}
	from := trimmed(x.Line)
	at = -1
	for k := first - 1; k+len(from) <= last; k++ {
		if !slices.EqualFunc(lines[k:k+len(from)], from, func(a, b string) bool { return strings.TrimSpace(a) == b }) {
			continue
		}
		if at >= 0 {
			return 0, 0, fmt.Errorf("%s has %q twice, in lines %d and %d: give the lines after it, too", x.In, from[0], at+1, k+1)
		}
		at = k
	}
	if at < 0 {
		return 0, 0, fmt.Errorf("%s of %s does not have %q: copy the lines from the version that the adapter requires", x.In, x.File, x.Line)
	}
	return at, len(from), nil
}

// trimmed returns the lines of a text without the spaces around them.
func trimmed(text string) (out []string) {
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

func (s *sources) add(x add) {
	text, err := s.read(x.File)
	if err != nil { // a new file
		s.after[x.File] = x.Text
		return
	}
	s.after[x.File] = text + "\n" + x.Text
}

// rename does not tell apart identifiers of one name: the compiler and the table's tests do.
func (s *sources) rename(x rename) error {
	files := []string{x.File}
	if x.File == "" {
		all, err := filepath.Glob(filepath.Join(s.dir, filepath.FromSlash(x.Folder), "*.go"))
		if err != nil {
			return err
		}
		files = nil
		for _, name := range all {
			if !strings.HasSuffix(name, "_test.go") {
				files = append(files, path.Join(x.Folder, filepath.Base(name)))
			}
		}
	}
	found := false
	for _, name := range files {
		text, err := s.read(name)
		if err != nil {
			return err
		}
		out, err := renamed(name, text, x)
		if err != nil {
			return err
		}
		if out != text {
			s.after[name], found = out, true
		}
	}
	if !found {
		return fmt.Errorf("nothing is called %s", x.From)
	}
	return nil
}

// renamed returns the text of a file with another name for an identifier.
func renamed(name, text string, x rename) (string, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	at := 0
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); x.In != "" && (!ok || nameOf(f) != x.In) {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == x.From {
				start := fset.Position(id.Pos()).Offset
				out.WriteString(text[at:start] + x.To)
				at = start + len(x.From)
			}
			return true
		})
	}
	return out.String() + text[at:], nil
}
