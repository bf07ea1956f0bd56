package compose

import (
	"fmt"
	"os"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
)

// TestTwoPhaseCounts compares two-phase commit with its published counts, which TLC, SPIN and
// stateright have, too. Nine resource managers do not fit into sets of one byte.
func TestTwoPhaseCounts(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		managers int
		distinct int64
		slow     bool
	}{{7, 296_448, false}, {8, 1_745_408, true}, {9, 10_340_352, true}} {
		if x.slow && os.Getenv("MULTIGRAIN_SLOW") == "" {
			continue
		}
		c, program := mustAssemble(t, "../configs/examples/twophase.hcl", fmt.Sprint("managers=", x.managers))
		r := run(t, c, program, wire.Options{Stop: 1})
		if r.Verdict != "holds" || r.Distinct != x.distinct {
			t.Errorf("%d managers: %s with %d states, want %d", x.managers, r.Verdict, r.Distinct, x.distinct)
		}
	}
}

// TestMistakesOfExamples: each mistake that an option plants is found, by its invariant and at its
// depth, and the same manifests without a mistake hold.
func TestMistakesOfExamples(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		manifest string
		verdict  string
		distinct int64
		depth    int
	}{
		{"paxos", "holds", 16_668, 20},
		{"mistakes/paxos-own-value", "violated", 3_194, 10},
		{"mistakes/paxos-accept-any", "violated", 4_920, 10},
		{"vr", "holds", 19_154, 21},
		{"mistakes/vr-own-log", "violated", 352, 9},
		{"mistakes/vr-any-nonce", "violated", 42_642, 15},
		{"vr-two-crashes", "violated", 79_443, 18},
		{"mistakes/twophase-early", "violated", 298, 7},
	} {
		c, program := mustAssemble(t, "../configs/examples/"+x.manifest+".hcl")
		r := run(t, c, program, wire.Options{Stop: 1})
		if r.Verdict != x.verdict || r.Distinct != x.distinct || r.Depth != x.depth {
			t.Errorf("%s: %s with %d states at depth %d, want %s, %d, %d", x.manifest, r.Verdict, r.Distinct, r.Depth, x.verdict, x.distinct, x.depth)
		}
		want := c.Manifest.Expect.Invariant.Value
		if x.verdict == "violated" && (len(r.Violations) == 0 || r.Violations[0].Invariant != want) {
			t.Errorf("%s: it violates %+v, want %s", x.manifest, r.Violations, want)
		}
	}
}
