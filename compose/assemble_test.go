package compose

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose/internal/assemble"
)

// mustAssemble returns a composition with its program that answers "check".
func mustAssemble(t *testing.T, path string, vars ...string) (*Composition, string) {
	t.Helper()
	return mustAssembleFor(t, assemble.Check, path, vars...)
}

func mustAssembleFor(t *testing.T, verb assemble.Verb, path string, vars ...string) (*Composition, string) {
	t.Helper()
	c, diags := Resolve(load(t, path, vars...), testEnv(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	program, diags := c.Assemble(context.Background(), verb)
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

// TestReferenceCounts assembles programs with other sizes than the package's own, with 1 to 4
// workers, all steps taken and not. It compares their counts with those of TLC 2.18 for RaftS and
// of the table of actions. The sizes without a name were drawn at random.
func TestReferenceCounts(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name                                            string
		servers, terms, requests, crashes, drops, queue int
		distinct, generated                             int64
		depth                                           int
	}{
		{"A", 3, 2, 1, 0, 0, 1, 40_512, 140_461, 24},
		{"C", 3, 2, 2, 0, 0, 1, 245_028, 851_086, 32},
		{"", 2, 2, 3, 1, 1, 2, 14_820, 53_531, 30},
		{"slow", 3, 2, 0, 2, 2, 1, 105_165, 749_419, 22},
		{"slow", 2, 4, 0, 1, 2, 2, 86_294, 362_985, 25},
		{"slow", 2, 3, 0, 1, 0, 1, 714, 1_767, 13},
		{"slow", 2, 2, 3, 2, 1, 1, 5_441, 18_533, 28},
		{"slow", 2, 2, 2, 2, 1, 1, 2_375, 7_731, 23},
		{"slow", 2, 2, 1, 2, 0, 2, 1_813, 5_375, 19},
		{"slow", 2, 3, 2, 0, 1, 1, 3_865, 9_231, 30},
		{"slow", 2, 3, 0, 2, 0, 3, 58_233, 187_407, 24},
	} {
		if x.name == "slow" && os.Getenv("MULTIGRAIN_SLOW") == "" {
			continue // a program is built for each
		}
		t.Run(fmt.Sprintf("%+v", x), func(t *testing.T) {
			t.Parallel()
			var vars []string
			for name, value := range map[string]int{
				"servers": x.servers, "terms": x.terms, "requests": x.requests, "crashes": x.crashes, "drops": x.drops, "queue": x.queue,
			} {
				vars = append(vars, fmt.Sprintf("%s=%d", name, value))
			}
			c, program := mustAssemble(t, "../configs/raft/reference.hcl", vars...)
			actions, seen, diags := c.Footprints()
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			spared := &wire.Footprints{Actions: actions, Seen: seen}
			digest := ""
			for _, opt := range []wire.Options{
				{Workers: 1}, {Workers: 2}, {Workers: 4}, {Workers: 2, Table: true},
				{Workers: 1, Footprints: spared}, {Workers: 3, Footprints: spared}, {Workers: 2, Table: true, Footprints: spared},
			} {
				opt.Stop = 1
				r := run(t, c, program, opt)
				if r.Distinct != x.distinct || r.Generated != x.generated || r.Depth != x.depth || r.Verdict != "holds" {
					t.Errorf("%v %+v: %s, %d distinct, %d generated, depth %d", vars, opt, r.Verdict, r.Distinct, r.Generated, r.Depth)
				}
				if left := r.Pruned > r.Generated/8; left != (opt.Footprints != nil) && x.distinct > 20_000 {
					t.Errorf("%v: %d of %d steps were left out, with footprints: %v", vars, r.Pruned, r.Generated, opt.Footprints != nil)
				}
				if digest == "" {
					digest = r.Digest
				} else if r.Digest != digest {
					t.Errorf("%v %+v: digest %s, was %s", vars, opt, r.Digest, digest)
				}
			}
		})
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

// TestToy counts what can be counted by hand: made >= carried >= stored up to the tokens, an option
// that changes a constant, a masked assertion, a budget and a constraint.
func TestToy(t *testing.T) {
	t.Parallel()
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
			t.Parallel()
			c, program := mustAssemble(t, toyManifest(t, x.body))
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

// TestBudget: without losses there are the 10 triples; every loss used adds states, which differ by
// the counter.
func TestBudget(t *testing.T) {
	t.Parallel()
	faults := toyModules + "module \"faults\" {\n  grain = \"losing\"\n}\nbounds {\n  losses = 0\n}\n"
	c, program := mustAssemble(t, toyManifest(t, faults))
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
	t.Parallel()
	path := toyManifest(t, toyModules+"bounds {\n  tokens = 4\n}\n")
	_, first := mustAssemble(t, path)
	before, err := os.Stat(first)
	if err != nil {
		t.Fatal(err)
	}
	_, second := mustAssemble(t, path)
	after, err := os.Stat(second)
	if err != nil || first != second || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("built again: %s, %s", first, second)
	}
}
