package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/configs"
)

// TestApart holds that runs with other values have other names for their traces. A run with the
// values of the manifest has the plain name.
func TestApart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "m.hcl")
	text := `system "s" { source = "." }
variable "few" { default = 2 }
variable "name" { default = "a" }
variable "where" { type = string }
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, c := range []struct{ vars, environ, pinned, want string }{
		{"", "w", "", ""},
		{"few=2", "w", "", ""},
		{"few=3", "w", "", "-few=3"},
		{"name=b few=3", "w", "", "-few=3-name=b"},
		{"where=x", "", "", "-where=x"},
		{"", "w", "v1.2.0", "-version=v1.2.0"},
		{"name=a/b", "w", "", "-values="},
		{"name=a_b", "w", "", "-name=a_b"},
		{"name=3-name=b few=1", "w", "", "-values="},
		{"name=" + strings.Repeat("x", 90), "w", "", "-values="},
		{"name=" + strings.Repeat("x", 91), "w", "", "-values="},
	} {
		var vars []configs.Assignment
		for _, v := range strings.Fields(c.vars) {
			vars = append(vars, configs.Assignment{Var: v})
		}
		var environ []string
		if c.environ != "" {
			environ = []string{"MULTIGRAIN_VAR_where=" + c.environ}
		}
		m, diags := configs.Load(path, configs.Options{Assignments: vars, Environ: environ})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		have := (&Run{Manifest: m, pinned: c.pinned}).apart()
		if c.want == "-values=" && !strings.HasPrefix(have, c.want) || c.want != "-values=" && have != c.want {
			t.Errorf("%s: %q, want %q", c.vars, have, c.want)
		}
		if other, ok := seen[have]; ok && have != "" {
			t.Errorf("%s and %s are both %q", other, c.vars, have)
		}
		seen[have] = c.vars
	}
}
