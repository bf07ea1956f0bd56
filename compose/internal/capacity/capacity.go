// Package capacity finds what sets the capacity of a field of the state: the length of an array in
// the specification, and the bounds that it is computed from.
package capacity

import (
	"go/ast"
	goconst "go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/host"
)

// What it computes. The place in the specification that sets the capacity of a field of the state:
// the length of an array, such as MaxGrants in Seq[Grant, [MaxGrants]Grant], or 2 in Seq[uint8,
// [2]uint8].
//
// How. It follows the names of the field through the structs of the package, and the type of the
// last one through the types of the package and the arguments of generic types, down to the lengths
// of arrays. Of these it takes the one that has the value of the capacity. Types and constants of
// other packages are not followed.

// Length is the length of an array in the specification.
type Length struct {
	At   token.Position // where the length is written; that of the constant if it is only a name
	Text string         // how it is written
	// Consts are the constants that bounds of the catalog set and that the length is computed from,
	// sorted. Plain says that the length is the only one of them.
	Consts []string
	Plain  bool
}

// Find returns the length that sets the capacity of a field of a type, such as Log, or
// Servers[2].Log. Files are those of the package. Set holds the values of the constants that bounds
// set. Find reports false if there is no such length.
func Find(files []string, set map[string]string, state, field string, capacity int) (Length, bool) {
	p := declared{files: token.NewFileSet(), types: map[string]*ast.TypeSpec{}, consts: map[string]*ast.ValueSpec{}, set: set}
	for _, path := range files {
		if text, err := host.ReadFile(path); err == nil {
			p.read(path, text)
		}
	}
	return p.capacity(state, field, capacity)
}

// declared are the types and constants of a package.
type declared struct {
	files  *token.FileSet
	types  map[string]*ast.TypeSpec
	consts map[string]*ast.ValueSpec
	set    map[string]string // values of constants that bounds set
}

func (p *declared) read(path string, text []byte) {
	f, err := parser.ParseFile(p.files, path, text, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				p.types[s.Name.Name] = s
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if g.Tok == token.CONST {
						p.consts[name.Name] = s
					}
				}
			}
		}
	}
}

// capacity is CapacityOf for a field of a type of the package.
func (p *declared) capacity(state, field string, capacity int) (Length, bool) {
	at := []ast.Expr{ast.NewIdent(state)}
	for _, name := range strings.Split(field, ".") {
		name, _, _ = strings.Cut(name, "[")
		var next []ast.Expr
		for _, e := range at {
			p.walk(e, nil, func(e ast.Expr) {
				if s, ok := e.(*ast.StructType); ok {
					next = append(next, fieldTypes(s, name)...)
				}
			})
		}
		at = next
	}
	var fitting []ast.Expr
	for _, e := range at {
		p.walk(e, nil, func(e ast.Expr) {
			if a, ok := e.(*ast.ArrayType); ok && a.Len != nil {
				if n, ok := p.value(a.Len, nil); ok && n == int64(capacity) {
					fitting = append(fitting, a.Len)
				}
			}
		})
	}
	if len(fitting) == 0 {
		return Length{}, false
	}
	return p.described(fitting[0]), true
}

// fieldTypes returns the types of the fields of a struct that have a name, and of embedded structs.
func fieldTypes(s *ast.StructType, name string) (found []ast.Expr) {
	for _, f := range s.Fields.List {
		for _, n := range f.Names {
			if n.Name == name {
				found = append(found, f.Type)
			}
		}
		if id, ok := f.Type.(*ast.Ident); len(f.Names) == 0 && ok && id.Name == name {
			found = append(found, f.Type)
		}
	}
	return found
}

// walk calls visit for an expression of a type, and for those that it is made of: what a name
// stands for, elements of arrays, arguments of generic types. It does not go into fields of
// structs.
func (p *declared) walk(e ast.Expr, open []string, visit func(ast.Expr)) {
	visit(e)
	switch e := e.(type) {
	case *ast.Ident:
		if t := p.types[e.Name]; t != nil && !slices.Contains(open, e.Name) {
			p.walk(t.Type, append(open, e.Name), visit)
		}
	case *ast.ArrayType:
		p.walk(e.Elt, open, visit)
	case *ast.ParenExpr:
		p.walk(e.X, open, visit)
	case *ast.IndexExpr:
		p.walk(e.Index, open, visit)
		p.walk(e.X, open, visit)
	case *ast.IndexListExpr:
		for _, arg := range e.Indices {
			p.walk(arg, open, visit)
		}
		p.walk(e.X, open, visit)
	}
}

// value computes a constant expression. It reports false for one that has names of other packages,
// or functions other than conversions to integers.
func (p *declared) value(e ast.Expr, open []string) (int64, bool) {
	v := p.constant(e, open)
	if v == nil || v.Kind() != goconst.Int {
		return 0, false
	}
	return goconst.Int64Val(v)
}

func (p *declared) constant(e ast.Expr, open []string) goconst.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		return goconst.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.ParenExpr:
		return p.constant(e.X, open)
	case *ast.CallExpr:
		if name, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 1 && strings.Contains(name.Name, "int") {
			return p.constant(e.Args[0], open)
		}
	case *ast.Ident:
		if text, ok := p.set[e.Name]; ok && text != "" {
			return goconst.MakeFromLiteral(text, token.INT, 0)
		}
		if x := p.initial(e.Name); x != nil && !slices.Contains(open, e.Name) {
			return p.constant(x, append(open, e.Name))
		}
	case *ast.BinaryExpr:
		x, y := p.constant(e.X, open), p.constant(e.Y, open)
		if x == nil || y == nil || x.Kind() != goconst.Int || y.Kind() != goconst.Int {
			return nil
		}
		switch e.Op {
		case token.ADD, token.SUB, token.MUL:
			return goconst.BinaryOp(x, e.Op, y)
		case token.QUO, token.REM:
			if goconst.Sign(y) != 0 {
				return goconst.BinaryOp(x, map[token.Token]token.Token{token.QUO: token.QUO_ASSIGN, token.REM: token.REM}[e.Op], y)
			}
		case token.SHL:
			if n, ok := goconst.Int64Val(y); ok && n >= 0 && n < 64 {
				return goconst.Shift(x, e.Op, uint(n))
			}
		}
	}
	return nil
}

// initial returns the expression of a constant; nil if it has none of its own, as in a list with
// iota.
func (p *declared) initial(name string) ast.Expr {
	s := p.consts[name]
	if s == nil {
		return nil
	}
	k := slices.IndexFunc(s.Names, func(n *ast.Ident) bool { return n.Name == name })
	if k < 0 || k >= len(s.Values) {
		return nil
	}
	return s.Values[k]
}

// described returns a length with its place and the constants of bounds that it is computed from.
func (p *declared) described(e ast.Expr) Length {
	found := map[string]bool{}
	p.uses(e, nil, found)
	out := Length{Text: types.ExprString(e)}
	for name := range found {
		out.Consts = append(out.Consts, name)
	}
	slices.Sort(out.Consts)
	id, named := e.(*ast.Ident)
	if named {
		_, out.Plain = p.set[id.Name]
		if x := p.initial(id.Name); x != nil {
			out.Text += " = " + types.ExprString(x)
			out.At = p.files.Position(x.Pos())
			return out
		}
	}
	out.At = p.files.Position(e.Pos())
	return out
}

// uses notes the constants of bounds that an expression depends on.
func (p *declared) uses(e ast.Expr, open []string, found map[string]bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || slices.Contains(open, id.Name) {
			return true
		}
		if _, set := p.set[id.Name]; set {
			found[id.Name] = true
		} else if x := p.initial(id.Name); x != nil {
			p.uses(x, append(open, id.Name), found)
		}
		return true
	})
}
