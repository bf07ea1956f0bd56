package initial

import (
	"encoding/json"
	"fmt"
	"go/constant"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// TestLikeGo interprets the initialisers of testdata/initialisers.txt and runs them. A known
// value must be that of the program, and an unknown one must be expected.
func TestLikeGo(t *testing.T) {
	t.Parallel()
	dir, wants := module(t)
	results := execute(t, dir)
	pkgs := build(t, dir)
	for _, name := range slices.Sorted(maps.Keys(wants)) {
		p := pkgs["likego/"+folder(name)]
		r := Run(p)
		got := r.Globals[p.Var("Result")]
		text, unknown := show(got.Value)
		switch shared := len(r.Shared(func(g *ssa.Global) bool { return g == p.Var("Result") })) > 0; {
		case shared:
			text = "shared"
		case unknown:
			text = "unknown"
		case text == results[folder(name)]:
			text = "same"
		}
		if text != wants[name] {
			t.Errorf("%s: the interpreter has %s, expected is %s; the program has %s", name, text, wants[name], results[folder(name)])
		}
	}
}

func folder(name string) string { return strings.ReplaceAll(name, " ", "") }

// imports are the packages that the initialisers use, by a text that shows that they do.
var imports = map[string]string{"encoding/json": "json.", "flag": "flag.", "os": "os.", "slices": "slices.", "sort": "sort.", "sync": "sync."}

// module writes a module with a package for each initialiser and a program that prints the results.
func module(t *testing.T) (dir string, wants map[string]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/initialisers.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir, wants = t.TempDir(), map[string]string{}
	write(t, dir, "go.mod", "module likego\n\ngo 1.25\n")
	var head, body strings.Builder
	for _, part := range strings.Split(string(text), "\n-- ")[1:] {
		title, code, _ := strings.Cut(part, "\n")
		name, want, _ := strings.Cut(title, ": ")
		wants[name] = want
		file := "package p\n\n"
		for _, path := range slices.Sorted(maps.Keys(imports)) {
			if strings.Contains(code, imports[path]) {
				file += fmt.Sprintf("import %q\n", path)
			}
		}
		write(t, filepath.Join(dir, folder(name)), "p.go", file+"\n"+code)
		fmt.Fprintf(&head, "import p%d \"likego/%s\"\n", len(wants), folder(name))
		fmt.Fprintf(&body, "\t%q: p%d.Result,\n", folder(name), len(wants))
	}
	if len(wants) < 50 {
		t.Fatalf("only %d initialisers were read", len(wants))
	}
	write(t, filepath.Join(dir, "main"), "main.go", "package main\n\nimport \"encoding/json\"\nimport \"os\"\n"+head.String()+
		"\nfunc main() { json.NewEncoder(os.Stdout).Encode(map[string]any{\n"+body.String()+"}) }\n")
	return dir, wants
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// execute runs the program and returns the results as JSON, by package.
func execute(t *testing.T, dir string) map[string]string {
	t.Helper()
	cmd := exec.Command("go", "run", "./main")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, r := range raw {
		out[name] = string(r)
	}
	return out
}

// build returns the SSA form of the module's packages, by path.
func build(t *testing.T, dir string) map[string]*ssa.Package {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadSyntax}, "./...")
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatal(err)
	}
	prog, pkgs := ssautil.Packages(loaded, ssa.InstantiateGenerics)
	prog.Build()
	out := map[string]*ssa.Package{}
	for _, p := range pkgs {
		out[p.Pkg.Path()] = p
	}
	return out
}

// show returns a value as JSON, and whether a part of it is not known.
func show(v Value) (text string, unknown bool) {
	switch v := v.(type) {
	case Nil:
		return "null", false
	case constant.Value:
		return v.ExactString(), false
	case Slice:
		var parts []string
		for _, c := range v.Elems {
			part, u := show(c.Value)
			parts, unknown = append(parts, part), unknown || u
		}
		return "[" + strings.Join(parts, ",") + "]", unknown
	}
	return fmt.Sprint(v), true
}

// TestPackageOrder expects the order in which Go initialises packages: by import path, and after
// what they import. Both a and b write to a variable of c.
func TestPackageOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module order\n\ngo 1.25\n")
	write(t, filepath.Join(dir, "c"), "c.go", "package c\n\nvar Last string\n")
	write(t, filepath.Join(dir, "a"), "a.go", "package a\n\nimport \"order/c\"\n\nfunc init() { c.Last = \"a\" }\n")
	write(t, filepath.Join(dir, "b"), "b.go", "package b\n\nimport \"order/c\"\n\nfunc init() { c.Last = \"b\" }\n")
	// b is imported first
	write(t, filepath.Join(dir, "p"), "p.go", "package p\n\nimport _ \"order/b\"\nimport _ \"order/a\"\nimport \"order/c\"\n\nvar Result = c.Last\n")
	write(t, filepath.Join(dir, "main"), "main.go", "package main\n\nimport \"encoding/json\"\nimport \"os\"\nimport \"order/p\"\n\n"+
		"func main() { json.NewEncoder(os.Stdout).Encode(map[string]any{\"p\": p.Result}) }\n")
	want := execute(t, dir)["p"]
	p := build(t, dir)["order/p"]
	got, _ := show(Run(p).Globals[p.Var("Result")].Value)
	if got != want || want != `"b"` {
		t.Errorf("got %s, the program has %s", got, want)
	}
}

// TestSharedPlaces expects the place of each append that is refused, once.
func TestSharedPlaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module shared\n\ngo 1.25\n")
	write(t, dir, "p.go", `package p

var base = []string{"a"}

type grain struct{ one, two, three []string }

var Result = []any{grain{
	one: append(base, "one"),
	two: append(base,
		"two"), three: append([]string{"three"}, base...),
}, more(), more()}

func more() []string { return append(base, "more") }
`)
	p := build(t, dir)["shared"]
	var lines []int
	for _, u := range Run(p).Shared(func(g *ssa.Global) bool { return g.Name() == "Result" }) {
		lines = append(lines, p.Prog.Fset.Position(u.Pos).Line)
		if u.Pos == token.NoPos || u.Why != heldWhy {
			t.Errorf("%+v", u)
		}
	}
	if !slices.Equal(lines, []int{8, 9, 13}) {
		t.Errorf("appends were refused on lines %v", lines)
	}
}
