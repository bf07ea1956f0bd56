package assemble

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"text/template"

	"github.com/hashicorp/hcl/v2"
)

// instrumentedProgram returns the overlay of an instrumented program. The main package has the path
// "".
//
// An operand of a conjunction or disjunction, wherever a function returns it or branches on it, is
// wrapped in a call. The call notes the operand's value and returns it. So the order of evaluation,
// and the operands that are not evaluated, stay as they are. checker.Probe holds the notes.
func (p *Program) instrumentedProgram() (map[string][]byte, hcl.Diagnostics) {
	r, diags := p.rewritten()
	if diags.HasErrors() {
		return nil, diags
	}
	p.emptyUnreached(r, true)
	in := &instrumenter{r: r}
	for _, f := range r.files {
		in.file(f)
	}
	return p.noting(r, probeTemplate, in.points, mainPackage{call: "Main", kind: "Program", fields: []string{"Probe: spec.MultigrainProbe"}})
}

// point is a checker.Point of generated code.
type point struct {
	Func, File   string
	Line, Column int
	Text, Kind   string
	Locals       []string
	Operands     []string
}

// instrumenter wraps the conditions of a package's files.
type instrumenter struct {
	r      *Rewriting
	f      *goFile
	points []point
	// name is that of the function around, loops are the names that the loops around bind, cond is
	// the condition of the if around.
	name  string
	loops []string
	cond  ast.Expr
}

// file wraps the conditions of one file.
func (in *instrumenter) file(f *goFile) {
	in.f = f
	for _, d := range f.tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				in.function(d.Name.Name, d.Type, d.Body)
			}
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				for k, v := range spec.(*ast.ValueSpec).Values {
					in.literals(spec.(*ast.ValueSpec).Names[min(k, len(spec.(*ast.ValueSpec).Names)-1)].Name, v)
				}
			}
		}
	}
}

// literals wraps the function literals of an expression: those in fields of a composite are named
// by the field.
func (in *instrumenter) literals(name string, e ast.Node) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				in.literals(name+"."+key.Name, n.Value)
				return false
			}
		case *ast.FuncLit:
			in.function(name, n.Type, n.Body)
			return false
		}
		return true
	})
}

// function wraps the conditions of one function.
func (in *instrumenter) function(name string, t *ast.FuncType, body *ast.BlockStmt) {
	if in.r.emptied[body] {
		return
	}
	outer := *in
	in.name, in.loops, in.cond = name, nil, nil
	in.statement(body, answers(t))
	in.name, in.loops, in.cond = outer.name, outer.loops, outer.cond
}

// answers reports whether a function returns one truth value.
func answers(t *ast.FuncType) bool {
	if t.Results == nil || len(t.Results.List) != 1 || len(t.Results.List[0].Names) > 1 {
		return false
	}
	id, ok := t.Results.List[0].Type.(*ast.Ident)
	return ok && id.Name == "bool"
}

// statement wraps the conditions of a statement; boolean says that the function around returns a
// truth value.
func (in *instrumenter) statement(s ast.Node, boolean bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			in.function(in.name, n.Type, n.Body)
			return false
		case *ast.IfStmt:
			in.branch(n, boolean)
			return false
		case *ast.ForStmt:
			if n.Cond != nil {
				in.operands(n.Cond, "branch")
			}
			in.loop(names(n.Init), n.Body, boolean)
			return false
		case *ast.RangeStmt:
			var bound []string
			if n.Tok == token.DEFINE {
				bound = identifiers([]ast.Expr{n.Key, n.Value})
			}
			in.statement(n.X, boolean)
			in.loop(bound, n.Body, boolean)
			return false
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						in.operands(e, "branch")
					}
				}
			}
		case *ast.ReturnStmt:
			if boolean && len(n.Results) == 1 {
				in.answer(n.Results[0])
			}
		}
		return true
	})
}

func (in *instrumenter) branch(n *ast.IfStmt, boolean bool) {
	if n.Init != nil {
		in.statement(n.Init, boolean)
	}
	in.operands(n.Cond, "branch")
	outer := in.cond
	in.cond = n.Cond
	in.statement(n.Body, boolean)
	in.cond = outer
	if n.Else != nil {
		in.statement(n.Else, boolean)
	}
}

func (in *instrumenter) loop(bound []string, body ast.Node, boolean bool) {
	outer := in.loops
	in.loops = append(outer[:len(outer):len(outer)], bound...)
	in.statement(body, boolean)
	in.loops = outer
}

func names(init ast.Stmt) []string {
	if a, ok := init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		return identifiers(a.Lhs)
	}
	return nil
}

func identifiers(list []ast.Expr) (out []string) {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			out = append(out, id.Name)
		}
	}
	return out
}

// answer wraps what a function returns.
func (in *instrumenter) answer(e ast.Expr) {
	id, ok := e.(*ast.Ident)
	if !ok || id.Name != "true" && id.Name != "false" {
		in.operands(e, "operand")
		return
	}
	text, at := "return "+id.Name, e
	if in.cond != nil {
		text, at = in.text(in.cond), in.cond
	}
	in.wrap(e, at, text, "return", in.loops)
}

// operands wraps the operands of a condition, through conjunctions, disjunctions and negations.
func (in *instrumenter) operands(e ast.Expr, kind string) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		in.operands(x.X, kind)
		return
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			in.operands(x.X, kind)
			in.operands(x.Y, kind)
			return
		}
	}
	in.wrap(e, e, in.text(e), kind, nil)
}

// wrap wraps an expression of source text at in a call that notes its value. Where an explanation
// is asked for, the call also notes the values of locals and of the operands of at.
func (in *instrumenter) wrap(e, at ast.Expr, text, kind string, locals []string) {
	p := in.r.fset.Position(at.Pos())
	k := len(in.points)
	operands := in.reads(at, locals)
	in.points = append(in.points, point{in.name, in.f.path, p.Line, p.Column, text, kind, locals, operands})
	start, end := in.r.offset(e.Pos()), in.r.offset(e.End())
	closing := ", nil)"
	if len(locals)+len(operands) > 0 {
		var b strings.Builder
		b.WriteString(", func(multigrainAt int) any { switch multigrainAt { ")
		for n, x := range append(locals[:len(locals):len(locals)], operands...) {
			fmt.Fprintf(&b, "case %d: return %s; ", n, x)
		}
		closing = b.String() + "}; return nil })"
	}
	in.f.edits = append(in.f.edits, edit{start, start, fmt.Sprintf("multigrainSee(%d, ", k)}, edit{end, end, closing})
}

// text returns the source of an expression in one line.
func (in *instrumenter) text(e ast.Expr) string {
	return strings.Join(strings.Fields(string(in.f.text[in.r.offset(e.Pos()):in.r.offset(e.End())])), " ")
}

// probeTemplate is the probe of an instrumented program, in the specification's package.
var probeTemplate = template.Must(template.New("probe").Parse(`// Code generated by multigrain. DO NOT EDIT.

package {{.Package}}

import "github.com/multigrain/multigrain/checker"

// MultigrainProbe notes the values of the package's conditions.
var MultigrainProbe = multigrainStart()

func multigrainStart() *checker.Probe {
	p := new(checker.Probe)
	p.Start([]checker.Point{ {{range .Points}}
		{Func: {{printf "%q" .Func}}, File: {{printf "%q" .File}}, Line: {{.Line}}, Column: {{.Column}}, Text: {{printf "%q" .Text}}, Kind: {{printf "%q" .Kind}}, Locals: []string{ {{range .Locals}}{{printf "%q" .}}, {{end}} }, Operands: []string{ {{range .Operands}}{{printf "%q" .}}, {{end}} }},{{end}}
	})
	return p
}

func multigrainSee(point int, v bool, at func(k int) any) bool { return MultigrainProbe.See(point, v, at) }
`))
