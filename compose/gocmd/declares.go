package gocmd

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// DeclaresFunc reports whether the package declares a function, not a method, of that name.
func (s *Source) DeclaresFunc(name string) bool {
	return declares(s.Files(), func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv == nil && fn.Name.Name == name
	})
}

// DeclaresVar reports whether the package declares a variable of that name.
func (s *Source) DeclaresVar(name string) bool {
	return declares(s.Files(), func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return ok && g.Tok == token.VAR && slices.ContainsFunc(g.Specs, func(spec ast.Spec) bool {
			return slices.ContainsFunc(spec.(*ast.ValueSpec).Names, func(id *ast.Ident) bool { return id.Name == name })
		})
	})
}

// declares reports whether a top-level declaration in some files matches. It skips files that do
// not parse: the go command reports those.
func declares(files []string, matches func(ast.Decl) bool) bool {
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil && slices.ContainsFunc(f.Decls, matches) {
			return true
		}
	}
	return false
}
