package compose

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// walkedText returns the compositions in which a change is walked.
func walkedText(all []Alternative) string {
	var got []string
	for _, a := range all {
		s := fmt.Sprint(a.Fine)
		for _, g := range a.Grains {
			s += " " + g.Module + "/" + g.Grain
		}
		for _, x := range slices.Concat(a.Options, a.Bounds) {
			s += " " + x.Name + "=" + x.Value
		}
		got = append(got, s)
	}
	return strings.Join(got, "; ")
}

// TestWalked: modules that are not touched keep their grain, and options and bounds that grains
// need are set in a further composition only.
func TestWalked(t *testing.T) {
	t.Parallel()
	c := changedToy(t)
	for _, x := range []struct {
		touched  map[string][]string
		switched bool
		want     string
	}{
		// Picky requires the carrier's baseline. The manifest's grain is kept.
		{map[string][]string{"store": {"picky"}}, false, "0 maker/baseline carrier/baseline store/picky"},
		{map[string][]string{"store": {"picky"}}, true, ""},
		{map[string][]string{"store": {"baseline", "paired", "roomy"}}, false, "0 maker/baseline carrier/baseline store/baseline; 0 maker/coarse store/baseline"},
		// Of these paired needs an option, and roomy, which refines it, a bound, too.
		{map[string][]string{"store": {"baseline", "paired"}}, true, "0 maker/baseline carrier/baseline store/paired double=true; 0 maker/coarse store/paired double=true"},
		{map[string][]string{"store": {"roomy"}}, true, "0 maker/baseline carrier/baseline store/roomy tokens=4; 0 maker/coarse store/roomy tokens=4"},
	} {
		all, _ := c.Walked(x.touched, x.switched, x.switched)
		if got := walkedText(all); got != x.want {
			t.Errorf("%v, switched %t:\n%s, want\n%s", x.touched, x.switched, got, x.want)
		}
	}
}

// TestWriteSettings: the options and bounds of an alternative are those of the manifest that is
// written, and its bounds are those of the walks on the implementation, too.
func TestWriteSettings(t *testing.T) {
	t.Parallel()
	c := changedToy(t)
	all, _ := c.Walked(map[string][]string{"store": {"paired"}}, true, true)
	a := all[0]
	a.Bounds, a.Implementation = []grains.Setting{{Name: "tokens", Value: "7"}}, "code"
	text, _ := c.Write(a, t.TempDir(), "# A comment.\n")
	for _, want := range []string{"options {\n  double = true\n}", "bounds {\n  tokens = 7\n}", "implementation \"code\" {\n\n  bounds {\n    tokens = 7\n  }\n}"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the manifest does not have this:\n%s\n\n%s", want, text)
		}
	}
}

// TestSized: a change is walked with the sizes of its grains, and with five, two and three nodes.
// Those that the composition has are left out.
func TestSized(t *testing.T) {
	t.Parallel()
	c := changedToy(t)
	cat := *c.Catalog
	cat.Bounds = append(slices.Clone(cat.Bounds), grains.Bound{Name: "servers", Min: 1, Max: 4, Default: 3, Const: "Servers"})
	c.Catalog, c.Choice.Budgets = &cat, maps.Clone(c.Choice.Budgets)
	c.Choice.Budgets["servers"] = 3
	for _, x := range []struct {
		grain, want string
		bounds      []grains.Setting
	}{
		{grain: "losing", want: "0 losses=3 tokens=9; 0 servers=2"},
		{
			grain: "losing", want: "0 losses=3 tokens=9 servers=2; 0 losses=3 tokens=9 servers=3",
			bounds: []grains.Setting{
				{Name: "losses", Value: "3"}, {Name: "tokens", Value: "9"}, {Name: "servers", Value: "4"},
			},
		},
		{grain: "losing twice=true", want: "0 servers=2"}, // sizes are not taken over
	} {
		a := Alternative{Touched: []grains.Ref{{Module: "faults", Grain: x.grain}}, Bounds: x.bounds}
		if got := walkedText(c.Sized(a)); got != x.want {
			t.Errorf("%s with %v: %s, want %s", x.grain, x.bounds, got, x.want)
		}
	}
	cat.Roles = []modules.Role{{Name: "client", Count: 2}} // as many as the default of tokens
	if got := walkedText(c.Sized(Alternative{})); got != "0 tokens=5; 0 tokens=3" {
		t.Errorf("with a role of two nodes: %s", got)
	}
}

// TestGrown: budgets of touched modules double up to what the catalog allows.
func TestGrown(t *testing.T) {
	t.Parallel()
	c := changedToy(t)
	a := Alternative{Touched: []grains.Ref{{Module: "faults", Grain: "losing"}}}
	var got []string
	for range 5 {
		next, ok := c.Grown(a)
		if !ok {
			break
		}
		got, a = append(got, next.Bounds[0].Value), next
	}
	if s := strings.Join(got, " "); s != "2 4 5" {
		t.Errorf("losses = %s, want 2 4 5", s)
	}
	if _, ok := c.Grown(Alternative{Touched: []grains.Ref{{Module: "maker", Grain: "baseline"}}}); ok {
		t.Error("a module without a budget grows")
	}
}

// TestShared: compositions that differ in options, or in grains, are one program. The option is a
// variable unless something needs a constant.
func TestShared(t *testing.T) {
	t.Parallel()
	c := changedToy(t)
	all, _ := c.Walked(map[string][]string{"store": {"baseline", "paired"}}, true, true)
	spec, diags := assemble.Read(c.source)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	other := *c
	other.Constants = maps.Clone(c.Constants)
	other.Constants["Double"] = "true"
	other.Choice.Grains = all[0].Grains
	one := *c
	one.Choice.Grains = all[1].Grains
	a, started := one.shared(all, spec)
	b, _ := other.shared(all, spec)
	if !maps.Equal(a.Constants, b.Constants) || !slices.Equal(a.Choice.Grains, b.Choice.Grains) {
		t.Errorf("two programs: %v %v and %v %v", a.Constants, a.Choice.Grains, b.Constants, b.Choice.Grains)
	}
	if want := []string{"false", "true"}; len(started) != 1 || !slices.Equal(started["Double"], want) {
		t.Errorf("variables are %v", started)
	}
}
