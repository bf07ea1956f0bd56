package interaction

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/speclint"
)

const toyDir = "testdata/toy"

// loadToy loads the toy with texts of its files replaced: "file: old => new".
func loadToy(t *testing.T, edits ...string) (*Program, []Finding) {
	t.Helper()
	p, findings, err := Load(Config{Dir: ".", Package: "./" + toyDir, Overlay: overlay(t, toyDir, edits)})
	if err != nil {
		t.Fatal(err)
	}
	return p, findings
}

func overlay(t *testing.T, dir string, edits []string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, e := range edits {
		file, change, ok := strings.Cut(e, ": ")
		old, new, ok2 := strings.Cut(change, " => ")
		if !ok || !ok2 {
			t.Fatalf("%q is not file: old => new", e)
		}
		name, err := filepath.Abs(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		text, ok := out[name]
		if !ok {
			if text, err = os.ReadFile(name); err != nil && old != "" {
				t.Fatal(err)
			}
		}
		if !strings.Contains(string(text), old) {
			t.Fatalf("%s does not contain %q", file, old)
		}
		out[name] = []byte(strings.Replace(string(text), old, strings.ReplaceAll(new, "¶", "\n"), 1))
	}
	return out
}

// lineOf returns the number of the first line of a file of dir that contains text.
func lineOf(t *testing.T, dir, file, text string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	for k, line := range strings.Split(string(b), "\n") {
		if strings.Contains(line, text) {
			return k + 1
		}
	}
	t.Fatalf("%s/%s has no line with %q", dir, file, text)
	return 0
}

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		edit string
		kind Kind
		file string
		mark string // a text of the line in the file as it is on disk
		say  string
	}{
		{"syntax", "work.go: Guard: func(s *State, p Pair) bool { => Guard: func(s *State, p Pair bool {", NotCompiling, "work.go", "Guard: func(s *State, p Pair) bool {", ""},
		{"syntax on one line", "choosing.go: n.Vote[p.I] = p.I => n.Vote[p.I] = = p.I", NotCompiling, "choosing.go", "n.Vote[p.I] = p.I", "expected operand"},
		{"unknown field", "work.go: n.Duty[p.I].Given++ => n.Duty[p.I].Taken++", NotCompiling, "work.go", "n.Duty[p.I].Given++", "Taken"},
		{"unused variable", "greeting.go: n.Crew[p.I].Add(p.J) => x := 1", NotCompiling, "greeting.go", "n.Crew[p.I].Add(p.J)", "declared and not used: x"},
		{"wrong effect", "work.go: Effect: func(s, n *State, p Pair) { => Effect: func(s *State, p Pair) {", NotCompiling, "work.go", "Effect: func(s, n *State, p Pair) {", ""},
		{"unknown import", "work.go: import \" => import \"example.org/nowhere\"¶import \"", NotCompiling, "", "", "example.org/nowhere"},
		{"another package clause", "work.go: package toy => package tox", NotFound, "", "", "tox"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, findings := loadToy(t, c.edit)
			if p != nil || len(findings) == 0 {
				t.Fatalf("loaded, findings %v", findings)
			}
			f := findings[0]
			if c.file != "" && (filepath.Base(f.File) != c.file || f.Kind != c.kind) {
				t.Errorf("got %v of kind %s, want file %s, kind %s", f, f.Kind, c.file, c.kind)
			}
			if c.mark != "" && f.Line != lineOf(t, toyDir, c.file, c.mark) {
				t.Errorf("got line %d, want %d", f.Line, lineOf(t, toyDir, c.file, c.mark))
			}
			if !strings.Contains(f.Error(), c.say) || strings.Contains(f.Error(), "goroutine ") {
				t.Errorf("got %q, want it to say %q", f.Error(), c.say)
			}
		})
	}
}

// TestLoadSetAsNumber: the toy writes 0 for an empty set. With sets of more than eight identities
// that does not compile, and the remedy names what does.
func TestLoadSetAsNumber(t *testing.T) {
	t.Parallel()
	const says = "more than eight identities"
	cfg := Config{Dir: ".", Package: "./" + toyDir, Env: append(os.Environ(), "GOFLAGS=-tags=multigrain_sets16")}
	p, findings, err := Load(cfg)
	if err != nil || p != nil || len(findings) == 0 {
		t.Fatal(p, findings, err)
	}
	f := findings[0]
	if f.Kind != NotCompiling || f.Line != lineOf(t, toyDir, "faults.go", "n.Heard[p.I] = 0") || !strings.Contains(f.Remedy, says) {
		t.Errorf("got %v of kind %s, remedy %q", f, f.Kind, f.Remedy)
	}
	_, findings = loadToy(t, "faults.go: n.Crew[p.I] = 0 => n.Crew[p.I] = -1")
	if len(findings) == 0 || strings.Contains(findings[0].Remedy, says) {
		t.Errorf("with sets of eight: %v", findings)
	}
}

func TestLoadNotFound(t *testing.T) {
	t.Parallel()
	for _, cfg := range []Config{
		{Dir: ".", Package: "./testdata/nothing"},
		{Dir: ".", Package: "example.org/no/such/package"},
		{Dir: "testdata/nothing", Package: "."},
		{Dir: ".", Package: "./testdata"},
	} {
		p, findings, err := Load(cfg)
		if p != nil || err != nil || len(findings) != 1 || findings[0].Kind != NotFound || findings[0].Remedy == "" {
			t.Errorf("%+v: got %v, findings %v, error %v", cfg, p, findings, err)
		}
	}
}

func TestLoadWithoutToolchain(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	p, findings, err := Load(Config{Dir: ".", Package: "./testdata/toy"})
	if p != nil || err != nil || len(findings) != 1 || findings[0].Kind != NoToolchain {
		t.Errorf("got %v, findings %v, error %v", p, findings, err)
	}
}

func TestCatalog(t *testing.T) {
	t.Parallel()
	p, _ := loadToy(t)
	cat, findings := p.Catalog()
	if len(findings) != 0 {
		t.Fatal(findings)
	}
	if cat.System != "toy" || cat.State != "State" || cat.Var != "System" || cat.Package != p.Path || len(cat.Modules) != 4 ||
		!cat.Modules[3].Environment || len(cat.Grains) != 14 || len(cat.Rules) != 3 || cat.Init.Name != "Init" {
		t.Errorf("got %+v", cat)
	}
	g := grainDecl(cat, grains.Ref{Module: "choosing", Grain: "coarse"})
	if g == nil || !g.Coarsens || len(g.From) != 2 || g.From[1].Module != "greeting" || len(g.Covers) != 2 || g.Actions[0] != "Assemble" {
		t.Fatalf("got %+v", g)
	}
	a := p.reading().byName["Hear"].decl
	if a.Var != "Hear" || a.Param != "Pair" || a.Place.Line != lineOf(t, toyDir, "choosing.go", "var Hear") ||
		a.Guard.Name != "" || a.Effect.Place.Line != lineOf(t, toyDir, "choosing.go", "Effect: func(s, n *State, p Pair)") ||
		a.Effect.Place.Column != strings.Index("\tEffect: func", "func")+1 {
		t.Errorf("got %+v", a)
	}
	if a := p.reading().byName["Assemble"].decl; a.Guard.Name != "assembles" || a.Guard.Place.Line != lineOf(t, toyDir, "assembling.go", "func assembles") {
		t.Errorf("got %+v", a.Guard)
	}
	if r := cat.Rules[1]; r.On != "" || len(r.Except) != 1 || r.Except[0] != "Start" || r.When == nil || r.After != nil {
		t.Errorf("got %+v", r)
	}
	if v := cat.Invariants[2]; v.On != "SendJOB" || v.Kind != "step" || v.Check == nil {
		t.Errorf("got %+v", v)
	}
	if v := cat.Grains[2].Invariants[1]; v.Raises != 2 || v.Kind != "assert" || v.Place.Line != lineOf(t, toyDir, "catalog.go", "UnknownReport") {
		t.Errorf("got %+v", v)
	}
	if cat.Enums["Kind"][2] != "WELCOME" || cat.Enums["Server"][-1] != "Nobody" {
		t.Errorf("got %v", cat.Enums)
	}
}

func TestCatalogErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		edits []string
		kind  Kind
		file  string
		mark  string
		say   string
	}{
		{"no system", []string{"catalog.go: var System = => var _ ="}, BadCatalog, "", "", "declares no System"},
		{"two systems", []string{"catalog.go: // coarse returns => var Other = grains.System[State]{}¶¶// coarse returns"}, BadCatalog, "catalog.go", "// coarse returns", "declares 2 Systems"},
		{"name used twice", []string{"choosing.go: \"Decide\" => \"Hear\""}, NameTaken, "choosing.go", "var Decide", `"Hear" is taken`},
		{"name missing", []string{"choosing.go: Name:   \"Decide\", => "}, NoName, "choosing.go", "var Decide", "has no name"},
		{"name computed", []string{"choosing.go: \"Decide\" => name()", "more.go:  => package toy¶import \"os\"¶func name() string { return os.Args[0] }"},
			NoName, "choosing.go", "var Decide", "is computed"},
		{"effect chosen at run time", []string{
			"choosing.go: Effect: func(s, n *State, p One) {\n\t\tn.Role => Effect: pick[true],¶}¶¶var Unused = Action[One]{¶\tName: \"Unused\",¶\tEffect: func(s, n *State, p One) {¶\t\tn.Role",
			"more.go:  => package toy¶var pick = map[bool]func(s, n *State, p One){}"}, UnknownFunction, "choosing.go", "var Decide", "is no function of this package"},
		{"action in a function", []string{"catalog.go: actions{&Nominate, &Hear, &Decide} => actions{&Nominate, &Hear, late()}",
			"more.go:  => package toy¶func late() *Action[One] {¶\treturn &Action[One]{Name: \"Late\", Effect: func(s, n *State, p One) {}}¶}"},
			NoVariable, "more.go", "", "is not the value of a package-level variable"},
		{"two ways", []string{"catalog.go: State: oneChief} => State: oneChief, Step: logsGrow}"}, BadCatalog, "catalog.go", `ID: "T-1"`, "sets 2 of"},
		{"no way", []string{"catalog.go: , State: oneChief} => }"}, BadCatalog, "catalog.go", `ID: "T-1"`, "sets 0 of"},
		{"ID used twice", []string{"catalog.go: State: oneChief} => State: oneChief}, {ID: \"T-1\", State: oneChief}"}, BadCatalog, "catalog.go", `ID: "T-1"`, `are "T-1"`},
		{"unknown module", []string{"catalog.go: Covers: []string{\"work\"} => Covers: []string{\"wrok\"}"}, BadCatalog, "catalog.go", `Covers: []string{"work"}`, `covers module "wrok"`},
		{"unknown constant", []string{"catalog.go: Const: \"Servers\" => Const: \"Serves\""}, BadCatalog, "", "", "constant Serves"},
		{"inner bound that nothing sets", []string{"catalog.go: Const: \"Servers\" => Inner: true, Const: \"Servers\""}, BadCatalog, "", "", "which is Inner"},
		{"unknown budget", []string{"catalog.go: Spend[State](\"crashes\" => Spend[State](\"crashs\""}, BadCatalog, "", "", "is no bound"},
		{"unknown origin", []string{"catalog.go: {Module: \"greeting\", Grain: \"baseline\"}} => {Module: \"greeting\", Grain: \"base\"}}"}, BadCatalog, "", "", `grain "base"`},
		{"Coarsens forgotten", []string{"catalog.go: Coarsens: true, => "}, Unrelated, "catalog.go", "Coarsens: true", "whether it coarsens or refines"},
		{"From and Coarsens forgotten", []string{"catalog.go: Name: \"baseline\", Covers: []string{\"work\"} => Name: \"coarse\", Covers: []string{\"choosing\", \"work\"}"},
			Unrelated, "catalog.go", "", "whether it coarsens or refines"},
		{"coarsens and refines", []string{"catalog.go: Coarsens: true => Refines: true, Coarsens: true"}, BadCatalog, "catalog.go", "Coarsens: true", "that it coarsens and that it refines"},
		{"refines nothing", []string{"catalog.go: Covers: []string{\"work\"} => Refines: true, Covers: []string{\"work\"}"}, BadCatalog, "catalog.go", "", "refines nothing"},
		{"sets what is nothing", []string{"catalog.go: Covers: []string{\"work\"} => Sets: []grains.Setting{{Name: \"crashs\", Value: \"1\"}}, Covers: []string{\"work\"}"},
			BadCatalog, "catalog.go", "", "is no option and no bound"},
		{"sets a bound too far", []string{"catalog.go: Covers: []string{\"work\"} => Sets: []grains.Setting{{Name: \"crashes\", Value: \"many\"}}, Covers: []string{\"work\"}"},
			BadCatalog, "catalog.go", "", "to \"many\""},
		{"picked by no grain", []string{"catalog.go: Covers: []string{\"work\"} => Picked: grains.Pick{Grain: \"none\", Option: \"o\", Value: \"v\"}, Covers: []string{\"work\"}"},
			BadCatalog, "catalog.go", "", "which no manifest can name"},
		{"picked by itself", []string{"catalog.go: Covers: []string{\"work\"} => Picked: grains.Pick{Grain: \"baseline\", Option: \"o\", Value: \"v\"}, Covers: []string{\"work\"}"},
			BadCatalog, "catalog.go", "", "which no manifest can name"},
		{"picked by no option", []string{"catalog.go: Name: \"nosy\" => Picked: grains.Pick{Grain: \"baseline\", Option: \"egaer\", Value: \"true\"}, Name: \"nosy\""},
			BadCatalog, "catalog.go", "", "the option \"egaer\", which the System does not declare"},
		{"picked by a default", []string{"catalog.go: Name: \"nosy\" => Picked: grains.Pick{Grain: \"baseline\", Option: \"eager\", Value: \"false\"}, Name: \"nosy\""},
			BadCatalog, "catalog.go", "", "or has by default"},
		{"From twice", []string{"catalog.go: Covers: []string{\"work\"} => From: []grains.Ref{{}}, Covers: []string{\"work\"}",
			"catalog.go: {Name: \"baseline\" => workBaseline, grain{Name: \"baseline\"", "more.go:  => package toy¶import \"github.com/multigrain/multigrain/grains\"¶var workBaseline = grains.Refine(grain{Name: \"x\", From: []grains.Ref{{}}}, grain{Name: \"y\", Covers: []string{\"work\"}})"},
			BadCatalog, "", "", "cannot be read"},
		{"padding", []string{"state.go: Starts   uint8 => Starts   uint32", "catalog.go: n.Starts++ => _ = n", "catalog.go: s.Starts < 3 => true"}, Padded, "state.go", "", "padding"},
		{"no size", []string{"state.go: Starts   uint8 => Starts   int", "catalog.go: n.Starts++ => _ = n", "catalog.go: s.Starts < 3 => true"}, Unsized, "state.go", "Starts   uint8", "State.Starts has type int, whose size"},
		{"no such actor", []string{"choosing.go: Name:   \"Decide\", => Name: \"Decide\", Actor: \"chief\","}, BadAction, "choosing.go", "var Decide", "is no field"},
		{"not flat", []string{"state.go: Starts   uint8 => Starts   []uint8", "catalog.go: n.Starts++ => _ = n", "catalog.go: s.Starts < 3 => true"}, NotFlat, "state.go", "Starts   uint8", "State.Starts has type []uint8"},
		{"not flat in a container", []string{"more.go:  => package toy¶type note struct{ Text string }",
			"state.go: Starts   uint8 => Starts   modules.Seq[note, [2]note]", "catalog.go: n.Starts++ => _ = n", "catalog.go: s.Starts < 3 => true"},
			NotFlat, "more.go", "", "State.Starts[].Text has type string"},
		{"liveness with two forms", []string{"catalog.go: Goals: => Liveness: []modules.Liveness[State]{{ID: \"L\", To: oneChief, Each: modules.LeadsTo(modules.Each[Server](Servers), nil, func(s *State, p One) bool { return true })}},¶Goals:"},
			BadCatalog, "catalog.go", "", "sets To as well as Each"},
		{"stands for parameters of another type", []string{"catalog.go: Actions: actions{&Finish}} => Actions: actions{&Finish}, Stands: []modules.StandIn[State]{modules.StandsFor(&Finish, &ProcessREPORT, nil, nil), modules.StandsFor(&Finish, &Decide, nil, nil)}}"},
			BadCatalog, "catalog.go", "", "for which it stands, of type One"},
		{"stands for what is not replaced", []string{"catalog.go: Actions: actions{&Finish}} => Actions: actions{&Finish}, Stands: []modules.StandIn[State]{modules.StandsFor(&Finish, &Hear, nil, nil)}}"},
			BadCatalog, "catalog.go", "", "which the grains that it coarsens lack"},
		{"stands though it is of another grain", []string{"catalog.go: Actions: actions{&Finish}} => Actions: actions{&Finish}, Stands: []modules.StandIn[State]{modules.StandsFor(&Nosy, &SendJOB, nil, nil)}}"},
			BadCatalog, "catalog.go", "", "lacks action Nosy"},
		{"stands twice", []string{"catalog.go: Actions: actions{&Finish}} => Actions: actions{&Finish}, Stands: []modules.StandIn[State]{modules.StandsFor(&Finish, &SendJOB, nil, nil), modules.StandsFor(&Finish, &SendJOB, nil, nil)}}"},
			BadCatalog, "catalog.go", "", "stands for SendJOB twice"},
		{"stands though it coarsens nothing", []string{"catalog.go: &ProcessJOB, &ProcessREPORT}, => &ProcessJOB, &ProcessREPORT}, Stands: []modules.StandIn[State]{modules.StandsFor(&SendJOB, &Finish, nil, nil)},"},
			BadCatalog, "catalog.go", "", "coarsens nothing, so none"},
		{"state before that is not known", []string{"catalog.go: Actions: actions{&Finish}} => Actions: actions{&Finish}, Stands: []modules.StandIn[State]{modules.StandsFor(&Finish, &SendJOB, nil, pick[true])}}",
			"more.go:  => package toy¶var pick = map[bool]func(s, b *State, p Pair){}"}, UnknownFunction, "catalog.go", "", "is no function of this package"},
		{"state before that writes the state of the step", []string{"catalog.go: Actions: actions{&Finish}} => Actions: actions{&Finish}, Stands: []modules.StandIn[State]{modules.StandsFor(&Finish, &SendJOB, nil, func(s, b *State, p Pair) { s.Starts = 1 })}}"},
			WritesBefore, "catalog.go", "", ""},
		{"no domain", []string{"choosing.go: Name:   \"Decide\",\n\tParams: modules.Each[Server](Servers), => Name:   \"Decide\","},
			Incomplete, "choosing.go", "var Decide", "no Params"},
		{"grains of unknown number", []string{"catalog.go: Grains: []grain{ => Grains: some(), Goals: nil,¶}¶¶var _ = grains.System[State]{¶\tGrains: []grain{",
			"more.go:  => package toy¶import \"os\"¶func some() (out []grain) {¶\tfor range os.Args {¶\t\tout = append(out, grain{})¶\t}¶\treturn out¶}"},
			BadCatalog, "catalog.go", "Grains: []grain{", "Grains of the System cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, findings := loadToy(t, c.edits...)
			if p != nil {
				_, findings = p.Catalog()
			}
			if len(findings) == 0 {
				t.Fatal("no findings")
			}
			for _, f := range findings {
				if f.Kind == c.kind && strings.Contains(f.Message, c.say) && f.Remedy != "" &&
					(c.file == "" || filepath.Base(f.File) == c.file) && (c.mark == "" || c.file == "" || f.Line >= lineOf(t, toyDir, c.file, c.mark)) {
					return
				}
			}
			t.Errorf("got %v, want %s in %s saying %q", findings, c.kind, c.file, c.say)
		})
	}
}

// TestKindsOfRules: every rule of speclint is a kind of findings.
func TestKindsOfRules(t *testing.T) {
	for _, r := range speclint.Rules() {
		if kindWith(r.Code) == "" {
			t.Errorf("no kind of findings has the code %s", r.Code)
		}
	}
}
