package compose

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose/testdata/derived"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

const (
	literalDir = "testdata/literal/"
	derivedHCL = "testdata/derived/coarse.hcl"
	sidesHCL   = "testdata/sides/sides.hcl"
)

// TestLiteralGrains composes and explores a package in the style from before grains declared
// themselves. The worker is up in the 6 pairs of done <= asked <= 2 at the coarse grain, in the 10
// triples at the baseline. A stop keeps what is done and begun, and requests continue, so there are
// as many states in which the worker is down.
func TestLiteralGrains(t *testing.T) {
	t.Parallel()
	for manifest, distinct := range map[string]int64{"coarse.hcl": 12, "baseline.hcl": 20} {
		c, program := mustAssemble(t, literalDir+manifest)
		if r := run(t, c, program, wire.Options{Stop: 1}); r.Verdict != "holds" || r.Distinct != distinct {
			t.Errorf("%s: %s, %d distinct", manifest, r.Verdict, r.Distinct)
		}
	}
	x, r := compared(t, literalDir+"coarse.hcl", wire.Options{})
	if got := x.Fine.Choice.Grains; len(got) != 3 || got[1] != (grains.Ref{Module: "worker", Grain: "baseline"}) {
		t.Errorf("fine %v", got)
	}
	if r.Level != "L2" || r.L2.NoFalse != "yes" || r.L2.NoMissed != "yes" {
		t.Errorf("got %+v", r)
	}
}

// TestDerivedCatalog: the catalog that is read from a package's code equals the one that the
// package computes.
func TestDerivedCatalog(t *testing.T) {
	t.Parallel()
	cat, diags := LoadCatalog("testdata", "./derived", testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for k, g := range derived.System.Grains {
		d := cat.Grains[k]
		if len(g.Models) == 0 {
			g.Models = nil // a catalog does not distinguish an empty list
		}
		want := grains.GrainDecl{Name: g.Name, Covers: g.Covers, From: g.From, Coarsens: g.Coarsens, Refines: g.Refines,
			Requires: g.Requires, Sets: g.Sets, Needs: g.Needs, NeedsBounds: g.NeedsBounds, Offers: g.Offers, Models: g.Models,
			Actions: d.Actions, Budgets: d.Budgets, Place: d.Place}
		if !reflect.DeepEqual(d, want) {
			t.Errorf("read %+v,\nwant %+v", d, want)
		}
		if len(d.Actions) != len(g.Actions) || len(d.Budgets) != len(g.Budgets) {
			t.Errorf("%s: actions %v, budgets %v", g.Name, d.Actions, d.Budgets)
		}
	}
	ordered := cat.Grains[8]
	if ordered.Name != "ordered" || len(ordered.Sets) != 2 || ordered.Sets[0].Value != "newest" || ordered.Sets[1].Name != "step" ||
		len(ordered.Requires) != 2 || len(ordered.NeedsBounds) != 1 || len(ordered.Models) != 2 || len(ordered.Offers) != 2 {
		t.Errorf("got %+v", ordered)
	}
	for k, want := range map[int]string{0: "coarse.go:24", 3: "worker.go:22", 4: "coarse.go:38", 8: "worker.go:41"} {
		at := rangeOf(cat.Grains[k].Place)
		if got := at.String(); !strings.Contains(got, want+",") {
			t.Errorf("%s is at %s, want %s", cat.Grains[k].Name, got, want)
		}
	}
}

// TestGrainSets: what a grain sets is compiled in, inherited settings and bounds included.
func TestGrainSets(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		vars     string
		constant string
		warnings int
		distinct int64
	}{
		{"worker=coarse", `Jobs=4 Order="any" Step=1`, 0, 0},
		{"worker=coarser", `Jobs=4 Order="oldest" Step=1`, 0, 0},
		// the triples of done <= begun <= asked with asked 0, 2 or 4
		{"worker=pairs", `Jobs=4 Order="newest" Step=2`, 0, 22},
		{"worker=pairs step=2", `Jobs=4 Order="newest" Step=2`, 1, 0},
		{"worker=pairs step=2 order=newest", `Jobs=4 Order="newest" Step=2`, 2, 0},
		// the pairs of done <= asked with asked 0, 2 or 4
		{"worker=coarse step=2", `Jobs=4 Order="any" Step=2`, 0, 9},
	} {
		c, diags := Resolve(load(t, derivedHCL, strings.Fields(x.vars)...), testEnv(t))
		if diags.HasErrors() {
			t.Fatal(x.vars, diags)
		}
		if len(diags) != x.warnings {
			t.Errorf("%s: %v", x.vars, diags)
		}
		for _, d := range diags {
			if configs.CodeOf(d) != CodeNoEffect {
				t.Errorf("%s: %v", x.vars, d)
			}
		}
		var got []string
		for name, value := range c.Constants {
			got = append(got, name+"="+value)
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != x.constant {
			t.Errorf("%s: constants %s, want %s", x.vars, s, x.constant)
		}
		if x.distinct == 0 {
			continue // a program takes long to build
		}
		_, program := mustAssemble(t, derivedHCL, strings.Fields(x.vars)...)
		if r := run(t, c, program, wire.Options{Stop: 1}); r.Distinct != x.distinct {
			t.Errorf("%s: %d distinct, want %d", x.vars, r.Distinct, x.distinct)
		}
	}
}

// TestSettingsOfOneSide: an option that a coarse grain sets has another value on the fine side.
// Both sides have 12 pairs of jobs asked for and done, within four jobs and two open ones. A bound,
// and an option that Go needs as a constant, are refused.
func TestSettingsOfOneSide(t *testing.T) {
	t.Parallel()
	for grain, want := range map[string]struct{ false, missed string }{"at-once": {"yes", "yes"}, "all": {"yes", "no"}} {
		_, r := compared(t, sidesHCL, wire.Options{}, "network="+grain)
		if r.Sides[0].States != 12 || grain == "at-once" && r.Sides[1].States != 12 || r.L2.NoFalse != want.false || r.L2.NoMissed != want.missed {
			t.Errorf("%s: got %+v", grain, r)
		}
	}
	for grain, why := range map[string]string{"in-order": "Order cannot be a variable: see sides.go:16", "few": "it is a bound"} {
		c, diags := Resolve(load(t, sidesHCL, "network="+grain), testEnv(t))
		if diags.HasErrors() {
			t.Fatal(grain, diags)
		}
		_, diags = c.Compare()
		if !diags.HasErrors() || configs.CodeOf(diags[0]) != CodeGrainSets || !strings.Contains(diags[0].Detail, "unchanged") || !strings.Contains(diags[0].Detail, why) {
			t.Errorf("%s: %v", grain, diags)
		}
	}
	for _, vars := range []string{"worker=coarser", "worker=coarser order=oldest"} {
		_, r := compared(t, derivedHCL, wire.Options{}, strings.Fields(vars)...)
		if r.Level != "L2" || r.L2.NoFalse != "yes" || r.L2.NoMissed != "yes" {
			t.Errorf("%s: got %+v", vars, r)
		}
	}
}

// TestContradictingAlternatives: a composition for a change keeps the options and bounds of its
// manifest. A grain that sets another value is not chosen, and the value is reported as lacking.
func TestContradictingAlternatives(t *testing.T) {
	t.Parallel()
	c, diags := Resolve(load(t, derivedHCL, "order=oldest"), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	_, lacking := c.Alternatives(map[string][]string{"worker": {"pairs"}})
	if len(lacking) != 1 || lacking[0].Need != "step = 2" {
		t.Errorf("lacking %v", lacking)
	}
	c, diags = Resolve(load(t, derivedHCL), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	all, lacking := c.Alternatives(map[string][]string{"worker": {"ordered", "pairs"}, "log": {"ordered"}})
	if len(all) != 1 || !slices.Contains(all[0].Grains, grains.Ref{Module: "worker", Grain: "coarse"}) || len(lacking) != 3 {
		t.Errorf("alternatives %v, lacking %v", all, lacking)
	}
}

// TestNode: node = true in the system block picks the grain node of every module that has one. A
// module block overrides it, and so does a grain that covers the module.
func TestNode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, manifest, want string
	}{
		{"one module under test", `
module "discovery" {
  target = true
}
`, "election/node discovery/node synchronization/node broadcast/node faults/node"},
		{"another grain of a module", `
module "election" {
  grain  = "node-votes"
  target = true
}
`, "election/node-votes discovery/node synchronization/node broadcast/node faults/node"},
		{"the names of before", `
module "election" {
  grain  = "one-sided-votes"
  target = true
}

module "faults" {
  grain = "one-sided"
}
`, "election/node-votes discovery/node synchronization/node broadcast/node faults/node"},
		{"node is false", `
system "zab" {
  node = false
}

module "election" {
  grain = "coarse"
}

module "synchronization" {
  grain  = "baseline"
  target = true
}

module "broadcast" {
  grain = "baseline"
}

module "faults" {
  grain = "crash-partition"
}
`, "election/coarse synchronization/baseline broadcast/baseline faults/crash-partition"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			base := `system "zab" {
  source = "github.com/multigrain/multigrain/zab"
  node   = true
}

options {
  disk = "apart"
}
`
			for name, text := range map[string]string{"base.hcl": base, "m.hcl": "extends = \"base.hcl\"\n" + tt.manifest} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			c, diags := Resolve(load(t, filepath.Join(dir, "m.hcl")), testEnv(t))
			for _, d := range diags {
				if renamed := strings.Contains(tt.name, "before") && d.Severity == hcl.DiagWarning && configs.CodeOf(d) == CodeRenamed; !renamed {
					t.Errorf("%v", d)
				}
			}
			if c == nil {
				t.Fatal("no composition")
			}
			var got []string
			for _, g := range c.Choice.Grains {
				got = append(got, g.Module+"/"+g.Grain)
			}
			if have := strings.Join(got, " "); have != tt.want {
				t.Errorf("composed: %s\nwant:     %s", have, tt.want)
			}
		})
	}
}

// TestNodeWithAGrainOfTwoModules: a grain that covers a module keeps node = true from picking one
// more for it. The other modules then lack what their grains require.
func TestNodeWithAGrainOfTwoModules(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "m.hcl")
	text := `system "zab" {
  source = "github.com/multigrain/multigrain/zab"
  node   = true
}

module "election" {
  grain = "coarse"
}
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, diags := Resolve(load(t, path), testEnv(t))
	for _, d := range diags {
		if code := configs.CodeOf(d); code == CodeCoveredTwice {
			t.Errorf("%v", d)
		}
	}
	if !diags.HasErrors() {
		t.Error("the grains node work without the one of discovery")
	}
}
