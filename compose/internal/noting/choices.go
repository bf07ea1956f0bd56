package noting

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// What it computes. Operations of changed lines that decide without a branch: min, max, masks,
// shifts, quotients, remainders, the upper bound of a slice, and conversions to fewer bits. Each
// notes whether it changed its operand, as a condition notes its values.
//
// Why it is right. n & 31 is n as long as n is below 32. So walks in which n stays below say
// nothing of the mask, and walks in which it is never below nothing of n. A call with the same
// operands takes the place of the operation, and returns its value.
//
// An operation counts only if an operand is a variable for certain: a name that the function
// declares, or what is reached from one. Others may be constants, and stay. An operation that the
// removed lines have with the same constant is none of the change.
//
// What it costs. A second walk through the syntax tree, and at run time an operation and a load.
//
// Example. In three servers len(c) is 3:
//
//	q := min(2, len(c))    2 < len(c) was never false

// decider is an operation that decides without a branch.
type decider struct {
	call   string // in package ran
	x, y   ast.Expr
	key    string // equal for operations with the same constant
	shown  string // the condition, for people
	node   ast.Node
	middle [2]token.Pos // what the comma between the operands takes the place of
}

// operators are the functions of package ran for operators, with the condition that they note: the
// operands are %[1]s and %[2]s.
var operators = map[token.Token][2]string{
	token.AND:     {"And", "%[1]s & %[2]s != %[1]s"},
	token.AND_NOT: {"AndNot", "%[1]s &^ %[2]s != %[1]s"},
	token.OR:      {"Or", "%[1]s | %[2]s != %[1]s"},
	token.REM:     {"Rem", "%[1]s %% %[2]s != %[1]s"},
	token.QUO:     {"Quo", "%[1]s / %[2]s is rounded"},
	token.SHL:     {"Shl", "%[1]s << %[2]s loses bits"},
	token.SHR:     {"Shr", "%[1]s >> %[2]s loses bits"},
}

// assigned are the operators of assignments.
var assigned = map[token.Token]token.Token{
	token.AND_ASSIGN: token.AND, token.AND_NOT_ASSIGN: token.AND_NOT, token.OR_ASSIGN: token.OR, token.REM_ASSIGN: token.REM,
	token.QUO_ASSIGN: token.QUO, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

// narrow are types that have fewer bits than others.
var narrow = []string{"int8", "uint8", "byte", "int16", "uint16", "int32", "uint32"}

// wide are the other integer types.
var wide = []string{"int", "uint", "int64", "uint64", "uintptr"}

// Gone returns the deciding operations of lines of a file, by their keys.
func Gone(text []byte, lines []int) map[string]Decided {
	out := map[string]Decided{}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return out
	}
	file := fset.File(tree.Pos())
	ast.Inspect(tree, func(x ast.Node) bool {
		f, ok := x.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			return true
		}
		d := deciders{text: text, file: file, locals: localsOf(f)}
		for _, one := range d.of(f.Body) {
			if at := lineOf(file, one.node.Pos()); slices.Contains(lines, at) {
				out[one.key] = Decided{Line: at, Text: d.textOf(one.node), Operands: []string{d.textOf(one.x), d.textOf(one.y)}}
			}
		}
		return false
	})
	return out
}

// Forms are other forms of conditions: see FormsOf.
type Forms struct {
	Cases  []Decided // of switches over a value, as comparisons
	Ends   []string  // conditions of loops
	Ranges int       // loops without a condition that range over something
}

// FormsOf returns the other forms of conditions in lines of a file.
func FormsOf(text []byte, lines []int) (out Forms) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return out
	}
	d := deciders{text: text, file: fset.File(tree.Pos())}
	changed := func(x ast.Node) bool { return slices.Contains(lines, lineOf(d.file, x.Pos())) }
	ast.Inspect(tree, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.SwitchStmt:
			for _, s := range x.Body.List {
				for _, e := range s.(*ast.CaseClause).List {
					if x.Tag != nil && changed(e) {
						out.Cases = append(out.Cases, Decided{Line: lineOf(d.file, e.Pos()), Text: d.textOf(x.Tag) + " == " + d.textOf(e)})
					}
				}
			}
		case *ast.ForStmt:
			if x.Cond != nil && changed(x.Cond) {
				out.Ends = append(out.Ends, d.textOf(x.Cond))
			}
		case *ast.RangeStmt:
			if changed(x) {
				out.Ranges++
			}
		}
		return true
	})
	return out
}

// Decided is an operation that decides without a branch.
type Decided struct {
	File     string
	Line     int
	Text     string
	Operands []string
}

// In reports whether a changed condition has both operands: it decides what the operation did.
func (x Decided) In(places []Place) bool {
	return slices.ContainsFunc(places, func(p Place) bool {
		return p.Kind == Operand && !slices.ContainsFunc(x.Operands, func(o string) bool { return !strings.Contains(p.Text, o) })
	})
}

// localsOf returns the names of variables that a function declares.
func localsOf(f ast.Node) map[string]bool {
	out, not := map[string]bool{}, map[string]bool{}
	add := func(all ...*ast.Ident) {
		for _, x := range all {
			out[x.Name] = true
		}
	}
	ast.Inspect(f, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncDecl:
			if x.Recv != nil {
				for _, f := range x.Recv.List {
					add(f.Names...)
				}
			}
		case *ast.FuncType:
			for _, l := range []*ast.FieldList{x.Params, x.Results} {
				if l != nil {
					for _, f := range l.List {
						add(f.Names...)
					}
				}
			}
		case *ast.AssignStmt:
			if x.Tok == token.DEFINE {
				for _, e := range x.Lhs {
					if id, ok := e.(*ast.Ident); ok {
						add(id)
					}
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{x.Key, x.Value} {
				if id, ok := e.(*ast.Ident); ok && x.Tok == token.DEFINE {
					add(id)
				}
			}
		case *ast.GenDecl:
			for _, s := range x.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && x.Tok == token.VAR {
					add(v.Names...)
				} else if ok {
					for _, id := range v.Names {
						not[id.Name] = true
					}
				}
			}
		}
		return true
	})
	for name := range not {
		delete(out, name)
	}
	return out
}

// deciders finds such operations in a function.
type deciders struct {
	text   []byte
	file   *token.File
	locals map[string]bool
}

func (d *deciders) textOf(x ast.Node) string {
	return strings.Join(strings.Fields(string(d.text[d.file.Offset(x.Pos()):d.file.Offset(x.End())])), " ")
}

// of returns the operations of a body, outer ones first.
func (d *deciders) of(body *ast.BlockStmt) (out []decider) {
	ast.Inspect(body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.GenDecl:
			return x.Tok != token.CONST
		case *ast.ArrayType:
			return false
		case *ast.BinaryExpr:
			if o, ok := operators[x.Op]; ok && d.varies(x) {
				out = append(out, d.decider(o, x, x.X, x.Y, x.Op, x.OpPos, x.OpPos+token.Pos(len(x.Op.String()))))
			}
		case *ast.AssignStmt:
			if op, ok := assigned[x.Tok]; ok && d.path(x.Lhs[0]) {
				out = append(out, d.decider(operators[op], x, x.Lhs[0], x.Rhs[0], op, x.TokPos, x.Rhs[0].Pos()))
			}
		case *ast.CallExpr:
			name, _ := x.Fun.(*ast.Ident)
			switch {
			case name == nil || d.locals[name.Name] || x.Ellipsis.IsValid():
			case (name.Name == "min" || name.Name == "max") && len(x.Args) == 2 && d.varies(x):
				one := d.decider([2]string{"Less", "%[1]s < %[2]s"}, x, x.Args[0], x.Args[1], token.LSS, x.Args[0].End(), x.Args[1].Pos())
				one.key = name.Name + " " + one.key
				out = append(out, one)
			case slices.Contains(narrow, name.Name) && len(x.Args) == 1 && d.varies(x.Args[0]):
				out = append(out, decider{call: "Narrow", x: x.Args[0], y: x.Fun, key: name.Name, shown: fmt.Sprintf("%s != %s", d.textOf(x), d.textOf(x.Args[0])), node: x})
			}
		case *ast.SliceExpr:
			if lit, ok := x.High.(*ast.BasicLit); ok && lit.Value != "0" && d.path(x.X) {
				out = append(out, decider{call: "Below", x: x.High, y: x.X, key: "[:" + lit.Value + "]", shown: fmt.Sprintf("%s < len(%s)", lit.Value, d.textOf(x.X)), node: x.High})
			}
		}
		return true
	})
	return out
}

func (d *deciders) decider(o [2]string, node ast.Node, x, y ast.Expr, op token.Token, from, to token.Pos) decider {
	one := decider{call: o[0], x: x, y: y, node: node, middle: [2]token.Pos{from, to}, shown: fmt.Sprintf(o[1], d.textOf(x), d.textOf(y))}
	switch {
	case !d.varies(y):
		one.key = op.String() + d.textOf(y)
	case !d.varies(x):
		one.key = op.String() + d.textOf(x)
	default:
		one.key = d.textOf(x) + op.String() + d.textOf(y)
	}
	return one
}

// path reports whether an expression is a variable for certain, or a field of one, without a call.
func (d *deciders) path(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return d.locals[x.Name]
	case *ast.SelectorExpr:
		return d.path(x.X)
	case *ast.StarExpr:
		return d.path(x.X)
	case *ast.ParenExpr:
		return d.path(x.X)
	}
	return false
}

// varies reports whether an expression has a value with a type that is no constant for certain.
func (d *deciders) varies(e ast.Expr) bool {
	if d.path(e) {
		return true
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return d.varies(x.X)
	case *ast.IndexExpr:
		return d.path(x.X)
	case *ast.UnaryExpr:
		return (x.Op == token.SUB || x.Op == token.XOR) && d.varies(x.X)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR, token.XOR, token.AND_NOT:
			return d.varies(x.X) || d.varies(x.Y)
		case token.SHL, token.SHR:
			return d.varies(x.X)
		}
	case *ast.CallExpr:
		switch f := x.Fun.(type) {
		case *ast.SelectorExpr:
			return d.path(f.X)
		case *ast.Ident:
			switch {
			case d.locals[f.Name]:
				return true
			case f.Name == "len", f.Name == "cap", slices.Contains(narrow, f.Name), slices.Contains(wide, f.Name):
				return len(x.Args) == 1 && d.varies(x.Args[0])
			case f.Name == "min", f.Name == "max":
				return slices.ContainsFunc(x.Args, d.varies)
			}
		}
	}
	return false
}

// choices makes the deciding operations of changed lines note their values. Known are the keys of
// those that are none of the change.
func (n *noter) choices(f ast.Node, body *ast.BlockStmt, lines []Line) {
	d := deciders{text: n.text, file: n.file, locals: localsOf(f)}
	for _, one := range d.of(body) {
		from, to := n.line(one.node.Pos()), n.line(one.node.End())
		if _, known := n.known[one.key]; known || !slices.ContainsFunc(lines, func(l Line) bool { return !l.Removed && l.Number >= from && l.Number <= to }) {
			continue
		}
		at := n.file.PositionFor(one.node.Pos(), false)
		k := n.place(at.Line, at.Column, one.shown, Operand)
		off := func(p token.Pos) int { return n.file.Offset(p) }
		start, end := off(one.node.Pos()), off(one.node.End())
		open := fmt.Sprintf("multigrainran.%s(%d, ", one.call, k)
		n.ranks++
		add := func(start, end, rank int, text string) {
			n.edits = append(n.edits, edit{start: start, end: end, rank: rank, text: text})
		}
		switch x := one.node.(type) {
		case *ast.AssignStmt:
			add(off(one.middle[0]), off(one.middle[1]), 1, "= "+open+d.textOf(one.x)+", ")
		case *ast.CallExpr:
			if one.call == "Narrow" {
				add(off(x.Fun.Pos()), off(x.Lparen)+1, 1, fmt.Sprintf("multigrainran.Narrow[%s](%d, ", d.textOf(x.Fun), k))
				continue
			}
			// The function gets both operands as they are: it may be one of the code's own.
			add(off(x.Args[0].Pos()), off(x.Args[0].Pos()), 1, open)
			start, end = end, off(x.Args[1].End())
		case *ast.BasicLit:
			add(start, start, 1, open)
			add(end, end, -n.ranks, ", len("+d.textOf(one.y)+"))")
			continue
		default:
			add(start, start, 1, open)
			add(off(one.middle[0]), off(one.middle[1]), 1, ",")
		}
		add(end, end, -n.ranks, ")")
	}
}
