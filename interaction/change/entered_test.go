package change

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// library is a module in which Put is modelled. The functions below differ in what may reach them.
var library = map[string]string{
	"go.mod": "module example.com/lib\n\ngo 1.26\n\nrequire example.com/dep v1.0.0\n\nreplace example.com/dep => ./dep\n",
	"lib.go": `package lib

import (
	"strings"

	"example.com/dep"
)

type S struct{ n int }

func (s *S) Put(n int) { s.n = helper(n) + dep.One }

func helper(n int) int { return n }

// Status is for programs.
func (s *S) Status() int { return status(s) }

func status(s *S) int { return s.n }

func unused() int { return deep() }

func deep() int { return 1 }

func starts() int { return 2 }

var begun = starts()

func kept() {}

var table = []func(){kept}

func init() { prepare() }

func prepare() {}

type judge interface{ judge() bool }

type verdict struct{}

func (verdict) judge() bool { return true }

func (verdict) lonely() bool { return true }

func handed() {}

func hands() func() { return handed }

func Upper(s string) string { return strings.ToUpper(s) }

const spare = 1

const width = 2

type box [width]int
`,
	"more.go":        "package lib\n\nfunc (s *S) More() int { return s.n }\n",
	"dep/go.mod":     "module example.com/dep\n\ngo 1.26\n",
	"dep/dep.go":     "package dep\n\nconst One = 1\n",
	"dep/strings.go": "package dep\n\nfunc ToUpper(s string) string { return s }\n",
}

// analyse changes the library by replacing one text of a file in each step.
func analyse(t *testing.T, rules []Rule, change func(files map[string]string)) *Analysis {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q")
	written(t, dir, library)
	run(t, dir, "git", "add", "-A")
	run(t, dir, "git", "commit", "-qm", "a")
	files := maps.Clone(library)
	change(files)
	run(t, dir, "git", "rm", "-rqf", "--cached", ".")
	for name := range library {
		if _, ok := files[name]; !ok {
			run(t, dir, "rm", name)
		}
	}
	written(t, dir, files)
	run(t, dir, "git", "add", "-A")
	cat := &grains.Catalog{Grains: []grains.GrainDecl{{Name: "baseline", Covers: []string{"m"}, Models: []string{"S.Put"}}}}
	a, err := Analyse(Options{Dir: dir, Base: "HEAD", Packages: []string{"."}, Places: NewPlaces(cat, nil), Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func short(a *Analysis) string { return strings.ReplaceAll(trails(a), "example.com/lib.", "") }

// TestEntered: only code that nothing can reach is left out.
func TestEntered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, old, new, want string }{
		{"called by what is modelled", "{ return n }", "{ return n + 1 }", "helper<S.Put"},
		{"called by nothing", "{ return deep() }", "{ return -deep() }", "~"},
		{"called by what nothing calls", "{ return 1 }", "{ return 3 }", "~"},
		{"called by what is exported", "{ return s.n }", "{ return -s.n }", "!status"},
		{"exported", "{ return status(s) }", "{ return -status(s) }", "!S.Status"},
		{"a value of a variable", "{ return 2 }", "{ return 4 }", "!starts"},
		{"in a table", "func kept() {}", "func kept() { println() }", "!kept"},
		{"called by init", "func prepare() {}", "func prepare() { println() }", "!prepare"},
		{"init", "{ prepare() }", "{ prepare(); println() }", "!init"},
		{"a method of an interface", ") judge() bool { return true }", ") judge() bool { return false }", "!verdict.judge"},
		{"a method of none", ") lonely() bool { return true }", ") lonely() bool { return false }", "~"},
		{"a value of what nothing calls", "func handed() {}", "func handed() { println() }", "~"},
		{"a constant", "spare = 1", "spare = 2", "~"},
		{"a constant in a type", "width = 2", "width = 3", "!width"},
		{"a directive", "func unused() int", "//go:linkname unused\nfunc unused() int", "!unused"},
		{"a new variable that runs", "const spare = 1", "const spare = 1\n\nvar more = strings.ToUpper(\"\")", "!more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := analyse(t, nil, func(files map[string]string) {
				files["lib.go"] = strings.Replace(files["lib.go"], c.old, c.new, 1)
				if c.name == "a directive" {
					files["lib.go"] = strings.Replace(files["lib.go"], "import (", "import (\n\t_ \"unsafe\"\n", 1)
				}
			})
			a.Unmodelled = slices.DeleteFunc(a.Unmodelled, func(u Unmodelled) bool { return u.Kind == Import })
			if got := short(a); got != c.want {
				t.Errorf("%s, want %s; %+v %+v", got, c.want, a.Unmodelled, a.Ignored)
			}
		})
	}
}

// TestMovesAndImports: what moves as it is changes nothing; an import counts if it binds a name to
// something else, or is there for its effect.
func TestMovesAndImports(t *testing.T) {
	t.Parallel()
	edit := func(file, old, new string) func(map[string]string) {
		return func(files map[string]string) { files[file] = strings.Replace(files[file], old, new, 1) }
	}
	for _, c := range []struct {
		name   string
		change func(map[string]string)
		want   string
	}{
		{"a renamed file", func(f map[string]string) { f["other.go"] = f["more.go"]; delete(f, "more.go") }, "~"},
		// Here it is gone, and it only reads. The other system has it for the first time.
		{"for another system", func(f map[string]string) { f["more_plan9.go"] = f["more.go"]; delete(f, "more.go") }, "!S.More !S.More"},
		{"a moved function", func(f map[string]string) {
			f["lib.go"] = strings.Replace(f["lib.go"], "func helper(n int) int { return n }", "", 1)
			f["more.go"] += "\nfunc helper(n int) int { return n }\n"
		}, "~"},
		{"moved and changed", func(f map[string]string) {
			f["lib.go"] = strings.Replace(f["lib.go"], "func helper(n int) int { return n }", "", 1)
			f["more.go"] += "\nfunc helper(n int) int { return 0 }\n"
		}, "helper<S.Put ~"},
		{"moved with another name", func(f map[string]string) {
			f["lib.go"] = strings.Replace(strings.Replace(f["lib.go"], "func helper(n int) int { return n }", "", 1), "helper(", "aid(", -1)
			f["more.go"] += "\nfunc aid(n int) int { return n }\n"
		}, "~"},
		{"moved with another name and changed", func(f map[string]string) {
			f["lib.go"] = strings.Replace(strings.Replace(f["lib.go"], "func helper(n int) int { return n }", "", 1), "helper(", "aid(", -1)
			f["more.go"] += "\nfunc aid(n int) int { return 0 }\n"
		}, "aid<S.Put ~"},
		{"a modelled function with another name and changed", func(f map[string]string) {
			f["lib.go"] = strings.Replace(strings.Replace(f["lib.go"], "helper", "aid", -1), "{ return n }", "{ return 0 }", 1)
		}, "aid<S.Put"},
		{"an import that a changed function uses", func(f map[string]string) {
			f["lib.go"] = strings.Replace(strings.Replace(f["lib.go"], "{ return deep() }", "{ return len(fmt.Sprint(deep())) }", 1), "import (", "import (\n\t\"fmt\"", 1)
		}, "~"},
		{"an import that binds a name to something else", edit("lib.go", "\t\"strings\"\n\n\t\"example.com/dep\"", "\t\"example.com/dep\"\n\tstrings \"example.com/dep\""), `!"example.com/dep"`},
		{"an import for its effect", edit("more.go", "package lib\n", "package lib\n\nimport _ \"strings\"\n"), `!"strings"`},
		{"a requirement that is built with", edit("go.mod", "dep v1.0.0", "dep v1.1.0"), "!example.com/dep"},
		{"a requirement that is not", edit("go.mod", "require example.com/dep v1.0.0", "require (\n\texample.com/dep v1.0.0\n\texample.com/unused v1.0.0\n)"), "~"},
		{"the language", edit("go.mod", "go 1.26", "go 1.25"), "!go.mod"},
		{"a comment in go.mod", edit("go.mod", "go 1.26", "go 1.26 // or later"), "~"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := short(analyse(t, nil, c.change)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestRulesOfGo: a rule names functions, and fails also what leads to a modelled one.
func TestRulesOfGo(t *testing.T) {
	t.Parallel()
	for policy, want := range map[Policy]string{Ignore: "~", Report: "helper<S.Put", Fail: "!helper helper<S.Put"} {
		for _, pattern := range []string{"helper", "lib.help*", "example.com/lib.helper"} {
			a := analyse(t, []Rule{{Pattern: pattern, Policy: policy}}, func(f map[string]string) {
				f["lib.go"] = strings.Replace(f["lib.go"], "{ return n }", "{ return n + 1 }", 1)
			})
			if got := short(a); got != want {
				t.Errorf("%s %s: %s, want %s", pattern, policy, got, want)
			}
		}
	}
	// What is modelled is no unmodelled code.
	a := analyse(t, []Rule{{Pattern: "S.*", Policy: Ignore}}, func(f map[string]string) { f["lib.go"] = strings.Replace(f["lib.go"], "helper(n) +", "helper(n) -", 1) })
	if got := short(a); got != "S.Put" {
		t.Errorf("a modelled function: %s", got)
	}
}

// TestThirdCommitOfGo: the folder is at a commit that is no side of the change. Comments are seen
// by Git's objects. Callers of changed code are those of the folder, so the result is undecided.
func TestThirdCommitOfGo(t *testing.T) {
	t.Parallel()
	for old, want := range map[string]string{"func helper": "~", "{ return n }": "helper<S.Put"} {
		dir := t.TempDir()
		run(t, dir, "git", "init", "-q")
		fresh := map[string]string{"func helper": "// helper is for Put.\nfunc helper", "{ return n }": "{ return n + 1 }"}[old]
		for _, edit := range [][2]string{{"", ""}, {old, fresh}, {"package lib\n", "package lib\n\n// More.\n"}} {
			files := maps.Clone(library)
			files["lib.go"] = strings.Replace(files["lib.go"], edit[0], edit[1], 1)
			written(t, dir, files)
			run(t, dir, "git", "add", "-A")
			run(t, dir, "git", "commit", "-qm", "a")
		}
		cat := &grains.Catalog{Grains: []grains.GrainDecl{{Name: "baseline", Covers: []string{"m"}, Models: []string{"S.Put"}}}}
		a, err := Analyse(Options{Dir: dir, Diff: run(t, dir, "git", "diff", "HEAD~2", "HEAD~1"), Packages: []string{"."}, Places: NewPlaces(cat, nil)})
		if err != nil {
			t.Fatal(err)
		}
		if got := short(a); got != want || (len(a.Doubts) > 0) != (want != "~") {
			t.Errorf("%s, want %s; doubts %v", got, want, a.Doubts)
		}
	}
}

// TestGrown: a struct with new fields is no change of its own, if all functions that use these
// changed. Another field or a field that other code uses is one.
func TestGrown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, fields, put, want string }{
		{"counted", "n, calls int", "s.calls++; s.n = n", "!S S.Put"},
		{"a field of its own", "n int; calls int", "s.calls++; s.n = n", "S.Put"},
		{"exported", "n int; Calls int", "s.Calls++; s.n = n", "!S S.Put"},
		{"embedded", "n int; strings.Builder", "s.n = n", "!S S.Put"},
		{"in front", "calls int; n int", "s.calls++; s.n = n", "S.Put"},
		{"another type", "n int; calls [2]int", "s.calls[0]++; s.n = n", "S.Put"},
		{"a type changes", "n int64; calls int", "s.calls++; s.n = int64(n)", "!S S.Put"},
		{"no field", "n int", "s.n = n + 1", "S.Put"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := analyse(t, nil, func(files map[string]string) {
				files["lib.go"] = strings.NewReplacer("struct{ n int }", "struct{ "+c.fields+" }", "s.n = helper(n) + dep.One", c.put+"; _ = helper(n) + dep.One",
					"return s.n }", "return int(s.n) }").Replace(files["lib.go"])
				files["more.go"] = strings.Replace(files["more.go"], "return s.n", "return int(s.n)", 1)
			})
			var got []string
			for _, u := range a.Unmodelled {
				if u.Kind == Type {
					got = append(got, "!"+strings.TrimPrefix(u.Name, "example.com/lib."))
				}
			}
			for _, x := range a.Trails {
				if name := strings.TrimPrefix(x.Declaration.Name, "example.com/lib."); !slices.Contains(got, name) && !slices.Contains(got, "!"+name) {
					got = append(got, map[bool]string{true: "!"}[x.Declaration.Kind == Type]+name)
				}
			}
			slices.Sort(got)
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %q; %+v", got, c.want, a.Ignored)
			}
		})
	}
	// A function that did not change uses the field under its name.
	a := analyse(t, nil, func(files map[string]string) {
		files["lib.go"] = strings.Replace(files["lib.go"], "struct{ n int }", "struct{ n int; calls int }", 1)
		files["more.go"] = "package lib\n\nfunc (s *S) More() int { return s.n }\n\nfunc more(s *S) int { return s.calls }\n"
	})
	if len(a.Trails) > 0 || slices.ContainsFunc(a.Unmodelled, func(u Unmodelled) bool { return u.Kind == Type }) {
		t.Errorf("a function that is added uses the field: %+v %+v", a.Trails, a.Unmodelled)
	}
}

// TestLeftOutOfTheBuild: a file whose name the go command leaves out has no code, and one that gets
// such a name is gone.
func TestLeftOutOfTheBuild(t *testing.T) {
	t.Parallel()
	for to, gone := range map[string]bool{"other.go": false, "_more.go": true, ".more.go": true, "more_test.go": true} {
		a := analyse(t, nil, func(files map[string]string) {
			files[to] = files["more.go"]
			delete(files, "more.go")
		})
		got := slices.ContainsFunc(a.Unmodelled, func(u Unmodelled) bool { return strings.HasSuffix(u.Name, "S.More") && u.How == Removed })
		if got != gone || len(a.Trails) > 0 {
			t.Errorf("%s: %+v %+v", to, a.Ignored, a.Unmodelled)
		}
	}
	a := analyse(t, nil, func(files map[string]string) { files["_new.go"] = "package lib\n\nfunc (s *S) Put(n int) {}\n" })
	if !strings.Contains(ignoredText(a), "a file that the go command leaves out") || len(a.Unmodelled)+len(a.Trails) > 0 {
		t.Errorf("%+v %+v", a.Ignored, a.Unmodelled)
	}
}

func ignoredText(a *Analysis) string {
	var out []string
	for _, x := range a.Ignored {
		out = append(out, x.File+": "+x.Reason)
	}
	return strings.Join(out, "\n")
}
