package speclint

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// A specification may import a package that has values for its State and functions of these values:
//
//	package zxid                                    package spec
//
//	type Zxid struct{ Epoch, Counter int8 }         Effect: func(s, n *State, p One) {
//	func (z Zxid) After(y Zxid) bool { ... }            if m.Zxid.After(s.Last) { ... }
//
// A function of values takes and returns values without pointers, and keeps to the subset with all
// that it reaches in its package. It can write nothing that a step sees, so a call of it needs no
// flow. What it is called with is known where it is declared, so it is a fact of that package.

// ofValues is the fact that a function is a function of values.
type ofValues struct{}

// AFact marks the type as a fact of package analysis.
func (*ofValues) AFact() {}

func (*ofValues) String() string { return "a function of values" }

// exportValues exports the functions of values of a package that is no specification.
func (l *linter) exportValues() {
	if l.Module == nil || l.Module.Path == "" {
		return // the standard library, whose functions a list names
	}
	report := l.Report
	defer func() { l.Report = report }()
	for fn, d := range l.index.decls {
		if d.Body == nil || !ofPlainValues(fn.Signature()) {
			continue
		}
		clean := true
		l.Report = func(analysis.Diagnostic) { clean = false }
		l.found = map[finding]bool{}
		l.reach = &reach{}
		l.follow(d, map[ast.Node]bool{}, &l.reach.steps, false)
		l.checkSubset()
		if clean {
			l.ExportObjectFact(fn, &ofValues{})
		}
	}
}

// ofPlainValues reports whether a function takes and returns values without pointers. A type
// parameter may be a pointer.
func ofPlainValues(sig *types.Signature) bool {
	if r := sig.Recv(); r != nil && !withoutPointers(r.Type()) {
		return false
	}
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			if !withoutPointers(v.Type()) {
				return false
			}
		}
	}
	return true
}

func withoutPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsBoolean|types.IsInteger) != 0
	case *types.Array:
		return withoutPointers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !withoutPointers(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}
