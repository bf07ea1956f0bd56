package speclint

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// The analysis reads declarations, so nothing may change them when the program runs. An assignment
// must not, which checkAssignments finds in the text, nor a write through a pointer:
//
//	func init() {
//		p := &System
//		p.Invariants = nil                   // a write through a local pointer
//		other.Set(&Serve.Guard, never)       // a function of another package may write through it
//		list := System.Invariants
//		list[0].State = always               // a write to the memory of the System
//	}
//
// checkEscapes follows all pointers of the package, in the same way as for guards and effects. The
// memory of the declarations is that of the variables and what their pointers lead to. Initialisers
// write it, and a constructor may fill a list that it allocates.

// readOnly are the functions of the standard library that only read what their arguments point to,
// of those that a catalog may need. "" stands for all of the package.
var readOnly = map[string][]string{
	"fmt":     {""},
	"strings": {""},
	"slices": {"All", "Backward", "Clone", "Collect", "Concat", "Contains", "ContainsFunc", "Equal", "EqualFunc", "Index", "IndexFunc",
		"Repeat", "Sorted", "Values"},
}

// checkEscapes reports what changes the memory of a declaration, or may do so.
func (l *linter) checkEscapes(pkg *ssa.Package) {
	entries := []*ssa.Function{pkg.Func("init")}
	for fn := range l.index.decls {
		if g := pkg.Prog.FuncValue(fn); g != nil {
			entries = append(entries, g)
		}
	}
	f := newFlow(entries, mayChange, nil)
	for _, root := range declarations(f) {
		for _, w := range f.writes[root] {
			if !initialises(w, root) {
				l.reportChange(f, w)
			}
		}
	}
}

// mayChange says what a function without a body may write: all that its arguments lead to, or
// nothing if it is of the framework's vocabulary or known to read.
func mayChange(fn *types.Func) reachOfCall {
	if fn == nil {
		return writesAll
	}
	path := pathOf(fn)
	names := readOnly[path]
	if path == modulesPath || path == grainsPath || slices.Contains(names, "") || slices.Contains(names, fn.Name()) {
		return copiesAll
	}
	return writesAll
}

// declarations returns the variables of the catalog, by their names, and then what their pointers
// lead to.
func declarations(f *flow) []ssa.Value {
	vars := roots{}
	for _, fn := range f.fns {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				for _, o := range i.Operands(nil) {
					if g, ok := (*o).(*ssa.Global); ok && isCatalog(g.Type()) {
						vars[g] = true
					}
				}
			}
		}
	}
	byName := func(a, b ssa.Value) int { return cmp.Or(strings.Compare(a.Name(), b.Name()), int(a.Pos()-b.Pos())) }
	out := slices.SortedFunc(maps.Keys(vars), byName)
	for _, r := range slices.SortedFunc(maps.Keys(f.reach(vars)), byName) {
		switch r.(type) {
		case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.Call, *ssa.Global:
			if !vars[r] {
				out = append(out, r)
			}
		}
	}
	return out
}

// initialises reports whether a write makes a declaration: it is one of the package's initialiser,
// or of the function that allocates what it writes. An append leaves what is there as it is.
func initialises(w *write, root ssa.Value) bool {
	if c, ok := w.instr.(ssa.CallInstruction); ok {
		if b, ok := c.Common().Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return true
		}
	}
	_, stores := w.instr.(*ssa.Store)
	if stores && w.in.Synthetic == "package initializer" {
		return true
	}
	i, ok := root.(ssa.Instruction)
	if !ok || i.Parent().Synthetic == "package initializer" {
		return false
	}
	for fn := w.in; fn != nil; fn = fn.Parent() {
		if fn == i.Parent() {
			return true
		}
	}
	return false
}

// reportChange reports a write, once for a line: an assignment may have been reported already.
func (l *linter) reportChange(f *flow, w *write) {
	place := l.position(w.instr, w.in)
	line := l.Fset.Position(place.Pos()).Line
	for old := range l.found {
		if p := l.Fset.Position(old.pos); old.code == catalogAssigned.Code && p.Line == line && p.Filename == l.Fset.Position(place.Pos()).Filename {
			return
		}
	}
	what := "a declaration"
	for r := range f.of(w.target) {
		if g, ok := r.(*ssa.Global); ok && (what == "a declaration" || g.Name() < what) {
			what = g.Name()
		}
	}
	by := ""
	switch {
	case w.method != nil:
		by = fmt.Sprintf(": %s may change what it is given", w.method.FullName())
	case w.callee != nil:
		by = fmt.Sprintf(": %s writes through its parameter", calleeName(w.callee))
	}
	l.report(place, catalogAssigned, "%s is changed at run time%s", what, by)
}
