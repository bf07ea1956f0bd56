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

// Names returns all names that the package uses, with those in the functions of another package
// that have one of these names, and so on. A field of a type of that package is not used by a
// function of this one, also through functions of that package, unless its name is among them.
func (s *Source) Names(of *Source) map[string]bool {
	bodies := map[string][]ast.Node{}
	for _, path := range of.Files() {
		if f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution); err == nil {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					bodies[fn.Name.Name] = append(bodies[fn.Name.Name], fn.Body)
				}
			}
		}
	}
	names := map[string]bool{}
	var add func(n ast.Node)
	add = func(n ast.Node) {
		ast.Inspect(n, func(x ast.Node) bool {
			if id, ok := x.(*ast.Ident); ok && !names[id.Name] {
				names[id.Name] = true
				for _, b := range bodies[id.Name] {
					add(b)
				}
			}
			return true
		})
	}
	for _, path := range s.Files() {
		if f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution); err == nil {
			add(f)
		}
	}
	return names
}
