package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// TestRelative: a document is the same from whatever folder and in whatever clone a verb was run.
// What is no file, sources, and the command line stay as they are.
func TestRelative(t *testing.T) {
	var texts []string
	for _, clone := range []string{t.TempDir(), t.TempDir()} {
		for _, here := range []string{"", "configs", "out"} {
			for _, dir := range []string{"configs", "spec", "out"} {
				if err := os.MkdirAll(filepath.Join(clone, dir), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for _, file := range []string{"configs/m.hcl", "spec/a.go", "out/t.itf.json"} {
				if err := os.WriteFile(filepath.Join(clone, file), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(filepath.Join(clone, here))
			as := func(file string) string {
				out, err := filepath.Rel(filepath.Join(clone, here), filepath.Join(clone, file))
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			d := &result.Document{Manifest: as("configs/m.hcl"), Diagnostics: []result.Diagnostic{{File: as("spec/a.go"), Detail: "refused at " + filepath.Join(clone, "spec/a.go") + ":12, see missing.go.",
				Excerpt: []string{"spec/a.go"}}},
				Exploration: &result.Exploration{Violations: []result.Violation{{Trace: as("out/t.itf.json")}}},
				Sources:     []result.Source{{File: as("configs/m.hcl"), Text: "spec/a.go"}},
				Origin:      &result.Origin{Command: "multigrain check configs/m.hcl"}}
			out := relative{base: as("configs"), folder: as("out")}.document(d)
			if out.Manifest != "m.hcl" || out.Diagnostics[0].File != "../spec/a.go" || out.Violations[0].Trace != "t.itf.json" ||
				out.Diagnostics[0].Detail != "refused at ../spec/a.go:12, see missing.go." || out.Sources[0] != (result.Source{File: "m.hcl", Text: "spec/a.go"}) ||
				out.Diagnostics[0].Excerpt[0] != "spec/a.go" || out.Origin.Command != "multigrain check configs/m.hcl" {
				t.Errorf("in %q: %+v %+v %+v", here, out, out.Diagnostics, out.Sources)
			}
			texts = append(texts, out.Diagnostics[0].Detail)
		}
	}
	for _, x := range texts {
		if x != texts[0] {
			t.Errorf("%q and %q", x, texts[0])
		}
	}
	in := relative{base: ".", folder: "."}.text("/root/go/pkg/mod/go.etcd.io/raft/v3@v3.7.0/raft.go:12")
	if in != "go.etcd.io/raft/v3@v3.7.0/raft.go:12" {
		t.Error(in)
	}
}
