package methods

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// Table says which methods of an implementation are at which lines, in one version of it or in
// several.
type Table struct {
	Version string
	// Revision is the commit or tag in the implementation's repository; "" where the table does not
	// say.
	Revision string
	Ignore   []string // patterns of files whose changes cannot matter
	Files    []*File

	versions []*Table           // all of a table, in its order
	known    map[string][]*File // the files of all versions by path
	graph    *Graph             // of this version; see Table.Graph
}

// File is a file of a Table.
type File struct {
	Path  string
	Blob  string // its object name in Git
	Lines int
	Rows  []Row
}

// Row is a class, method or field with its first and last line, both of the file. The span of a
// method without lines of its own, as a static initialiser, is empty.
type Row struct {
	Class, Field bool
	Constant     bool   // a field whose value never changes
	Name         string // with package and classes around it
	Span         unified.Span
	// Calls, Over and Uses are the methods that a method calls and overrides, and the fields that
	// it uses. Outside says that it calls code that the table lacks and that may have state.
	Calls, Over, Uses []string
	Outside           bool
}

// wordsOf says how many words a line of a table has: at least, and at most (0: any number).
var wordsOf = map[string][2]int{"version": {2, 2}, "revision": {2, 2}, "ignore": {2, 2}, "file": {3, 4}, "class": {4, 4},
	"method": {2, 4}, "field": {4, 4}, "constant": {4, 4}, "calls": {2, 0}, "over": {2, 0}, "uses": {2, 0}, "outside": {1, 1}}

// Parse reads a table: lines of words with tabs between,
//
//	ignore    **/src/test/**
//	version   3.9.1
//	revision  release-3.9.1
//	file      path  object name in Git  number of lines
//	class     name  first line  last line
//	method    name  first line  last line
//	calls     names of methods
//	over      names of methods
//	uses      names of fields
//	outside
//	field     name  first line  last line
//	constant  name  first line  last line
//
// where classes, methods and fields belong to the file above, and the lines from calls to outside
// to the method above. A constant is a static field whose value never changes. A name that begins
// with a dot belongs to the class above, one that begins with two to its package. Each line version
// begins a version. A file without a number of lines has the rows that it has further up. Lines
// that begin with # are comments. The table is the one of the first version; see Of. The error
// names the first wrong line, or says that the table names no file.
func Parse(text string) (*Table, error) {
	p := &parser{known: map[string][]*File{}}
	for k, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		if err := p.line(strings.Split(line, "\t")); err != nil {
			return nil, fmt.Errorf("line %d: %w", k+1, err)
		}
	}
	if len(p.known) == 0 {
		return nil, errors.New("the table names no file")
	}
	for _, t := range p.versions {
		t.Ignore, t.versions, t.known = p.ignore, p.versions, p.known
	}
	return p.versions[0], nil
}

// Of returns the table of a version; nil where it has none. A table that names no version is one of
// any.
func (t *Table) Of(version string) *Table {
	for _, v := range t.versions {
		if v.Version == version || v.Version == "" {
			return v
		}
	}
	return nil
}

// Versions returns the names of the versions that a table has.
func (t *Table) Versions() (names []string) {
	for _, v := range t.versions {
		names = append(names, v.Version)
	}
	return names
}

// Known returns the names of all methods, in any version, with repetitions.
func (t *Table) Known() (names []string) {
	for _, files := range t.known {
		for _, f := range files {
			for k := range f.Rows {
				if r := &f.Rows[k]; !r.Class && !r.Field {
					names = append(names, r.Name)
				}
			}
		}
	}
	return names
}

// parser reads a table.
type parser struct {
	versions []*Table
	ignore   []string
	known    map[string][]*File
	open     *File  // the file whose lines follow; nil where they stand further up
	class    string // the class above
}

// version returns the version whose lines follow.
func (p *parser) version() *Table {
	if len(p.versions) == 0 {
		p.versions = []*Table{{}}
	}
	return p.versions[len(p.versions)-1]
}

func (p *parser) line(words []string) error {
	want, ok := wordsOf[words[0]]
	switch n := len(words); {
	case !ok:
		return fmt.Errorf("%q is none of version, revision, ignore, file, class, method, field, constant, calls, over, uses, outside", words[0])
	case n < want[0] || want[1] > 0 && n > want[1] || words[0] == "method" && n == 3:
		return fmt.Errorf("a line with %s has %d words with tabs between, and not %d", words[0], max(want[0], want[1]), n)
	}
	switch words[0] {
	case "version":
		if v := p.version(); v.Version == "" && len(v.Files) == 0 {
			v.Version = words[1]
		} else {
			p.versions = append(p.versions, &Table{Version: words[1]})
		}
	case "revision":
		p.version().Revision = words[1]
	case "ignore":
		p.ignore = append(p.ignore, words[1])
	case "file":
		return p.file(words)
	case "class", "method", "field", "constant":
		return p.row(words)
	default:
		return p.of(words)
	}
	return nil
}

// file reads a line that begins a file.
func (p *parser) file(words []string) error {
	v := p.version()
	if len(words) == 3 {
		k := slices.IndexFunc(p.known[words[1]], func(f *File) bool { return f.Blob == words[2] })
		if k < 0 {
			return fmt.Errorf("%s %s has no number of lines, and no version above has it", words[1], words[2])
		}
		v.Files, p.open = append(v.Files, p.known[words[1]][k]), nil
		return nil
	}
	n, err := strconv.Atoi(words[3])
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number of lines", words[3])
	}
	f := &File{Path: words[1], Blob: words[2], Lines: n}
	v.Files = append(v.Files, f)
	p.known[f.Path] = append([]*File{f}, p.known[f.Path]...)
	p.open, p.class = f, ""
	return nil
}

// row reads a class, method or field.
func (p *parser) row(words []string) error {
	f := p.open
	switch {
	case f == nil:
		return fmt.Errorf("%s %s stands before the first file, or after one without a number of lines", words[0], words[1])
	case p.class == "" && strings.HasPrefix(words[1], "."):
		return fmt.Errorf("%s %s belongs to a class, and the file has none above it", words[0], words[1])
	}
	r := Row{Class: words[0] == "class", Field: words[0] == "field" || words[0] == "constant", Constant: words[0] == "constant", Name: p.name(words[1])}
	if len(words) == 4 {
		first, err1 := strconv.Atoi(words[2])
		last, err2 := strconv.Atoi(words[3])
		if err1 != nil || err2 != nil || first < 1 || last < first || last > f.Lines {
			return fmt.Errorf("%s to %s are no lines of %s", words[2], words[3], f.Path)
		}
		r.Span = unified.Span{Start: first, Lines: last - first + 1}
	}
	if r.Class {
		p.class = r.Name
	}
	f.Rows = append(f.Rows, r)
	return nil
}

// of reads what the method above does.
func (p *parser) of(words []string) error {
	f := p.open
	if f == nil || len(f.Rows) == 0 || f.Rows[len(f.Rows)-1].Class || f.Rows[len(f.Rows)-1].Field {
		return fmt.Errorf("%s stands before the first method", words[0])
	}
	r := &f.Rows[len(f.Rows)-1]
	names := words[1:]
	for k := range names {
		names[k] = p.name(names[k])
	}
	switch words[0] {
	case "calls":
		r.Calls = names
	case "over":
		r.Over = names
	case "uses":
		r.Uses = names
	default:
		r.Outside = true
	}
	return nil
}

// name returns the full name of a member.
func (p *parser) name(s string) string {
	if rest, ok := strings.CutPrefix(s, ".."); ok {
		return PackageOf(p.class) + "." + rest
	}
	if strings.HasPrefix(s, ".") {
		return p.class + s
	}
	return s
}

// PackageOf returns the package of a class or member of Java: names of classes begin with a capital
// letter.
func PackageOf(name string) string {
	for k := 0; k < len(name); k++ {
		if name[k] >= 'A' && name[k] <= 'Z' && (k == 0 || name[k-1] == '.') {
			return name[:max(0, k-1)]
		}
	}
	return ""
}

// File returns the entry of a path, nil without one.
func (t *Table) File(path string) *File {
	for _, f := range t.Files {
		if f.Path == path {
			return f
		}
	}
	return nil
}

// Entry returns the entry of a path and an object's name, which may be abbreviated: that of any
// version with this object, else that of the table's version, else nil.
func (t *Table) Entry(path, blob string) *File {
	own := t.File(path)
	if own != nil && own.Is(blob) {
		return own
	}
	for _, f := range t.known[path] {
		if f.Is(blob) {
			return f
		}
	}
	return own
}

// Having returns the table of a version that has a file of Entry: this one if it does, else the
// last that does.
func (t *Table) Having(f *File) *Table {
	out := t
	for _, v := range t.versions {
		if slices.Contains(v.Files, f) {
			out = v
		}
	}
	if slices.Contains(t.Files, f) {
		return t
	}
	return out
}

// Is reports whether a file is an object of Git, which may be abbreviated.
func (f *File) Is(blob string) bool { return blob != "" && strings.HasPrefix(f.Blob, blob) }

// At returns the innermost method or field around a line, or else the innermost class, or nil.
// Between says that the place is the gap after the line.
func (f *File) At(line int, between bool) *Row {
	var member, class *Row
	for k := range f.Rows {
		r := &f.Rows[k]
		if r.Span.Lines == 0 || line < r.Span.Start || line > r.Span.Last() || between && line == r.Span.Last() {
			continue
		}
		best := &member
		if r.Class {
			best = &class
		}
		if *best == nil || r.Span.Lines <= (*best).Span.Lines {
			*best = r
		}
	}
	if member != nil {
		return member // a class within it is part of it
	}
	return class
}
