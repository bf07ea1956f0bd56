package scaffold

import (
	"go/format"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/configs"
)

// TestFiles: every Go file is formatted, every manifest has the canonical layout, and no template
// is left in a file.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, s := range []System{
		{Name: "ring", Module: "example.org/ring", Version: "v0.0.0", Replace: "/clone"},
		{Name: "ring", Module: "example.org/ring", Version: "v1.2.3"},
		{Name: "ring", Module: "example.org/ring"},
	} {
		texts, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range texts {
			switch {
			case strings.Contains(text, "{{"):
				t.Errorf("%s has a template in it", name)
			case strings.HasSuffix(name, ".go"):
				if out, err := format.Source([]byte(text)); err != nil || string(out) != text {
					t.Errorf("%s is not formatted: %v", name, err)
				}
			case strings.HasSuffix(name, ".hcl"):
				if out, diags := configs.Format(name, []byte(text)); diags.HasErrors() || string(out) != text {
					t.Errorf("%s has another layout: %v", name, diags)
				}
			case name == "README.md":
				for file := range texts {
					if !strings.HasPrefix(file, ".gi") && !strings.Contains(text, file) && !strings.HasPrefix(file, "README") && file != "go.mod" {
						t.Errorf("README.md does not mention %s", file)
					}
				}
			}
		}
		if has := strings.Contains(texts["go.mod"], "replace"); has != (s.Replace != "") {
			t.Errorf("go.mod of %+v: %s", s, texts["go.mod"])
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{"lock": true, "raft2": true, "2pc": false, "Lock": false, "a-b": false, "type": false, "coarse": false, "": false, "modules": false} {
		if wrong := Check(name); (wrong == "") != ok {
			t.Errorf("%q: %q", name, wrong)
		}
	}
}
