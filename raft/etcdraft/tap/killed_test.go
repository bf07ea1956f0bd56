package tap_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// TestKilled runs clusters in which processes are killed with taps that have not written all. A
// restart that tells what is on disk makes the monitor see again: what is sent after it is decided,
// and a wrong message is an alarm.
func TestKilled(t *testing.T) {
	for _, c := range []struct {
		name, manifest string
		o              taptest.Options
	}{
		{"fixed voters", "monitor.hcl", taptest.Options{Seed: 6}},
		{"snapshots", "monitor-etcd.hcl", taptest.Options{Seed: 5, PreVote: true, Quorum: true, Change: 0.005, Joint: true, Stays: true, Applies: true, Compact: 0.2}},
		{"all that servers use", "monitor-etcd.hcl", taptest.Options{Seed: 4, PreVote: true, Quorum: true, Transfer: 0.01, Read: 0.02, Change: 0.02, Joint: true, Applies: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := assemble(t, c.manifest)
			c.o.Nodes, c.o.Messages, c.o.Drop, c.o.Propose, c.o.Crash, c.o.Cut, c.o.Tick = 3, 2500, 0.01, 0.2, 0.02, 0.004, 0.5
			c.o.AtStep, c.o.Steps, c.o.Inflight, c.o.Known, c.o.Kill = true, true, 8, true, 0.5
			cluster := taptest.New(c.o)
			if p := cluster.Run(); p != nil {
				t.Fatalf("the library panicked: %v", p)
			}
			for i, stream := range cluster.Streams {
				killed(t, x, i, stream)
			}
		})
	}
}

func killed(t *testing.T, x *monitor, i int, stream []byte) {
	o := wire.Monitor{Total: true, Steps: true}
	r := x.check(t, i, stream, o)
	if r.verdict != "undecided" || r.stats.Lost == 0 || r.stats.Decided != r.stats.Out || r.stats.Unexplained != 0 || r.stats.Restarts <= r.stats.Lost {
		t.Errorf("node %d: %s (%s), %d lost in %d restarts, %d of %d decided, %d restarts unexplained\n%s", i, r.verdict, r.reason, r.stats.Lost,
			r.stats.Restarts, r.stats.Decided, r.stats.Out, r.stats.Unexplained, shown(r.alarm))
	}
	blind := x.check(t, i, regexp.MustCompile(`,"state":.*`).ReplaceAll(stream, []byte("}")), o)
	if blind.verdict != "undecided" || blind.stats.Undecided == 0 {
		t.Errorf("node %d: restarts tell nothing, and the result is %s", i, blind.verdict)
	}
	last := bytes.LastIndex(stream, []byte(`"event":"restart"`))
	term := regexp.MustCompile(`("event":"out",.*"Term":)`)
	wrong := append(bytes.Clone(stream[:last]), term.ReplaceAll(stream[last:], []byte("${1}9"))...)
	if r := x.check(t, i, wrong, o); r.verdict != "violated" {
		t.Errorf("node %d: wrong terms behind a kill, and the result is %s", i, r.verdict)
	}
	// A state that the node cannot have is undecided, or an alarm if it contradicts what was sent.
	// At the begin of a stream any state is possible.
	vote := regexp.MustCompile(`"Vote":[-0-9]*`)
	second := bytes.IndexByte(stream, '\n')
	first := second + bytes.Index(stream[second:], []byte(`"event":"restart"`))
	if bytes.Contains(stream[:first], []byte(`"lost"`)) {
		return
	}
	at := vote.FindIndex(stream[first:])
	other := append(append(bytes.Clone(stream[:first+at[0]]), `"Vote":2`...), stream[first+at[1]:]...)
	if !bytes.Equal(other, stream) {
		if r := x.check(t, i, other, o); r.verdict != "violated" && r.stats.Unexplained == 0 {
			t.Errorf("node %d: another vote on disk, and the result is %s", i, r.verdict)
		}
	}
}
