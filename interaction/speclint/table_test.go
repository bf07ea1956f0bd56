package speclint_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/interaction/speclint"
)

// way is a way in which a specification gives a function to a checker or a monitor.
type way struct {
	entry  string // as Entries names it
	params string
	result string // "" for none; then the function ends without return
	start  bool
	// reads is an assignment through a parameter that the function must only read; "" if there is
	// none. It breaks rule.
	reads, rule string
	decl        string // the declaration, with ID for the number and FUNC for the function
	list        string // where the declared variable stands
}

const (
	onState = "s *State"
	onBoth  = "s, n *State"
	one     = ", p One"
	yields  = "yield func(One) bool"
)

func action(params, guard, effect string) string {
	return "var aID = Action{Name: \"aID\", Params: " + params + ", Guard: " + guard + ", Effect: " + effect + "}"
}

var ways = []way{
	{entry: "Action.Params", params: yields, start: true, decl: action("FUNC", "nil", "noop"), list: "actions"},
	{entry: "Action.Guard", params: onState + one, result: "true", reads: "s.X = 1", rule: "MG421", decl: action("each", "FUNC", "noop"), list: "actions"},
	{entry: "Action.Effect", params: onBoth + one, reads: "s.X = 1", rule: "MG422", decl: action("each", "nil", "FUNC"), list: "actions"},
	{entry: "Invariant.State", params: onState, result: "true", reads: "s.X = 1", rule: "MG421", decl: `var aID = Property{ID: "aID", State: FUNC}`, list: "Invariants"},
	{entry: "Invariant.State", params: onState, result: "true", reads: "s.X = 1", rule: "MG421", decl: `var aID = Property{ID: "aID", State: FUNC}`, list: "Constraints"},
	{entry: "Invariant.State", params: onState, result: "true", reads: "s.X = 1", rule: "MG421", decl: `var aID = Property{ID: "aID", State: FUNC}`, list: "Goals"},
	{entry: "Invariant.State", params: onState, result: "true", reads: "s.X = 1", rule: "MG421",
		decl: `func make_aID() (v Property) { v.ID = "aID"; v.State = FUNC; return v }; var aID = make_aID()`, list: "Invariants"},
	{entry: "Invariant.Step", params: onBoth, result: "true", reads: "n.X = 1", rule: "MG421", decl: `var aID = Property{ID: "aID", Step: FUNC}`, list: "Invariants"},
	{entry: "OnStep 1", params: onBoth + one, result: "true", reads: "n.X = 1", rule: "MG421",
		decl: `var aID = Property{ID: "aID", OnStep: modules.OnStep(&Tick, FUNC)}`, list: "Invariants"},
	{entry: "When 1", params: onState + one, result: "true", reads: "s.X = 1", rule: "MG421", decl: "var aID = modules.When(&Tick, FUNC)", list: "Rules"},
	{entry: "WhenAny 0", params: onState, result: "true", reads: "s.X = 1", rule: "MG421", decl: "var aID = modules.WhenAny(FUNC)", list: "Rules"},
	{entry: "After 1", params: onBoth + one, reads: "s.X = 1", rule: "MG422", decl: "var aID = modules.After(&Tick, FUNC)", list: "Rules"},
	{entry: "AfterAny 0", params: onBoth, reads: "s.X = 1", rule: "MG422", decl: "var aID = modules.AfterAny(FUNC)", list: "Rules"},
	{entry: "Liveness.From", params: onState, result: "true", reads: "s.X = 1", rule: "MG421",
		decl: `var aID = Progress{ID: "aID", From: FUNC, To: holds}`, list: "Liveness"},
	{entry: "Liveness.To", params: onState, result: "true", reads: "s.X = 1", rule: "MG421", decl: `var aID = Progress{ID: "aID", To: FUNC}`, list: "Liveness"},
	{entry: "LeadsTo 0", params: yields, start: true, decl: `var aID = Progress{ID: "aID", Each: modules.LeadsTo(Domain(FUNC), nil, holdsFor)}`, list: "Liveness"},
	{entry: "LeadsTo 1", params: onState + one, result: "true", reads: "s.X = 1", rule: "MG421",
		decl: `var aID = Progress{ID: "aID", Each: modules.LeadsTo(each, FUNC, holdsFor)}`, list: "Liveness"},
	{entry: "LeadsTo 2", params: onState + one, result: "true", reads: "s.X = 1", rule: "MG421",
		decl: `var aID = Progress{ID: "aID", Each: modules.LeadsTo[State, One](each, nil, FUNC)}`, list: "Liveness"},
	{entry: "StandsFor 2", params: "p One, " + yields, start: true, decl: "var aID = modules.StandsFor(&Tick, &Tick, FUNC, nil)"},
	{entry: "StandsFor 3", params: "s, b *State" + one, reads: "s.X = 1", rule: "MG422", decl: "var aID = modules.StandsFor(&Tick, &Tick, nil, FUNC)"},
	{entry: "System.Init", params: "yield func(State) bool", start: true, decl: "var aID = []grains.System[State]{{Init: FUNC}}"},
	{entry: "Runtime.Lane", params: "kind uint8", result: "0", decl: "var aID = Declared{Lane: FUNC}"},
	{entry: "Runtime.Lossy", params: "kind uint8", result: "true", decl: "var aID = Declared{Lossy: FUNC}"},
	{entry: "Runtime.Elided", params: "kind uint8", result: "true", decl: "var aID = Declared{Elided: FUNC}"},
	{entry: "Runtime.Arrival", params: "kind uint8", result: "0", decl: "var aID = Declared{Arrival: FUNC}"},
	{entry: "Runtime.Says", params: onState + ", i, peer int, kind uint8", result: "true", reads: "s.X = 1", rule: "MG421", decl: "var aID = Declared{Says: FUNC}"},
	{entry: "Runtime.Foresee", params: onState + ", peer int, msg unsafe.Pointer", reads: "(*Msg)(msg).Kind = 1", rule: "MG421", decl: "var aID = Declared{Foresee: FUNC}"},
	{entry: "Runtime.Committed", params: onState + ", i int", result: "0", reads: "s.X = 1", rule: "MG421", decl: "var aID = Declared{Committed: FUNC}"},
	{entry: "Runtime.Sends", params: onState + ", i, peer int, msg unsafe.Pointer", result: "true", reads: "(*Msg)(msg).Kind = 1", rule: "MG421", decl: "var aID = Declared{Sends: FUNC}"},
	{entry: "Runtime.Waits", params: onState + ", i, peer int, msg, next unsafe.Pointer", result: "true", reads: "(*Msg)(next).Kind = 1", rule: "MG421", decl: "var aID = Declared{Waits: FUNC}"},
	{entry: "Runtime.Merge", params: onState + ", i int", decl: "var aID = Declared{Merge: FUNC}"},
	{entry: "Runtime.Elected", params: onState + ", i int", result: "0", reads: "s.X = 1", rule: "MG421", decl: "var aID = Declared{Elected: FUNC}"},
	{entry: "Gate.Open", params: onState + ", i, j int", result: "true", reads: "s.X = 1", rule: "MG421",
		decl: "var aID = Declared{Gates: []modules.Gate[State]{{Action: &Tick, Open: FUNC}}}"},
	{entry: "Promise.Made", params: "peer int, msg unsafe.Pointer", result: "0, 0, true", reads: "(*Msg)(msg).Kind = 1", rule: "MG421",
		decl: "var aID = Declared{Promises: []modules.Promise[State]{{Made: FUNC}}}"},
	{entry: "Promise.Kept", params: onState + ", i int, major, minor uint64", result: "true", reads: "s.X = 1", rule: "MG421",
		decl: "var aID = Declared{Promises: []modules.Promise[State]{{Kept: FUNC}}}"},
	{entry: "Openness.More", params: onState + ", i int", result: "true", decl: "var aID = Declared{AfterCrash: modules.Openness[State]{More: FUNC}}"},
	{entry: "Openness.Settle", params: onState + ", i int", decl: "var aID = Declared{AfterCrash: modules.Openness[State]{Settle: FUNC}}"},
}

// results are the types of results, by the text after return.
var results = map[string]string{"": "", "true": "bool", "0, 0, true": "(a, b uint64, ok bool)"}

func (w *way) resultType() string {
	switch {
	case w.entry == "Runtime.Lane", w.entry == "Runtime.Arrival":
		return "int"
	case w.result == "0":
		return "uint64"
	}
	return results[w.result]
}

// breach is a way to break a rule within a function. The line of the finding is the one that body
// stands on, or that of the function if around or given is set.
type breach struct {
	rule, body string
	around     string // a declaration in the constructor that returns the function
	given      string // what is given instead of the function
	steps      bool   // it is a breach in steps only: at the start it is allowed
}

var breaches = []breach{
	{rule: "MG416", given: "func() FUNCTYPE { return FUNC }()"},
	{rule: "MG423", body: "_ = flag"},
	{rule: "MG423", body: "_ = table[1]"},
	{rule: "MG424", body: "flag = true"},
	{rule: "MG425", body: "k++", around: "k := 0"},
	{rule: "MG431", body: "go idle()"},
	{rule: "MG432", body: "defer idle()"},
	{rule: "MG432", body: `if zero() > 1 { panic("no") }`},
	{rule: "MG433", body: "_ = map[int]bool{1: true}"},
	{rule: "MG434", body: "for range each {}", steps: true},
	{rule: "MG435", body: "f := 0.5; _ = f"},
	{rule: "MG436", body: "_ = any(1).(int)"},
	{rule: "MG437", body: "var f func(); f()"},
	{rule: "MG438", body: "_ = os.Getpid()"},
	{rule: "MG438", body: "_ = rand.Int()"},
	{rule: "MG439", body: "_ = Msg{Kind: Kind(zero())}"},
}

const head = `package cells

import (
	"math/rand"
	"os"
	"unsafe"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

type Kind uint8

type Msg struct{ Kind Kind }

type queue = modules.Channel[Msg, [1]Msg]

type State struct {
	X    uint8
	Msgs modules.Net[uint8, Kind, Msg, [1]Msg, [1]queue, [1][1]queue]
}

type (
	One      = modules.One[uint8]
	Domain   = modules.Domain[One]
	Action   = modules.Action[State, One]
	Property = modules.Invariant[State]
	Progress = modules.Liveness[State]
	Declared = modules.Runtime[State]
)

var flag bool

var table = [2]uint8{1, uint8(rand.Int())}

var _ = os.Getpid
var _ unsafe.Pointer

func idle() {}

func zero() uint8 { return 0 }

func each(yield func(One) bool) { yield(One{}) }

func holds(s *State) bool { return true }

func holdsFor(s *State, p One) bool { return true }

func noop(s, n *State, p One) {}

var Tick = Action{Name: "Tick", Params: each, Effect: func(s, n *State, p One) { n.X = 1 }}
`

// table is the text of a package with one cell for each way and rule.
type table struct {
	text strings.Builder
	line int      // lines written
	want []string // as line: code
	list map[string][]string
	name []string // of the cells, in the order of want
}

func (t *table) write(text string) {
	t.text.WriteString(text)
	t.line += strings.Count(text, "\n")
}

// cell adds a function given in one way that breaks one rule.
func (t *table) cell(w *way, b *breach) {
	id := fmt.Sprint("a", len(t.want))
	signature := "func(" + w.params + ") " + w.resultType()
	body := b.body
	if b.rule == w.rule {
		body = w.reads
	}
	text := signature + " {\n" + body + "\nreturn " + w.result + "\n}"
	given, before := text, ""
	if b.around != "" {
		before = "func make" + id + "() " + signature + " {\n" + b.around + "\nreturn " + text + "\n}\n"
		given = "make" + id + "()"
	}
	if b.given != "" {
		given = strings.ReplaceAll(strings.ReplaceAll(b.given, "FUNCTYPE", signature), "FUNC", text)
	}
	decl := before + strings.ReplaceAll(strings.ReplaceAll(w.decl, "aID", id), "FUNC", given) + "\n"
	at := t.line + 1
	if b.given == "" {
		ahead, _, _ := strings.Cut(decl, "\n"+body+"\n")
		at += strings.Count(ahead, "\n") + 1
	}
	t.write(decl)
	t.want = append(t.want, fmt.Sprintf("%d: %s", at, b.rule))
	t.name = append(t.name, fmt.Sprintf("%s in %s: %s%s", b.rule, w.entry, b.body, b.given))
	ref := id
	if w.list == "actions" {
		ref = "&" + id
	}
	t.list[w.list] = append(t.list[w.list], ref)
}

// written returns the text of the package.
func written() *table {
	t := &table{list: map[string][]string{}}
	t.write(head)
	for k := range ways {
		w := &ways[k]
		for j := range breaches {
			if b := &breaches[j]; !b.steps || !w.start {
				t.cell(w, b)
			}
		}
		if w.reads != "" {
			t.cell(w, &breach{rule: w.rule})
		}
	}
	of := func(list string) string { return strings.Join(t.list[list], ", ") }
	t.write("\nvar System = grains.System[State]{Name: \"cells\", Init: func(yield func(State) bool) { yield(State{}) },\n" +
		"Modules: []grains.Module{{Name: \"m\"}},\n" +
		"Grains: []grains.Grain[State]{{Name: \"baseline\", Covers: []string{\"m\"}, Actions: []modules.AnyAction[State]{&Tick, " + of("actions") + "}}},\n" +
		"Invariants: []Property{" + of("Invariants") + "}, Constraints: []Property{" + of("Constraints") + "}, Goals: []Property{" + of("Goals") + "},\n" +
		"Liveness: []Progress{" + of("Liveness") + "}, Rules: []modules.Rule[State]{" + of("Rules") + "}}\n")
	return t
}

// TestTable breaks each rule in each function that a specification gives to a checker or a monitor.
// Package speclint, and package interaction, where every verb reads the catalog, must report each
// cell, with the code of the rule and at the same line, and nothing else.
//
// These cells cannot exist:
//
//   - MG421 and MG422 in Init, domains, Lane, Lossy, Merge, More and Settle, which have no State or
//     message that they must not write. All other functions can break one of the two.
//   - MG434 at the start, where code may range over a domain.
//   - MG401 to MG415 are about declarations and not about functions, and MG417 is about how they
//     are made.
//   - An adapter of package conform is ordinary Go.
func TestTable(t *testing.T) {
	for _, e := range speclint.Entries() {
		if !slices.ContainsFunc(ways, func(w way) bool { return w.entry == e }) {
			t.Errorf("no row of the table gives %s", e)
		}
	}
	for _, r := range speclint.Rules() {
		about := func(b breach) bool { return b.rule == r.Code }
		if r.Code > "MG415" && !slices.ContainsFunc(breaches, about) && r.Code != "MG417" && r.Code != "MG421" && r.Code != "MG422" {
			t.Errorf("no column of the table breaks %s", r.Code)
		}
	}
	table := written()
	dir, err := filepath.Abs(filepath.Join("testdata", "cells"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "cells.go")
	overlay := map[string][]byte{file: []byte(table.text.String())}
	compare := func(who string, got []string) {
		for k, w := range table.want {
			if !slices.Contains(got, w) {
				t.Errorf("%s does not report line %s (%s)", who, w, table.name[k])
			}
		}
		for _, g := range got {
			if !slices.Contains(table.want, g) {
				t.Errorf("%s reports line %s, which is no breach", who, g)
			}
		}
	}
	compare("speclint", lint(t, overlay))
	p, findings, err := interaction.Load(interaction.Config{Dir: "testdata", Package: "./cells", Overlay: overlay})
	if err != nil || p == nil {
		t.Fatal(err, findings)
	}
	_, findings = p.Catalog()
	var got []string
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%d: %s", f.Line, f.Code))
	}
	compare("interaction", got)
}

// lint returns what speclint reports.
func lint(t *testing.T, overlay map[string][]byte) (out []string) {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: "testdata", Overlay: overlay}, "./cells")
	if err != nil || packages.PrintErrors(pkgs) > 0 {
		t.Fatal("the cells do not compile", err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{speclint.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		for _, d := range act.Diagnostics {
			out = append(out, fmt.Sprintf("%d: %s", act.Package.Fset.Position(d.Pos).Line, d.Category))
		}
	}
	return out
}
