package compose

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// TestSwitches: an option picks another grain of the grain that a manifest names, by -set as well.
// What it does not pick is not in the composition.
func TestSwitches(t *testing.T) {
	t.Parallel()
	losing := toyModules + "module \"faults\" {\n  grain = \"losing\"\n}\n"
	for _, x := range []struct{ name, body, set, grain, says string }{
		{"none", losing, "", "losing", ""},
		{"default", losing + "options {\n  twice = false\n  back = \"never\"\n}\n", "", "losing", ""},
		{"option", losing + "options {\n  twice = true\n}\n", "", "losing twice=true", ""},
		{"value", losing + "options {\n  back = \"once\"\n}\n", "", "losing back=once", ""},
		{"set", losing, "back=once", "losing back=once", ""},
		{"set back", losing + "options {\n  back = \"once\"\n}\n", "back=never", "losing", ""},
		{"both", losing + "options {\n  twice = true\n  back = \"once\"\n}\n", "", "", "MG248 has steps for twice = true and for back = \"once\""},
		{"name of before", strings.Replace(losing, "losing", "losing-twice", 1), "", "losing twice=true", "MG244 Write grain = \"losing\", and twice = true"},
		{"name and option", strings.Replace(losing, "losing", "losing-twice", 1) + "options {\n  twice = false\n}\n", "", "", "MG244 sets the option to another value"},
		{"without the module", toyModules + "options {\n  twice = true\n}\n", "", "", "MG117 switch of grain \"losing\" of faults"},
	} {
		opt := configs.Options{}
		if x.set != "" {
			opt.Assignments = append(opt.Assignments, configs.Assignment{Set: x.set})
		}
		m, diags := configs.Load(toyManifest(t, x.body), opt)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		c, diags := Resolve(m, testEnv(t))
		code, text, _ := strings.Cut(x.says, " ")
		said := x.says == "" && len(diags) == 0
		for _, d := range diags {
			said = said || string(configs.CodeOf(d)) == code && strings.Contains(d.Detail, text)
		}
		if !said {
			t.Errorf("%s: %v, want %q", x.name, diags, x.says)
		}
		got := ""
		if c != nil {
			for _, r := range c.Choice.Grains {
				if r.Module == "faults" {
					got = r.Grain
				}
			}
		}
		if got != x.grain {
			t.Errorf("%s: grain %q, want %q", x.name, got, x.grain)
		}
	}
}

// TestSwitchesAreWritten: a composed manifest gets exactly the grains of an alternative, also where
// the manifest that it extends picks another one.
func TestSwitchesAreWritten(t *testing.T) {
	t.Parallel()
	path := toyManifest(t, toyModules+"module \"faults\" {\n  grain = \"losing\"\n}\noptions {\n  twice = true\n}\n")
	c, diags := Resolve(load(t, path), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, want := range []string{"losing", "losing twice=true", "losing back=once"} {
		a := Alternative{Grains: slices.Clone(c.Choice.Grains)}
		a.Grains[len(a.Grains)-1] = grains.Ref{Module: "faults", Grain: want}
		text, _ := c.Write(a, filepath.Dir(path), "")
		written := filepath.Join(filepath.Dir(path), "written.hcl")
		if err := os.WriteFile(written, text, 0o644); err != nil {
			t.Fatal(err)
		}
		again, diags := Resolve(load(t, written), testEnv(t))
		if diags.HasErrors() {
			t.Fatalf("%s: %v\n%s", want, diags, text)
		}
		if !slices.Equal(again.Choice.Grains, a.Grains) {
			t.Errorf("%s: the manifest\n%s\ngets %v", want, text, again.Choice.Grains)
		}
	}
}
