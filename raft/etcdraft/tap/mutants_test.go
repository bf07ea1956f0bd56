package tap_test

import (
	"bytes"
	"cmp"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// six are the clusters of three nodes in which a monitor must notice a mutant.
var six = []struct {
	name string
	vars []string // of monitor-etcd.hcl
	o    taptest.Options
}{
	{"changes", nil, taptest.Options{Change: 0.05, Joint: true, SlowApply: 0.4, Cut: 0.03, Propose: 0.2, Tick: 0.9, Crash: 0.002, Drop: 0.05}},
	{"more changes", nil, taptest.Options{Seed: 2, Change: 0.05, Joint: true, SlowApply: 0.2, Cut: 0.03, Propose: 0.2, Tick: 0.9, Drop: 0.05}},
	{"snapshots", nil, taptest.Options{Seed: 1, Compact: 0.1, Report: 0.05, Cut: 0.03, Drop: 0.05, Propose: 0.2, Tick: 0.8, Crash: 0.005, Torn: 0.002, Known: true, Transfer: 0.02}},
	{"reads", nil, taptest.Options{Read: 0.05, Transfer: 0.02, Report: 0.03, Cut: 0.02, Propose: 0.02, Tick: 0.9, Crash: 0.002, SlowApply: 0.1}},
	{"no questions", []string{"pre_vote=false", "check_quorum=false"}, taptest.Options{Seed: 1, Cut: 0.1, Propose: 0.6, Tick: 0.9, Drop: 0.05, SlowApply: 0.5}},
	{"batches", []string{"batch=2", "inflight=2"}, taptest.Options{Size: 40, Inflight: 2, Cut: 0.01, Propose: 0.5, Tick: 0.5, Drop: 0.02}},
}

// cluster returns the options of cluster k of six.
func cluster(k int) taptest.Options {
	o := six[k].o
	o.Nodes, o.Messages, o.AtStep, o.Applies, o.Steps, o.Calm = 3, 20_000, true, true, true, true
	o.Seed, o.Inflight, o.Drop = cmp.Or(o.Seed, uint64(100+k)), cmp.Or(o.Inflight, 8), max(o.Drop, 0.01)
	o.PreVote = six[k].name != "no questions"
	o.Quorum = o.PreVote
	return o
}

// Mutants without an alarm. Of sameMessages no message of the six clusters differs from the
// library's, as long as the process runs. Of otherTimes the messages differ, and all are explained:
// they are messages of the library with time-outs at other moments, which nobody sees.
var (
	sameMessages = map[string]string{
		"vote-beside-leader":             "among three voters, a request must come after an append of its sender",
		"commit-beyond-append":           "the process panics",
		"no-commit-after-change":         "a commit index is sent later",
		"stable-without-term":            "a log must be truncated while the disk writes",
		"truncated-entries-not-written":  "the process panics",
		"next-falls-to-match":            "a rejection must come after a later acknowledgement",
		"rejection-at-match-counts":      "a rejection must come after a later acknowledgement",
		"commit-sent-too-often":          "an acknowledgement must end within an append of several entries",
		"snapshot-entry-sent-again":      "the acknowledgement of the snapshot corrects the index",
		"read-confirmed-early":           "the process panics",
		"read-acknowledgement-goes-down": "a response must come after a later one",
	}
	otherTimes = map[string]bool{"vote-does-not-reset-timer": true, "lease-one-tick-longer": true}
)

// TestMutants runs each mutant of package mutants in six clusters of three nodes, with the schedule
// in which the library runs in them. A monitor raises an alarm for each except those of
// sameMessages and otherTimes. For the library it raises none.
func TestMutants(t *testing.T) {
	if !slow(t) {
		t.Skip("it builds the library with its mutants and runs 250 clusters; set MULTIGRAIN_SLOW=1")
	}
	all, err := mutants.All()
	if err != nil {
		t.Fatal(err)
	}
	workspace, err := mutants.MakeAll(all, "../../..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	record := recorderOf(t, workspace)
	var monitors []*monitor
	var healthy [][][]byte
	for k := range six {
		monitors = append(monitors, assemble(t, "monitor-etcd.hcl", six[k].vars...))
		healthy = append(healthy, record("", cluster(k)))
		for i, stream := range healthy[k] {
			if r := monitors[k].check(t, i, stream, wire.Monitor{Total: true, Steps: true}); r.verdict != "holds" || r.stats.Decided != r.stats.Out {
				t.Errorf("the library, cluster %d, node %d: %s %s %s", k+1, i, r.verdict, r.reason, shown(r.alarm))
			}
		}
	}
	for _, m := range all {
		t.Run(m.Name, func(t *testing.T) {
			differ, ended := 0, 0
			for k := range six {
				for i, stream := range record(m.Name, cluster(k)) {
					if bytes.Equal(stream, healthy[k][i]) {
						continue
					}
					if !bytes.HasSuffix(stream, []byte("{\"event\":\"end\"}\n")) {
						ended++
					}
					if differs(stream, healthy[k][i]) {
						differ++
					}
					r := monitors[k].check(t, i, stream, wire.Monitor{Total: true, Steps: true})
					if r.alarm == nil {
						continue
					}
					t.Logf("%s: alarm in cluster %d (%s), node %d, at outgoing message %d", m.Name, k+1, six[k].name, i, r.alarm.Outgoing)
					if sameMessages[m.Name] != "" || otherTimes[m.Name] {
						t.Errorf("an alarm: remove %s from the lists", m.Name)
					}
					return
				}
			}
			t.Logf("%s: no alarm; the messages of %d streams differ from the library's, %d streams end with the process", m.Name, differ, ended)
			if differ == 0 != (sameMessages[m.Name] != "") || differ > 0 != otherTimes[m.Name] {
				t.Errorf("no alarm in six clusters, and the messages of %d streams differ", differ)
			}
		})
	}
}

// differs reports whether one of two nodes sends another message than the other one, as far as both
// streams reach.
func differs(a, b []byte) bool {
	x, y := outgoing(a), outgoing(b)
	for n := range min(len(x), len(y)) {
		if !bytes.Equal(x[n], y[n]) {
			return true
		}
	}
	return false
}

// outgoing returns the lines of outgoing messages.
func outgoing(stream []byte) (out [][]byte) {
	for _, line := range bytes.Split(stream, []byte("\n")) {
		if bytes.HasPrefix(line, []byte(`{"event":"out"`)) {
			out = append(out, line)
		}
	}
	return out
}
