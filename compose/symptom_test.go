package compose

import (
	"testing"

	"github.com/multigrain/multigrain/configs"
)

// TestVersionVariable: the variable that gives option variant its value follows the version of the
// implementation, unless it was given a value. What else depends on it, follows, too.
func TestVersionVariable(t *testing.T) {
	t.Parallel()
	const path = "../configs/zab/versions/zk-3023.hcl"
	load := func(vars ...configs.Assignment) *Composition {
		m, diags := configs.Load(path, configs.Options{Assignments: vars})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		c, diags := Resolve(m, testEnv(t))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return c
	}
	c := load()
	for version, want := range map[string]string{"3.8.6": "v3.8.6", "3.9.4": "v3.9.5", "3.3.6": ""} {
		impl := *c.Manifest.Implementations[0]
		impl.Version.Value = version
		if name, value := c.VersionVariable(&impl); value != want || (name == "version") != (want != "") {
			t.Errorf("%s: %q has to be %q, want %q", version, name, value, want)
		}
	}
	given := load(configs.Assignment{Var: "version=v3.8.6"})
	impl := *given.Manifest.Implementations[0]
	impl.Version.Value = "3.9.1"
	if name, _ := given.VersionVariable(&impl); name != "" {
		t.Errorf("variable %s was given a value, and would get another one", name)
	}
	if n := len(impl.Control.Insert.Value); n != 1 {
		t.Errorf("the control for v3.8.6 puts %d steps in, want 1", n)
	}
}
