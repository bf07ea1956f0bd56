package speclint

import (
	"go/types"
	"slices"
)

// The packages whose types make a package a specification.
const (
	modulesPath = "github.com/multigrain/multigrain/modules"
	grainsPath  = "github.com/multigrain/multigrain/grains"
)

// readers are the methods with a pointer receiver that leave their receiver as it is. Every other
// method with a pointer receiver writes it and nothing else; a test compares both with the source
// of package modules.
var readers = map[string][]string{
	"Chain":   {"At", "Empty", "Find", "HasPrefix", "Last", "Len", "Prefix"},
	"Deque":   {"At", "Common", "Empty", "Find", "Last", "Len"},
	"Seq":     {"At", "Cap", "Empty", "Find", "HasPrefix", "Last", "Len", "Prefix"},
	"Map":     {"At", "Has", "Keys", "Len", "Where"},
	"Records": {"At", "Has", "Len"},
	"Net":     {"At", "Count", "Empty", "Head", "Holds", "Is", "IsCut", "Len", "Nth", "Peek"},
	"Bag":     {"Arrived", "Count", "Holds", "Is", "IsCut", "Len", "Nth", "Peek", "Read"},
	"Raised":  {"Has"},
}

// named returns the name of a type that package path declares, and whether t is one.
func named(t types.Type, path string) (string, *types.Named) {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path {
		return n.Obj().Name(), n
	}
	return "", nil
}

// vocabularyType reports whether t is the type of that name of package modules and returns it with
// its type arguments.
func vocabularyType(t types.Type, name string) (*types.Named, bool) {
	have, n := named(t, modulesPath)
	return n, n != nil && have == name
}

func isAction(t types.Type) bool { _, ok := vocabularyType(t, "Action"); return ok }

func isDomain(t types.Type) bool { _, ok := vocabularyType(t, "Domain"); return ok }

func isQuorum(t types.Type) bool { _, ok := vocabularyType(t, "Quorum"); return ok }

func isSystem(t types.Type) bool { name, _ := named(t, grainsPath); return name == "System" }

// isCatalog reports whether t is made of what a catalog is made of: it is a declaration, or points
// to, lists or holds one.
func isCatalog(t types.Type) bool { return holdsCatalog(t, map[types.Type]bool{}) }

func holdsCatalog(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if name, _ := named(t, grainsPath); name != "" {
		return true
	}
	if name, n := named(t, modulesPath); n != nil {
		return slices.Contains(catalogTypes, name)
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return holdsCatalog(u.Elem(), seen)
	case *types.Slice:
		return holdsCatalog(u.Elem(), seen)
	case *types.Array:
		return holdsCatalog(u.Elem(), seen)
	case *types.Map:
		return holdsCatalog(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if holdsCatalog(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// catalogTypes are the types of package modules that a catalog is made of.
var catalogTypes = []string{"Action", "AnyAction", "Budget", "Coarsening", "Domain", "Gate", "Input", "Invariant", "Liveness", "Local",
	"Openness", "ParametricLiveness", "Promise", "Quorum", "Remainder", "Role", "Rule", "Runtime", "StepProperty"}

// pathOf returns the import path of the package that declares o, "" for the universe.
func pathOf(o types.Object) string {
	if o.Pkg() == nil {
		return ""
	}
	return o.Pkg().Path()
}

// receiver returns the name of the type that fn is a method of, "" for a function, and whether the
// receiver is a pointer.
func receiver(fn *types.Func) (name string, pointer bool) {
	recv := fn.Signature().Recv()
	if recv == nil {
		return "", false
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		pointer, t = true, types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		name = n.Obj().Name()
	}
	return name, pointer
}

// mutates reports whether fn, a function of package modules, writes its receiver.
func mutates(fn *types.Func) bool {
	typ, pointer := receiver(fn)
	return pointer && !slices.Contains(readers[typ], fn.Name())
}

// pure are the functions of the standard library that a step may call: "" stands for all of the
// package. They compute a value from their arguments and call nothing back.
var pure = map[string][]string{
	"cmp":       {""},
	"math/bits": {""},
	"slices":    {"BinarySearch", "Compare", "Contains", "Equal", "Index", "Max", "Min"},
}

// callable reports whether a step may call fn, a function of another package.
func (l *linter) callable(fn *types.Func) bool {
	if pathOf(fn) == modulesPath {
		return plainSignature(fn.Signature())
	}
	if l.ImportObjectFact(fn.Origin(), &ofValues{}) {
		return true
	}
	names := pure[pathOf(fn)]
	return slices.Contains(names, "") || slices.Contains(names, fn.Name())
}

// plainSignature reports whether a function takes and gives plain values, pointers to them and
// functions of them. So the value types of package modules differ from its declarations, bindings
// and views.
func plainSignature(sig *types.Signature) bool { return plain{}.signature(sig) }

// plain are the types that are being looked at. One that contains itself is no plain value.
type plain map[types.Type]bool

func (p plain) signature(sig *types.Signature) bool {
	if r := sig.Recv(); r != nil && !p.operand(r.Type()) {
		return false
	}
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			if !p.operand(v.Type()) {
				return false
			}
		}
	}
	return true
}

func (p plain) operand(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	if p[t] {
		return false
	}
	p[t] = true
	defer delete(p, t)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return p.operand(u.Elem())
	case *types.Slice:
		return p.operand(u.Elem())
	case *types.Array:
		return p.operand(u.Elem())
	case *types.Signature:
		return p.signature(u)
	case *types.Struct:
		for f := range u.Fields() {
			if !p.operand(f.Type()) {
				return false
			}
		}
		return true
	case *types.Basic:
		return u.Info()&(types.IsBoolean|types.IsInteger) != 0
	}
	return false
}
