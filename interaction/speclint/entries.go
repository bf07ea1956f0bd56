package speclint

import (
	"go/ast"
	"go/types"
	"iter"
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
	{"Runtime", "Elided"}:    {what: "Elided of Runtime"},
	{"Runtime", "Arrival"}:   {what: "Arrival of Runtime"},
	{"Runtime", "Says"}:      {what: "Says of Runtime", keep: []int{0}, rule: readerWrites},
	{"Runtime", "Sends"}:     {what: "Sends of Runtime", keep: []int{0, 3}, rule: readerWrites, memory: true},
	{"Runtime", "Waits"}:     {what: "Waits of Runtime", keep: []int{0, 3, 4}, rule: readerWrites, memory: true},
	{"Runtime", "Merge"}:     {what: "Merge of Runtime"},
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
	"StandsFor": {
		2: {what: "the parameters for StandsFor", start: true},
		3: {what: "the state before for StandsFor", keep: []int{0}, rule: effectWritesBefore},
	},
	"LeadsTo": {
		0: {what: "the domain of the liveness property", start: true},
		1: {what: "the liveness property", keep: []int{0}, rule: readerWrites},
		2: {what: "the liveness property", keep: []int{0}, rule: readerWrites},
	},
}

// entryOf returns the entry that a field is. The field may be promoted, or be one of a type that is
// defined by a struct of package modules or grains.
func (l *linter) entryOf(v *types.Var) (e entry, ok bool) {
	if v == nil || v.Pkg() == nil || v.Pkg().Path() != modulesPath && v.Pkg().Path() != grainsPath {
		return e, false
	}
	for f, e := range fields {
		o, _ := v.Pkg().Scope().Lookup(f.typ).(*types.TypeName)
		if o == nil || f.name != v.Name() {
			continue
		}
		for own := range o.Type().Underlying().(*types.Struct).Fields() {
			if own == v.Origin() {
				return e, true
			}
		}
	}
	return e, false
}

// given calls found with every expression of the package that gives a function of a specification.
// That is a field of a literal, an assignment to a field, or an argument of a constructor. The
// literal is nil for the last two.
func (l *linter) given(found func(e entry, expr ast.Expr, in *ast.CompositeLit)) {
	for _, f := range l.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				values := l.fieldsOf(n)
				for v := range fieldVars(l.TypesInfo.TypeOf(n)) {
					if e, ok := l.entryOf(v); ok && values[v.Name()] != nil {
						found(e, values[v.Name()], n)
					}
				}
			case *ast.AssignStmt:
				for k, lhs := range n.Lhs {
					s, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
					if !ok || l.TypesInfo.Selections[s] == nil {
						continue
					}
					v, _ := l.TypesInfo.Selections[s].Obj().(*types.Var)
					if e, ok := l.entryOf(v); ok {
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

// fieldVars yields the fields of a struct or of what a pointer to one points to.
func fieldVars(t types.Type) iter.Seq[*types.Var] {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		return s.Fields()
	}
	return func(func(*types.Var) bool) {}
}

// constructor returns what a call gives to a function that makes a part of the catalog, by the
// position of the argument.
func (l *linter) constructor(c *ast.CallExpr) map[int]entry {
	id := funcName(c.Fun)
	if id == nil {
		return nil
	}
	fn, ok := l.TypesInfo.Uses[id].(*types.Func)
	switch {
	case !ok || fn.Signature().Recv() != nil || fn.Pkg() == l.Pkg || pathOf(fn) == grainsPath:
		return nil
	case pathOf(fn) == modulesPath:
		return constructors[fn.Name()]
	}
	return l.foreignConstructor(fn, c)
}

// foreignConstructor returns what a call gives to a function of another package that makes a part
// of the catalog. Functions with a result count as guards and properties, others as effects.
func (l *linter) foreignConstructor(fn *types.Func, c *ast.CallExpr) map[int]entry {
	t := l.TypesInfo.TypeOf(c)
	if _, tuple := t.(*types.Tuple); t == nil || tuple || !isCatalog(t) {
		return nil
	}
	out := map[int]entry{}
	for k, arg := range c.Args {
		given := l.TypesInfo.TypeOf(arg)
		sig, ok := given.Underlying().(*types.Signature)
		if !ok {
			continue
		}
		e := entry{what: "the function for " + fn.Name(), start: isDomain(given), keep: []int{0}, rule: effectWritesBefore}
		if sig.Results().Len() > 0 {
			e.keep, e.rule = []int{0, 1}, readerWrites
		}
		out[k] = e
	}
	return out
}
