package change

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/unified"
)

// Table says which methods of an implementation are at which lines, in one version of it.
type Table struct {
	Version string
	// Revision is the commit or tag in the implementation's repository; "" where the table does not
	// say.
	Revision string
	Ignore   []string // patterns of files whose changes cannot matter
	Files    []*TableFile
}

// TableFile is a file of a Table.
type TableFile struct {
	Path  string
	Blob  string // its object name in Git
	Lines int
	Rows  []Row
}

// Row is a class or method with its first and last line, both of the file.
type Row struct {
	Class bool
	Name  string // with package and classes around it
	Span  unified.Span
}

// ParseTable reads a table: lines of words with tabs between,
//
//	version   3.9.1
//	revision  release-3.9.1
//	ignore    **/src/test/**
//	file      path  object name in Git  number of lines
//	class     name  first line  last line
//	method    name  first line  last line
//
// where classes and methods belong to the file above. Lines that begin with # are comments. The
// error names the first wrong line, or says that the table names no file.
func ParseTable(text string) (*Table, error) {
	t := &Table{}
	for k, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		if err := t.line(strings.Split(line, "\t")); err != nil {
			return nil, fmt.Errorf("line %d: %w", k+1, err)
		}
	}
	if len(t.Files) == 0 {
		return nil, errors.New("the table names no file")
	}
	return t, nil
}

func (t *Table) line(words []string) error {
	want := map[string]int{"version": 2, "revision": 2, "ignore": 2, "file": 4, "class": 4, "method": 4}[words[0]]
	if want == 0 {
		return fmt.Errorf("%q is none of version, revision, ignore, file, class, method", words[0])
	}
	if len(words) != want {
		return fmt.Errorf("a line with %s has %d words with tabs between, and not %d", words[0], want, len(words))
	}
	switch words[0] {
	case "version":
		t.Version = words[1]
	case "revision":
		t.Revision = words[1]
	case "ignore":
		t.Ignore = append(t.Ignore, words[1])
	case "file":
		n, err := strconv.Atoi(words[3])
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number of lines", words[3])
		}
		t.Files = append(t.Files, &TableFile{Path: words[1], Blob: words[2], Lines: n})
	default:
		if len(t.Files) == 0 {
			return fmt.Errorf("%s %s stands before the first file", words[0], words[1])
		}
		f := t.Files[len(t.Files)-1]
		first, err1 := strconv.Atoi(words[2])
		last, err2 := strconv.Atoi(words[3])
		if err1 != nil || err2 != nil || first < 1 || last < first || last > f.Lines {
			return fmt.Errorf("%s to %s are no lines of %s", words[2], words[3], f.Path)
		}
		f.Rows = append(f.Rows, Row{Class: words[0] == "class", Name: words[1], Span: unified.Span{Start: first, Lines: last - first + 1}})
	}
	return nil
}

// file returns the entry of a path, nil without one.
func (t *Table) file(path string) *TableFile {
	for _, f := range t.Files {
		if f.Path == path {
			return f
		}
	}
	return nil
}

// at returns the innermost method around a line, or else the innermost class, or nil. Between says
// that the place is the gap after the line.
func (f *TableFile) at(line int, between bool) *Row {
	var method, class *Row
	for k := range f.Rows {
		r := &f.Rows[k]
		if line < r.Span.Start || line > r.Span.Last() || between && line == r.Span.Last() {
			continue
		}
		best := &method
		if r.Class {
			best = &class
		}
		if *best == nil || r.Span.Lines <= (*best).Span.Lines {
			*best = r
		}
	}
	if method != nil {
		return method // a class within it is part of it
	}
	return class
}
