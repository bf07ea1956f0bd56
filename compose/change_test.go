package compose

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/configs"
)

// changed is a manifest of the toy that a change is composed for.
const changed = `system "toy" {
  source = "%s"
}

variable "tokens" {
  type    = number
  default = 2
}

variable "double" {
  type    = bool
  default = false
}

module "maker" {
  grain = "baseline"
}

module "carrier" {
  grain  = "baseline"
  target = true
}

module "store" {
  grain = "picky"
}

bounds {
  tokens = var.tokens
}

options {
  double = var.double
}

check {
  invariants = ["A", "B"]
  except     = ["A.many"]
  unused     = ["Carry"]
}
`

// changedToy writes the manifest and resolves it.
func changedToy(t *testing.T, vars ...string) *Composition {
	t.Helper()
	toy, err := filepath.Abs("testdata/toy")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "toy.hcl")
	if err := os.WriteFile(path, fmt.Appendf(nil, changed, filepath.ToSlash(toy)), 0o644); err != nil {
		t.Fatal(err)
	}
	c, diags := Resolve(load(t, path, vars...), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return c
}

// TestAlternatives lists all compositions for changes of the toy, best first, as its catalog gives
// them by hand.
func TestAlternatives(t *testing.T) {
	t.Parallel()
	store := []string{"baseline", "paired", "roomy"}
	for _, c := range []struct {
		vars    string
		touched map[string][]string
		want    string
		lacking string
	}{
		{"", map[string][]string{"store": store}, "maker/coarse store/baseline for store; maker/baseline carrier/baseline store/baseline for store",
			`store/paired: double = "true"; store/roomy: tokens of at least 4`},
		{"double=true", map[string][]string{"store": {"paired", "baseline"}}, "maker/coarse store/paired for store; maker/baseline carrier/baseline store/paired for store; " +
			"maker/coarse store/baseline for store; maker/baseline carrier/baseline store/baseline for store", ""},
		{"tokens=4", map[string][]string{"store": {"roomy"}}, "maker/coarse store/roomy for store; maker/baseline carrier/baseline store/roomy for store", ""},
		{"", map[string][]string{"maker": {"baseline"}}, "maker/baseline carrier/baseline store/baseline for maker; maker/baseline carrier/baseline store/picky for maker",
			`store/paired: double = "true"; store/roomy: tokens of at least 4`},
		{"", map[string][]string{"store": {"picky"}}, "maker/baseline carrier/baseline store/picky for store", ""},
		{"", map[string][]string{"carrier": {"baseline"}, "store": {"picky"}}, "maker/baseline carrier/baseline store/picky for carrier store", ""},
		{"", map[string][]string{"faults": {"losing"}}, "maker/baseline carrier/baseline store/picky faults/losing for carrier", ""},
		{"", map[string][]string{"store": {"paired"}}, "maker/baseline carrier/baseline store/picky for store", `store/paired: double = "true"`},
	} {
		var vars []string
		if c.vars != "" {
			vars = []string{c.vars}
		}
		all, lacking := changedToy(t, vars...).Alternatives(c.touched)
		var got, lacks []string
		for _, a := range all {
			s := ""
			for _, g := range a.Grains {
				s += g.Module + "/" + g.Grain + " "
			}
			got = append(got, s+"for "+strings.Join(a.Targets, " "))
		}
		for _, l := range lacking {
			lacks = append(lacks, l.Grain.Module+"/"+l.Grain.Grain+": "+l.Need)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%v with %q:\n%s, want\n%s", c.touched, c.vars, s, c.want)
		}
		if s := strings.Join(lacks, "; "); s != c.lacking {
			t.Errorf("%v with %q: lacking %s, want %s", c.touched, c.vars, s, c.lacking)
		}
	}
}

// TestWrite resolves, from another folder, the manifest that is written for an alternative. It must
// be the alternative, with the variables' values of the manifest that it extends, and without names
// that its grains do not know.
func TestWrite(t *testing.T) {
	t.Parallel()
	c := changedToy(t, "tokens=5")
	all, _ := c.Alternatives(map[string][]string{"store": {"baseline"}})
	dir := t.TempDir()
	text, dropped := c.Write(all[0], dir, "# A comment.\n")
	if got := strings.Join(dropped, "; "); got != "invariant A; except A.many; unused Carry" {
		t.Errorf("left out: %s", got)
	}
	path := filepath.Join(dir, "composed.hcl")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if formatted, diags := configs.Format(path, text); diags.HasErrors() || string(formatted) != string(text) {
		t.Errorf("not formatted:\n%s", udiff.Unified(path, "formatted", string(text), string(formatted)))
	}
	x, diags := Resolve(load(t, path), testEnv(t))
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags, text)
	}
	if got := fmt.Sprintf("%v %v %v %v %v", x.Choice.Grains, x.Targets(), x.Constants["Tokens"], x.Choice.Invariants, x.Choice.Except); got != "[{maker coarse} {store baseline}] [store] 5 [B] []" {
		t.Errorf("composed %s\n%s", got, text)
	}
}
