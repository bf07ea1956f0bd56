package assemble

import (
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// unreachedSource is a package in which "keep" or "drop" marks each body.
const unreachedSource = `package p

import (
	"strings"
	"unicode"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

var System = grains.System[State]{
	Init:       Init,
	Grains:     []grains.Grain[State]{fine, grains.Coarsen(grains.Grain[State]{Actions: list}, fine)},
	Invariants: invariants,
	Budgets:    []modules.Budget[State]{modules.Spend[State]("x", &Other)},
	Rules:      []modules.Rule[State]{modules.After(&Other, noted), modules.AfterAny(owed, &Other), modules.WhenAny(idle), modules.AfterAny(func(s, n *State) { mark("drop 7") })},
}

var (
	fine       = grains.Grain[State]{Actions: Actions{&Chosen, &Other, &Borrowed}}
	list       = append(Actions{&Asked}, Actions{&Given}...)
	invariants = []modules.Invariant[State]{{State: func(s *State) bool { return enabled(s, &Asked, "keep 1") }}}
	given      = wrapped(&Given)
)

var Chosen = Action[One]{Name: "Chosen", Params: each, Guard: ready, Effect: func(s, n *State, p One) {
	Borrowed.Effect(s, n, p)
	n.step("keep 2")
}}

var Other = Action[One]{Name: "Other", Params: domain, Guard: func(s *State, p One) bool {
	unicode.IsUpper('x')
	return s.never("drop 1")
}, Effect: otherEffect}

var (
	Borrowed = Action[One]{Name: "Borrowed", Params: each, Guard: ready, Effect: func(s, n *State, p One) { n.step("keep 3") }}
	Asked    = Action[One]{Name: "Asked", Params: each, Guard: func(s *State, p One) bool { return is(s, "keep 4") }}
	Given    = Action[One]{Name: "Given", Params: each, Guard: func(s *State, p One) bool { return is(s, "keep 5") }}
)

// Runtime is for monitors. What it calls at the start of the program runs.
var Runtime = monitor{Step: func() { mark("drop 2") }, Sum: started(), Many: func() int { mark("drop 3"); return 1 }}

func init()                                    { mark("keep 6") }
func Init(yield func(State) bool)              { mark("keep 7") }
func ready(s *State, p One) bool               { return is(s, "keep 8") }
func each(yield func(One) bool)                { mark("keep 9") }
func domain(yield func(One) bool)              { mark("keep 10") }
func otherEffect(s, n *State, p One)           { onlyOther("drop 4") }
func onlyOther(text string)                    { mark(strings.ToUpper("drop 5")) }
func (s *State) step(text string)              { mark("keep 11") }
func (s *State) never(text string) bool        { return is(s, "drop 6") }
func (s *State) String() string                { mark("keep 12"); return "" }
func started() int                             { mark(strings.ToUpper("keep 13")); return 1 }
func wrapped(a *Action[One]) func()            { return func() { mark("keep 14") } }
func noted(s, n *State, p One)                 { mark("drop 8") }
func owed(s, n *State)                         { mark("drop 9") }
func idle(s *State) bool                       { return is(s, "keep 18") }
func is(s *State, text string) bool            { mark("keep 15"); return true }
func enabled(s *State, a any, text string) bool { mark("keep 16"); return true }
func mark(text string)                         { println("keep 17") }
`

// TestUnreached: what the composition cannot reach loses its body, and an import that only such
// bodies use loses its name. Everything else stays, on its line.
func TestUnreached(t *testing.T) {
	t.Parallel()
	r := &Rewriting{fset: token.NewFileSet(), path: "p", hoist: map[grains.Place]string{}, set: map[string]string{}}
	tree, err := parser.ParseFile(r.fset, "p.go", unreachedSource, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	r.files = []*goFile{{path: "p.go", text: []byte(unreachedSource), tree: tree}}
	p := &Program{Catalog: &grains.Catalog{Var: "System", State: "State"}, Chosen: []*grains.GrainDecl{{Actions: []string{"Chosen"}}}}
	for _, name := range []string{"Chosen", "Other", "Borrowed", "Asked", "Given"} {
		p.Catalog.Actions = append(p.Catalog.Actions, grains.ActionDecl{Name: name, Var: name, Effect: grains.Function{Name: "mark"}})
	}
	p.Chosen[0].Rules = []grains.RuleDecl{{When: &grains.Function{Name: "idle"}}}
	p.emptyUnreached(r, false)
	text := string(r.Changed()["p.go"])
	if _, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, mark := range regexp.MustCompile(`"(keep|drop) \d+"`).FindAllString(unreachedSource, -1) {
		if keep := strings.HasPrefix(mark, `"keep`); strings.Contains(text, mark) != keep {
			t.Errorf("the body with %s is there: %v", mark, !keep)
		}
	}
	for path, unnamed := range map[string]bool{"strings": false, "unicode": true, grainsPath: false} {
		if strings.Contains(text, `_ "`+path+`"`) != unnamed {
			t.Errorf("import %s has lost its name: %v", path, !unnamed)
		}
	}
	for _, name := range []string{"var Runtime", "func init()", "func mark"} {
		line := func(text string) int { return strings.Count(text[:strings.Index(text, name)], "\n") }
		if line(text) != line(unreachedSource) {
			t.Errorf("%s has moved to line %d", name, line(text)+1)
		}
	}
}

// TestUnreachedImport: a file that imports a package under a name that is not the last part of its
// path stays as it is. The imports that its bodies use are not known. A variable may have the name
// that the path ends with.
func TestUnreachedImport(t *testing.T) {
	t.Parallel()
	const start = "package p\n\nimport \"example.org/strings/v2\"\n\nvar System = 1\n\nfunc unused() { strings.Cut(\"a\", \"b\") }\n"
	for _, source := range []string{start, start + "\nfunc String() int { return v2.number }\n"} {
		r := &Rewriting{fset: token.NewFileSet(), path: "p"}
		tree, err := parser.ParseFile(r.fset, "p.go", source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		r.files = []*goFile{{path: "p.go", text: []byte(source), tree: tree}}
		(&Program{Catalog: &grains.Catalog{Var: "System", State: "State"}}).emptyUnreached(r, false)
		if f := r.files[0]; len(f.edits) > 0 {
			t.Errorf("edits: %v\n%s", f.edits, source)
		}
	}
}

// TestUnreachedActions has packages that run the guard or the effect of an action that is not
// chosen without naming it where they run it. An action that a catalog only lists loses both.
func TestUnreachedActions(t *testing.T) {
	t.Parallel()
	const declared = "\nvar Other = Action[One]{Guard: func(s *State, p One) bool { return mark(\"here\") }}\n"
	for name, x := range map[string]struct {
		files []string
		kept  bool
	}{
		"listed": {[]string{`import "slices"

var System = list{slices.Concat(Actions{&Other}, Actions{&Other})}`}, false},
		"coarsened": {[]string{`import "` + grainsPath + `"

var System = grains.Coarsen(grains.Grain[State]{Actions: Actions{&Other}}, base)`}, false},
		"a rule": {[]string{`import "` + modulesPath + `"

var System = list{modules.When(&Other, func(*State, One) bool { return true }), modules.Spend[State]("x", &Other)}`}, false},
		"a search of a list at the start": {[]string{`import "slices"

var all = []*Action[One]{&Other}
var System = slices.IndexFunc(all, func(a *Action[One]) bool { return a.Guard(nil, One{}) })`}, true},
		"a step of a bound action at the start": {[]string{`import "` + modulesPath + `"

var System = modules.Bind(Actions{&Other}, nil, nil)[0].Enabled(nil, 0)`}, true},
		"a method of a literal at the start": {[]string{`
var System = runner{&Other}.run()

func (r runner) run() bool { return r.action.Guard(nil, One{}) }`}, true},
		"a field and a key of the same name": {[]string{`
var System = list{&Other}

func init() { println(message{Other: 1}.Other) }`}, false},
		"a field and a method of the same name": {[]string{`
var System = list{&Other}

func init() { message{Other: 1}.Other() }
func (m message) Other() { run(&Other) }`}, true},
		"another package slices": {[]string{`import "slices"

var System = slices.Concat(Actions{})`, `import "example.org/slices"

var started = slices.Concat(&Other)`}, true},
		"a named import of another package": {[]string{`import "slices"

var System = slices.Concat(Actions{})`, `import slices "example.org/run"

var started = slices.Concat(&Other)`}, true},
		"a map that another function reads": {[]string{`
var System = list{table}
var table = map[string]*Action[One]{"x": &Other}

func init() { table["x"].Guard(nil, One{}) }`}, true},
		"a method value": {[]string{`
var System = list{hook}
var holder = &keeper{&Other}
var hook = holder.run

func (k *keeper) run() bool { return k.action.Guard(nil, One{}) }
func init() { hook() }`}, true},
		"a local variable of the same name": {[]string{`
var System = list{&Other}

func init() {
	Other := 1
	_ = Other
}`}, true},
		"a copy": {[]string{`
var System = list{&Other, &Copy}
var Copy = Other`}, true},
	} {
		r := &Rewriting{fset: token.NewFileSet(), path: "p", hoist: map[grains.Place]string{}, set: map[string]string{}}
		for k, text := range append(x.files, declared) {
			path := string(rune('a'+k)) + ".go"
			text = "package p\n\n" + text + "\n"
			tree, err := parser.ParseFile(r.fset, path, text, parser.ParseComments)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			r.files = append(r.files, &goFile{path: path, text: []byte(text), tree: tree})
		}
		p := &Program{Catalog: &grains.Catalog{Var: "System", State: "State", Actions: []grains.ActionDecl{{Name: "Other", Var: "Other"}}}}
		p.emptyUnreached(r, false)
		last := r.files[len(r.files)-1]
		if kept := !strings.Contains(string(r.Changed()[last.path]), "panic("); kept != x.kept {
			t.Errorf("%s: the guard is kept: %v, want %v", name, kept, x.kept)
		}
	}
}
