package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// mutant is one change of a source file.
type mutant struct {
	operator string
	line     int // that is changed
	from, to int // lines of the action, or of the function that actions call
	action   string
	source   []byte
	text     string // the change in a line
	number   int    // from 1; 0: the file itself
}

// mutator changes one statement of a coarse grain at a time.
type mutator struct {
	fset    *token.FileSet
	src     []byte
	action  string
	from    int
	to      int
	old     string // the name of the state before, and that of the state after
	next    string
	state   string   // the name of a function's receiver, or of its first parameter
	fields  []string // variables of numbers that an extra write can set
	mutants []mutant
}

// mutantsOf returns the mutants of all actions of a file, and of the functions in it. The operators
// are those of errors seen in coarse grains. They drop an assignment or a message, swap an index,
// weaken or strengthen a conjunct of a guard, and redirect a message. They take an old value for a
// new one, and add a write.
func mutantsOf(t *testing.T, name string, src []byte, fields []string) []mutant {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	m := &mutator{fset: fset, src: src, fields: fields}
	for _, decl := range file.Decls {
		m.from, m.to = fset.Position(decl.Pos()).Line, fset.Position(decl.End()).Line
		switch d := decl.(type) {
		case *ast.FuncDecl:
			m.action, m.state = d.Name.Name, ""
			if of := slices.Concat(fieldsOf(d.Recv), d.Type.Params.List); len(of) > 0 && len(of[0].Names) > 0 {
				m.state = of[0].Names[0].Name
			}
			m.function(d.Type, d.Body, false)
			m.state = ""
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR && len(v.Values) == 1 {
					m.action = v.Names[0].Name
					m.from, m.to = fset.Position(v.Pos()).Line, fset.Position(v.End()).Line
					m.literal(v.Values[0])
				}
			}
		}
	}
	return m.mutants
}

func fieldsOf(l *ast.FieldList) []*ast.Field {
	if l == nil {
		return nil
	}
	return l.List
}

// literal mutates Guard and Effect of an action, and what a rule says about one.
func (m *mutator) literal(e ast.Expr) {
	if c, ok := e.(*ast.CallExpr); ok && len(c.Args) > 0 {
		if f, ok := c.Args[len(c.Args)-1].(*ast.FuncLit); ok {
			m.function(f.Type, f.Body, m.text(c.Fun) == "modules.When")
		}
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if f, ok := kv.Value.(*ast.FuncLit); ok {
			m.function(f.Type, f.Body, kv.Key.(*ast.Ident).Name == "Guard")
		}
	}
}

func (m *mutator) function(typ *ast.FuncType, body *ast.BlockStmt, guard bool) {
	var names []string
	for _, f := range typ.Params.List {
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
	}
	m.old, m.next = "s", "n"
	if guard || m.asks(typ) {
		ast.Inspect(body, m.conditions)
	}
	if guard {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			m.assignment(n)
		case *ast.IncDecStmt:
			m.replace("drop an assignment", n, "")
		case *ast.ExprStmt:
			m.call(n)
		case *ast.IndexExpr:
			m.index(n)
		}
		return true
	})
	if slices.Contains(names, "n") {
		m.extra(body)
	}
}

// asks reports whether a function is a part of a guard: it returns a bool and changes nothing.
func (m *mutator) asks(typ *ast.FuncType) bool {
	return m.state == "s" && typ.Results != nil && len(typ.Results.List) == 1 && m.text(typ.Results.List[0].Type) == "bool"
}

func (m *mutator) text(n ast.Node) string {
	return string(m.src[m.fset.Position(n.Pos()).Offset:m.fset.Position(n.End()).Offset])
}

// replace adds the mutant in which a node has another text.
func (m *mutator) replace(operator string, n ast.Node, text string) {
	at := m.fset.Position(n.Pos())
	end := m.fset.Position(n.End()).Offset
	src := slices.Concat(m.src[:at.Offset], []byte(text), m.src[end:])
	was := strings.Join(strings.Fields(m.text(n)), " ")
	m.mutants = append(m.mutants, mutant{operator: operator, line: at.Line, from: m.from, to: m.to, action: m.action, source: src,
		text: fmt.Sprintf("%s => %s", was, text)})
}

// assignment drops an assignment, and takes old values for new ones and new ones for old ones on
// its right.
func (m *mutator) assignment(n *ast.AssignStmt) {
	if n.Tok != token.DEFINE {
		m.replace("drop an assignment", n, "")
	}
	for _, r := range n.Rhs {
		ast.Inspect(r, m.values)
	}
}

// values takes an old value for a new one.
func (m *mutator) values(n ast.Node) bool {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return true
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok || sel.Sel.Name == "Msgs" {
		return true
	}
	switch id.Name {
	case m.next:
		m.replace("old for new value", id, m.old)
	case m.old:
		m.replace("new for old value", id, m.next)
	}
	return false
}

// call drops a call that changes something, and redirects one that sends.
func (m *mutator) call(n *ast.ExprStmt) {
	c, ok := n.X.(*ast.CallExpr)
	if !ok {
		return
	}
	m.replace("drop a send", n, "")
	if strings.HasSuffix(m.text(c.Fun), ".Send") && len(c.Args) == 3 {
		m.replace("redirect a send", n, fmt.Sprintf("%s(%s, %s, %s)", m.text(c.Fun), m.text(c.Args[1]), m.text(c.Args[0]), m.text(c.Args[2])))
	}
	for _, a := range c.Args {
		ast.Inspect(a, m.values)
	}
}

// index takes another server's element.
func (m *mutator) index(n *ast.IndexExpr) {
	is := m.text(n.Index)
	if len(is) > 6 || !strings.HasPrefix(m.text(n.X), m.next+".") && !strings.HasPrefix(m.text(n.X), m.old+".") {
		return
	}
	m.replace("swap an index", n.Index, fmt.Sprintf("(%s+1)%%Servers", is))
}

// conditions mutates what a guard returns, and the conditions under which it returns false.
func (m *mutator) conditions(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ReturnStmt:
		if len(n.Results) == 1 && m.text(n.Results[0]) != "false" {
			m.guard(n.Results[0])
		}
	case *ast.IfStmt:
		if r, ok := n.Body.List[0].(*ast.ReturnStmt); ok && len(r.Results) == 1 && m.text(r.Results[0]) == "false" {
			m.refusal(n.Cond)
		}
	}
	return true
}

// refusal drops each disjunct of a condition under which a guard is false, and adds one.
func (m *mutator) refusal(e ast.Expr) {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LOR {
		m.refusal(b.X)
		m.refusal(b.Y)
		return
	}
	m.replace("weaken a conjunct", e, "false")
	if len(m.fields) > 0 {
		m.replace("strengthen a conjunct", e, fmt.Sprintf("(%s) || s.%s != 0", m.text(e), m.fields[len(m.mutants)%len(m.fields)]))
	}
}

// guard drops each conjunct, and strengthens each.
func (m *mutator) guard(e ast.Expr) {
	if b, ok := e.(*ast.BinaryExpr); ok {
		switch b.Op {
		case token.LAND:
			m.guard(b.X)
			m.guard(b.Y)
			return
		case token.LSS:
			m.replace("strengthen a conjunct", b, fmt.Sprintf("%s+1 < %s", m.text(b.X), m.text(b.Y)))
		}
	}
	if m.text(e) != "true" {
		m.replace("weaken a conjunct", e, "true")
	}
	if len(m.fields) > 0 {
		m.replace("strengthen a conjunct", e, fmt.Sprintf("(%s) && s.%s == 0", m.text(e), m.fields[len(m.mutants)%len(m.fields)]))
	}
}

// extra writes one more variable at the end of an effect.
func (m *mutator) extra(body *ast.BlockStmt) {
	if len(m.fields) == 0 {
		return
	}
	f := m.fields[len(m.mutants)%len(m.fields)]
	at := m.fset.Position(body.Rbrace)
	src := slices.Concat(m.src[:at.Offset], []byte(";n."+f+" = 0\n"), m.src[at.Offset:])
	m.mutants = append(m.mutants, mutant{operator: "extra write", line: at.Line, from: m.from, to: m.to, action: m.action, source: src,
		text: "n." + f + " = 0"})
}
