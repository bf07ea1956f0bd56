package tap_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// TestStarts adds taps to nodes that have state already, and starts nodes from a snapshot without a
// HardState. Every message is explained, and every restart.
func TestStarts(t *testing.T) {
	for _, c := range []struct {
		name, manifest string
		o              taptest.Options
	}{
		{"state", "monitor.hcl", taptest.Options{Before: 800, Seed: 1}},
		{"state and snapshots", "monitor-etcd.hcl", taptest.Options{Before: 800, Seed: 2, PreVote: true, Quorum: true, Applies: true, Compact: 0.2}},
		{"a snapshot", "monitor-etcd.hcl", taptest.Options{Bootstrap: true, Seed: 3, PreVote: true, Quorum: true, Applies: true, Compact: 0.2}},
		{"a snapshot, and no vote before", "monitor-etcd.hcl", taptest.Options{Bootstrap: true, Seed: 4, Applies: true, Compact: 0.2}},
		{"transfers to itself", "monitor-etcd.hcl", taptest.Options{Seed: 5, PreVote: true, Quorum: true, Applies: true, Self: true, Transfer: 0.4}},
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

// healthy runs a cluster and checks each of its nodes: every message and every restart is
// explained.
func healthy(t *testing.T, x *monitor, o taptest.Options) {
	t.Helper()
	cluster := taptest.New(o)
	p := cluster.Run()
	// as where a change is applied again after a snapshot
	for tries := 0; p != nil && tries < 3; tries++ {
		t.Logf("seed %d: the library panicked: %v", o.Seed, p)
		o.Seed += 100
		cluster = taptest.New(o)
		p = cluster.Run()
	}
	if p != nil {
		t.Fatalf("the library panicked: %v", p)
	}
	out := int64(0)
	for i, stream := range cluster.Streams {
		r := x.check(t, i, stream, wire.Monitor{Total: true, Steps: true})
		silent := r.stats.Out == 0 && r.verdict == "undecided" // as a server that is no member
		if !silent && r.verdict != "holds" || r.alarm != nil || r.stats.Decided != r.stats.Out || r.stats.Unexplained != 0 || r.stats.Lost != 0 {
			t.Errorf("seed %d, node %d: %s (%s), %d of %d decided, %d of %d restarts unexplained, %d lost\n%s", o.Seed, i, r.verdict, r.reason,
				r.stats.Decided, r.stats.Out, r.stats.Unexplained, r.stats.Restarts, r.stats.Lost, shown(r.alarm))
		}
		t.Logf("seed %d, node %d: %d out, %d restarts, at most %d explored", o.Seed, i, r.stats.Out, r.stats.Restarts, r.stats.Largest)
		out += r.stats.Out
	}
	if out < int64(o.Messages)/2 {
		t.Errorf("seed %d: the nodes have sent %d messages beside their taps", o.Seed, out)
	}
}

// TestTorn runs clusters whose nodes crash within the write of a Ready: some entries are on disk,
// and the HardState is not. Every restart is explained.
func TestTorn(t *testing.T) {
	for _, c := range []struct {
		name, manifest string
		seeds          uint64
		change         func(o *taptest.Options)
	}{
		{"three nodes", "monitor.hcl", 12, func(o *taptest.Options) {}},
		{"slow to apply", "monitor.hcl", 6, func(o *taptest.Options) { o.Calm, o.SlowApply = true, 0.1 }},
		{"all that servers use", "monitor-etcd.hcl", 3, func(o *taptest.Options) {
			crash, messages, torn := o.Crash, o.Messages, o.Torn
			*o = compacting(3, 0)
			o.Known, o.Crash, o.Messages, o.Torn, o.SlowApply = true, crash, messages, torn, 0.05
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := assemble(t, c.manifest)
			for seed := range c.seeds {
				o := taptest.Options{Nodes: 3, Messages: 1500, Drop: 0.02, Propose: 0.2, Crash: 0.02, Cut: 0.01, Tick: 0.6, Inflight: 8, AtStep: true,
					Steps: true, Known: true, Torn: 0.003}
				c.change(&o)
				o.Seed = seed
				healthy(t, x, o)
			}
		})
	}
}
