package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// hashicorpLibrary is the nested module whose go.mod requires the library.
const hashicorpLibrary = "../../raft/hashicorpraft/testdata/library"

// TestChangeSeesHashicorpMutants: each mutant of github.com/hashicorp/raft, as a diff, behaves
// differently or violates an invariant, and none is reported to behave as the specification. The
// manifest is in a nested module, whose go.mod requires the library.
func TestChangeSeesHashicorpMutants(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds the library for each mutant, which takes minutes: set MULTIGRAIN_SLOW=1")
	}
	// Without -m the command downloads the library.
	list := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/hashicorp/raft")
	list.Dir = hashicorpLibrary
	dir, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(hashicorpLibrary, "mutants.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		name, file, text, by := f[0], f[1], f[2], f[3]
		t.Run(name, func(t *testing.T) {
			before, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), file))
			if err != nil {
				t.Fatal(err)
			}
			after := strings.Replace(string(before), text, by, 1)
			diff, err := udiff.ToUnified("a/"+file, "b/"+file, string(before), udiff.Strings(string(before), after), 0)
			if err != nil || diff == "" {
				t.Fatalf("%q is no change: %v", text, err)
			}
			doc, code, out := changed(t, hashicorpLibrary+"/hashicorp.hcl", diff, "-budget", changeBudget.String())
			o := doc.Change.Observed
			if o == nil {
				t.Fatalf("exit code %d: not run\n%s", code, out)
			}
			var broken []string
			for _, b := range o.Broken {
				broken = append(broken, b.Invariant)
			}
			first := ""
			if len(o.Found) > 0 {
				first = o.Found[0].Line()
			}
			t.Logf("%s: %s, exit code %d, %d walks, %.1f s; %s; %s %s", name, o.Verdict, code, o.Walks, o.Seconds, strings.Join(broken, ", "), first, o.Reason)
			if code == verdicts.ExitOK {
				t.Error("a mistake behaves as the specification")
			}
			if code != verdicts.ExitMismatch && len(broken) == 0 {
				t.Errorf("exit code %d: %s", code, o.Reason)
			}
		})
	}
}
