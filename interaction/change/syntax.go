package change

import (
	"go/ast"
	buildconstraint "go/build/constraint"
	"go/constant"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
)

// decl is a top-level declaration of a Go file, or one specification of a group.
type decl struct {
	kind     Kind
	receiver string // of a method: the name of its type
	names    []string
	node     ast.Node
	// directives are the comments that the toolchain reads, as //go:noinline.
	directives []string
	// ordinal is the position in a group of constants with iota, which is part of their values; 0
	// elsewhere. Group is the specification whose expressions an empty one repeats.
	ordinal     int
	group       ast.Node
	first, last int // lines
}

// key returns what the declaration is called in its package.
func (d *decl) key() string {
	name := strings.Join(d.names, ", ")
	if d.receiver != "" {
		name = d.receiver + "." + name
	}
	return string(d.kind) + " " + name
}

// name is key without the kind.
func (d *decl) name() string { return strings.TrimPrefix(d.key(), string(d.kind)+" ") }

// goFile is a Go file as far as its declarations go.
type goFile struct {
	pkg   string
	head  []string // build constraints, in front of the package clause
	decls []*decl
	tree  *ast.File
	fset  *token.FileSet
}

// parseGo reads a Go file. A file that does not parse is an error: nothing can be stated of it.
func parseGo(name, text string) (*goFile, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	out := &goFile{pkg: f.Name.Name, tree: f, fset: fset}
	for _, c := range f.Comments {
		if c.Pos() < f.Package {
			out.head = append(out.head, directives(c)...)
		}
	}
	out.head = oneConstraint(out.head)
	for _, d := range f.Decls {
		for _, x := range declsOf(d) {
			x.first, x.last = fset.PositionFor(x.node.Pos(), false).Line, fset.PositionFor(x.node.End(), false).Line
			for _, c := range f.Comments { // within a function, too
				if c.Pos() >= x.node.Pos() && c.End() <= x.node.End() {
					x.directives = append(x.directives, directives(c)...)
				}
			}
			out.decls = append(out.decls, x)
		}
	}
	return out, nil
}

// oneConstraint returns directives with one build constraint, in its newer form, in the place of
// all. Where a file has both forms the newer one counts.
func oneConstraint(lines []string) (out []string) {
	var newer, older buildconstraint.Expr
	for _, l := range lines {
		x, err := buildconstraint.Parse(l)
		switch {
		case err != nil:
			out = append(out, l)
		case buildconstraint.IsGoBuild(l):
			newer = x
		case older == nil:
			older = x
		default:
			older = &buildconstraint.AndExpr{X: older, Y: x}
		}
	}
	if newer == nil {
		newer = older
	}
	if newer != nil {
		out = append(out, "//go:build "+newer.String())
	}
	return out
}

// directives returns the lines of a comment that the toolchain reads.
func directives(c *ast.CommentGroup) (out []string) {
	if c == nil {
		return nil
	}
	for _, l := range c.List {
		for _, prefix := range []string{"//go:", "//export ", "// +build", "//line ", "/*line ", "//extern "} {
			if strings.HasPrefix(l.Text, prefix) {
				out = append(out, l.Text)
			}
		}
	}
	return out
}

func declsOf(d ast.Decl) []*decl {
	switch d := d.(type) {
	case *ast.FuncDecl:
		x := &decl{kind: Function, names: []string{d.Name.Name}, node: d, directives: directives(d.Doc)}
		if d.Recv != nil && len(d.Recv.List) == 1 {
			x.kind, x.receiver = Method, receiverName(d.Recv.List[0].Type)
		}
		return []*decl{x}
	case *ast.GenDecl:
		return specsOf(d)
	}
	return nil
}

// specsOf returns the specifications of a group.
func specsOf(d *ast.GenDecl) (out []*decl) {
	var group ast.Node
	for k, s := range d.Specs {
		x := &decl{node: s, directives: directives(d.Doc)}
		switch s := s.(type) {
		case *ast.ImportSpec:
			x.kind, x.names = Import, []string{s.Path.Value}
			if s.Path.Value == `"C"` && d.Doc != nil {
				x.directives = append(x.directives, d.Doc.Text()) // code of C
			}
		case *ast.TypeSpec:
			x.kind, x.names = Type, []string{s.Name.Name}
			x.directives = append(x.directives, directives(s.Doc)...)
		case *ast.ValueSpec:
			x.kind = Var
			for _, n := range s.Names {
				x.names = append(x.names, n.Name)
			}
			x.directives = append(x.directives, directives(s.Doc)...)
			if d.Tok == token.CONST {
				x.kind = Const
				if len(s.Values) > 0 {
					group = s
				} else {
					x.group = group
				}
				if group != nil && usesIota(group) {
					x.ordinal = k
				}
			}
		}
		out = append(out, x)
	}
	return out
}

func usesIota(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "iota"
		return !found
	})
	return found
}

// receiverName returns the type's name in a receiver.
func receiverName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.ParenExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.IndexListExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// sameOutside reports whether two declarations of variables are the same except for the bodies of
// functions in their values.
func (d *decl) sameOutside(o *decl) bool {
	var bodies []*ast.BlockStmt
	var lists [][]ast.Stmt
	for _, n := range []ast.Node{d.node, o.node} {
		ast.Inspect(n, func(n ast.Node) bool {
			f, ok := n.(*ast.FuncLit)
			if ok {
				bodies, lists = append(bodies, f.Body), append(lists, f.Body.List)
				f.Body.List = nil
			}
			return !ok
		})
	}
	same := d.same(o)
	for k, b := range bodies {
		b.List = lists[k]
	}
	return same
}

// same reports whether two declarations are the same except for comments and layout.
func (d *decl) same(o *decl) bool {
	return d.ordinal == o.ordinal && reflect.DeepEqual(d.directives, o.directives) && sameTree(d.node, o.node) && sameTree(d.group, o.group)
}

var (
	identType   = reflect.TypeFor[*ast.Ident]()
	posType     = reflect.TypeFor[token.Pos]()
	commentType = reflect.TypeFor[*ast.CommentGroup]()
)

// sameTree compares syntax trees without positions, which carry no meaning but in two cases: an
// alias's equals sign and the dots of a variadic call are nothing but a position.
func sameTree(a, b ast.Node) bool {
	return compareTrees(a, b, false, func(a, b *ast.Ident) bool { return a.Name == b.Name })
}

// compareTrees is sameTree for names that may differ: ident compares two names. With empty an empty
// interface is the name any.
func compareTrees(a, b ast.Node, empty bool, ident func(a, b *ast.Ident) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return treeComparer{empty: empty, ident: ident}.same(reflect.ValueOf(a), reflect.ValueOf(b))
}

// treeComparer compares syntax trees.
type treeComparer struct {
	empty bool
	ident func(a, b *ast.Ident) bool
	// conditions compares expressions that are conditions, and says whether they are; nil: they are
	// compared as trees. Top says that the next expression is compared as a tree.
	conditions func(a, b ast.Expr) (equal, are bool)
	// opposite reports whether two conditions are opposite; nil: that is not asked.
	opposite func(a, b ast.Expr) bool
	top      bool
}

// plain returns an expression without parentheses around it, which are in the shape of the tree,
// and the name any for an interface without methods.
func (c treeComparer) plain(v reflect.Value) reflect.Value {
	for {
		p, ok := v.Interface().(*ast.ParenExpr)
		if !ok {
			break
		}
		v = reflect.ValueOf(p.X)
	}
	if i, ok := v.Interface().(*ast.InterfaceType); ok && c.empty && i != nil && len(i.Methods.List) == 0 {
		return reflect.ValueOf(&ast.Ident{Name: "any"})
	}
	return v
}

// inverted reports whether two statements with else have opposite conditions, and their branches in
// the other order.
func (c treeComparer) inverted(a, b *ast.IfStmt) bool {
	one, ok1 := a.Else.(*ast.BlockStmt)
	two, ok2 := b.Else.(*ast.BlockStmt)
	node := func(a, b ast.Node) bool { return c.same(reflect.ValueOf(a), reflect.ValueOf(b)) }
	return ok1 && ok2 && a.Init == nil && b.Init == nil && c.opposite(a.Cond, b.Cond) && node(a.Body, two) && node(one, b.Body)
}

// sameLiteral reports whether two literals are of one kind and have one value, as 0755 and 0o755.
func sameLiteral(a, b *ast.BasicLit) bool {
	if a.Kind != b.Kind {
		return false
	}
	x, y := constant.MakeFromLiteral(a.Value, a.Kind, 0), constant.MakeFromLiteral(b.Value, b.Kind, 0)
	if x.Kind() == constant.Unknown || y.Kind() == constant.Unknown {
		return a.Value == b.Value
	}
	return constant.Compare(x, token.EQL, y)
}

// shortForm returns the short form of a statement that declares variables with values and without a
// type: var x = 1 in a function is x := 1. Where both forms compile, both declare all names.
func shortForm(v reflect.Value) reflect.Value {
	d, ok := v.Interface().(*ast.DeclStmt)
	if !ok {
		return v
	}
	g, ok := d.Decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR || len(g.Specs) != 1 {
		return v
	}
	s := g.Specs[0].(*ast.ValueSpec)
	if s.Type != nil || len(s.Values) == 0 {
		return v
	}
	out := &ast.AssignStmt{Tok: token.DEFINE, Rhs: s.Values}
	for _, n := range s.Names {
		out.Lhs = append(out.Lhs, n)
	}
	return reflect.ValueOf(out)
}

func (c treeComparer) same(a, b reflect.Value) bool {
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		if x, ok := a.Interface().(ast.Expr); ok && c.conditions != nil && !c.top {
			if y, ok := b.Interface().(ast.Expr); ok {
				if equal, are := c.conditions(x, y); are {
					return equal
				}
			}
		}
		c.top = false
		return c.same(c.plain(shortForm(a.Elem())), c.plain(shortForm(b.Elem())))
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		if x, ok := a.Interface().(*ast.IfStmt); ok && c.opposite != nil && c.inverted(x, b.Interface().(*ast.IfStmt)) {
			return true
		}
		if x, ok := a.Interface().(*ast.BasicLit); ok {
			return sameLiteral(x, b.Interface().(*ast.BasicLit))
		}
		if a.Type() == identType {
			return c.ident(a.Interface().(*ast.Ident), b.Interface().(*ast.Ident))
		}
		return c.same(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for k := range a.Len() {
			if !c.same(a.Index(k), b.Index(k)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for k := range a.NumField() {
			switch f := a.Type().Field(k); {
			case f.Type == posType && (f.Name == "Ellipsis" || f.Name == "Assign" || f.Name == "Arrow"):
				if (a.Field(k).Int() == 0) != (b.Field(k).Int() == 0) {
					return false
				}
			case f.Type == posType, f.Type == commentType, f.Name == "Obj", !f.IsExported():
			case !c.same(a.Field(k), b.Field(k)):
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// difference lists the changes of one file: declarations with their positions in the new file, or,
// of removed ones, in the old one.
type difference struct {
	decl *decl
	how  How
	// within says that a variable differs only in what functions in its value do.
	within bool
}

// compareGo compares two versions of a file. Either text may be empty: then the file is not there.
func compareGo(name string, t texts) ([]difference, error) {
	before, after := &goFile{}, &goFile{}
	var err error
	if t.before != "" {
		if before, err = parseGo(name, t.before); err != nil {
			return nil, err
		}
	}
	if t.after != "" {
		if after, err = parseGo(name, t.after); err != nil {
			return nil, err
		}
	}
	var out []difference
	if t.before != "" && t.after != "" && (before.pkg != after.pkg || !reflect.DeepEqual(before.head, after.head)) {
		out = append(out, difference{decl: &decl{kind: Package, names: []string{after.pkg}, first: 1, last: 1}, how: Changed})
	}
	rest := map[string][]*decl{}
	for _, d := range before.decls {
		rest[d.key()] = append(rest[d.key()], d)
	}
	for _, d := range after.decls {
		olds := rest[d.key()]
		if len(olds) == 0 {
			out = append(out, difference{decl: d, how: Added})
			continue
		}
		rest[d.key()] = olds[1:] // several functions init may be there: in their order
		if !d.same(olds[0]) {
			out = append(out, difference{d, Changed, d.kind == Var && d.sameOutside(olds[0])})
		}
	}
	for _, d := range reordered(before, after) {
		if !slices.ContainsFunc(out, func(x difference) bool { return x.decl == d }) {
			out = append(out, difference{decl: d, how: Changed})
		}
	}
	for _, d := range before.decls {
		if olds := rest[d.key()]; len(olds) > 0 && olds[0] == d {
			rest[d.key()] = olds[1:]
			out = append(out, difference{decl: d, how: Removed})
		}
	}
	return out, nil
}

// reordered returns the variables of a file's new text whose values are computed in another order
// than in the old one, among those that both have. The order of what package initialisation calls
// may matter.
func reordered(before, after *goFile) (out []*decl) {
	was, is := before.computed(), after.computed()
	keep := func(all, other []*decl) []*decl {
		return slices.DeleteFunc(slices.Clone(all), func(d *decl) bool {
			return !slices.ContainsFunc(other, func(o *decl) bool { return o.key() == d.key() })
		})
	}
	was, is = keep(was, is), keep(is, was)
	for k, d := range is {
		if k >= len(was) || was[k].key() != d.key() {
			out = append(out, d)
		}
	}
	return out
}

// computed returns the variables whose values call more than the standard library when the program
// begins.
func (g *goFile) computed() (out []*decl) {
	imports := g.imports()
	for _, d := range g.decls {
		v, ok := d.node.(*ast.ValueSpec)
		if ok && d.kind == Var && slices.ContainsFunc(v.Values, func(e ast.Expr) bool { return calls(e, imports) }) {
			out = append(out, d)
		}
	}
	return out
}

// calls reports whether an expression calls more than functions of the standard library, or
// receives something. Imports are the paths by name. A conversion counts as a call of a function,
// since syntax does not tell them apart.
func calls(e ast.Expr, imports map[string]string) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // called where a call has it as its function
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			s, ok := n.Fun.(*ast.SelectorExpr)
			if ok {
				x, _ := s.X.(*ast.Ident)
				ok = x != nil && imports[x.Name] != "" && !strings.Contains(strings.SplitN(imports[x.Name], "/", 2)[0], ".")
			}
			found = found || !ok
		}
		return !found
	})
	return found
}
