package main

import (
	"fmt"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/interaction/speclint"
)

// wrong is an edit of the system that multigrain new writes. It breaks one rule.
type wrong struct {
	code           string
	file, old, new string
	more           string // declarations for the end of the file
	imports        string // a package that the file imports in addition
	quick          bool   // it is run in quick tests, too
}

const (
	worksGuard  = "Guard:  func(s *State, p Client) bool { return s.Holds[p.I] && !s.Done[p.I] },"
	worksEffect = "n.Done[p.I] = true"
	baseline    = "Actions: Actions{&Ask, &Take, &Work, &GiveBack},"
)

var wrongs = []wrong{
	{code: "MG401", file: "state.go", old: "Grants  uint8", new: "Grants uint8; Name *string"},
	{code: "MG402", file: "state.go", old: "Grants  uint8", new: "Grants uint8; More int"},
	{code: "MG403", file: "state.go", old: "Holder  Node", new: "Wide uint16; Holder Node; Odd uint16; Holds2 bool"},
	{code: "MG404", file: "state.go", old: "Kind  Kind\n\tGrant uint8", new: "Grant uint8; Kind Kind", quick: true},
	{code: "MG405", file: "state.go", old: "Grants  uint8", new: "Grants uint8; R1, R2 modules.Raised[Kind]"},
	{code: "MG406", file: "client.go", old: baseline, new: "Actions: Actions{&Ask, &Take, &Work, &GiveBack, &Odd},",
		more: `type named struct{ Who string }; var Odd = Action[named]{Name: "Odd", Params: func(yield func(named) bool) { yield(named{"a"}) }, Effect: func(s, n *State, p named) { n.Grants = 0 }}`},
	{code: "MG411", file: "client.go", old: baseline,
		new: `Actions: Actions{&Ask, &Take, &Work, &GiveBack, &Action[Client]{Name: "Inline", Params: EachClient, Effect: func(s, n *State, p Client) {}}},`},
	{code: "MG412", file: "client.go", old: `Name:   "Ask"`, new: `Name: ""`},
	{code: "MG413", file: "client.go", old: `Name:   "Work"`, new: `Name: "Take"`},
	{code: "MG414", file: "client.go", old: "Name:   \"Work\",\n\tParams: EachClient,", new: `Name: "Work",`},
	{code: "MG415", file: "client.go", more: "func init() { Work.Guard = nil }"},
	{code: "MG416", file: "client.go", old: worksGuard, new: "Guard: guards[0],", more: "var guards = []func(s *State, p Client) bool{nil}"},
	{code: "MG417", file: "client.go", old: baseline, new: baseline + ` Models: append(names, "lock.Work"),`,
		more: `var names = append([]string{"lock.Ask", "lock.Take"}, "lock.GiveBack")`, quick: true},
	{code: "MG417", file: "client.go", old: baseline, new: baseline + ` Rules: limits(),`, imports: "github.com/multigrain/multigrain/modules",
		more: `func limits() []modules.Rule[State] {
	all := append([]modules.Rule[State]{}, modules.WhenAny(func(s *State) bool { return true }))
	_ = append(all, all...)
	return append(all, all...)
}`},
	{code: "MG421", file: "client.go", old: worksGuard, new: "Guard: func(s *State, p Client) bool { s.Done[p.I] = false; return s.Holds[p.I] },", quick: true},
	{code: "MG421", file: "catalog.go", old: "holders := 0", new: "holders := 0; s.Grants = 0"},
	{code: "MG422", file: "client.go", old: worksEffect, new: "s.Done[p.I] = true"},
	{code: "MG423", file: "client.go", old: worksEffect, new: "n.Done[p.I] = flag", more: "var flag = true; func SetFlag() { flag = false }"},
	{code: "MG423", file: "client.go", old: worksEffect, new: "n.Done[p.I] = flag", more: "var flag = time.Now().UnixMicro()%2 == 0", imports: "time"},
	{code: "MG424", file: "client.go", old: worksEffect, new: "n.Done[p.I] = true; flag = true", more: "var flag bool"},
	{code: "MG425", file: "client.go", old: "func(s, n *State, p Client) { n.Done[p.I] = true }", new: "counting()",
		more: "func counting() func(s, n *State, p Client) { k := uint8(0); return func(s, n *State, p Client) { k++; n.Done[p.I] = k > 1 } }"},
	{code: "MG431", file: "client.go", old: worksEffect, new: "go func() { n.Done[p.I] = true }()"},
	{code: "MG432", file: "client.go", old: worksEffect, new: "defer func() { n.Done[p.I] = true }()"},
	{code: "MG432", file: "client.go", old: worksEffect, new: `panic("no")`},
	{code: "MG433", file: "client.go", old: worksEffect, new: "for k := range map[int]bool{1: true} { n.Done[k] = true }"},
	{code: "MG434", file: "client.go", old: worksEffect, new: "for c := range EachClient { n.Done[c.I] = true }"},
	{code: "MG435", file: "client.go", old: worksEffect, new: "f := 0.5 * float64(s.Grants); n.Done[p.I] = f > 1", quick: true},
	{code: "MG436", file: "client.go", old: worksEffect, new: "var x interface{ Len() int } = lens(3); n.Done[p.I] = x.Len() > 1",
		more: "type lens int; func (l lens) Len() int { return int(l) }"},
	{code: "MG437", file: "client.go", old: worksEffect, new: "var f func() bool; n.Done[p.I] = f()"},
	{code: "MG438", file: "client.go", old: worksEffect, new: "n.Done[p.I] = os.Getpid() > 1", imports: "os"},
	{code: "MG439", file: "client.go", old: "Msg{Kind: RELEASE, Grant", new: "Msg{Kind: Kind(s.Grants), Grant"},
	// Functions that no guard or effect is, see TestTable of package speclint for all of them.
	{code: "MG438", file: "state.go", old: "i < Nodes;", new: "i < Nodes && i <= len(os.Getenv(`CLIENTS`));", imports: "os", quick: true},
	{code: "MG421", file: "catalog.go", old: "Bounds: ", quick: true,
		new: "Liveness: []modules.Liveness[State]{{ID: `L`, From: func(s *State) bool { s.Grants = 0; return s.Waiting[1] }, To: exclusive}},\nBounds: "},
	{code: "MG421", file: "catalog.go", more: "var Runtime = modules.Runtime[State]{Elected: func(s *State, i int) uint64 { s.Grants++; return 0 }}"},
	{code: "MG423", file: "client.go", old: worksEffect, new: "n.Done[p.I] = table[1]", more: "var table = [2]bool{true, os.Getpid() > 1}", imports: "os", quick: true},
	{code: "MG423", file: "client.go", old: worksEffect, new: "n.Done[p.I] = table[1]", more: "var table = [2]bool{true, true}"},
	{code: "MG415", file: "client.go", more: "func init() { p := &System; p.Invariants = nil }", quick: true},
	{code: "MG415", file: "client.go", more: "func init() { slices.Reverse(System.Invariants) }", imports: "slices"},
}

// refusing are verbs that must refuse every wrong system. All verbs read the catalog in the same
// way.
var refusing = [][]string{
	{"validate", "lock.hcl"},
	{"check", "lock.hcl", "-quiet"},
	{"test", "lock.hcl"},
	{"interaction", "coarse.hcl"},
	{"simulate", "lock.hcl", "-quiet"},
	{"monitor", "lock.hcl", "-node", "0", "-source", "stream.ndjson"},
}

// TestOneRuleOneCode breaks one rule of specifications after the other. The verbs and speclint must
// all report the code of the rule, and no other code, and refuse the system.
func TestOneRuleOneCode(t *testing.T) {
	covered := map[string]bool{}
	for _, x := range wrongs {
		covered[x.code] = true
	}
	for _, r := range speclint.Rules() {
		if !covered[r.Code] {
			t.Errorf("no system breaks %s: %s", r.Code, r.Title)
		}
	}
	system := filepath.Join(t.TempDir(), "lock")
	run(t, ".", "multigrain", "new", system)
	run(t, system, "go", "mod", "tidy")
	for k, x := range wrongs {
		if !x.quick && os.Getenv("MULTIGRAIN_SLOW") == "" {
			continue
		}
		t.Run(fmt.Sprint(x.code, "-", k), func(t *testing.T) {
			t.Parallel()
			dir := x.written(t, system)
			want := []string{x.code}
			for _, verb := range refusing {
				cmd := exec.Command("multigrain", verb...)
				cmd.Dir, cmd.Env = dir, quickly()
				out, _ := cmd.CombinedOutput()
				code := cmd.ProcessState.ExitCode()
				if got := codesIn(string(out)); !slices.Equal(got, want) || code != verdicts.ExitInvalid && verb[0] != "test" || code == 0 {
					t.Errorf("%s reports %v, want %v; exit code %d:\n%s", verb[0], got, want, code, out)
				}
			}
			if got, text := linted(t, dir); !slices.Equal(got, want) {
				t.Errorf("speclint reports %v, want %v:\n%s", got, want, text)
			}
		})
	}
}

// run runs a command in a folder, and fails if the command does.
func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// written returns a copy of the system with the edit.
func (x *wrong) written(t *testing.T, system string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lock")
	if err := os.CopyFS(dir, os.DirFS(system)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, x.file)
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), x.old) {
		t.Fatalf("%s does not contain %q: %v", x.file, x.old, err)
	}
	edited := string(text) + "\n" + x.more + "\n"
	if x.old != "" {
		edited = strings.Replace(edited, x.old, x.new, 1)
	}
	if x.imports != "" {
		edited = strings.Replace(edited, "import ", fmt.Sprintf("import %q\nimport ", x.imports), 1)
	}
	formatted, err := format.Source([]byte(edited))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, formatted, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// codesIn returns the codes of rules in brackets or before a colon, each once, sorted. Others than
// those of warnings about actions that never fire count, too.
func codesIn(text string) []string {
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(`MG\d{3}`).FindAllString(text, -1) {
		found[m] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// linted returns the codes that speclint reports for the package in a folder, and its messages.
func linted(t *testing.T, dir string) (codes []string, text string) {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: dir}, ".")
	if err != nil || len(pkgs) != 1 {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{speclint.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		for _, d := range act.Diagnostics {
			text += d.Message + "\n"
		}
	}
	return codesIn(text), text
}
