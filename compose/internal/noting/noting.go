// Package noting puts calls into the changed code of an implementation, so that a program knows
// which changed lines ran and which values the operands of changed conditions had.
//
// It imports checker/ran, which the changed code calls.
package noting

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/ran"
)

// What it computes. A file of an implementation in which each changed line notes that it runs, and
// each operand of a changed condition notes its values.
//
// Why it is right. A call that notes is put before the statement that begins or continues on the
// line, in the list of statements that has it, so it runs if and only if control reaches that
// statement. Where a line was removed, it stands before the statement that follows. An operand is
// wrapped in a call that returns it. Nothing else of the file changes, and lines keep their
// numbers.
//
// What it costs. One parse of the file, and at run time a load for each place.
//
// Example. The second line is changed:
//
//	func (r *raft) maybeCommit() bool {
//		defer traceCommit(r)
//		multigrainran.Line(0); return multigrainran.See(1, r.ready()) && multigrainran.See(2, r.raftLog.maybeCommit(...))
//	}

// Place is a changed line, or an operand of a changed condition.
type Place struct {
	Func         string // the function that it is in
	File         string
	Line, Column int
	Text         string
	Kind         Kind
}

// Kind says what is noted of a place.
type Kind string

// Kinds of places. They are those of checker.Point.
const (
	LineRan Kind = "line"   // whether it ran
	Operand Kind = "branch" // whether it was false, and whether it was true
)

// Changed is the changed code of an implementation as a program notes it.
type Changed struct {
	Files  map[string][]byte // with the calls that note, by path
	Places []Place
	// Lost are operations that decided without a branch before the change, and operands of its
	// conditions, that no line has now.
	Lost []Decided
}

// Field returns the field of a program with the places, as Go. The program imports the packages
// checker and checker/ran.
func (c *Changed) Field() string {
	var b strings.Builder
	fmt.Fprint(&b, "Changed: &checker.Branches{Points: []checker.Point{\n")
	var never []string
	for k, p := range c.Places {
		fmt.Fprintf(&b, "{Func: %q, File: %q, Line: %d, Column: %d, Text: %q, Kind: %q},\n", p.Func, p.File, p.Line, p.Column, p.Text, p.Kind)
		if p.Kind == LineRan { // a line is not false
			never = append(never, fmt.Sprint(2*k))
		}
	}
	fmt.Fprintf(&b, "}, Taken: ran.Taken[:%d], Never: []int{%s}}", 2*len(c.Places), strings.Join(never, ", "))
	return b.String()
}

// Line is a place in the new text of a file: a changed line or, if Removed, the line before which
// lines were removed.
type Line struct {
	Number  int // from 1
	Removed bool
}

// WithoutTypeParameters returns a file of File for a language before Go 1.18. In it, a condition of
// a named type does not compile.
func WithoutTypeParameters(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("multigrainran.See("), []byte("multigrainran.SeeBool("))
}

// Package is the import path that changed code calls.
var Package = reflect.TypeOf(ran.Place(0)).PkgPath()

// Most is how many places a change can have.
const Most = ran.Most

// lineEnds are the tokens that alone make no line of code.
var lineEnds = []token.Token{token.LBRACE, token.RBRACE, token.LPAREN, token.RPAREN, token.COMMA, token.SEMICOLON, token.ELSE}

// File returns a file's text with the calls that note, and the places that they note, which are
// numbered from first on. A line that is part of no statement, such as a declaration outside
// functions, has no place.
//
// Known are operations that decide without a branch and are none of the change, by their keys: see
// Gone. If it is nil, no such operation notes anything.
func File(path string, text []byte, lines []Line, first int, known map[string]Decided) ([]byte, []Place, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	n := &noter{fset: fset, file: fset.File(tree.Pos()), text: text, path: path, first: first, code: codeLines(text), known: known}
	for _, l := range lines {
		if l.Removed || n.code[l.Number] {
			n.lines = append(n.lines, l)
		}
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				n.name = nameOfFunc(d)
				n.function(d.Pos(), d.Body)
				if known != nil {
					n.choices(d, d.Body, n.lines)
				}
			}
		case *ast.GenDecl:
			n.literals(d)
		}
	}
	if len(n.places) == 0 {
		return nil, nil, nil
	}
	at := n.file.Offset(tree.Name.End())
	n.edits = append(n.edits, edit{start: at, end: at, text: fmt.Sprintf("; import multigrainran %q", Package)})
	return apply(text, n.edits), n.places, nil
}

// literals notes the changed lines of functions in the values of variables.
func (n *noter) literals(d *ast.GenDecl) {
	for _, s := range d.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok || len(v.Names) == 0 {
			continue
		}
		n.name = v.Names[0].Name
		ast.Inspect(v, func(x ast.Node) bool {
			f, ok := x.(*ast.FuncLit)
			if ok {
				n.function(f.Pos(), f.Body)
			}
			return !ok // those within belong to the one around them
		})
	}
}

// nameOfFunc returns the name of a function, after the type of its receiver if it has one.
func nameOfFunc(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// codeLines returns the lines that have more than brackets and comments.
func codeLines(text []byte) map[int]bool {
	out := map[int]bool{}
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(text))
	var sc scanner.Scanner
	sc.Init(file, text, nil, 0)
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			return out
		}
		if slices.Contains(lineEnds, tok) {
			continue
		}
		for k := range strings.Count(lit, "\n") + 1 { // a raw string has several lines
			out[lineOf(file, pos)+k] = true
		}
	}
}

// lineOf returns a position's line in the text, which a line directive does not change.
func lineOf(file *token.File, pos token.Pos) int { return file.PositionFor(pos, false).Line }

// noter puts notes into the functions of a file.
type noter struct {
	fset   *token.FileSet
	file   *token.File
	text   []byte
	path   string
	name   string // of the function
	first  int
	lines  []Line
	code   map[int]bool
	places []Place
	edits  []edit
	known  map[string]Decided // see File
	ranks  int
}

// spot is where the note of a line stands: before a statement, or at the end of a list.
type spot struct {
	pos token.Pos
	// header says that the line is that of a condition which is evaluated after the place, as the
	// one of else if. Its operands say whether it ran.
	header bool
}

// function notes the changed lines of a function from its start to the end of its body.
func (n *noter) function(start token.Pos, body *ast.BlockStmt) {
	from, to := n.line(start), n.line(body.Rbrace)
	var noted []Line
	for _, l := range n.lines {
		if l.Number < from || l.Number > to || l.Removed && l.Number <= n.line(body.Lbrace) {
			continue
		}
		noted = append(noted, l)
	}
	if len(noted) == 0 {
		return
	}
	operands := n.operands(body, noted)
	for _, l := range noted {
		p := n.find(body.List, body.Rbrace, l)
		if p.header && operands[l.Number] {
			continue
		}
		k := n.place(l.Number, 1, n.textOf(l.Number), LineRan)
		n.insert(p.pos, fmt.Sprintf("multigrainran.Line(%d); ", k))
	}
}

func (n *noter) line(p token.Pos) int { return lineOf(n.file, p) }

// textOf returns a line without the space around it.
func (n *noter) textOf(line int) string {
	start := n.file.Offset(n.file.LineStart(line))
	end := len(n.text)
	if line < n.file.LineCount() {
		end = n.file.Offset(n.file.LineStart(line + 1))
	}
	return strings.TrimSpace(string(n.text[start:end]))
}

func (n *noter) place(line, column int, text string, kind Kind) int {
	n.places = append(n.places, Place{Func: n.name, File: n.path, Line: line, Column: column, Text: text, Kind: kind})
	return n.first + len(n.places) - 1
}

func (n *noter) insert(p token.Pos, text string) {
	at := n.file.Offset(p)
	n.edits = append(n.edits, edit{start: at, end: at, text: text})
}

// find returns where a line's note stands: in the innermost list of statements around it.
func (n *noter) find(list []ast.Stmt, end token.Pos, l Line) spot {
	for k, s := range list {
		from, to := n.line(s.Pos()), n.line(s.End())
		switch {
		case l.Removed && l.Number <= from, l.Number < from:
			return spot{pos: s.Pos()}
		case l.Number > to:
			if k == len(list)-1 && ends(s) { // nothing can stand after it
				return spot{pos: s.Pos()}
			}
			continue
		}
		if p, ok := n.within(s, l); ok {
			return p
		}
		return spot{pos: n.after(s)}
	}
	if len(list) > 0 && ends(list[len(list)-1]) {
		return spot{pos: list[len(list)-1].Pos()}
	}
	return spot{pos: end}
}

// after returns where the note of a statement's line stands: before the statement or, if a jump
// leads to it, after its label. A label that break and continue name stays at its statement.
func (n *noter) after(s ast.Stmt) token.Pos {
	for {
		x, ok := s.(*ast.LabeledStmt)
		if !ok {
			return s.Pos()
		}
		switch x.Stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.EmptyStmt:
			return s.Pos()
		}
		s = x.Stmt
	}
}

// ends reports whether a list of statements may have to end with a statement: a return, a jump, or
// one that may be terminating.
func ends(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.AssignStmt, *ast.DeclStmt, *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.EmptyStmt:
		return false
	}
	return true
}

// within looks for a list of statements in a statement that has the line.
func (n *noter) within(s ast.Stmt, l Line) (out spot, ok bool) {
	header := false
	ast.Inspect(s, func(x ast.Node) bool {
		if ok {
			return false
		}
		var list []ast.Stmt
		var from, end token.Pos
		brace := false // the list ends on the line before end's
		switch x := x.(type) {
		case *ast.BlockStmt:
			list, from, end, brace = x.List, x.Lbrace, x.Rbrace, true
			if len(list) > 0 {
				if _, cases := clause(list[0]); cases {
					return true // those of a switch or a select: their clauses have the lists
				}
			}
		case *ast.CaseClause:
			list, from, end = x.Body, x.Colon, x.End()
			if n.heads(x, x.Colon, l) {
				out, ok = n.taken(list, x.Colon), true
				return false
			}
		case *ast.CommClause:
			list, from, end = x.Body, x.Colon, x.End()
			if n.heads(x, x.Colon, l) {
				out, ok = n.taken(list, x.Colon), true
				return false
			}
		case *ast.IfStmt:
			if e, is := x.Else.(*ast.IfStmt); is && l.Number >= n.line(e.Pos()) && l.Number <= n.line(e.Body.Lbrace) && !l.Removed {
				header = true
			}
			return true
		default:
			return true
		}
		if l.Number <= n.line(from) || l.Number > n.line(end) || brace && l.Number == n.line(end) && !l.Removed {
			return true
		}
		out, ok = n.find(list, end, l), true
		return false
	})
	if !ok && header {
		return spot{pos: s.Pos(), header: true}, true
	}
	return out, ok
}

// heads reports whether a changed line is one of the head of a clause, whose end is the colon.
func (n *noter) heads(x ast.Node, colon token.Pos, l Line) bool {
	return !l.Removed && l.Number >= n.line(x.Pos()) && l.Number <= n.line(colon)
}

// taken returns the place at the start of a clause.
func (n *noter) taken(list []ast.Stmt, colon token.Pos) spot {
	if len(list) > 0 {
		return spot{pos: n.after(list[0])}
	}
	return spot{pos: colon + 1}
}

func clause(s ast.Stmt) (body []ast.Stmt, ok bool) {
	switch s := s.(type) {
	case *ast.CaseClause:
		return s.Body, true
	case *ast.CommClause:
		return s.Body, true
	}
	return nil, false
}

// edit replaces a part of a text.
type edit struct {
	start, end int
	text       string
	rank       int // of edits at one place, the least first
}

// apply returns a text with edits, which do not overlap. Those of one place and rank keep their
// order.
func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(a.start-b.start, a.rank-b.rank) })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, text[at:]...)
}
