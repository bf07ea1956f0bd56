// Package multigrain_test holds what is true of the module as a whole.
package multigrain_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layers says which of the project's packages a package may import: itself, those that its line
// names, and what these may import. A line is "package: those directly below". A trailing /...
// covers the folders below.
const layers = `
modules/internal/sets:
modules: modules/internal/sets
checker/internal/layout: modules
grains: modules
checker/host:
interaction/internal/importpath:
checker/internal/fingerprint:
checker/internal/bitset:
checker/internal/sleepset: checker/internal/bitset
checker/internal/classic: checker
checker/internal/spent: checker/host
checker/internal/walks: checker/internal/spent
checker: modules checker/internal/fingerprint checker/internal/sleepset
checker/internal/reduce: checker checker/internal/layout checker/internal/bitset
checker/wire: modules checker/host checker/internal/exchange checker/setting
checker/explore/internal/memory: checker/host
checker/explore/internal/store: checker checker/explore/internal/memory
checker/explore/internal/counterexample: checker/explore/internal/store
checker/internal/exchange: checker/host
checker/explore: checker/explore/internal/counterexample checker/internal/exchange
checker/internal/simulate: checker checker/host checker/internal/guide checker/internal/walks
checker/internal/rounds: checker/internal/simulate
checker/internal/priorities: checker/internal/simulate
checker/itf: checker/wire
checker/mgtest:
checker/internal/graph:
checker/internal/liveness: checker checker/host checker/internal/graph
checker/internal/inclusion: checker/internal/graph
checker/internal/abstraction: checker checker/host checker/internal/graph checker/internal/guide checker/internal/inclusion checker/internal/trace
checker/internal/preserve: checker checker/host checker/internal/graph checker/internal/inclusion checker/internal/liveness checker/internal/layout
checker/internal/cover: checker
checker/internal/guide:
checker/internal/ahead: checker/internal/simulate
checker/internal/rehearse: checker/internal/simulate
checker/internal/treesize: checker checker/host checker/internal/simulate
checker/ran:
checker/setting:
checker/internal/held:
checker/spectest: checker/internal/liveness checker/internal/reduce checker/internal/refine checker/internal/simulate checker/internal/trace
checker/conform/drivers: checker/conform checker/itf
checker/internal/pair: checker/conform
checker/conform: checker/internal/ahead checker/internal/cover checker/internal/held checker/internal/rehearse checker/setting checker/internal/simulate checker/internal/trace
checker/internal/trace: checker checker/host checker/internal/flatjson
checker/internal/refine/internal/record:
checker/internal/flatjson: modules
checker/internal/refine/internal/shown: modules
checker/internal/refine: checker/internal/refine/internal/record checker/internal/flatjson checker/internal/refine/internal/shown checker/internal/layout
checker/internal/selftest: checker/internal/refine
checker/internal/stepwise: checker checker/itf checker/internal/trace
checker/internal/overdue: checker checker/wire checker/host checker/internal/spent
checker/program: checker/internal/abstraction checker/internal/overdue checker/internal/stepwise checker/internal/rounds checker/internal/priorities checker/conform/drivers checker/internal/pair checker/explore checker/itf checker/internal/liveness checker/internal/preserve checker/internal/reduce checker/internal/refine checker/internal/selftest checker/internal/simulate checker/internal/trace checker/internal/treesize checker/wire
configs/examples/...: grains
zab/...: grains
raft/...: grains
configs/examples/replicated: grains raft/...
raft/etcdraft: raft/... checker/conform
raft/etcdraft/mutants:
zab/zookeeper/replay: zab/... checker/conform
configs/internal/diagnostic:
configs/internal/functions:
configs/internal/extent:
configs/internal/foreign:
configs: checker/host configs/internal/diagnostic configs/internal/functions configs/internal/extent configs/internal/foreign
interaction/internal/flow:
interaction/internal/initial: interaction/internal/flow
interaction/speclint: grains interaction/internal/initial
interaction: grains checker/host interaction/internal/importpath interaction/speclint interaction/...
compose/internal/mutate: grains
interaction/change/...: grains checker/host interaction/internal/importpath
interaction/...: grains checker/host interaction/internal/importpath interaction/speclint
compose/internal/gocmd: checker/host configs interaction
compose/internal/noting: checker/ran
compose/internal/assemble: grains compose/internal/gocmd compose/internal/noting
compose/internal/capacity: checker/host
compose: compose/internal/assemble compose/internal/capacity interaction compose/internal/mutate
cmd/speclint/...: interaction/... interaction/speclint
cmd/release:
cmd/multigrain/internal/axetest: checker/host
cmd/multigrain/internal/words:
cmd/multigrain/internal/codes: configs
cmd/multigrain/internal/files: checker/host
cmd/multigrain/internal/verdicts:
cmd/multigrain/internal/shell: cmd/multigrain/internal/verdicts cmd/multigrain/internal/files checker/wire cmd/multigrain/internal/codes cmd/multigrain/internal/words
cmd/multigrain/internal/result: cmd/multigrain/internal/verdicts checker/wire grains cmd/multigrain/internal/words
cmd/multigrain/internal/view/terminal:
cmd/multigrain/internal/view/text: cmd/multigrain/internal/result cmd/multigrain/internal/view/terminal
cmd/multigrain/internal/view/diagram: cmd/multigrain/internal/result cmd/multigrain/internal/view/terminal
cmd/multigrain/internal/view/html: cmd/multigrain/internal/view/text cmd/multigrain/internal/view/diagram
cmd/multigrain/internal/view/junit: cmd/multigrain/internal/view/text
cmd/multigrain/internal/view/sarif: cmd/multigrain/internal/view/text
cmd/multigrain/internal/sariftest:
cmd/multigrain/internal/schema/...: cmd/multigrain/internal/result checker/conform/drivers
cmd/multigrain/internal/schematest: cmd/multigrain/internal/schema/...
cmd/multigrain/internal/variables: interaction cmd/multigrain/internal/result
cmd/multigrain/internal/narrate: checker/itf cmd/multigrain/internal/result
cmd/multigrain/internal/diagnostics: configs cmd/multigrain/internal/result
cmd/multigrain/internal/gaps: compose cmd/multigrain/internal/codes cmd/multigrain/internal/files checker/itf cmd/multigrain/internal/narrate cmd/multigrain/internal/result
cmd/multigrain/internal/growth:
cmd/multigrain/internal/locks: configs cmd/multigrain/internal/result cmd/multigrain/internal/codes cmd/multigrain/internal/files
cmd/multigrain/internal/drivers: checker/conform/drivers configs checker/wire cmd/multigrain/internal/codes
cmd/multigrain/internal/session: cmd/multigrain/internal/drivers cmd/multigrain/internal/growth cmd/multigrain/internal/locks cmd/multigrain/internal/gaps cmd/multigrain/internal/variables cmd/multigrain/internal/diagnostics compose cmd/multigrain/internal/narrate cmd/multigrain/internal/codes cmd/multigrain/internal/files
cmd/multigrain/internal/cleanup: cmd/multigrain/internal/files cmd/multigrain/internal/result
cmd/multigrain/internal/plan: cmd/multigrain/internal/command compose
cmd/multigrain/internal/changes: cmd/multigrain/internal/plan cmd/multigrain/internal/finer cmd/multigrain/internal/session interaction/... interaction/change/...
cmd/multigrain/internal/confirm: cmd/multigrain/internal/session
cmd/multigrain/internal/monitor: cmd/multigrain/internal/session cmd/multigrain/internal/shell cmd/multigrain/internal/view/terminal
cmd/multigrain/internal/systems: compose cmd/multigrain/internal/codes
cmd/multigrain/internal/command: cmd/multigrain/internal/session cmd/multigrain/internal/shell cmd/multigrain/internal/view/html cmd/multigrain/internal/view/junit cmd/multigrain/internal/view/sarif
cmd/multigrain/internal/mutants: cmd/multigrain/internal/session
cmd/multigrain/internal/regress: cmd/multigrain/internal/session
cmd/multigrain/internal/differ: cmd/multigrain/internal/command
cmd/multigrain/internal/completion: cmd/multigrain/internal/command
cmd/multigrain/internal/likely: cmd/multigrain/internal/session
cmd/multigrain/internal/rank: cmd/multigrain/internal/command
cmd/multigrain/internal/refine: cmd/multigrain/internal/command checker/itf compose
cmd/multigrain/internal/finer: cmd/multigrain/internal/session compose checker/conform checker/itf
cmd/multigrain/internal/loopback: cmd/multigrain/internal/words
cmd/multigrain/internal/explorer: cmd/multigrain/internal/command cmd/multigrain/internal/loopback checker/itf
docs/reference:
cmd/multigrain/internal/lsp: cmd/multigrain/internal/command configs/internal/foreign docs/reference
cmd/multigrain/internal/mcp: cmd/multigrain/internal/command
cmd/multigrain/internal/watch:
cmd/multigrain/internal/relock: cmd/multigrain/internal/command
cmd/multigrain/internal/drivercheck: checker/conform/drivers cmd/multigrain/internal/command
cmd/multigrain/internal/scaffold: checker/conform/drivers cmd/multigrain/internal/command compose
cmd/multigrain/internal/explain: cmd/multigrain/internal/codes
cmd/multigrain/internal/fleet/queue: checker/host
cmd/multigrain/internal/fleet/bucket: cmd/multigrain/internal/fleet/queue
cmd/multigrain/internal/fleet/jobs: configs cmd/multigrain/internal/codes cmd/multigrain/internal/verdicts
cmd/multigrain/internal/fleet/search: checker/wire cmd/multigrain/internal/fleet/queue
cmd/multigrain/internal/fleet: cmd/multigrain/internal/command cmd/multigrain/internal/loopback cmd/multigrain/internal/fleet/queue cmd/multigrain/internal/fleet/search cmd/multigrain/internal/fleet/jobs cmd/multigrain/internal/fleet/bucket
cmd/multigrain: cmd/multigrain/internal/mcp cmd/multigrain/internal/watch cmd/multigrain/internal/completion cmd/multigrain/internal/differ cmd/multigrain/internal/likely cmd/multigrain/internal/regress cmd/multigrain/internal/fleet cmd/multigrain/internal/refine cmd/multigrain/internal/lsp cmd/multigrain/internal/drivercheck cmd/multigrain/internal/explorer cmd/multigrain/internal/mutants cmd/multigrain/internal/relock cmd/multigrain/internal/confirm cmd/multigrain/internal/rank cmd/multigrain/internal/plan cmd/multigrain/internal/finer cmd/multigrain/internal/scaffold cmd/multigrain/internal/variables cmd/multigrain/internal/explain cmd/multigrain/internal/cleanup cmd/multigrain/internal/command cmd/multigrain/internal/changes cmd/multigrain/internal/monitor cmd/multigrain/internal/systems cmd/multigrain/internal/fleet/search
`

const prefix = "github.com/multigrain/multigrain/"

// TestLayering compares the imports of every package with the layers. Tests are left out.
func TestLayering(t *testing.T) {
	below := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(layers)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		below[name] = strings.Fields(rest)
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, prefix+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg, ours := strings.CutPrefix(words[0], prefix)
		if !ours || strings.Contains(pkg, "testdata") {
			continue
		}
		rule := ruleFor(below, pkg)
		if rule == "" {
			t.Errorf("package %s has no layer: add a line for it, and a reason in docs/decisions if it is a new folder", pkg)
			continue
		}
		allowed := reach(below, rule)
		for _, imp := range words[1:] {
			imp, ours := strings.CutPrefix(imp, prefix)
			if ours && !slices.Contains(allowed, ruleFor(below, imp)) {
				t.Errorf("%s imports %s, which is not below it", pkg, imp)
			}
		}
	}
}

// ruleFor returns the line that covers a package: its own, or that of the closest folder above.
func ruleFor(below map[string][]string, pkg string) string {
	if _, ok := below[pkg]; ok {
		return pkg
	}
	for dir := pkg; ; {
		if _, ok := below[dir+"/..."]; ok {
			return dir + "/..."
		}
		k := strings.LastIndex(dir, "/")
		if k < 0 {
			return ""
		}
		dir = dir[:k]
	}
}

// reach returns the lines that a package of line from may import from.
func reach(below map[string][]string, from string) []string {
	out := []string{from}
	for _, b := range below[from] {
		out = append(out, reach(below, b)...)
	}
	return out
}

// TestPrograms: cmd has what users run. The programs that make pages are one tool, which runs the
// command and imports no internal package.
func TestPrograms(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.Name}} {{.ImportPath}}`, prefix+"cmd/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var programs []string
	for line := range strings.Lines(string(out)) {
		name, pkg, _ := strings.Cut(strings.TrimSpace(line), " ")
		if pkg = strings.TrimPrefix(pkg, prefix); name == "main" && !strings.Contains(pkg, "testdata") && !strings.Contains(pkg, "/internal/") {
			programs = append(programs, pkg)
		}
	}
	if len(programs) == 0 || len(programs) > 4 {
		t.Errorf("cmd has the programs %s, and at most four are allowed: what makes pages is a verb of .ci/pages", strings.Join(programs, ", "))
	}
	out, err = exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./.ci/pages/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		for _, imp := range words[1:] {
			if strings.HasPrefix(imp, prefix) && strings.Contains(imp, "/internal/") {
				t.Errorf("%s imports %s: run the command, or a test with -update", words[0], imp)
			}
		}
	}
}
