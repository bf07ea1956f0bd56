package compose

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layers says which of the project's packages a package may import: itself and those below it, and what they may import. A
// line is "package: those directly below"; a trailing /... covers the folders below.
const layers = `
modules:
grains: modules
checker: modules
checker/wire: modules
checker/explore: checker
checker/naive: checker
checker/simulate: checker
checker/itf: checker/wire
checker/liveness: checker
checker/preserve: checker
checker/conform: checker/simulate
checker/trace: checker
checker/refine: modules
checker/program: checker/conform checker/explore checker/itf checker/liveness checker/preserve checker/refine checker/simulate checker/trace checker/wire
zab/...: grains
raft/...: grains
raft/etcdraft: raft/... checker/conform
configs:
interaction: grains
interaction/...: grains
compose/gocmd: configs
compose/assemble: grains compose/gocmd
compose: compose/assemble interaction
cmd/speclint/...: interaction/...
cmd/bench-tlc:
cmd/measure-edit:
cmd/multigrain: compose checker/wire checker/itf interaction/...
`

const prefix = "github.com/multigrain/multigrain/"

// TestLayering holds the imports of every package, tests left out, against the layers.
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
		pkg := strings.TrimPrefix(words[0], prefix)
		if strings.Contains(pkg, "internal/") || strings.Contains(pkg, "testdata") {
			continue
		}
		rule := ruleFor(below, pkg)
		if rule == "" {
			t.Errorf("package %s has no layer: add a line for it, and a reason in DESIGN.md if it is a new folder", pkg)
			continue
		}
		allowed := reach(below, rule)
		for _, imp := range words[1:] {
			imp, ours := strings.CutPrefix(imp, prefix)
			if ours && !strings.Contains(imp, "internal/") && !slices.Contains(allowed, ruleFor(below, imp)) {
				t.Errorf("%s imports %s, which is not below it", pkg, imp)
			}
		}
	}
}

// ruleFor is the line that covers a package: its own, or that of the closest folder above.
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

func reach(below map[string][]string, from string) []string {
	out := []string{from}
	for _, b := range below[from] {
		out = append(out, reach(below, b)...)
	}
	return out
}
