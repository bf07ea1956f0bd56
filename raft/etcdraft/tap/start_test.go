package tap_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/taptest"
)

// TestStarts adds taps to nodes that have state already, and starts nodes from a snapshot without a
// HardState. Every message is explained, and every restart.
func TestStarts(t *testing.T) {
	for _, c := range []struct {
		name, manifest string
		o              taptest.Options
	}{
		{"state", "monitor.hcl", taptest.Options{Before: 800, Seed: 1}},
		{"state and snapshots", "monitor-etcd.hcl", taptest.Options{Before: 800, Seed: 2, PreVote: true, Quorum: true, Told: true, Compact: 0.2}},
		{"a snapshot", "monitor-etcd.hcl", taptest.Options{Bootstrap: true, Seed: 3, PreVote: true, Quorum: true, Told: true, Compact: 0.2}},
		{"a snapshot, and no vote before", "monitor-etcd.hcl", taptest.Options{Bootstrap: true, Seed: 4, Told: true, Compact: 0.2}},
		{"transfers to itself", "monitor-etcd.hcl", taptest.Options{Seed: 5, PreVote: true, Quorum: true, Told: true, Self: true, Transfer: 0.05}},
	} {
		t.Run(c.name, func(t *testing.T) {
			vars := []string(nil)
			if !c.o.PreVote && c.manifest != "monitor.hcl" {
				vars = []string{"pre_vote=false", "check_quorum=false"}
			}
			x := assemble(t, c.manifest, vars...)
			c.o.Nodes, c.o.Messages, c.o.Drop, c.o.Propose, c.o.Crash, c.o.Cut, c.o.Tick = 3, 2500, 0.02, 0.2, 0.005, 0.004, 0.5
			c.o.AtStep, c.o.Steps, c.o.Inflight, c.o.Known = true, true, 8, true
			healthy(t, x, c.o)
		})
	}
}

// healthy runs a cluster and checks each of its nodes: every message and every restart is explained.
func healthy(t *testing.T, x *monitor, o taptest.Options) {
	t.Helper()
	cluster := taptest.New(o)
	if p := cluster.Run(); p != nil {
		t.Fatalf("the library panicked: %v", p)
	}
	for i, stream := range cluster.Streams {
		r := x.check(t, i, stream, wire.Monitor{Total: true, Steps: true})
		if r.verdict != "holds" || r.stats.Decided != r.stats.Out || r.stats.Out == 0 || r.stats.Unexplained != 0 || r.stats.Lost != 0 {
			t.Errorf("seed %d, node %d: %s (%s), %d of %d decided, %d of %d restarts unexplained, %d lost\n%s", o.Seed, i, r.verdict, r.reason,
				r.stats.Decided, r.stats.Out, r.stats.Unexplained, r.stats.Restarts, r.stats.Lost, shown(r.alarm))
		}
		t.Logf("seed %d, node %d: %d out, %d restarts, at most %d explored", o.Seed, i, r.stats.Out, r.stats.Restarts, r.stats.Largest)
	}
}
