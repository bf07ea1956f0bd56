package published

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// node is a state with the counters of the budgets.
type node = checker.Node[State, [8]uint8]

// compose makes a choice runnable, with further rules.
func compose(t *testing.T, c grains.Choice, rules ...modules.Rule[State]) *checker.Spec[node] {
	t.Helper()
	sys := System
	sys.Rules = append(append([]modules.Rule[State]{}, sys.Rules...), rules...)
	m, err := grains.Compose(&sys, c)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := checker.Of[State, [8]uint8](m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// found returns the name of the only violated invariant and the length of its counterexample.
func found(t *testing.T, spec *checker.Spec[node], r checker.Result[node]) (string, int) {
	t.Helper()
	if len(r.Violations) == 0 {
		t.Fatalf("%s, %d states: no violation", r.Verdict, r.Distinct)
	}
	v := r.Violations[0]
	return spec.Invariants[v.Invariant].Name(), v.Depth
}

// withSizes runs tests of this package with other constants in sizes.go.
func withSizes(t *testing.T, run string, constants map[string]string) {
	t.Helper()
	src, err := os.ReadFile("sizes.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range constants {
		decl := regexp.MustCompile(`(?m)^\t` + name + `\s*= .*$`)
		if !decl.Match(src) {
			t.Fatalf("sizes.go has no constant %s", name)
		}
		src = decl.ReplaceAll(src, []byte("\t"+name+" = "+value))
	}
	dir := t.TempDir()
	here, err := filepath.Abs("sizes.go")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{here: filepath.Join(dir, "sizes.go")}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"sizes.go": src, "overlay.json": overlay} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"test", "-overlay", filepath.Join(dir, "overlay.json"), "-count=1", "-v", "-run", run, "."}
	if f := flag.Lookup("transcripts"); f != nil && f.Value.String() == "true" {
		args = append(args, "-transcripts")
	}
	cmd := exec.Command("go", args...)
	out, err := cmd.CombinedOutput()
	if err != nil || regexp.MustCompile(`--- SKIP|no tests to run`).Match(out) {
		t.Errorf("%v\n%s", err, out)
	}
}
