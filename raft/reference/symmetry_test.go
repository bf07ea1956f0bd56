package reference

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/modules"
)

// identities are the servers as package interaction finds them.
var identities = modules.Identities{Type: "Server", Count: Servers, Arrays: []string{
	"State.Term/0", "State.Voted/0", "State.Log/0", "State.Role/0", "State.Commit/0", "State.Votes/0",
	"State.Next/0", "State.Next/1", "State.Match/0", "State.Match/1",
}}

// TestSymmetricCountsArePublished: TLC with SYMMETRY Permutations(Server) counts 43,900 distinct
// and 253,270 generated in B.
func TestSymmetricCountsArePublished(t *testing.T) {
	b := configurations[2]
	spec := b.spec(t)
	y, err := spectest.BySymmetry(spec, identities, nil)
	if err != nil {
		t.Fatal(err)
	}
	if pairs, err := y.Equivariant(spec, 300, 1); err != nil || pairs < 600 {
		t.Fatal(pairs, err)
	}
	res, err := explore.Run(spec, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Distinct != 43_900 || res.Generated != 253_270 || res.Depth != 27 || res.Verdict != checker.Holds {
		t.Errorf("%s: %d distinct, %d generated, depth %d; published 43900, 253270, 27", res.Verdict, res.Distinct, res.Generated, res.Depth)
	}
	t.Logf("%s, %d workers", res.Duration, res.Workers)
}

// TestRepresentative: all nodes of an orbit have one representative, which is one of them.
func TestRepresentative(t *testing.T) {
	t.Parallel()
	spec := configurations[0].spec(t)
	y, err := spectest.BySymmetry(spec, identities, nil)
	if err != nil {
		t.Fatal(err)
	}
	var n, moved, rep, other node
	spec.Init(func(s *node) bool { n = *s; return false })
	for step := range 4_000 {
		spec.Represent(&n, &rep)
		in := false
		for _, to := range y.Orders() {
			y.Permute(&to, &n, &moved)
			if spec.Represent(&moved, &other); other != rep {
				t.Fatalf("step %d: order %v has another representative", step, to)
			}
			in = in || moved == rep
		}
		if !in {
			t.Fatalf("step %d: the representative is not of the orbit", step)
		}
		x := (step*7919 + 13) % len(spec.Instances)
		for k := range spec.Instances {
			if k = (k + x) % len(spec.Instances); spec.Enabled(&n, k) {
				s := n
				spec.Apply(&s, &n, k)
				break
			}
		}
	}
}
