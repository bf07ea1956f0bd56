package change

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/multigrain/multigrain/grains/importpath"
)

// Options say where a change is and with what to compare it.
type Options struct {
	// Dir is the folder of the code; it may be empty for a diff of code that a table describes.
	Dir string
	// Copy says that Dir is a copy in the cache, so that no go.work file above it counts.
	Copy bool
	// Base is the revision that the folder is compared with; empty where a diff is given.
	Base string
	// Diff is a unified diff, paths relative to Dir.
	Diff string
	// Table are the methods and lines of code that is not Go; nil without.
	Table *Table
	// Packages are patterns of Go packages; none without Go.
	Packages []string
	// Ignore are patterns of files whose changes cannot matter, as package doublestar has them.
	Ignore []string
	Places *Places
}

// documents are files that no program is built from.
var documents = []string{".md", ".txt", ".rst", ".adoc"}

// Analyse finds the modules that a change touches. It returns an error if a pattern is none, the
// repository or the change cannot be read, or the folder is not that of the implementation.
func Analyse(o Options) (*Analysis, error) {
	out := newAnalysis()
	for _, p := range o.Packages {
		if err := importpath.CheckPattern(p); err != nil {
			return nil, fmt.Errorf("%q is no pattern of packages: %w", p, err)
		}
	}
	for _, p := range o.ignores() {
		if !doublestar.ValidatePattern(p) {
			return nil, fmt.Errorf("%q is no pattern of files: a bracket, a brace or an escape has no end", p)
		}
	}
	var r *repo
	var err error
	if o.Dir != "" {
		if r, err = openRepo(o.Dir, o.Base); err != nil {
			return nil, err
		}
	}
	if err := o.belongs(r); err != nil {
		return nil, err
	}
	files, err := o.changed(r)
	if err != nil {
		return nil, err
	}
	out.Files = len(files)
	var inGo, others []*File
	for _, f := range files {
		switch {
		case o.passes(out, f):
		case len(o.Packages) > 0 && path.Ext(f.Path()) == ".go":
			inGo = append(inGo, f)
		default:
			others = append(others, f)
		}
	}
	if len(inGo) > 0 {
		if r == nil {
			return nil, errors.New("comparing Go code requires the folder that contains it")
		}
		h := &goHolder{repo: r, patterns: o.Packages, places: o.Places, out: out}
		if o.Copy {
			h.environ = append(os.Environ(), "GOWORK=off")
		}
		if err := h.files(inGo); err != nil {
			return nil, err
		}
	}
	o.byLines(out, r, others)
	return out, nil
}

// changed returns the changed files.
func (o Options) changed(r *repo) ([]*File, error) {
	if o.Diff != "" {
		return ParseDiff(o.Diff)
	}
	if r == nil || r.base == "" {
		return nil, errors.New("there is neither a diff nor a revision to compare with")
	}
	return r.diff()
}

// ignores returns the patterns of files that the options and the table ignore.
func (o Options) ignores() []string {
	if o.Table == nil {
		return o.Ignore
	}
	return slices.Concat(o.Ignore, o.Table.Ignore)
}

// passes reports whether a file's change cannot matter.
func (o Options) passes(out *Analysis, f *File) bool {
	name := f.Path()
	for _, ext := range documents {
		if path.Ext(name) == ext {
			out.ignore(name, "a document")
			return true
		}
	}
	if p := ignored(o.ignores(), name); p != "" {
		out.ignore(name, "matches %q, which the manifest ignores", p)
		return true
	}
	if len(o.Packages) > 0 && strings.HasSuffix(name, "_test.go") {
		out.ignore(name, "a test")
		return true
	}
	return false
}

// byLines compares files with the table.
func (o Options) byLines(out *Analysis, r *repo, files []*File) {
	if o.Table == nil {
		for _, f := range files {
			out.unmodelled(Declaration{Name: f.Path(), Kind: Lines, How: howOf(f), File: f.Path()},
				fmt.Sprintf("the manifest says nothing of files such as *%s", path.Ext(f.Path())))
		}
		return
	}
	h := &lineHolder{table: o.Table, places: o.Places, out: out}
	if r != nil {
		h.text = r.texts
		h.shift = func(f *File) ([]Hunk, error) { return r.shift(o.Table.Revision, f) }
	}
	for _, f := range files {
		h.file(f)
	}
	if len(o.Packages) == 0 {
		out.Missing = h.missing()
	}
}
