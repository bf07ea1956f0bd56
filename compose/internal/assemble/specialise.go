package assemble

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/multigrain/multigrain/grains"
)

// A guard is written out once for every parameter of its action, as a literal that is called where
// it stands: the compiler inlines what is called in one place only up to ten times the size of a
// function with a name, and then the parameters are constants, so that indices and offsets are
// known and bounds are not checked. The copies of one guard make functions, in the file of the
// guard, since its text means what that file imports:
//
//	func multigrainEnabled3(s *State) (enabled uint64) {
//		if (func(s *State, p Pair) bool { ... })(s, Pair{I: 0, J: 1}) {
//			enabled |= 1 << 0
//		}
//		...
//
// The parameters are those that domain knows; the program compares them with those of the action
// before it relies on them.

// Limits of what is written out, beyond which a guard is called in a loop: compiling takes time for
// each copy.
const (
	maxInstances = 256
	maxUnrolled  = 96 << 10 // bytes of all copies of a guard
	maskBits     = 64       // instances that one function answers for
)

// unroll writes out a guard of an action and returns the names of the functions, each for maskBits
// instances, and of the variable that holds the parameters. It returns none where the guard's text
// or the domain is not known or there is too much of it.
func (r *Rewriting) unroll(number int, guard grains.Function, params []string) (masks []string, domain string) {
	f, text, param := r.textOf(guard)
	if f == nil || len(params) == 0 || len(params) > maxInstances || len(params)*len(text) > maxUnrolled {
		return nil, ""
	}
	for first := 0; first < len(params); first += maskBits {
		name := fmt.Sprintf("multigrainEnabled%d_%d", number, first/maskBits)
		masks = append(masks, name)
		fmt.Fprintf(&f.tail, "\nfunc %s(s *%s) (enabled uint64) {\n", name, r.state)
		for k, p := range params[first:min(first+maskBits, len(params))] {
			fmt.Fprintf(&f.tail, "\tif (%s)(s, %s{%s}) {\n\t\tenabled |= 1 << %d\n\t}\n", text, param, p, k)
		}
		fmt.Fprintf(&f.tail, "\treturn enabled\n}\n")
	}
	domain = fmt.Sprintf("multigrainDomain%d", number)
	fmt.Fprintf(&f.tail, "\nvar %s = []%s{", domain, param)
	for _, p := range params {
		fmt.Fprintf(&f.tail, "{%s}, ", p)
	}
	fmt.Fprintf(&f.tail, "}\n")
	return masks, domain
}

// textOf returns a function of a state and a parameter as a literal, with the file that it stands
// in and the type of the parameter. The file is nil if it is none that can be written at another
// place of that file.
func (r *Rewriting) textOf(fn grains.Function) (f *goFile, text, param string) {
	var typ *ast.FuncType
	var from, to token.Pos
	if fn.Name == "" {
		file, lit := r.literal(fn.Place)
		if lit == nil {
			return nil, "", ""
		}
		f, typ, from, to = file, lit.Type, lit.Type.Params.Pos(), lit.End()
	} else if file, d := r.function(fn.Name); d != nil && d.Body != nil && d.Type.TypeParams == nil {
		f, typ, from, to = file, d.Type, d.Type.Params.Pos(), d.End()
	} else {
		return nil, "", ""
	}
	fields := typ.Params.List
	if len(fields) != 2 || len(fields[1].Names) > 1 {
		return nil, "", ""
	}
	last := fields[1].Type
	param = string(f.text[r.offset(last.Pos()):r.offset(last.End())])
	at := r.fset.Position(from)
	body := f.text[r.offset(from):r.offset(to)]
	return f, fmt.Sprintf("func/*line %s:%d:%d*/%s", f.path, at.Line, at.Column, body), strings.TrimSpace(param)
}

// function returns the declaration of a package-level function.
func (r *Rewriting) function(name string) (*goFile, *ast.FuncDecl) {
	for _, f := range r.files {
		for _, d := range f.tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
				return f, fn
			}
		}
	}
	return nil, nil
}
