package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var mutantStore = flag.String("mutants.store", "", "keep the outcome for each mutant in a `file`, and do not compute again what it has; delete it after a change of the framework or of other files of the specification")

var skipLarger = flag.Bool("mutants.skip-larger", false, "count mutants that are not found as equivalent, without larger bounds")

// fate tells whether a mutant was found, and where.
type fate struct {
	mutant
	grain string
	// level found it: L0, L1, L2 or larger bounds, "" if none did. It is undecided if the
	// states run out.
	level  string
	placed bool // the primary place of the only error is in the mutated action
	errors int
	at     string // the first error
}

// TestMutants changes the statements of shipped coarse grains one by one. Of those of the example,
// level L0 or L2 must find at least 90 % of the mutants that are not equivalent. For at least 80 %
// the one error must be in the mutated action. The untouched grains give no finding. The test
// builds a program for each mutant.
func TestMutants(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds a program for each of some 290 mutants; set MULTIGRAIN_SLOW=1")
	}
	var all []fate
	for _, name := range slices.Sorted(maps.Keys(mutatedGrains)) {
		g := mutatedGrains[name]
		w := newWorkshop(t, g)
		mutants := mutantsOf(t, g.file, w.original, g.fields)
		t.Run(name+"-untouched", func(t *testing.T) {
			w.build(t, mutants)
			w.known.Do(func() { w.untouched(t) })
		})
		for k, m := range mutants {
			m.number = k + 1
			t.Run(fmt.Sprintf("%s-%d", name, k), func(t *testing.T) {
				if w.build(t, mutants); !w.compiles[k] {
					return
				}
				f := w.try(t, m)
				f.grain = name
				all = append(all, f)
				t.Logf("%s", f)
			})
		}
	}
	judgeMutants(t, all)
}

func (f fate) String() string {
	return fmt.Sprintf("%s\t%s:%d\t%s\t%s\tlevel %q\tplaced %t\terrors %d\t%s", f.grain, f.action, f.line, f.operator, f.text, f.level, f.placed, f.errors, f.at)
}

// judgeMutants checks the shares for the example. Those of Zab and of Raft are only shown: see
// docs/results/mutants.md. A sample has no shares.
func judgeMutants(t *testing.T, all []fate) {
	t.Helper()
	for name, least := range map[string]int{"zab": 1 << 30, "raft": 1 << 30, "chain": 80} {
		var some []fate
		for _, f := range all {
			system, _, named := strings.Cut(f.grain, "-")
			if !named {
				system = "chain"
			}
			if system == name {
				some = append(some, f)
			}
		}
		judgeShares(t, name, some, least)
	}
}

// judgeShares checks the shares of mutants. Fewer than some number have no shares.
func judgeShares(t *testing.T, name string, all []fate, least int) {
	t.Helper()
	found, placed, alive, undecided := 0, 0, 0, 0
	for _, f := range all {
		switch f.level {
		case "L0", "L1", "L2":
			found++
			if f.placed {
				placed++
			}
		case "larger":
			alive++
		case "undecided":
			undecided++
		}
	}
	t.Logf("%s: %d mutants: %d found, %d of them placed; %d not found; %d undecided; %d equivalent",
		name, len(all), found, placed, alive, undecided, len(all)-found-alive-undecided)
	if len(all) < least {
		return
	}
	if found*100 < (found+alive)*90 {
		t.Errorf("only %d of %d mutants are found", found, found+alive)
	}
	if placed*100 < (found+alive)*80 {
		t.Errorf("only %d of %d mutants are found with the place in the mutated action", placed, found+alive)
	}
}

// workshop is a module with a copy of a specification.
type workshop struct {
	mutated
	dir      string
	original []byte
	known    sync.Once // the known gaps are accepted
	built    sync.Once // the file with the switch is written
	compiles []bool    // by mutant
	bin      string    // folder of the go command
}

// build writes the file that has all mutants.
func (w *workshop) build(t *testing.T, mutants []mutant) {
	t.Helper()
	w.built.Do(func() {
		source, compiles := switched(t, filepath.Join(w.dir, "spec"), w.file, w.original, mutants)
		if err := os.WriteFile(filepath.Join(w.dir, "switch.go.txt"), source, 0o644); err != nil {
			t.Fatal(err)
		}
		w.compiles = compiles
	})
}

func newWorkshop(t *testing.T, g mutated) *workshop {
	t.Helper()
	w := &workshop{mutated: g, dir: t.TempDir()}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	from := filepath.Join(root, g.folder)
	write := func(name string, data []byte) {
		t.Helper()
		path := filepath.Join(w.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, filepath.Join(root, "go.sum")) {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if name := filepath.Base(f); name == "go.sum" {
			write(name, data)
		} else if !strings.HasSuffix(name, "_test.go") {
			write("spec/"+name, data)
		}
		if filepath.Base(f) == g.file {
			w.original = data
		}
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module github.com/multigrain/multigrain", "module example.org/mutants", 1)
	write("go.mod", []byte(text+"\nrequire github.com/multigrain/multigrain v0.0.0\n\nreplace github.com/multigrain/multigrain => "+root+"\n"))
	for k, text := range slices.Concat(g.manifests, g.larger) {
		write(w.manifest(k), []byte(text))
	}
	if w.hasUntouched() {
		w.writeUntouched(t)
	}
	if g.configs == "" {
		return w
	}
	shipped, err := filepath.Glob(filepath.Join(root, g.configs, "*.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range shipped {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		write("shipped/"+filepath.Base(f), bytes.ReplaceAll(data, []byte(`"github.com/multigrain/multigrain/`+g.folder+`"`), []byte(`"../spec"`)))
	}
	return w
}

// try examines a mutant, which compiles.
func (w *workshop) try(t *testing.T, m mutant) (f fate) {
	t.Helper()
	if w.gaps != "" {
		w.known.Do(func() { w.untouched(t) })
	}
	path := filepath.Join(w.dir, "spec", w.file)
	if err := os.WriteFile(path, m.source, 0o644); err != nil {
		t.Fatal(err)
	}
	defer os.WriteFile(path, w.original, 0o644)
	f.mutant = m
	for k := range w.compared() {
		larger := k >= len(w.manifests)
		o := w.measure(t, m, w.manifest(k))
		switch {
		case o.Code == 0:
			continue
		case o.Code == 20:
			f.level = "undecided"
			continue
		case !o.has("MG532") && o.Code != 10 && o.Code != 151:
			t.Errorf("exit code %d: %v", o.Code, o.Errors)
			return f
		case larger:
			f.level = "larger"
			return f
		}
		f.level = o.Level
		f.errors = len(o.Errors)
		if f.errors > 0 {
			first := o.Errors[0]
			f.at = fmt.Sprintf("%s %s:%d", first.Code, first.File, first.Line)
			f.placed = f.errors == 1 && w.within(m, first.File, first.Line)
		}
		return f
	}
	return f
}

// within reports whether a line belongs to the mutated declaration or to one of the mutated file
// that uses it. The rules of an action are parts of it: of a mutated rule its action counts as
// well, and of a mutated action its rules. So are the functions that the fields Guard and Effect of
// these actions name, in whatever file of the package.
func (w *workshop) within(m mutant, at string, line int) bool {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, w.file, m.source, 0)
	if err != nil {
		return false
	}
	declared, uses := map[string]ast.Node{}, map[string][]string{}
	add := func(name string, n ast.Node) {
		declared[name] = n
		ast.Inspect(n, func(x ast.Node) bool {
			if id, ok := x.(*ast.Ident); ok && id.Name != name {
				uses[name] = append(uses[name], id.Name)
			}
			return true
		})
	}
	concerned := map[string]bool{m.action: true}
	parts := map[string][]string{} // by action
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name.Name, d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok || len(v.Values) != 1 {
					continue
				}
				name, of := v.Names[0].Name, ruleOf(v.Values[0])
				parts[name] = fieldFunctions(v.Values[0])
				if name == m.action && of != "" {
					concerned[of] = true
				}
				if _, call := v.Values[0].(*ast.CallExpr); !call { // a call is a rule or a grain
					add(name, v)
				} else if name == m.action || of == m.action {
					declared[name], concerned[name] = v, true
				}
			}
		}
	}
	for grew := true; grew; {
		grew = false
		for name, used := range uses {
			if !concerned[name] && slices.ContainsFunc(used, func(u string) bool { return concerned[u] }) {
				concerned[name], grew = true, true
			}
		}
	}
	for action := range maps.Clone(concerned) { // after those that use what is mutated
		for _, name := range parts[action] {
			if concerned[name] = true; declared[name] == nil {
				declared[name] = w.function(fset, name)
			}
		}
	}
	for name := range concerned {
		if d := declared[name]; d != nil {
			from, to := fset.Position(d.Pos()), fset.Position(d.End())
			if from.Filename == at && from.Line <= line && line <= to.Line {
				return true
			}
		}
	}
	return false
}

// function returns a function that another file of the package declares, nil if none does.
func (w *workshop) function(fset *token.FileSet, name string) ast.Node {
	paths, _ := filepath.Glob(filepath.Join(w.dir, "spec", "*.go"))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil || filepath.Base(path) == w.file || strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, filepath.Base(path), text, 0)
		if err != nil {
			continue
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name && f.Recv == nil {
				return f
			}
		}
	}
	return nil
}

// fieldFunctions returns the functions that the fields Guard and Effect of an action name.
func fieldFunctions(e ast.Expr) (names []string) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, x := range lit.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			key, _ := kv.Key.(*ast.Ident)
			if id, ok := kv.Value.(*ast.Ident); ok && key != nil && (key.Name == "Guard" || key.Name == "Effect") {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

// ruleOf returns the action that a rule is about, as in modules.When(&Action, ...); "" for what is
// not a rule.
func ruleOf(e ast.Expr) string {
	c, ok := e.(*ast.CallExpr)
	if !ok || len(c.Args) == 0 {
		return ""
	}
	if u, ok := c.Args[0].(*ast.UnaryExpr); ok {
		if id, ok := u.X.(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}
