package tap_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// compacting are clusters whose servers fold their logs away, so that a server that lags gets a
// snapshot.
func compacting(nodes int, seed uint64) taptest.Options {
	return taptest.Options{Nodes: nodes, Seed: seed, Messages: 3000, Drop: 0.02, Propose: 0.3, Crash: 0.004, Cut: 0.01, Tick: 0.5, AtStep: true, Inflight: 8,
		PreVote: true, Quorum: true, Transfer: 0.005, Read: 0.02, Change: 0.02, Joint: true, Stays: true, Applies: true, Steps: true, Compact: 0.1, Report: 0.02}
}

// TestSnapshots runs clusters in which servers need entries that the others have compacted. Every
// message and every restart is explained.
func TestSnapshots(t *testing.T) {
	fromSnapshot := func(o *taptest.Options) { o.FromSnapshot, o.Change, o.Crash = true, 0.005, 0.01 }
	for _, c := range []struct {
		name   string
		nodes  int
		seed   uint64
		vars   []string
		slow   bool
		change func(o *taptest.Options)
	}{
		{"three nodes, slow to apply", 3, 20, nil, false, func(o *taptest.Options) { o.SlowApply = 0.05 }},
		{"five nodes", 5, 11, nil, false, func(o *taptest.Options) { o.Cut, o.Calm = 0.003, true }},
		{"restarts from snapshots", 3, 10, []string{"restart_from=snapshot"}, true,
			func(o *taptest.Options) { fromSnapshot(o); o.Cut, o.Calm, o.SlowApply = 0.003, true, 0.05 }},
		{"restarts from snapshots that tell what is on disk", 5, 25, []string{"restart_from=snapshot"}, true,
			func(o *taptest.Options) { fromSnapshot(o); o.Known, o.SlowApply = true, 0.05 }},
		{limited, 5, 5, nil, true, func(o *taptest.Options) { o.Known, o.Cut = true, 0.003 }},
		// Node 2 crashes with a snapshot of its own on disk and entries before it that are not.
		{"appends of several entries", 3, 0, []string{"inflight=512", "batch=2"}, true,
			func(o *taptest.Options) { o.Change, o.SlowApply, o.Size, o.Inflight = 0, 0.05, 64, 512 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.slow && !slow(t) {
				t.Skip("its program takes long to build; set MULTIGRAIN_SLOW=1")
			}
			o := compacting(c.nodes, c.seed)
			c.change(&o)
			snapshots(t, assemble(t, "monitor-etcd.hcl", append(variables(c.nodes), c.vars...)...), o, c.name == limited)
		})
	}
}

// limited is the case in which a search ends at its limit of 100,000 records. With ten times as
// many it fills the memory.
const limited = "restarts that tell what is on disk"

// snapshots runs a cluster and checks its streams. With open a search may end at its limit, so the
// result may be undecided. An alarm or an unexplained restart is an error in any case.
func snapshots(t *testing.T, x *monitor, o taptest.Options, open bool) {
	cluster := taptest.New(o)
	if p := cluster.Run(); p != nil {
		t.Fatalf("the library panicked: %v", p)
	}
	t.Logf("%d snapshots taken over, %d crashes, %d changes applied", cluster.Snaps, cluster.Crashes, cluster.Changes)
	if cluster.Snaps < 3 || cluster.Crashes < 3 {
		t.Errorf("%d snapshots were taken over, %d crashes", cluster.Snaps, cluster.Crashes)
	}
	for i, stream := range cluster.Streams {
		r := x.check(t, i, stream, wire.Monitor{Total: true, Steps: o.Steps, Window: 256})
		decided := r.verdict == "holds" && r.stats.Decided == r.stats.Out
		if open && r.verdict == "undecided" && r.alarm == nil {
			decided = 4*r.stats.Decided >= 3*r.stats.Out
		}
		if !decided || r.stats.Out == 0 || r.stats.Unexplained != 0 {
			t.Errorf("node %d: %s (%s), %d of %d decided, %d restarts unexplained\n%s", i, r.verdict, r.reason, r.stats.Decided, r.stats.Out,
				r.stats.Unexplained, shown(r.alarm))
		}
		t.Logf("node %d: %d out, %d restarts, %.2f states, %.1f explored, at most %d", i, r.stats.Out, r.stats.Restarts,
			float64(r.stats.SumStates)/float64(max(r.stats.Out, 1)), float64(r.stats.Explored)/float64(max(r.stats.Out, 1)), r.stats.Largest)
	}
}

// TestSnapshotMutations changes single messages with a snapshot. Each change that is not noticed is
// a legal behaviour.
func TestSnapshotMutations(t *testing.T) {
	number := 8
	if slow(t) {
		number = 64
	}
	o := compacting(3, 0)
	o.Cut, o.Crash, o.Compact, o.Change, o.Messages = 0.02, 0.02, 0.5, 0, 5000
	mutations(t, assemble(t, "monitor-etcd.hcl"), number, `"Kind":"MsgSnap"`, o, nil)
}

// TestSnapshotTold changes what a stream reports of a snapshot. A configuration that the node does
// not have is an alarm at the first message that has it. Where a stream does not say that a log was
// folded away, a snapshot instead of appends is an alarm. A composition without snapshots cannot
// read them, and is undecided.
func TestSnapshotTold(t *testing.T) {
	o := compacting(3, 108)
	o.Cut, o.Crash, o.Change, o.Compact = 0.02, 0, 0, 0.3
	cluster := taptest.New(o)
	if p := cluster.Run(); p != nil {
		t.Fatalf("the library panicked: %v", p)
	}
	etcd, fixed := assemble(t, "monitor-etcd.hcl"), assemble(t, "monitor.hcl")
	sends := regexp.MustCompile(`(?m)^{"event":"out".*"Kind":"MsgSnap".*\n`)
	checked := 0
	for i, stream := range cluster.Streams {
		at := sends.FindIndex(stream)
		if at == nil {
			continue
		}
		checked++
		whole := wire.Monitor{Total: true, Steps: true}
		line := int64(bytes.Count(stream[:at[0]], []byte("\n"))) + 1
		told := regexp.MustCompile(`"Voters":\[0,1,2\]`).ReplaceAll(stream[:at[1]], []byte(`"Voters":[0,1]`))
		if r := etcd.check(t, i, append(told, stream[at[1]:]...), whole); r.verdict != "violated" || r.alarm.Position > line {
			t.Errorf("node %d: snapshots have other voters, and the result is %s: %s", i, r.verdict, shown(r.alarm))
		}
		kept := regexp.MustCompile(`(?m)^.*"NoteCompaction".*\n`).ReplaceAll(stream, nil)
		if r := etcd.check(t, i, kept, whole); r.verdict != "violated" {
			t.Errorf("node %d: nothing is said to be folded away, and the result is %s (%s)", i, r.verdict, r.reason)
		}
		if r := fixed.check(t, i, stream, wire.Monitor{Total: true}); r.verdict != "undecided" {
			t.Errorf("node %d: a composition without snapshots, and the result is %s (%s)", i, r.verdict, r.reason)
		}
	}
	if checked == 0 {
		t.Error("no node has sent a snapshot")
	}
}
