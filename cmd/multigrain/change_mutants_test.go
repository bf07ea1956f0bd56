package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/changes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
)

// diffOf returns a mutant of go.etcd.io/raft/v3 as a unified diff without context.
func diffOf(t *testing.T, m mutants.Mutant) string {
	t.Helper()
	library, err := mutants.Library("../..")
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(library, filepath.FromSlash(m.File)))
	if err != nil {
		t.Fatal(err)
	}
	after, err := m.Change(before)
	if err != nil {
		t.Fatal(err)
	}
	text, err := udiff.ToUnified("a/"+m.File, "b/"+m.File, string(before), udiff.Strings(string(before), string(after)), 0)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// changed runs change with a diff, and returns its document and exit code.
func changed(t *testing.T, manifest, diff string, more ...string) (*result.Document, int, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "change.diff")
	if err := os.WriteFile(path, []byte(diff), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := &command.App{Verbs: verbs(), In: strings.NewReader(""), Out: &out, Err: &errs, Environ: testEnviron(t)}
	code := a.Run(append([]string{"change", manifest, "-diff", path, "-json", "-quiet", "-traces", t.TempDir()}, more...))
	doc := new(result.Document)
	if err := json.Unmarshal(out.Bytes(), doc); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	return doc, code, out.String() + errs.String()
}

func testEnviron(t *testing.T) []string {
	if os.Getenv("MULTIGRAIN_CACHE") != "" {
		return os.Environ()
	}
	return append(os.Environ(), "MULTIGRAIN_CACHE="+t.TempDir())
}

var changeBudget = flag.Duration("change.budget", changes.DefaultBudget, "of the walks with each mutant")

// TestChangeSeesMutants: each mutant of the library, as a diff, behaves differently or violates an
// invariant, and none is reported to behave as the specification.
func TestChangeSeesMutants(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds the library for each mutant, which takes minutes: set MULTIGRAIN_SLOW=1")
	}
	all, err := mutants.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			doc, code, text := changed(t, "../../configs/raft/"+m.Manifest+".hcl", diffOf(t, m), "-budget", changeBudget.String())
			o := doc.Change.Observed
			if o == nil {
				t.Fatalf("exit code %d: not run\n%s", code, text)
			}
			var broken []string
			for _, b := range o.Broken {
				broken = append(broken, b.Invariant)
			}
			first := ""
			if len(o.Found) > 0 {
				first = o.Found[0].Line()
			}
			t.Logf("%s: %s, exit code %d, %d walks, %.1f s; %s; %s %s", m.Name, o.Verdict, code, o.Walks, o.Seconds, strings.Join(broken, ", "), first, o.Reason)
			if o.Verdict == verdicts.Behaves {
				t.Error("a mistake behaves as the specification")
			}
			if code != verdicts.ExitMismatch && len(broken) == 0 {
				t.Errorf("exit code %d: %s", code, o.Reason)
			}
		})
	}
}
