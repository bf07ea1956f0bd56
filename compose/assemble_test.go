package compose

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
)

func assemble(t *testing.T, path string, vars ...string) (*Composition, string) {
	t.Helper()
	c, diags := Resolve(load(t, path, vars...), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	program, diags := c.Assemble(context.Background())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return c, program
}

func run(t *testing.T, c *Composition, program string, opt wire.Options) *wire.Report {
	t.Helper()
	r, err := wire.Run(context.Background(), program, wire.Request{Verb: "check", Choice: c.EncodedChoice(), Options: opt}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestReferenceCounts holds assembled programs with other sizes than the package's own against the counts of TLC and of the
// table of actions, with 1, 2 and 4 workers.
func TestReferenceCounts(t *testing.T) {
	for _, x := range []struct {
		name                string
		vars                []string
		distinct, generated int64
		depth               int
	}{
		{"A", []string{"terms=2", "requests=1", "crashes=0", "drops=0", "queue=1"}, 40512, 140461, 24},
		{"C", []string{"terms=2", "requests=2", "crashes=0", "drops=0", "queue=1"}, 245028, 851086, 32},
	} {
		c, program := assemble(t, "../configs/raft/reference.hcl", x.vars...)
		digest := ""
		for _, opt := range []wire.Options{{Workers: 1}, {Workers: 2}, {Workers: 4}, {Workers: 2, Table: true}} {
			opt.Stop = 1
			r := run(t, c, program, opt)
			if r.Distinct != x.distinct || r.Generated != x.generated || r.Depth != x.depth || r.Verdict != "holds" {
				t.Errorf("%s %+v: %s, %d distinct, %d generated, depth %d", x.name, opt, r.Verdict, r.Distinct, r.Generated, r.Depth)
			}
			if digest == "" {
				digest = r.Digest
			} else if r.Digest != digest {
				t.Errorf("%s %+v: digest %s, was %s", x.name, opt, r.Digest, digest)
			}
		}
	}
}

func toyManifest(t *testing.T, body string) string {
	t.Helper()
	toy, err := filepath.Abs("testdata/toy")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "toy.hcl")
	text := "system \"toy\" {\n  source = \"" + filepath.ToSlash(toy) + "\"\n}\n" + body
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const toyModules = `
module "maker" {
  grain = "baseline"
}
module "carrier" {
  grain = "baseline"
}
module "store" {
  grain = "baseline"
}
`

// TestToy counts what can be counted by hand: made >= carried >= stored up to the tokens, an option that changes a constant,
// a masked assertion, a budget and a constraint.
func TestToy(t *testing.T) {
	for _, x := range []struct {
		name, body string
		verdict    string
		distinct   int64
		masked     int64
	}{
		{"default", toyModules, "holds", 10, 0}, // the triples 2 >= m >= c >= s
		{"tokens", toyModules + "bounds {\n  tokens = 3\n}\n", "holds", 20, 0},
		{"double", toyModules + "bounds {\n  tokens = 3\n}\noptions {\n  double = true\n}\n", "violated", 0, 0},
		{"masked", toyModules + "bounds {\n  tokens = 3\n}\noptions {\n  double = true\n}\ncheck {\n  except = [\"A.many\"]\n}\n", "holds", 7, 6},
		{"constraint", toyModules + "bounds {\n  tokens = 3\n}\ncheck {\n  constraints = [\"small\"]\n}\n", "holds", 19, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			c, program := assemble(t, toyManifest(t, x.body))
			r := run(t, c, program, wire.Options{Stop: 1})
			if r.Verdict != x.verdict || x.verdict == "holds" && (r.Distinct != x.distinct || r.Masked != x.masked) {
				t.Errorf("%s, %d distinct, %d masked", r.Verdict, r.Distinct, r.Masked)
			}
			if x.verdict == "violated" && (r.Violations[0].Invariant != "A" || r.Violations[0].Instance != "many" || r.Violations[0].Kind != "assert") {
				t.Errorf("%+v", r.Violations[0])
			}
		})
	}
}

// TestBudget: without losses there are the 10 triples; every loss used adds states, which differ by the counter.
func TestBudget(t *testing.T) {
	faults := toyModules + "module \"faults\" {\n  grain = \"losing\"\n}\nbounds {\n  losses = 0\n}\n"
	c, program := assemble(t, toyManifest(t, faults))
	if r := run(t, c, program, wire.Options{Stop: 1}); r.Distinct != 10 || !r.Actions[3].Spent {
		t.Errorf("%d distinct, %+v", r.Distinct, r.Actions[3])
	}
	c.Choice.Budgets["losses"] = 2 // the limit is not compiled in
	r := run(t, c, program, wire.Options{Stop: 1})
	if table := run(t, c, program, wire.Options{Stop: 1, Table: true}); table.Digest != r.Digest || table.Distinct != r.Distinct {
		t.Errorf("direct calls %d, table %d", r.Distinct, table.Distinct)
	}
	if r.Distinct <= 10 || r.Distinct > 30 {
		t.Errorf("%d distinct", r.Distinct)
	}
}

// TestCached builds a program once.
func TestCached(t *testing.T) {
	path := toyManifest(t, toyModules+"bounds {\n  tokens = 4\n}\n")
	_, first := assemble(t, path)
	before, err := os.Stat(first)
	if err != nil {
		t.Fatal(err)
	}
	_, second := assemble(t, path)
	after, err := os.Stat(second)
	if err != nil || first != second || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("built again: %s, %s", first, second)
	}
}
