package change

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/internal/effects"
	"github.com/multigrain/multigrain/interaction/change/internal/names"
)

// moves leaves out declarations that went from one file of a package to another one as they are: a
// renamed or divided file. Both files must be built under the same constraints, and the names of
// packages in the declaration must stand for the same ones.
func (h *goHolder) moves() {
	for a := range h.changed {
		for b := range h.changed {
			from, to := &h.changed[a], &h.changed[b]
			if a == b || path.Dir(from.file.Path()) != path.Dir(to.file.Path()) || !goSide(from.file.Path()) || !goSide(to.file.Path()) {
				continue
			}
			from.moved(to)
		}
	}
}

// moved leaves out what went from one changed file to another.
func (c *goChange) moved(to *goChange) {
	if !slices.ContainsFunc(c.diffs, func(d difference) bool { return d.how == Removed }) || !slices.ContainsFunc(to.diffs, func(d difference) bool { return d.how == Added }) {
		return
	}
	old, err1 := parseGo(c.file.Path(), c.texts.before)
	new, err2 := parseGo(to.file.Path(), to.texts.after)
	if err1 != nil || err2 != nil || old.pkg != new.pkg || !slices.Equal(old.head, new.head) || constraint(c.file.Path()) != constraint(to.file.Path()) {
		return
	}
	was, is := old.imports(), new.imports()
	c.diffs = slices.DeleteFunc(c.diffs, func(d difference) bool {
		if d.how != Removed {
			return false
		}
		k := slices.IndexFunc(to.diffs, func(x difference) bool {
			return x.how == Added && x.decl.key() == d.decl.key() && x.decl.same(d.decl) && sameImports(d.decl.node, was, is)
		})
		if k < 0 {
			return false
		}
		to.diffs = slices.Delete(to.diffs, k, k+1)
		c.moves, to.moves = true, true
		return true
	})
}

// imports returns the paths of a file's imports by the names that they most likely bind.
func (g *goFile) imports() map[string]string {
	out := map[string]string{}
	for _, d := range g.decls {
		if s, ok := d.node.(*ast.ImportSpec); ok {
			at := strings.Trim(s.Path.Value, `"`)
			name := path.Base(versionEnd.ReplaceAllString(at, ""))
			if s.Name != nil {
				name = s.Name.Name
			}
			out[name] = at
		}
	}
	return out
}

var versionEnd = regexp.MustCompile(`[/.]v[0-9]+$`)

// sameImports reports whether the names of packages in a declaration stand for the same ones in two
// files.
func sameImports(n ast.Node, was, is map[string]string) bool {
	same := was["."] == is["."]
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && was[x.Name] != is[x.Name] {
				same = false
			}
		}
		return same
	})
	return same
}

// effective reports whether an import is there for more than the names that it qualifies.
func (d *decl) effective() bool {
	s, ok := d.node.(*ast.ImportSpec)
	return ok && (s.Name != nil && (s.Name.Name == "_" || s.Name.Name == ".") || s.Path.Value == `"C"`)
}

// renames leaves out declarations that differ in names only: see package names.
func (h *goHolder) renames() {
	folders := map[string][]*goChange{}
	for k := range h.changed {
		if c := &h.changed[k]; goSide(c.file.Path()) && len(c.diffs) > 0 {
			dir := path.Dir(c.file.Path())
			folders[dir] = append(folders[dir], c)
		}
	}
	for dir, changed := range folders {
		r := h.renaming(dir, changed)
		if h.exchanged == nil {
			h.exchanged = map[string]map[string]string{}
		}
		h.exchanged[dir] = r.All()
		for _, c := range changed {
			c.diffs = slices.DeleteFunc(c.diffs, func(d difference) bool {
				a, b := r.old.only(d.decl.key()), r.new.only(d.decl.key())
				if d.how != Changed || a == nil || b == nil || !r.Same(a.named(), b.named()) {
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

// renaming is an exchange of names in a folder with the declarations of its changed files.
type renaming struct {
	names.Exchange
	old, new *side
}

// side is one side of a folder's changed files.
type side struct {
	files map[string]*goFile
	decls map[string][]*decl // by key
}

func (h *goHolder) renaming(dir string, changed []*goChange) *renaming {
	r := &renaming{old: &side{map[string]*goFile{}, map[string][]*decl{}}, new: &side{map[string]*goFile{}, map[string][]*decl{}}}
	r.Old, r.New, r.Compare = names.NewSide(), names.NewSide(), func(a, b ast.Node, ident func(a, b *ast.Ident) bool) bool {
		return compareTrees(a, b, !h.declares(dir, "any"), ident)
	}
	for _, c := range changed {
		r.old.add(r.Old, c.file.Path(), c.texts.before)
		r.new.add(r.New, c.file.Path(), c.texts.after)
	}
	r.Gone, r.Come = h.words(dir)
	var pairs [][2]*names.Decl
	var removed, added []*names.Decl
	for _, c := range changed {
		for _, d := range c.diffs {
			a, b := r.old.only(d.decl.key()), r.new.only(d.decl.key())
			switch {
			case d.how == Changed && a != nil && b != nil:
				pairs = append(pairs, [2]*names.Decl{a.named(), b.named()})
			case d.how == Removed && a != nil:
				removed = append(removed, a.named())
			case d.how == Added && b != nil:
				added = append(added, b.named())
			}
		}
	}
	r.Learn(pairs, removed, added)
	return r
}

// declares reports whether a package declares a name on either side.
func (h *goHolder) declares(dir, name string) bool {
	has := func(file, text string) bool {
		g, err := parseGo(file, text)
		return text != "" && (err != nil || slices.ContainsFunc(g.decls, func(d *decl) bool {
			return d.receiver == "" && slices.Contains(d.names, name)
		}))
	}
	for _, c := range h.changed {
		if path.Dir(c.file.Path()) == dir && (has(c.file.Path(), c.texts.before) || has(c.file.Path(), c.texts.after)) {
			return true
		}
	}
	return slices.ContainsFunc(h.repo.list(dir, ".go"), func(file string) bool { return has(file, h.repo.read(file)) })
}

func (s *side) add(to *names.Side, name, text string) {
	g, err := parseGo(name, text)
	if text == "" || err != nil {
		return
	}
	s.files[name] = g
	for _, d := range g.decls {
		s.decls[d.key()] = append(s.decls[d.key()], d)
	}
	to.Add(g.fset, g.tree)
}

// only returns the declaration with a key; nil where there is none or several.
func (s *side) only(key string) *decl {
	if all := s.decls[key]; len(all) == 1 {
		return all[0]
	}
	return nil
}

func (d *decl) named() *names.Decl {
	return &names.Decl{Kind: string(d.kind), Receiver: d.receiver, Names: d.names, Node: d.node, Group: d.group, Ordinal: d.ordinal, Directives: d.directives}
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
			case token.STRING:
				if lit == `"C"` { // an import of C, most likely
					foreign++
				}
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
	if foreign > 0 {
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
					if x.how != Added || old == nil || now == nil || !r.Renamed(old.named(), now.named()) || !r.stays(from.file.Path(), to.file.Path(), old) {
						continue
					}
					h.renamed = append(h.renamed, renamedDecl{file: to.file.Path(), now: now, was: old})
					out[place{from, d.decl}] = true
					from.moves = from.moves || from != to
					if r.Same(old.named(), now.named()) {
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

// stays reports whether a declaration of an old file means the same in a new one. The file is the
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

// exchanges sets the names that have another one after the change, by import path.
func (h *goHolder) exchanges(p *program) {
	h.out.Renamed = map[Name]string{}
	for _, pkg := range p.pkgs {
		if len(pkg.GoFiles) == 0 {
			continue
		}
		for dir, to := range h.exchanged {
			if filepath.Dir(pkg.GoFiles[0]) == h.abs(dir) {
				for old, new := range to {
					h.out.Renamed[Name{pkg.PkgPath, old}] = new
				}
			}
		}
	}
}

// constraint returns the part of a file's name that may say for which systems it is built.
func constraint(name string) string {
	parts := strings.Split(strings.TrimSuffix(path.Base(name), ".go"), "_")
	var out []string
	for _, p := range parts[1:] {
		if slices.Contains(systems, p) {
			out = append(out, p)
		}
	}
	return strings.Join(out, "_")
}

// systems are the operating systems and architectures that names of files can end with.
var systems = strings.Fields("aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows unix " +
	"386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm")

// onlyLogs reports whether a changed function differs in what it logs alone. Syntax trees that
// differ in statements alone which may be logs are the reason to compare the types; see
// effects.OnlyLogs.
func (h *goHolder) onlyLogs(file string, d *decl, name string) bool {
	k := slices.IndexFunc(h.changed, func(c goChange) bool { return c.file.Path() == file })
	if k < 0 || h.changed[k].texts.before == "" {
		return false
	}
	before, err := parseGo(file, h.changed[k].texts.before)
	if err != nil {
		return false
	}
	k = slices.IndexFunc(before.decls, func(x *decl) bool { return x.key() == d.key() })
	if k < 0 || !reflect.DeepEqual(before.decls[k].directives, d.directives) || !mayLog(before.decls[k].node, d.node) {
		return false
	}
	return h.analysed() && h.after.OnlyLogs(h.before, name)
}

// analysed loads the code on both sides for an analysis of what it writes, and reports whether it
// could.
func (h *goHolder) analysed() bool {
	if h.after != nil {
		return true
	}
	for _, old := range []bool{true, false} {
		p, err := effects.Load(effects.Source{Dir: h.repo.dir, Environ: h.environ, Root: h.repo.dir, Packages: h.patterns, Overlay: h.overlay(old)})
		if err != nil {
			h.before, h.after = nil, nil
			return false
		}
		h.before, h.after = h.after, p
	}
	return true
}

// onlyReads reports whether a function that only one side has writes nothing that outlives it. Then
// nothing that is modelled is another one, no matter what calls it.
func (h *goHolder) onlyReads(how How, name string) bool {
	if how == Changed || !h.analysed() {
		return false
	}
	if how == Added {
		return h.after.OnlyReads(name)
	}
	return h.before.OnlyReads(name)
}

// mayLog reports whether two functions have the same statements, those aside that may be logs.
func mayLog(was, is ast.Node) bool {
	a, b := statements(was), statements(is)
	return slices.EqualFunc(a, b, sameTree)
}

// statements returns the statements of a function that are in lists, without those that may be
// logs. A statement with lists stands for its head.
func statements(n ast.Node) (out []ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok && logging(call) {
				return false
			}
			out = append(out, n)
			return true
		case *ast.DeferStmt:
			if logging(n.Call) {
				return false
			}
			out = append(out, n)
			return true
		case *ast.AssignStmt, *ast.ReturnStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.BranchStmt, *ast.DeclStmt:
			out = append(out, n)
			return true
		case *ast.IfStmt:
			if n.Cond != nil {
				out = append(out, n.Cond)
			}
		}
		return true
	})
	return out
}

// logging reports whether a call has a name as one that writes a log or measures.
func logging(call *ast.CallExpr) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	return ok && slices.ContainsFunc([]string{"Debug", "Info", "Warn", "Error", "Trace", "Print", "Log", "Notice", "Verbose",
		"MeasureSince", "IncrCounter", "SetGauge", "SetPrecisionGauge", "AddSample", "EmitKey", "Inc", "Add", "Set", "Observe", "Record"}, func(v string) bool {
		return strings.HasPrefix(s.Sel.Name, v)
	})
}
