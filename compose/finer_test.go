package compose

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// stairs returns a composition of the specification stairs, in which the module enter has a grain.
func stairs(t *testing.T, grain string) *Composition {
	t.Helper()
	source, err := filepath.Abs("../cmd/multigrain/testdata/spec/stairs")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "stairs.hcl")
	text := fmt.Sprintf("system \"stairs\" {\n  source = %q\n}\nmodule \"enter\" {\n  grain = %q\n}\nmodule \"post\" {\n  grain = \"coarse\"\n}\n"+
		"module \"work\" {\n  grain  = \"baseline\"\n  target = true\n}\n", source, grain)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, diags := Resolve(load(t, path), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return c
}

// TestBetween: the grains between a coarse grain and the finest ones are finer than it is. So
// replacing one grain after the other comes to an end.
func TestBetween(t *testing.T) {
	t.Parallel()
	c := stairs(t, "coarse")
	g, _ := c.Catalog.Named("enter", "coarse")
	if got, want := c.Between(g), []grains.Ref{{Module: "enter", Grain: "between"}}; !slices.Equal(got, want) {
		t.Errorf("of coarse: %v, want %v", got, want)
	}
	c = stairs(t, "between")
	g, _ = c.Catalog.Named("enter", "between")
	if got := c.Between(g); got != nil {
		t.Errorf("of between: %v", got)
	}
}

// TestRoom: only the capacity of a channel that the composition does not use gets more room. A
// bound that a guard reads says which system it is, such as the number of terms of stairs.
func TestRoom(t *testing.T) {
	t.Parallel()
	if got := stairs(t, "coarse").Room(4); len(got) != 0 {
		t.Errorf("stairs: %v", got)
	}
	c, diags := Resolve(load(t, "../configs/zab/bugs/zk-2846.hcl"), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if got, want := fmt.Sprint(c.Room(4)), "map[notifications:16]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestReplacedConstraints: a fine composition is explored within the constraints of the coarse
// grains that it replaces, and so is one that is finer still.
func TestReplacedConstraints(t *testing.T) {
	t.Parallel()
	c, diags := Resolve(load(t, "../configs/zab/bugs/zk-2846.hcl"), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	g, _ := c.Catalog.Named("election", "coarse-join")
	x, diags := c.Comparing(nil, c.Between(g)).CompareWithin(nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	want := []string{"memory-at-log of election/coarse-join"}
	if got := x.Borrowed(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := x.Unborrowed().Fine.Choice; len(got.Constraints) != 0 || len(got.Replaced) != 0 {
		t.Errorf("without it: %+v", got)
	}
	y, diags := x.Further(nil, nil, 4)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if got := y.Borrowed(); !slices.Equal(got, want) {
		t.Errorf("further: %v, want %v", got, want)
	}
	if got := y.Fine.Constants["MaxNotifications"]; got != "16" || x.Fine.Constants["MaxNotifications"] != "4" {
		t.Errorf("further: room for %s", got)
	}
	plain, diags := Resolve(load(t, "../configs/zab/mspec-3.hcl"), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if x, diags = plain.CompareWithin(nil); diags.HasErrors() || x.Borrowed() != nil || x.Fine.Choice.Replaced != nil {
		t.Errorf("without a constraint: %v %v", x.Fine.Choice.Replaced, diags)
	}
}
