package change

import (
	"go/ast"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/effects"
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
	if h.after == nil {
		for _, old := range []bool{true, false} {
			p, err := effects.Load(effects.Source{Dir: h.repo.dir, Environ: h.environ, Root: h.repo.dir, Packages: h.patterns, Overlay: h.overlay(old)})
			if err != nil {
				return false
			}
			h.before, h.after = h.after, p
		}
	}
	return h.after.OnlyLogs(h.before, name)
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
		case *ast.AssignStmt, *ast.ReturnStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.BranchStmt, *ast.DeclStmt:
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

// logging reports whether a call has a name as one that writes a log.
func logging(call *ast.CallExpr) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	return ok && slices.ContainsFunc([]string{"Debug", "Info", "Warn", "Error", "Trace", "Print", "Log", "Notice", "Verbose"}, func(v string) bool {
		return strings.HasPrefix(s.Sel.Name, v)
	})
}
