package tap_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// TestRefused compares what streams say of the fate of proposals with the specification. While a
// leader hands over it refuses them, and a stream does not show when it gives that up. Without the
// fate each proposal in between may be in its log or not.
func TestRefused(t *testing.T) {
	x := assemble(t, "monitor-etcd.hcl")
	cluster := taptest.New(taptest.Options{Nodes: 3, Seed: 1, Messages: 1500, Drop: 0.01, Propose: 0.4, Cut: 0.02, Tick: 0.3, AtStep: true, Calm: true,
		Inflight: 8, PreVote: true, Quorum: true, Transfer: 0.05, Applies: true, Steps: true})
	if p := cluster.Run(); p != nil {
		t.Fatalf("the library panicked: %v", p)
	}
	fate := regexp.MustCompile(`,"refused":[a-z]*`)
	most, mostUntold := 0, 0
	check := func(i int, stream []byte) result {
		return x.check(t, i, stream, wire.Monitor{Total: true, Steps: true})
	}
	for i, stream := range cluster.Streams {
		told := check(i, stream)
		if told.verdict != "holds" {
			t.Errorf("node %d: %s (%s)", i, told.verdict, told.reason)
		}
		most = max(most, told.stats.MostState)
		if i == 1 { // of the others one takes long
			untold := check(i, fate.ReplaceAll(stream, nil))
			if untold.verdict != "holds" {
				t.Errorf("node %d without the fate of proposals: %s (%s)", i, untold.verdict, untold.reason)
			}
			mostUntold = untold.stats.MostState
		}
		for from, to := range map[string]string{`"refused":false`: `"refused":true`, `"refused":true`: `"refused":false`} {
			if !bytes.Contains(stream, []byte(from)) {
				t.Fatalf("node %d: no proposal with %s", i, from)
			}
			if r := check(i, bytes.Replace(stream, []byte(from), []byte(to), 1)); r.verdict != "violated" {
				t.Errorf("node %d: a proposal has %s instead of %s, and the result is %s", i, to, from, r.verdict)
			}
		}
	}
	if most > 10 || mostUntold < 10*most {
		t.Errorf("at most %d states, %d without the fate of proposals", most, mostUntold)
	}
	t.Logf("at most %d states, %d without the fate of proposals", most, mostUntold)
}
