package compose

import (
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
)

// DeclaredAt returns where the variable Runtime of the specification declares something about an
// action, as Lazy about NodeSendsOpening. That is the action in the list, or else the name of the
// field. DeclaredAt returns the zero range if the package has neither.
func (c *Composition) DeclaredAt(field, action string) (found hcl.Range) {
	for _, path := range c.source.Files() {
		text, err := host.ReadFile(path)
		if err != nil {
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Names) != 1 || spec.Names[0].Name != "Runtime" {
				return true
			}
			ast.Inspect(spec, func(n ast.Node) bool {
				pair, ok := n.(*ast.KeyValueExpr)
				if !ok {
					return true
				}
				if key, ok := pair.Key.(*ast.Ident); !ok || key.Name != field {
					return true
				}
				found = spanOf(files, pair.Key)
				ast.Inspect(pair.Value, func(n ast.Node) bool {
					if name, ok := n.(*ast.Ident); ok && name.Name == action {
						found = spanOf(files, name)
					}
					return true
				})
				return false
			})
			return false
		})
	}
	return found
}

// spanOf returns the range of a node of a file.
func spanOf(files *token.FileSet, n ast.Node) hcl.Range {
	from, to := files.Position(n.Pos()), files.Position(n.End())
	pos := func(p token.Position) hcl.Pos { return hcl.Pos{Line: p.Line, Column: p.Column, Byte: p.Offset} }
	return hcl.Range{Filename: from.Filename, Start: pos(from), End: pos(to)}
}
