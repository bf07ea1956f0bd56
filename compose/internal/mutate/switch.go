package mutate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Number is the variable of the package that chooses the mutant: 0 is the specification itself.
const Number = "MultigrainMutant"

// Switch returns the files that have all mutants, by path. The number of a mutant is its place in
// the list, from 1. The comments with lines keep the places of the code that is not changed.
func Switch(p *Package, list []Mutant) map[string][]byte {
	files, _ := write(p, list)
	return files
}

// piece is where the copy of a function for a mutant stands in a written file.
type piece struct {
	file   string
	at     span
	mutant int // its place in the list
}

func write(p *Package, list []Mutant) (files map[string][]byte, pieces []piece) {
	files = map[string][]byte{}
	byFile := map[string][]int{}
	for k := range list {
		byFile[list[k].File] = append(byFile[list[k].File], k)
	}
	declared := false
	for _, path := range slices.Sorted(maps.Keys(byFile)) {
		w := &writer{p: p, path: path, text: p.Texts[path], list: list}
		w.bodies(byFile[path])
		if !declared {
			fmt.Fprintf(&w.out, "\n// %s is the number of the mutant that runs, 0 for none.\nvar %[1]s int\n", Number)
			declared = true
		}
		files[path] = []byte(w.out.String())
		pieces = append(pieces, w.pieces...)
	}
	return files, pieces
}

// writer writes one file.
type writer struct {
	p      *Package
	path   string
	text   []byte
	list   []Mutant
	out    strings.Builder
	pieces []piece
}

// bodies writes the file with a switch in each function that has one of the mutants.
func (w *writer) bodies(mutants []int) {
	cases := map[span][]int{}
	for _, k := range mutants {
		cases[w.list[k].body] = append(cases[w.list[k].body], k)
	}
	end := 0
	for _, at := range slices.SortedFunc(maps.Keys(cases), func(a, b span) int { return a.from - b.from }) {
		if at.from < end {
			continue // a function in another one that is changed: Compiling leaves its mutants out
		}
		w.out.Write(w.text[end:at.from])
		fmt.Fprintf(&w.out, "{ switch %s {", Number)
		here := w.line(at.from + 1)
		for _, k := range cases[at] {
			m := &w.list[k]
			fmt.Fprintf(&w.out, "\ncase %d: {%s", k+1, here)
			from := w.out.Len()
			w.out.Write(w.text[at.from+1 : m.at.from])
			w.out.WriteString(m.with)
			w.out.Write(w.text[m.at.to:at.to])
			w.pieces = append(w.pieces, piece{w.path, span{from, w.out.Len()}, k})
		}
		fmt.Fprintf(&w.out, "\ndefault: {%s%s } }%s", here, w.text[at.from+1:at.to], w.line(at.to))
		end = at.to
	}
	w.out.Write(w.text[end:])
}

// line returns a comment that gives what follows it the place of a byte of the file.
func (w *writer) line(offset int) string {
	line := 1 + strings.Count(string(w.text[:offset]), "\n")
	column := offset - strings.LastIndexByte(string(w.text[:offset]), '\n')
	return fmt.Sprintf("/*line %s:%d:%d*/", w.path, line, column)
}

// Compiling returns the mutants that compile. It fails if the specification itself does not.
func Compiling(p *Package, list []Mutant) ([]Mutant, error) {
	for len(list) > 0 {
		files, pieces := write(p, list)
		bad := map[int]bool{}
		written := map[int]bool{}
		for _, x := range pieces {
			written[x.mutant] = true
		}
		for k := range list {
			if !written[k] {
				bad[k] = true
			}
		}
		if err := p.check(files, pieces, bad); err != nil {
			return nil, err
		}
		if len(bad) == 0 {
			return list, nil
		}
		var kept []Mutant
		for k := range list {
			if !bad[k] {
				kept = append(kept, list[k])
			}
		}
		list = kept
	}
	return nil, nil
}

// check checks the types of the package with the written files. It notes the mutants whose copies
// have an error. An error elsewhere is returned.
func (p *Package) check(files map[string][]byte, pieces []piece, bad map[int]bool) error {
	fset := token.NewFileSet()
	var syntax []*ast.File
	for path, text := range p.Texts {
		if changed, ok := files[path]; ok {
			text = changed
		}
		f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		syntax = append(syntax, f)
	}
	var failed error
	conf := types.Config{Importer: imported(p.Types.Imports()), Error: func(err error) {
		var e types.Error
		if !errors.As(err, &e) {
			return
		}
		at := fset.PositionFor(e.Pos, false)
		for _, x := range pieces {
			if x.file == at.Filename && x.at.from <= at.Offset && at.Offset < x.at.to {
				bad[x.mutant] = true
				return
			}
		}
		if failed == nil && !e.Soft {
			failed = fmt.Errorf("%s: %s", at, e.Msg)
		}
	}}
	_, _ = conf.Check(p.Types.Path(), fset, syntax, nil)
	return failed
}

// imported is a types.Importer of packages that are loaded.
type imported []*types.Package

func (list imported) Import(path string) (*types.Package, error) {
	for _, p := range list {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}
