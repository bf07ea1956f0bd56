package interaction

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// shippedSystems returns the packages of the checkout that declare a system, by their paths. The
// digests of all of them are tested with edits.
func shippedSystems(t *testing.T) (out []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, e os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") && path != ".."):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(text), "\nvar System = grains.System[") {
			folder, err := filepath.Rel("..", filepath.Dir(path))
			out = append(out, filepath.ToSlash(folder))
			return err
		}
		return err
	})
	if err != nil || len(out) < 15 {
		t.Fatal("systems:", out, err)
	}
	return out
}

// quickly skips a system whose sources are edited in long runs only: others are edited each time.
func quickly(t *testing.T, path string) {
	t.Helper()
	if os.Getenv("MULTIGRAIN_SLOW") == "" && path != "zab" && path != "raft" && !strings.HasPrefix(path, "configs/examples/") {
		t.Skip("it edits zab, raft and the examples; set MULTIGRAIN_SLOW=1 for all systems")
	}
}

// edited is a system whose sources are edited. Its functions return the digests with edits.
type edited struct {
	t        *testing.T
	path     string
	listing  *Listing
	p        *Program // without edits
	compared Compared
	plain    *Digests
}

// edit replaces a part of a file.
type edit struct {
	file       string
	start, end int
	text       string
}

func openEdited(t *testing.T, path string) *edited {
	t.Helper()
	x := &edited{t: t, path: path, listing: new(Listing)}
	p, findings, err := Load(Config{Dir: "..", Package: "./" + path, Listing: x.listing})
	if err != nil || HasErrors(findings) {
		t.Fatal(err, findings)
	}
	x.p = p
	cat := p.reading().cat
	x.compared = Compared{Choice: grains.Choice{Invariants: []string{"*"}}}
	for _, m := range cat.Modules {
		if g := coarsest(cat, m.Name, x.compared.Choice.Grains); g != nil {
			x.compared.Choice.Grains = append(x.compared.Choice.Grains, grains.Ref{Module: g.Covers[0], Grain: g.Name})
			if !g.Coarsens && !m.Environment {
				x.compared.Targets = append(x.compared.Targets, m.Name)
			}
		}
	}
	if x.plain, err = p.Digests(x.compared); err != nil {
		t.Fatal(err)
	}
	return x
}

// coarsest returns a coarse grain of a module that no chosen grain covers, or else its first grain.
func coarsest(cat *grains.Catalog, module string, chosen []grains.Ref) (best *grains.GrainDecl) {
	covered := func(m string) bool {
		return slices.ContainsFunc(chosen, func(r grains.Ref) bool {
			return slices.ContainsFunc(cat.Grains, func(g grains.GrainDecl) bool {
				return g.Name == r.Grain && g.Covers[0] == r.Module && slices.Contains(g.Covers, m)
			})
		})
	}
	for k := range cat.Grains {
		g := &cat.Grains[k]
		if g.Covers[0] == module && !slices.ContainsFunc(g.Covers, covered) && (best == nil || g.Coarsens && !best.Coarsens) {
			best = g
		}
	}
	return best
}

// with returns the digests after edits; nil if the sources do not compile then.
func (x *edited) with(c Compared, edits []edit, more map[string]string) *Digests {
	x.t.Helper()
	overlay := map[string][]byte{}
	sort.SliceStable(edits, func(a, b int) bool { return edits[a].start > edits[b].start })
	for _, e := range edits {
		text, ok := overlay[e.file]
		if !ok {
			var err error
			if text, err = os.ReadFile(e.file); err != nil {
				x.t.Fatal(err)
			}
		}
		overlay[e.file] = slices.Concat(text[:e.start], []byte(e.text), text[e.end:])
	}
	for file, text := range more {
		overlay[file] = []byte(text)
	}
	p, findings, err := Load(Config{Dir: "..", Package: "./" + x.path, Overlay: overlay, Listing: x.listing})
	if err != nil {
		x.t.Fatal(err)
	}
	if HasErrors(findings) {
		x.t.Log(findings[0])
		return nil
	}
	d, err := p.Digests(c)
	if err != nil {
		x.t.Fatal(err)
	}
	return d
}

// same expects that edits change nothing.
func (x *edited) same(what string, edits []edit, more map[string]string) {
	x.t.Helper()
	d := x.with(x.compared, edits, more)
	if d == nil {
		x.t.Errorf("%s: the sources do not compile", what)
	} else if d.Whole != x.plain.Whole {
		x.t.Errorf("%s: the digest has changed: %s", what, changedParts(x.plain, d))
	}
}

func changedParts(a, b *Digests) (out []string) {
	for name := range a.Parts {
		if b.Parts[name] != a.Parts[name] {
			out = append(out, name)
		}
	}
	for name := range b.Parts {
		if a.Parts[name] == "" {
			out = append(out, "new "+name)
		}
	}
	slices.Sort(out)
	return out
}

// at returns an edit of a part of the syntax.
func (x *edited) at(from, to token.Pos, text string) edit {
	p := x.p.fset.Position(from)
	return edit{p.Filename, p.Offset, x.p.fset.Position(to).Offset, text}
}

// functions calls f with every function of the main package, and whether it is reached.
func (x *edited) functions(f func(d *ast.FuncDecl, reached bool)) {
	for _, file := range x.p.main.syntax {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				f(fn, x.plain.Parts[x.partOf(fn)] != "")
			}
		}
	}
}

// partOf returns the name of the part of the digests that a function is.
func (x *edited) partOf(fn *ast.FuncDecl) string {
	name := fn.Name.Name
	if o := x.p.main.info.Defs[fn.Name]; o != nil {
		if recv := o.(*types.Func).Signature().Recv(); recv != nil {
			t := types.TypeString(recv.Type(), func(*types.Package) string { return "" })
			t, _, _ = strings.Cut(strings.TrimPrefix(t, "*"), "[")
			name = t + "." + name
		}
	}
	return "function " + name
}

// TestDigestHarmless edits what cannot matter in every shipped system, all places of a kind at
// once.
func TestDigestHarmless(t *testing.T) {
	t.Parallel()
	for _, path := range shippedSystems(t) {
		t.Run(path, func(t *testing.T) {
			quickly(t, path)
			x := openEdited(t, path)
			for what, edits := range map[string][]edit{"comments": x.comments(), "names of locals": x.locals(), "code that is not reached": x.unreached(),
				"parentheses": x.parentheses(), "documentation": x.documentation()} {
				t.Logf("%s: %d edits", what, len(edits))
				x.same(what, edits, nil)
			}
			x.otherGrains()
			moved, to := x.moved()
			t.Logf("moved functions: %d edits", len(moved))
			x.same("moved functions", moved, to)
			x.renamedGrains()
			x.movedAway()
		})
	}
}

// comments inserts a comment before every statement of reached functions.
func (x *edited) comments() (edits []edit) {
	x.functions(func(d *ast.FuncDecl, reached bool) {
		for _, s := range d.Body.List {
			edits = append(edits, x.at(s.Pos(), s.Pos(), "/* not said before */ "))
		}
		edits = append(edits, x.at(d.Pos(), d.Pos(), "// Another word.\n\n"))
	})
	return edits
}

// locals renames the local variables of reached functions, except named results.
func (x *edited) locals() (edits []edit) {
	x.functions(func(d *ast.FuncDecl, _ bool) {
		ast.Inspect(d, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || id.Name == "_" {
				return true
			}
			o := x.p.main.info.ObjectOf(id)
			v, ok := o.(*types.Var)
			if ok && !v.IsField() && v.Parent() != x.p.main.types.Scope() && v.Pkg() == x.p.main.types {
				edits = append(edits, x.at(id.Pos(), id.End(), id.Name+"Renamed"))
			} else if o == nil { // of a type switch
				edits = append(edits, x.at(id.Pos(), id.End(), id.Name+"Renamed"))
			}
			return true
		})
	})
	return edits
}

// unreached edits literals and operators of functions that are not reached.
func (x *edited) unreached() (edits []edit) {
	x.functions(func(d *ast.FuncDecl, reached bool) {
		if !reached {
			edits = append(edits, x.meaningful(d.Body)["comparison"]...)
			edits = append(edits, x.at(d.Body.Lbrace+1, d.Body.Lbrace+1, " if false { panic(0) }; "))
		}
	})
	last := x.p.main.syntax[0]
	for k := range 30 {
		edits = append(edits, x.at(last.FileEnd, last.FileEnd, fmt.Sprintf("\nconst unusedName%d = %d\n\nfunc unusedFunction%[1]d(s *State) bool { return unusedName%[1]d > 0 }\n", k, k)))
	}
	return edits
}

// otherGrains edits the actions of grains that are not compared. It does that twice: once where
// coarse grains are compared with finer ones, and once where only the finer ones are chosen.
func (x *edited) otherGrains() {
	finer := *x
	finer.compared.Choice.Grains = x.p.Fine(x.compared.Choice, nil)
	var err error
	if finer.plain, err = x.p.Digests(finer.compared); err != nil {
		x.t.Fatal(err)
	}
	for _, y := range []*edited{x, &finer} {
		var edits []edit
		y.literals(func(l *ast.FuncLit, _ string, reached bool) {
			if !reached {
				edits = append(edits, x.at(l.Body.Lbrace+1, l.Body.Lbrace+1, " if false { panic(0) }; "))
				for _, kind := range []string{"comparison", "operator"} {
					edits = append(edits, x.meaningful(l.Body)[kind]...)
				}
			}
		})
		x.t.Logf("grains that are not compared: %d edits", len(edits))
		if len(edits) > 0 {
			y.same("grains that are not compared", edits, nil)
		}
	}
}

// movedAway compares functions of the package with the same ones of another package: thirty that
// conditions of reached code call.
func (x *edited) movedAway() {
	var places []edit
	for _, list := range x.reached() {
		for _, e := range list {
			if e.kind == "condition" || e.kind == "result" {
				places = append(places, e.edit)
			}
		}
	}
	slices.SortFunc(places, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start, b.start))
	})
	apart := places[:0] // none is within another
	for _, e := range places {
		if n := len(apart); n == 0 || apart[n-1].file != e.file || apart[n-1].end <= e.start {
			apart = append(apart, e)
		}
	}
	places = apart
	if len(places) == 0 {
		x.t.Error("no condition can call a function of another package")
		return
	}
	const functions = 30
	var text strings.Builder
	for k := range functions {
		fmt.Fprintf(&text, "\nfunc Sure%d(b bool) bool { return b != (%[1]d < 0) }\n", k)
	}
	calls := func(prefix string) (edits []edit) {
		for k, e := range places {
			e.text = e.text[1:] // without the negation
			for f := k; f < max(functions, len(places)); f += len(places) {
				e.text = fmt.Sprintf("%sSure%d(%s)", prefix, f%functions, e.text)
			}
			edits = append(edits, e)
		}
		return edits
	}
	here := x.with(x.compared, calls(""), map[string]string{filepath.Join(x.p.Dir, "moved_there.go"): "package " + x.p.main.name + "\n" + text.String()})
	away := calls("elsewhere.")
	for _, f := range x.p.main.syntax {
		e := x.at(f.Name.End(), f.Name.End(), fmt.Sprintf("; import elsewhere %q", x.p.main.types.Path()+"/elsewhere"))
		if slices.ContainsFunc(places, func(p edit) bool { return p.file == e.file }) {
			away = append(away, e)
		}
	}
	x.listing = new(Listing) // there is another package
	there := x.with(x.compared, away, map[string]string{filepath.Join(x.p.Dir, "elsewhere", "elsewhere.go"): "package elsewhere\n" + text.String()})
	x.t.Logf("functions in another package: %d edits", functions)
	switch {
	case here == nil || there == nil:
		x.t.Error("functions in another package: the sources do not compile")
	case here.Whole == x.plain.Whole:
		x.t.Error("functions in another package: the digest does not cover their calls")
	case here.Whole != there.Whole:
		x.t.Error("functions in another package: the digest has changed:", changedParts(here, there))
	}
}

// parentheses puts operations of reached functions into parentheses.
func (x *edited) parentheses() (edits []edit) {
	x.functions(func(d *ast.FuncDecl, _ bool) {
		ast.Inspect(d.Body, func(n ast.Node) bool {
			if b, ok := n.(*ast.BinaryExpr); ok {
				edits = append(edits, x.at(b.X.Pos(), b.X.Pos(), "("), x.at(b.X.End(), b.X.End(), ")"))
				return false
			}
			return true
		})
	})
	return edits
}

// documentation edits texts of the catalog that stand in no result.
func (x *edited) documentation() (edits []edit) {
	for _, f := range x.p.main.syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			id, ok := kv.Key.(*ast.Ident)
			if !ok || !slices.Contains([]string{"Doc", "Models"}, id.Name) {
				return true
			}
			ast.Inspect(kv.Value, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					edits = append(edits, x.at(l.End()-1, l.End()-1, " more"))
				}
				return true
			})
			return true
		})
	}
	return edits
}

// moved moves all functions of a file into another file, for every file that needs no imports of
// its own there.
func (x *edited) moved() (edits []edit, to map[string]string) {
	to = map[string]string{}
	var text strings.Builder
	fmt.Fprintf(&text, "package %s\n", x.p.main.name)
	x.functions(func(d *ast.FuncDecl, _ bool) {
		imported := false
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				_, is := x.p.main.info.Uses[id].(*types.PkgName)
				o := x.p.main.info.Uses[id]
				imported = imported || is || o != nil && o.Pkg() != nil && o.Pkg() != x.p.main.types && o.Parent() == o.Pkg().Scope()
			}
			return true
		})
		if imported {
			return
		}
		from := d.Pos()
		e := x.at(from, d.End(), "")
		b, err := os.ReadFile(e.file)
		if err != nil {
			x.t.Fatal(err)
		}
		fmt.Fprintf(&text, "\n%s\n", b[e.start:e.end])
		edits = append(edits, e)
	})
	to[filepath.Join(x.p.Dir, "moved_there.go")] = text.String()
	return edits, to
}

// renamedGrains gives every grain another name.
func (x *edited) renamedGrains() {
	var edits []edit
	info := x.p.main.info
	is := func(e ast.Expr, name string) bool {
		n, ok := types.Unalias(info.TypeOf(e)).(*types.Named)
		return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == grainsPath
	}
	rename := func(e ast.Expr) {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			edits = append(edits, x.at(l.End()-1, l.End()-1, "-renamed"))
		}
	}
	for _, f := range x.p.main.syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			for k, e := range lit.Elts {
				kv, keyed := e.(*ast.KeyValueExpr)
				switch {
				case keyed && is(lit, "Grain") && kv.Key.(*ast.Ident).Name == "Name", keyed && is(lit, "Ref") && kv.Key.(*ast.Ident).Name == "Grain":
					rename(kv.Value)
				case !keyed && is(lit, "Ref") && k == 1:
					rename(e)
				}
			}
			return true
		})
	}
	x.t.Logf("renamed grains: %d edits", len(edits))
	c := x.compared
	c.Choice.Grains = slices.Clone(c.Choice.Grains)
	for k := range c.Choice.Grains {
		c.Choice.Grains[k].Grain += "-renamed"
	}
	d := x.with(c, edits, nil)
	if d == nil {
		x.t.Error("renamed grains: the sources do not compile")
	} else if d.Whole != x.plain.Whole {
		x.t.Error("renamed grains: the digest has changed:", changedParts(x.plain, d))
	}
}
