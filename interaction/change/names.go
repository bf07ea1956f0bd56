package change

import (
	"errors"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
)

// What it computes. Changed declarations that differ in names only, so that they do as before.
//
// Why it is right. A name of a function's own, such as that of a parameter or a label, may be any
// other one: two functions are the same if their syntax trees are, and local names stand for
// objects that correspond one to one. A name of the package, a field or a method may be another one
// if the old name is nowhere in the new package and the new name nowhere in the old one. Then the
// names of the whole package are exchanged one to one, and every name refers to what it did. They
// must be declared by declarations, fields or imports that correspond, too. Exported names are left
// out, since code elsewhere has them, and so are packages with assembly, C or names in directives.
//
// What it costs. The types of changed files, without what they import, and the words of the files
// of their folders.
//
// Example. Both declarations are the same, and size stands for count:
//
//	func (q *queue) full() bool { n := q.count; return n > 9 }
//	func (q *queue) full() bool { all := q.size; return all > 9 }

// renaming compares the declarations of a package's changed files by what names stand for.
type renaming struct {
	old, new *side
	// gone are the names that only the old package has, come those that only the new one has.
	gone, come map[string]bool
	// to are the names that stand for old ones. While pairs is not nil, names are collected there,
	// and in declared those that are declared.
	to              map[string]string
	pairs, declared map[[2]string]bool
	// there and back are the local objects of two declarations that correspond.
	there, back map[types.Object]types.Object
}

// side is one side of a package's changed files.
type side struct {
	files map[string]*goFile
	decls map[string][]*decl // by key
	info  *types.Info
	pkg   map[*types.Scope]bool // scopes of packages and files
}

// renames leaves out declarations that differ in names only. What is there under another name and
// differs in more counts as changed.
func (h *goHolder) renames() {
	folders := map[string][]*goChange{}
	for k := range h.changed {
		if c := &h.changed[k]; goSide(c.file.Path()) && len(c.diffs) > 0 {
			dir := path.Dir(c.file.Path())
			folders[dir] = append(folders[dir], c)
		}
	}
	for dir, changed := range folders {
		r := &renaming{old: newSide(), new: newSide(), to: map[string]string{}}
		for _, c := range changed {
			r.old.add(c.file.Path(), c.texts.before)
			r.new.add(c.file.Path(), c.texts.after)
		}
		r.gone, r.come = h.words(dir)
		r.learn(changed)
		for _, c := range changed {
			c.diffs = slices.DeleteFunc(c.diffs, func(d difference) bool {
				if d.how != Changed || !r.same(r.old.only(d.decl.key()), r.new.only(d.decl.key())) {
					return false
				}
				c.names = true
				delete(h.names, dir+" "+d.decl.name())
				return true
			})
		}
		r.pair(h, changed)
	}
}

func newSide() *side {
	return &side{files: map[string]*goFile{}, decls: map[string][]*decl{}, info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}, pkg: map[*types.Scope]bool{types.Universe: true}}
}

// add adds the declarations of a file. Names are resolved as far as the file alone says.
func (s *side) add(name, text string) {
	g, err := parseGo(name, text)
	if text == "" || err != nil {
		return
	}
	s.files[name] = g
	for _, d := range g.decls {
		s.decls[d.key()] = append(s.decls[d.key()], d)
	}
	info := &types.Info{Defs: s.info.Defs, Uses: s.info.Uses, Scopes: map[ast.Node]*types.Scope{}}
	conf := types.Config{Importer: noImports{}, Error: func(error) {}}
	pkg, _ := conf.Check("p", g.fset, []*ast.File{g.tree}, info) // what is not resolved must have the same name
	if pkg != nil {
		s.pkg[pkg.Scope()] = true
	}
	s.pkg[info.Scopes[g.tree]] = true
}

// noImports imports nothing.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) {
	return nil, errors.New("packages are not imported")
}

// only returns the declaration with a key; nil where there is none or several.
func (s *side) only(key string) *decl {
	if all := s.decls[key]; len(all) == 1 {
		return all[0]
	}
	return nil
}

// local returns the object of a name that is one of a function alone. Known says that the name is
// the one of a type switch, which has an object in each of its cases.
func (s *side) local(id *ast.Ident) (o types.Object, known bool) {
	o, defined := s.info.Defs[id]
	if !defined {
		o = s.info.Uses[id]
	}
	switch {
	case o == nil:
		return nil, defined
	case o.Parent() == nil || s.pkg[o.Parent()]:
		return nil, false
	}
	return o, true
}

// words returns the names that only the old or only the new side of a folder's package has. There
// are none where names stand in more than Go code.
func (h *goHolder) words(dir string) (gone, come map[string]bool) {
	gone, come = map[string]bool{}, map[string]bool{}
	old, new := map[string]bool{}, map[string]bool{}
	foreign := len(h.repo.list(dir, ".s")) + len(h.repo.list(dir, ".c"))
	collect := func(text string, into map[string]bool) {
		file := token.NewFileSet().AddFile("", -1, len(text))
		var s scanner.Scanner
		s.Init(file, []byte(text), nil, scanner.ScanComments)
		for {
			switch _, tok, lit := s.Scan(); tok {
			case token.EOF:
				return
			case token.IDENT:
				into[lit] = true
			case token.COMMENT:
				if strings.HasPrefix(lit, "//go:linkname ") || strings.HasPrefix(lit, "//export ") {
					foreign++
				}
			}
		}
	}
	changed := map[string]bool{}
	for _, c := range h.changed {
		if path.Dir(c.file.Path()) == dir && goSide(c.file.Path()) {
			changed[c.file.Path()] = true
			collect(c.texts.before, old)
			collect(c.texts.after, new)
		}
	}
	for _, name := range h.repo.list(dir, ".go") {
		if goSide(name) && !changed[name] {
			text := h.repo.read(name)
			collect(text, old)
			collect(text, new)
		}
	}
	if foreign > 0 || old["C"] || new["C"] {
		return gone, come
	}
	only := func(a, b, out map[string]bool) {
		for name := range a {
			if !b[name] && !ast.IsExported(name) && types.Universe.Lookup(name) == nil && name != "init" && name != "main" {
				out[name] = true
			}
		}
	}
	only(old, new, gone)
	only(new, old, come)
	return gone, come
}

// learn sets the names that stand for old ones.
func (r *renaming) learn(changed []*goChange) {
	r.pairs, r.declared = map[[2]string]bool{}, map[[2]string]bool{}
	var removed, added []*decl
	for _, c := range changed {
		for _, d := range c.diffs {
			switch d.how {
			case Changed:
				r.same(r.old.only(d.decl.key()), r.new.only(d.decl.key()))
			case Removed:
				removed = append(removed, r.old.only(d.decl.key()))
			case Added:
				added = append(added, r.new.only(d.decl.key()))
			}
		}
	}
	for _, a := range removed {
		for _, b := range added {
			if a != nil && b != nil && r.renamed(a, b) {
				r.declared[[2]string{a.names[0], b.names[0]}] = true
				if !r.stand(a.names[0], b.names[0]) { // nothing that uses it shows its name
					r.same(a, b)
				}
			}
		}
	}
	there, back := map[string]int{}, map[string]int{}
	for p := range r.pairs {
		there[p[0]]++
		back[p[1]]++
	}
	for p := range r.pairs {
		if there[p[0]] == 1 && back[p[1]] == 1 && r.declared[p] {
			r.to[p[0]] = p[1]
		}
	}
	r.pairs, r.declared = nil, nil
}

// stand reports whether a pair is known of the old name or of the new one.
func (r *renaming) stand(old, new string) bool {
	for p := range r.pairs {
		if p[0] == old || p[1] == new {
			return true
		}
	}
	return false
}

// renamed reports whether a declaration may be another one with another name.
func (r *renaming) renamed(a, b *decl) bool {
	return a.kind == b.kind && len(a.names) == 1 && len(b.names) == 1 && a.kind != Import && a.kind != Package &&
		(a.receiver == b.receiver || r.stands(a.receiver, b.receiver)) && (a.names[0] == b.names[0] || r.gone[a.names[0]] && r.come[b.names[0]])
}

// stands reports whether a name of the new package stands for one of the old package.
func (r *renaming) stands(old, new string) bool {
	if r.pairs != nil {
		return r.gone[old] && r.come[new]
	}
	return r.to[old] == new
}

// pair leaves out what is removed under one name and added under another. If it differs in more, it
// counts as added.
func (r *renaming) pair(h *goHolder, changed []*goChange) {
	type place struct {
		in   *goChange
		decl *decl
	}
	out := map[place]bool{}
	for _, from := range changed {
		for _, d := range from.diffs {
			if d.how != Removed {
				continue
			}
			old := r.old.only(d.decl.key())
			for _, to := range changed {
				for _, x := range to.diffs {
					now := r.new.only(x.decl.key())
					if x.how != Added || old == nil || now == nil || !r.renamed(old, now) || !r.stays(from.file.Path(), to.file.Path(), old) ||
						old.names[0] != now.names[0] && !r.stands(old.names[0], now.names[0]) {
						continue
					}
					h.renamed = append(h.renamed, renamedDecl{file: to.file.Path(), now: now, was: old})
					out[place{from, d.decl}] = true
					from.moves = from.moves || from != to
					if r.same(old, now) {
						delete(h.names, path.Dir(to.file.Path())+" "+now.name())
						from.names, to.names, out[place{to, x.decl}] = true, true, true
					}
				}
			}
		}
	}
	for _, c := range changed {
		c.diffs = slices.DeleteFunc(c.diffs, func(d difference) bool { return out[place{c, d.decl}] })
	}
}

// stays reports whether a declaration of an old file means the same in a new one: the file is the
// same, or names of imports and what the file is built for are.
func (r *renaming) stays(from, to string, d *decl) bool {
	if from == to {
		return true
	}
	a, b := r.old.files[from], r.new.files[to]
	return a.pkg == b.pkg && slices.Equal(a.head, b.head) && constraint(from) == constraint(to) && sameImports(d.node, a.imports(), b.imports())
}

// renamedDecl is a declaration with the one that it was under another name.
type renamedDecl struct {
	file     string
	now, was *decl
}

// rename lets functions be known by the names that they had, too.
func (h *goHolder) rename(p *program) {
	for _, x := range h.renamed {
		if x.now.kind != Function && x.now.kind != Method {
			continue
		}
		if f := p.find(h.abs(x.file), x.now); f != nil {
			pkg := p.packageOf(f.obj)
			f.names = slices.Insert(f.names, 1, goNames(pkg.PkgPath, pkg.Name, x.was.receiver, x.was.names[0])...)
		}
	}
}

// same reports whether two declarations are the same but for names.
func (r *renaming) same(a, b *decl) bool {
	if a == nil || b == nil || a.ordinal != b.ordinal || !slices.Equal(a.directives, b.directives) || (a.group == nil) != (b.group == nil) {
		return false
	}
	r.there, r.back = map[types.Object]types.Object{}, map[types.Object]types.Object{}
	pairs, declared := r.pairs, r.declared
	if pairs != nil {
		r.pairs, r.declared = map[[2]string]bool{}, map[[2]string]bool{}
	}
	ok := compareTrees(a.node, b.node, r.ident) && (a.group == nil || compareTrees(a.group, b.group, r.ident))
	if pairs != nil {
		if ok {
			maps.Copy(pairs, r.pairs)
			maps.Copy(declared, r.declared)
		}
		r.pairs, r.declared = pairs, declared
	}
	return ok
}

// ident reports whether two names stand for the same.
func (r *renaming) ident(a, b *ast.Ident) bool {
	x, here := r.old.local(a)
	y, there := r.new.local(b)
	switch {
	case here != there || (x == nil) != (y == nil):
		return false
	case x != nil:
		if r.there[x] == nil && r.back[y] == nil {
			r.there[x], r.back[y] = y, x
		}
		return r.there[x] == y && r.back[y] == x
	case here || a.Name == b.Name: // the name of a type switch
		return true
	case !r.stands(a.Name, b.Name):
		return false
	case r.pairs != nil:
		r.pairs[[2]string{a.Name, b.Name}] = true
		if declares(r.old.info.Defs[a]) {
			r.declared[[2]string{a.Name, b.Name}] = true
		}
	}
	return true
}

// declares reports whether an object is a field, a method of an interface, or an import.
func declares(o types.Object) bool {
	switch o := o.(type) {
	case *types.Var:
		return o.IsField()
	case *types.Func:
		return o.Signature().Recv() != nil && types.IsInterface(o.Signature().Recv().Type())
	case *types.PkgName:
		return true
	}
	return false
}
