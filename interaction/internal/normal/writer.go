package normal

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// hole stands in a text for a declaration that is mentioned there.
const hole = "\x00"

// form is the normal form of a declaration or of a root: a text with holes, the nodes that fill
// them, and the constants whose values are in it. A node is a types.Object or a *Package.
type form struct {
	text      string
	mentions  []any
	constants []*types.Const
}

// Writer writes a form.
type Writer struct {
	x   *Index
	pkg *Package
	// named says that constants of the sources are written by name, in the forms by which a change
	// is named: a changed constant is no change of what mentions it.
	named  bool
	out    strings.Builder
	form   form
	locals map[types.Object]int
	cells  map[any]int // of values, see values.go
	failed error
}

func (x *Index) writer(p *Package, named bool) *Writer {
	return &Writer{x: x, pkg: p, named: named, locals: map[types.Object]int{}, cells: map[any]int{}}
}

func (w *Writer) done() *form {
	w.form.text = w.out.String()
	return &w.form
}

// Word writes a word. Words cannot be confused: they end with a newline, and texts are quoted.
func (w *Writer) Word(s string) {
	w.out.WriteString(s)
	w.out.WriteByte('\n')
}

// Text writes a text.
func (w *Writer) Text(s string) { w.Word(strconv.Quote(s)) }

// Number writes a number.
func (w *Writer) Number(n int) { w.Word(strconv.Itoa(n)) }

// mention writes a hole for a node.
func (w *Writer) mention(node any) {
	w.Word(hole)
	w.form.mentions = append(w.form.mentions, node)
}

// node writes a part of the syntax.
func (w *Writer) node(n ast.Node) {
	if e, ok := n.(ast.Expr); ok && w.folded(e) {
		return
	}
	switch n := n.(type) {
	case *ast.ParenExpr:
		w.node(n.X)
	case *ast.Ident:
		w.ident(n)
	case *ast.SelectorExpr:
		w.selector(n)
	case *ast.BinaryExpr:
		w.binary(n)
	case *ast.BlockStmt:
		w.Word("{")
		w.list(n.List)
		w.Word("}")
	case *ast.IfStmt:
		w.branch(n)
	case *ast.SwitchStmt:
		w.choose(n)
	case *ast.CaseClause:
		w.implicit(n)
		w.generic(n)
	case *ast.StructType:
		w.structure(n)
	case *ast.ForStmt, *ast.RangeStmt:
		if w.pkg.Shared {
			w.Word("shared")
		}
		w.generic(n)
	case *ast.EmptyStmt, *ast.CommentGroup, *ast.Comment:
	case *ast.DeclStmt:
		if g, ok := n.Decl.(*ast.GenDecl); !ok || g.Tok != token.CONST || len(w.x.open) > 0 {
			w.generic(n)
		}
	default:
		w.generic(n)
	}
}

// implicit numbers the variable that a clause of a type switch declares.
func (w *Writer) implicit(n ast.Node) {
	if o := w.pkg.Info.Implicits[n]; o != nil {
		w.local(o)
	}
}

// meaning are fields with positions that mean something where they are set.
var meaning = []string{"Ellipsis", "Assign"}

// generic writes a part of the syntax with its name and all its fields.
func (w *Writer) generic(n ast.Node) {
	v := reflect.ValueOf(n).Elem()
	t := v.Type()
	w.Word("(" + t.Name())
	for k := range t.NumField() {
		w.field(t, k, v.Field(k))
	}
	w.Word(")")
}

func (w *Writer) field(t reflect.Type, k int, v reflect.Value) {
	if (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) && v.IsNil() {
		if !slices.Contains([]string{"Doc", "Comment"}, t.Field(k).Name) {
			w.Word("-")
		}
		return
	}
	switch x := v.Interface().(type) {
	case token.Pos:
		if slices.Contains(meaning, t.Field(k).Name) {
			w.Word(strconv.FormatBool(x.IsValid()))
		}
	case token.Token:
		w.Word(x.String())
	case string:
		w.Text(x)
	case bool:
		w.Word(strconv.FormatBool(x))
	case ast.ChanDir:
		w.Number(int(x))
	case []ast.Stmt:
		w.Word("{")
		w.list(x)
		w.Word("}")
	case ast.Node:
		w.node(x)
	default:
		if v.Kind() != reflect.Slice {
			return
		}
		w.Word("[" + strconv.FormatBool(v.IsNil()))
		for i := range v.Len() {
			if e, ok := v.Index(i).Interface().(ast.Node); ok {
				w.node(e)
			}
		}
		w.Word("]")
	}
}

// structure writes a struct type: names, types and tags of its fields in their order.
func (w *Writer) structure(t *ast.StructType) {
	w.Word("(struct")
	for _, f := range t.Fields.List {
		tag := ""
		if f.Tag != nil {
			tag = f.Tag.Value
		}
		if len(f.Names) == 0 {
			w.Word("embedded")
			w.node(f.Type)
			w.Text(tag)
		}
		for _, name := range f.Names {
			w.Text(name.Name)
			w.node(f.Type)
			w.Text(tag)
		}
	}
	w.Word(")")
}

// ident writes an identifier by what it denotes.
func (w *Writer) ident(id *ast.Ident) {
	o := w.pkg.Info.Uses[id]
	if o == nil {
		o = w.pkg.Info.Defs[id]
	}
	if o == nil {
		w.Word("_")
		return
	}
	w.object(o)
}

func (w *Writer) object(o types.Object) {
	switch o := o.(type) {
	case *types.Func:
		w.function(o)
		return
	case *types.Var:
		if o.IsField() {
			w.Text(o.Name())
			return
		}
	case *types.Builtin, *types.Nil, *types.PkgName:
		w.Word("go " + o.Name())
		return
	}
	switch {
	case o.Pkg() == nil || o.Pkg() == types.Unsafe:
		w.Word("go " + o.Name())
	case o.Parent() != o.Pkg().Scope():
		w.local(o)
	default:
		w.declared(o)
	}
}

// function writes which function or method is mentioned.
func (w *Writer) function(f *types.Func) {
	f = f.Origin()
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		w.Word("method")
		w.Text(f.Name())
		return
	}
	w.declared(f)
}

// declared writes which declaration is mentioned.
func (w *Writer) declared(o types.Object) {
	d, whole := w.x.find(o)
	switch {
	case whole != nil:
		w.Word("whole")
		w.Text(nameOf(o))
		w.mention(whole)
	case d != nil:
		w.mention(o)
	case o.Pkg() == nil:
		w.Word("go " + nameOf(o))
	default:
		w.Word("other")
		w.Text(o.Pkg().Path() + " " + nameOf(o))
	}
}

// nameOf returns the name of an object, of a method with its type.
func nameOf(o types.Object) string {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return o.Name()
	}
	t := types.Unalias(f.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name() + "." + o.Name()
	}
	return o.Name()
}

// local writes the number of a local object: they are numbered as they appear.
func (w *Writer) local(o types.Object) {
	n, ok := w.locals[o]
	if !ok {
		n = len(w.locals)
		w.locals[o] = n
	}
	w.Word("local " + strconv.Itoa(n))
}

// selector writes x.f: a field with the embedded fields before it, a method, or an object of a
// package.
func (w *Writer) selector(e *ast.SelectorExpr) {
	s := w.pkg.Info.Selections[e]
	if s == nil {
		w.ident(e.Sel)
		return
	}
	w.Word("(select " + strconv.Itoa(int(s.Kind())))
	w.node(e.X)
	w.way(s)
	w.object(s.Obj())
	w.Word(")")
}

// way writes the names of the embedded fields that a selection leads through.
func (w *Writer) way(s *types.Selection) {
	t := s.Recv()
	for _, k := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return
		}
		w.Text(st.Field(k).Name())
		t = st.Field(k).Type()
	}
}

// Type writes a type.
func (w *Writer) Type(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		w.Word("go " + t.Name())
	case *types.Named:
		w.object(t.Obj())
		for k := range t.TypeArgs().Len() {
			w.Type(t.TypeArgs().At(k))
		}
	case *types.Pointer:
		w.Word("*")
		w.Type(t.Elem())
	case *types.Slice:
		w.Word("[]")
		w.Type(t.Elem())
	case *types.Array:
		w.Word("[" + strconv.FormatInt(t.Len(), 10) + "]")
		w.Type(t.Elem())
	case *types.Map:
		w.Word("map")
		w.Type(t.Key())
		w.Type(t.Elem())
	case *types.Signature:
		w.Word("(func " + strconv.FormatBool(t.Variadic()))
		w.Type(t.Params())
		w.Type(t.Results())
		w.Word(")")
	case *types.Tuple:
		w.Word("(")
		for k := range t.Len() {
			w.Type(t.At(k).Type())
		}
		w.Word(")")
	case *types.Struct:
		w.Word("(struct")
		for k := range t.NumFields() {
			f := t.Field(k)
			if f.Embedded() {
				w.Word("embedded")
			} else {
				w.Text(f.Name())
			}
			w.Type(f.Type())
			w.Text(t.Tag(k))
		}
		w.Word(")")
	case *types.TypeParam:
		w.local(t.Obj())
	default:
		w.Word("type")
		w.Text(types.TypeString(t, func(p *types.Package) string { return p.Name() }))
	}
}

// constant writes the value of a constant expression.
func (w *Writer) constant(v constant.Value, t types.Type) {
	w.Word("= " + strconv.Quote(v.ExactString()))
	w.Type(t)
	if name := constantName(t, v); name != "" {
		w.Text(name)
	}
}
