package explain

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction/speclint"
)

// example returns the code blocks of a section in one language, as one text.
func (e entry) example(language string) string {
	var out strings.Builder
	inside := false
	for line := range strings.Lines(e.body) {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = !inside && strings.TrimSpace(line) == "```"+language
		case inside:
			out.WriteString(line)
		}
	}
	return out.String()
}

// assignments returns the -var options in a command line.
func assignments(command string) (out []configs.Assignment) {
	_, rest, found := strings.Cut(command, " -var ")
	if found {
		out = append(out, configs.Assignment{Var: strings.TrimSpace(rest)})
	}
	return out
}

// complete writes the example of a section as a manifest into a folder and returns its path. Paths
// that are relative to configs/zab are made relative to the folder, and a system is added where the
// example is only about other blocks.
func complete(t *testing.T, e entry) string {
	t.Helper()
	text, top := e.example("hcl"), root(t)
	dir := t.TempDir()
	base, err := filepath.Rel(dir, filepath.Join(top, "configs"))
	if err != nil {
		t.Fatal(err)
	}
	for start, folder := range map[string]string{"mspec-": "/zab/", "raft": "/raft/"} {
		text = strings.ReplaceAll(text, `extends = "`+start, `extends = "`+filepath.ToSlash(base)+folder+start)
	}
	text = strings.ReplaceAll(text, `"../../zab"`, `"`+filepath.ToSlash(filepath.Join(top, "zab"))+`"`)
	if !strings.Contains(text, "system ") && !strings.Contains(text, "extends = ") && e.code != "MG007" {
		text = "system \"zab\" {\n  source = \"../zab\"\n}\n" + text
	}
	path := filepath.Join(dir, "manifest.hcl")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func has(diags hcl.Diagnostics, code string) bool {
	for _, d := range diags {
		if string(configs.CodeOf(d)) == code {
			return true
		}
	}
	return false
}

// TestManifestExamples loads the examples of MG0xx and expects their codes.
func TestManifestExamples(t *testing.T) {
	for _, e := range entries() {
		if !strings.HasPrefix(e.code, "MG0") {
			continue
		}
		path := complete(t, e)
		switch e.code {
		case "MG001": // its example is the name of a file that does not exist
			path = filepath.Join(filepath.Dir(path), "no-such-manifest.hcl")
		case "MG002": // its example is a command of the shell that writes this file
			if err := os.WriteFile(path, []byte("# caf\351\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, diags := configs.Load(path, configs.Options{Assignments: assignments(e.example("console"))})
		if !has(diags, e.code) {
			t.Errorf("the example of %s gets other diagnostics: %v", e.code, diags)
		}
	}
}

// TestCatalogExamples resolves the examples of MG1xx, which extend manifests of configs/zab and
// configs/raft.
func TestCatalogExamples(t *testing.T) {
	env := compose.Env{CacheDir: t.TempDir()}
	for _, e := range entries() {
		if !strings.HasPrefix(e.code, "MG1") {
			continue
		}
		m, diags := configs.Load(complete(t, e), configs.Options{})
		if diags.HasErrors() {
			t.Errorf("the example of %s does not load: %v", e.code, diags)
			continue
		}
		if _, diags = compose.Resolve(m, env); !has(diags, e.code) {
			t.Errorf("the example of %s gets other diagnostics: %v", e.code, diags)
		}
	}
}

// TestSyntaxOfExamples parses the examples in Go and those in HCL that no other test reads.
func TestSyntaxOfExamples(t *testing.T) {
	for _, e := range entries() {
		if src := e.example("go"); src != "" {
			if e.code == "MG305" { // a field of the catalog
				src = "var System = grains.System[State]{\n" + src + "}\n"
			}
			if _, err := parser.ParseFile(token.NewFileSet(), e.code, "package p\n"+src, 0); err != nil {
				t.Errorf("the example of %s is not Go: %v", e.code, err)
			}
		}
		if src := e.example("hcl"); src != "" && !strings.HasPrefix(e.code, "MG0") {
			if _, diags := configs.Load(complete(t, e), configs.Options{}); diags.HasErrors() {
				t.Errorf("the example of %s does not load: %v", e.code, diags)
			}
		}
	}
}

// prelude declares what the examples of MG4xx use. State and the actions come from the example, or
// from the second part, where the example declares none.
const prelude = `package p

import (
	"strings"

	"github.com/multigrain/multigrain/modules"
)

type (
	Server int8
	Kind   uint8
	Fault  uint8
	Action = modules.Action[State, modules.None]
)

const (
	ASK Kind = iota + 1
	ANSWER
)

type Msg struct{ Kind Kind }

var _ = strings.ToUpper
`

const (
	preludeState = `
type State struct {
	Up    bool
	Count uint8
	Msgs  modules.Net[Server, Kind, Msg, [1]Msg, [2]modules.Channel[Msg, [1]Msg], [2][2]modules.Channel[Msg, [1]Msg]]
}

func flip(s, n *State, _ modules.None) { n.Up = !s.Up }
`
	preludeAction = `
var Any = modules.Action[State, modules.None]{Name: "Any", Params: modules.Once, Effect: func(s, n *State, _ modules.None) {}}
`
)

// TestSpecificationExamples runs speclint over the examples of MG4xx and expects their codes.
func TestSpecificationExamples(t *testing.T) {
	dir := filepath.Join(root(t), "cmd", "multigrain", "internal", "explain")
	overlay, patterns := map[string][]byte{}, []string{}
	for _, e := range entries() {
		if !strings.HasPrefix(e.code, "MG4") || e.code == "MG417" || e.code == "MG441" {
			continue // MG417 needs a system, and MG441, which only the verbs report, needs grains
		}
		src := prelude + preludeAction + e.example("go")
		if !strings.Contains(src, "type State ") {
			src += preludeState
		}
		file := filepath.Join(dir, e.code, "p.go") // only in the overlay
		overlay[file] = []byte(src)
		patterns = append(patterns, "./"+e.code)
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: dir, Overlay: overlay}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) != len(patterns) {
		t.Fatalf("%d packages for %d examples", len(pkgs), len(patterns))
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Errorf("%s: %v", p.PkgPath, e)
		}
	}
	if t.Failed() {
		return
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{speclint.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		code := filepath.Base(act.Package.PkgPath)
		found := []string{}
		for _, d := range act.Diagnostics {
			found = append(found, d.Message)
			if d.Category != code {
				t.Errorf("the example of %s gets %s", code, d.Message)
			}
		}
		if len(found) == 0 {
			t.Errorf("the example of %s gets no finding", code)
		}
	}
}
