package differ

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// TestBetween changes one thing of a catalog after the other.
func TestBetween(t *testing.T) {
	t.Parallel()
	whole := func() *grains.Catalog {
		fn := &grains.Function{Place: grains.Place{File: "a.go", Line: 3, Column: 9}}
		return &grains.Catalog{
			Doc:        "text",
			Actions:    []grains.ActionDecl{{Name: "Ask", Guard: fn}},
			Grains:     []grains.GrainDecl{{Name: "baseline", Covers: []string{"client"}, Actions: []string{"Ask"}, Models: []string{"ask"}}},
			Rules:      []grains.RuleDecl{{On: "Ask", When: fn}},
			Invariants: []grains.PropertyDecl{{ID: "I", Doc: "text", Check: fn}},
		}
	}
	other := &grains.Function{Place: grains.Place{File: "a.go", Line: 4}}
	for _, c := range []struct {
		change func(c *grains.Catalog)
		want   string
	}{
		{func(*grains.Catalog) {}, "[]"},
		{func(c *grains.Catalog) { c.Doc, c.Invariants[0].Doc, c.Grains[0].Models = "", "", nil }, "[]"},
		{func(c *grains.Catalog) { c.Rules[0].When.Place.Column = 30 }, "[]"},
		{func(c *grains.Catalog) { c.Actions[0].Guard = other }, `[action "Ask" differs]`},
		{func(c *grains.Catalog) { c.Grains[0].Actions = nil }, `[grain "baseline" of module "client" differs]`},
		{func(c *grains.Catalog) { c.Grains[0].Name = "fine" },
			`[grain "baseline" of module "client" is not declared grain "fine" of module "client" is declared in addition]`},
		{func(c *grains.Catalog) { c.Rules = nil }, "[the list of rules of the System differs]"},
		{func(c *grains.Catalog) { c.Invariants[0].Check = other }, "[the list of properties of the System differs]"},
		{func(c *grains.Catalog) { c.Init.Name = "Other" }, "[the function Init of the System differs]"},
	} {
		is := whole()
		c.change(is)
		var got []string
		for _, d := range Between(whole(), is) {
			got = append(got, d.Part+" "+d.How)
		}
		if text := fmt.Sprint(got); text != c.want {
			t.Errorf("got %s, want %s", text, c.want)
		}
	}
}
