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
modules:
modules/layout: modules
grains: modules
checker/host:
grains/importpath:
checker/fingerprint:
checker/sleepset:
checker: modules checker/fingerprint checker/sleepset
checker/reduce: checker modules/layout
checker/wire: modules checker/host checker/setting
checker/explore/memory: checker/host
checker/explore/store: checker checker/explore/memory
checker/explore/counterexample: checker/explore/store
checker/explore/exchange: checker/host
checker/explore: checker/explore/counterexample checker/explore/exchange
checker/naive: checker checker/host
checker/transcript: checker
checker/simulate: checker checker/host checker/guide
checker/rounds: checker/simulate
checker/priorities: checker/simulate
checker/itf: checker/wire
checker/mgtest:
checker/graph:
checker/liveness: checker checker/host checker/graph
checker/inclusion: checker/graph
checker/abstraction: checker checker/host checker/graph checker/guide checker/inclusion checker/trace
checker/preserve: checker checker/host checker/graph checker/inclusion checker/liveness modules/layout
checker/cover: checker
checker/guide:
checker/ahead: checker/simulate
checker/rehearse: checker/simulate
checker/treesize: checker checker/host checker/simulate
checker/ran:
checker/setting:
checker/held:
checker/conform/drivers:
checker/conform/driver: checker/conform checker/itf
checker/conform/pair: checker/conform
checker/conform: checker/ahead checker/cover checker/held checker/rehearse checker/setting checker/simulate checker/trace
checker/trace: checker checker/host checker/refine/flatjson
checker/refine/record:
checker/refine/flatjson: modules
checker/refine/shown: modules
checker/refine: checker/refine/record checker/refine/flatjson checker/refine/shown modules/layout
checker/refine/selftest: checker/refine
checker/stepwise: checker checker/itf checker/trace
checker/program: checker/abstraction checker/stepwise checker/rounds checker/priorities checker/conform/driver checker/conform/pair checker/explore checker/itf checker/liveness checker/preserve checker/reduce checker/refine checker/refine/selftest checker/simulate checker/trace checker/treesize checker/wire
configs/examples/...: grains
zab/...: grains
raft/...: grains
raft/etcdraft: raft/... checker/conform
raft/etcdraft/mutants:
zab/versions:
zab/zookeeper/replay: zab/... zab/versions checker/conform
configs/diagnostic:
configs/functions:
configs/extent:
configs/foreign:
configs: checker/host configs/diagnostic configs/functions configs/extent configs/foreign
interaction/internal/flow:
interaction/internal/initial: interaction/internal/flow
interaction/speclint: grains interaction/internal/initial
interaction: grains checker/host grains/importpath interaction/speclint
interaction/mutate: grains
interaction/...: grains checker/host grains/importpath interaction/speclint
compose/private:
compose/gocmd: checker/host compose/private configs grains/importpath
compose/noting: checker/ran
compose/assemble: grains compose/gocmd compose/noting
compose/capacity: checker/host
compose: compose/assemble compose/capacity interaction interaction/mutate
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
cmd/multigrain/internal/schema/...: cmd/multigrain/internal/result checker/conform/driver
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
cmd/multigrain/internal/changes: cmd/multigrain/internal/plan cmd/multigrain/internal/finer cmd/multigrain/internal/session interaction/...
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
cmd/multigrain/internal/explorer: cmd/multigrain/internal/command checker/stepwise
docs/reference:
cmd/multigrain/internal/lsp: cmd/multigrain/internal/command configs/foreign docs/reference
cmd/multigrain/internal/mcp: cmd/multigrain/internal/command
cmd/multigrain/internal/watch:
cmd/multigrain/internal/relock: cmd/multigrain/internal/command
cmd/multigrain/internal/drivercheck: checker/conform/driver cmd/multigrain/internal/command
cmd/multigrain/internal/scaffold: checker/conform/drivers cmd/multigrain/internal/command compose
cmd/multigrain/internal/explain: cmd/multigrain/internal/codes
cmd/multigrain/internal/fleet/queue: checker/host
cmd/multigrain/internal/fleet/jobs: configs cmd/multigrain/internal/codes cmd/multigrain/internal/verdicts
cmd/multigrain/internal/fleet/search: checker/explore/exchange checker/wire
cmd/multigrain/internal/fleet: cmd/multigrain/internal/command cmd/multigrain/internal/fleet/queue cmd/multigrain/internal/fleet/jobs
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
		if !ours || hidden(pkg) || strings.Contains(pkg, "testdata") {
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
			if ours && !hidden(imp) && !slices.Contains(allowed, ruleFor(below, imp)) {
				t.Errorf("%s imports %s, which is not below it", pkg, imp)
			}
		}
	}
}

// hidden reports whether the Go toolchain alone decides who may import a package. Such a package is
// internal to a folder that has no layers of its own. The command has layers within.
func hidden(pkg string) bool {
	return strings.Contains(pkg, "internal/") && !strings.HasPrefix(pkg, "cmd/multigrain/")
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
