package speclint

import (
	"go/ast"
	"go/types"
)

// entry is a kind of functions of a specification that a checker or a monitor calls.
type entry struct {
	what string // for messages; "the guard of" goes before the action's name
	// start says that the function runs when a program starts, and not at every step.
	start bool
	keep  []int // the parameters, counted from 0, through which it must not write
	rule  Rule  // what it breaks if it does
	// memory says that a parameter is an unsafe.Pointer, which package modules asks for.
	memory bool
}

// field names a field of a struct of package modules or grains.
type field struct{ typ, name string }

// fields are the fields that hold functions of a specification. A test compares them with the
// source of packages modules and grains.
var fields = map[field]entry{
	{"Action", "Params"}:     {what: "the domain of", start: true},
	{"Action", "Guard"}:      {what: "the guard of", keep: []int{0}, rule: readerWrites},
	{"Action", "Effect"}:     {what: "the effect of", keep: []int{0}, rule: effectWritesBefore},
	{"Invariant", "State"}:   {what: "invariant", keep: []int{0}, rule: readerWrites},
	{"Invariant", "Step"}:    {what: "invariant", keep: []int{0, 1}, rule: readerWrites},
	{"Liveness", "From"}:     {what: "liveness property", keep: []int{0}, rule: readerWrites},
	{"Liveness", "To"}:       {what: "liveness property", keep: []int{0}, rule: readerWrites},
	{"System", "Init"}:       {what: "Init", start: true},
	{"Runtime", "Lane"}:      {what: "Lane of Runtime"},
	{"Runtime", "Lossy"}:     {what: "Lossy of Runtime"},
	{"Runtime", "Says"}:      {what: "Says of Runtime", keep: []int{0}, rule: readerWrites},
	{"Runtime", "Foresee"}:   {what: "Foresee of Runtime", keep: []int{2}, rule: readerWrites, memory: true},
	{"Runtime", "Committed"}: {what: "Committed of Runtime", keep: []int{0}, rule: readerWrites},
	{"Runtime", "Elected"}:   {what: "Elected of Runtime", keep: []int{0}, rule: readerWrites},
	{"Gate", "Open"}:         {what: "Open of a gate", keep: []int{0}, rule: readerWrites},
	{"Promise", "Made"}:      {what: "Made of promise", keep: []int{1}, rule: readerWrites, memory: true},
	{"Promise", "Kept"}:      {what: "Kept of promise", keep: []int{0}, rule: readerWrites},
	{"Openness", "More"}:     {what: "More of AfterCrash"},
	{"Openness", "Settle"}:   {what: "Settle of AfterCrash"},
}

// constructors are the functions of package modules that take functions of a specification, by the
// position of the argument.
var constructors = map[string]map[int]entry{
	"When":     {1: {what: "the When rule", keep: []int{0}, rule: readerWrites}},
	"WhenAny":  {0: {what: "the WhenAny rule", keep: []int{0}, rule: readerWrites}},
	"After":    {1: {what: "the After rule", keep: []int{0}, rule: effectWritesBefore}},
	"AfterAny": {0: {what: "the AfterAny rule", keep: []int{0}, rule: effectWritesBefore}},
	"OnStep":   {1: {what: "the step property", keep: []int{0, 1}, rule: readerWrites}},
	"LeadsTo": {
		0: {what: "the domain of the liveness property", start: true},
		1: {what: "the liveness property", keep: []int{0}, rule: readerWrites},
		2: {what: "the liveness property", keep: []int{0}, rule: readerWrites},
	},
}

// structOf returns the name of the struct of package modules or grains that t is, or points to, and
// "" if it is none.
func structOf(t types.Type) string {
	if t == nil {
		return ""
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	for _, path := range []string{modulesPath, grainsPath} {
		if name, n := named(t, path); n != nil {
			return name
		}
	}
	return ""
}

// given calls found with every expression of the package that gives a function of a specification.
// That is a field of a literal, an assignment to a field, or an argument of a constructor. The
// literal is nil for the last two.
func (l *linter) given(found func(e entry, expr ast.Expr, in *ast.CompositeLit)) {
	for _, f := range l.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				typ := structOf(l.TypesInfo.TypeOf(n))
				for name, expr := range l.fieldsOf(n) {
					if e, ok := fields[field{typ, name}]; ok {
						found(e, expr, n)
					}
				}
			case *ast.AssignStmt:
				for k, lhs := range n.Lhs {
					s, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
					if !ok {
						continue
					}
					if e, ok := fields[field{structOf(l.TypesInfo.TypeOf(s.X)), s.Sel.Name}]; ok {
						found(e, n.Rhs[min(k, len(n.Rhs)-1)], nil)
					}
				}
			case *ast.CallExpr:
				for k, e := range l.constructor(n) {
					if k < len(n.Args) {
						found(e, n.Args[k], nil)
					}
				}
			}
			return true
		})
	}
}

// constructor returns what a call gives to a function of package modules, by the position of the
// argument.
func (l *linter) constructor(c *ast.CallExpr) map[int]entry {
	id := funcName(c.Fun)
	if id == nil {
		return nil
	}
	fn, ok := l.TypesInfo.Uses[id].(*types.Func)
	if !ok || pathOf(fn) != modulesPath || fn.Signature().Recv() != nil {
		return nil
	}
	return constructors[fn.Name()]
}
