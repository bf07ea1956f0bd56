package change

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/internal/unified"
	"github.com/multigrain/multigrain/interaction/internal/importpath"
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
	// Python are names of packages and modules of Python whose code is judged; none without.
	Python []string
	// Rules say what changes of code mean that no grain models; the first that fits counts.
	Rules []Rule
	// Ignore are patterns of files whose changes cannot matter, as package doublestar has them.
	// They come after the rules.
	Ignore []string
	Places *Places
}

// Analyse finds the modules that a change touches. It returns an error if a pattern is none, the
// repository or the change cannot be read, or the folder is not that of the implementation.
func Analyse(o Options) (*Analysis, error) {
	out := newAnalysis()
	out.rules = o.rules()
	for _, p := range o.Packages {
		if err := importpath.CheckPattern(p); err != nil {
			return nil, fmt.Errorf("%q is no pattern of packages: %w", p, err)
		}
	}
	for _, r := range out.rules {
		if err := CheckPattern(r.Pattern); err != nil {
			return nil, err
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
	var inGo, modules, others []*unified.File
	for _, f := range files {
		switch {
		case o.passes(out, r, f), modeOnly(out, f), special(out, f):
		case len(o.Packages) > 0 && (path.Ext(f.Old) == ".go" || path.Ext(f.New) == ".go"):
			inGo = append(inGo, f)
		case len(o.Packages) > 0 && r != nil && path.Base(f.Path()) == "go.mod":
			modules = append(modules, f)
		default:
			others = append(others, f)
		}
	}
	if len(inGo) > 0 {
		if r == nil {
			return nil, errors.New("comparing Go code requires the folder that contains it")
		}
		h := &goHolder{repo: r, patterns: o.Packages, environ: o.environ(), places: o.Places, out: out}
		if err := h.files(inGo); err != nil {
			return nil, err
		}
	}
	for _, f := range modules {
		o.module(out, r, f)
	}
	o.byLines(out, r, others)
	return out, nil
}

// environ returns the environment of the go command; nil for that of this process.
func (o Options) environ() []string {
	if !o.Copy {
		return nil
	}
	return append(os.Environ(), "GOWORK=off")
}

// changed returns the changed files.
func (o Options) changed(r *repo) ([]*unified.File, error) {
	if o.Diff != "" {
		files, err := unified.Parse(o.Diff)
		if err == nil {
			o.locate(r, files)
		}
		return files, err
	}
	if r == nil || r.base == "" {
		return nil, errors.New("there is neither a diff nor a revision to compare with")
	}
	return r.diff()
}

// locate takes folders from the fronts of all names if none of the files is there, and all are
// there without these folders. Such a diff was made in another folder, or with one prefix for both
// sides.
func (o Options) locate(r *repo, files []*unified.File) {
	there := func(name string) bool { return o.Table != nil && o.Table.File(name) != nil || r != nil && r.has(name) }
	strip := func(name string, k int) string {
		for ; k > 0 && name != ""; k-- {
			_, name, _ = strings.Cut(name, "/")
		}
		return name
	}
	// A file that has the same end of its name alone is another file.
	fitting := func(f *unified.File, k int) bool {
		other := r != nil && len(f.Hunks) > 0 && !slices.ContainsFunc(f.Hunks, func(h unified.Hunk) bool { return h.Body == nil })
		if k == 0 || !other {
			return true
		}
		return unified.Misfit(r.read(strip(f.Source(), k)), f.Hunks, false) == nil || unified.Misfit(r.read(strip(f.New, k)), f.Hunks, true) == nil
	}
	for k := range 8 {
		found, missing := 0, 0
		for _, f := range files {
			switch {
			case f.Old == "" || f.Special != "" || f.Exact:
			case (there(strip(f.Old, k)) || f.New != "" && there(strip(f.New, k))) && fitting(f, k):
				found++
			default:
				missing++
			}
		}
		if found > 0 && (k == 0 || missing == 0) {
			for _, f := range files {
				if f.Exact && (there(f.Source()) || there(f.New)) {
					continue
				}
				f.Old, f.New, f.From = strip(f.Old, k), strip(f.New, k), strip(f.From, k)
			}
			return
		}
	}
}

// modeOnly reports whether nothing changes but a file's mode.
func modeOnly(out *Analysis, f *unified.File) bool {
	if !f.Mode || f.Binary || f.Special != "" || len(f.Hunks) > 0 || f.Old != f.New || f.OldBlob != f.NewBlob {
		return false
	}
	out.ignore(f.Path(), "only its mode")
	return true
}

// special reports whether what changes is no file with lines.
func special(out *Analysis, f *unified.File) bool {
	if f.Special == "" {
		return false
	}
	out.unmodelled(Declaration{Name: f.Path(), Kind: Lines, How: howOf(f), File: f.Path()}, f.Special)
	return true
}

// byLines compares files with the table.
func (o Options) byLines(out *Analysis, r *repo, files []*unified.File) {
	h := &lineHolder{table: o.Table, places: o.Places, out: out, none: o.Table == nil, python: o.Python}
	if o.Table == nil {
		h.table = &Table{}
	}
	if r != nil {
		h.text = r.texts
		h.shift = func(f *unified.File) ([]unified.Hunk, error) { return r.shift(h.table.Revision, f) }
	}
	for _, f := range files {
		h.file(f)
	}
	if len(o.Packages) == 0 && o.Table != nil {
		out.Missing = h.missing()
	}
}
