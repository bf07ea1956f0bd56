package ensemble_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/ensemble"
)

// TestElections has servers elect again and again, with some writes between, and the monitor
// explain every message of both ports with Election at its baseline. MULTIGRAIN_ELECTIONS is the
// number of faults, MULTIGRAIN_SEED chooses them.
func TestElections(t *testing.T) {
	needServers(t)
	if os.Getenv("MULTIGRAIN_ELECTIONS") == "" {
		t.Skip("by chance a stream has more states than can be searched (docs/how-to/zookeeper.md): set MULTIGRAIN_ELECTIONS")
	}
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return otherwise
	}
	r := record(t, ensemble.Options{})
	rnd := rand.New(rand.NewPCG(11, uint64(number("MULTIGRAIN_SEED", 1))))
	for range number("MULTIGRAIN_ELECTIONS", 6) {
		r.writeSome(rnd.IntN(4))
		f := disturbances[rnd.IntN(len(disturbances))]
		t.Logf("%d events: %s", r.packets.Load(), f.name)
		f.do(r, rnd)
		time.Sleep(time.Duration(rnd.IntN(300)) * time.Millisecond)
		r.comeBack()
	}
	r.writeSome(2)
	events := r.finish()
	votes := 0
	for k := range events {
		if events[k].What == zookeeper.EventPacket && events[k].Packet.Type == zookeeper.NOTIFICATION {
			votes++
		}
	}
	j := newJudge(t)
	j.manifest, j.notifications = "zookeeper-election.hcl", true
	var sent, decided int64
	for node := range 3 {
		v := j.judge(t, "elections", node, events)
		sent, decided = sent+v.Stats.Out, decided+v.Stats.Decided
	}
	t.Logf("%d events, %d notifications; %d messages sent, %d of them explained", len(events), votes, sent, decided)
	if decided*1000 < sent*999 {
		t.Errorf("only %d of %d messages are decided", decided, sent)
	}
}

// writeSome writes through the leader, if there is one.
func (r *recording) writeSome(n int) {
	i, err := r.AwaitLeader(time.Second)
	if err != nil {
		return
	}
	c, err := ensemble.Dial(r.Node(i).Address(), 2*time.Second)
	if err != nil {
		return
	}
	defer c.Close()
	for range n {
		if err := c.Create("/a", nil, 2*time.Second); err != nil {
			err = c.Set("/a", nil, 2*time.Second)
			if err != nil {
				return
			}
		}
	}
}

// comeBack waits until all servers follow a leader. ZooKeeper does not always come up by itself:
// those that do not are started again.
func (r *recording) comeBack() {
	r.t.Helper()
	if _, err := r.AwaitLeader(limit); err == nil {
		return
	}
	for i := 1; i <= 3; i++ {
		if r.Node(i).Mode() == "" {
			r.t.Logf("server %d does not come up by itself", i)
			r.Node(i).Kill()
			r.restart(i)
		}
	}
	r.leader()
}

// disturbances lead to elections.
var disturbances = []struct {
	name string
	do   func(r *recording, rnd *rand.Rand)
}{
	{"a server crashes", func(r *recording, rnd *rand.Rand) {
		i := rnd.IntN(3) + 1
		r.Node(i).Kill()
		time.Sleep(time.Duration(rnd.IntN(2500)) * time.Millisecond)
		r.restart(i)
	}},
	{"two servers crash", func(r *recording, rnd *rand.Rand) {
		i := rnd.IntN(3) + 1
		r.Node(i).Kill()
		r.Node(i%3 + 1).Kill()
		time.Sleep(time.Duration(rnd.IntN(1500)) * time.Millisecond)
		r.restart(i%3 + 1)
		time.Sleep(time.Duration(rnd.IntN(1500)) * time.Millisecond)
		r.restart(i)
	}},
	{"all crash", func(r *recording, rnd *rand.Rand) {
		for i := 1; i <= 3; i++ {
			r.Node(i).Kill()
		}
		for _, i := range rnd.Perm(3) {
			r.restart(i + 1)
			time.Sleep(time.Duration(rnd.IntN(500)) * time.Millisecond)
		}
	}},
	{"a server is cut off", func(r *recording, rnd *rand.Rand) {
		i := rnd.IntN(3) + 1
		r.Isolate(i)
		time.Sleep(time.Duration(rnd.IntN(3000)) * time.Millisecond)
		r.Rejoin(i)
	}},
	{"all are cut off", func(r *recording, rnd *rand.Rand) {
		for i := 1; i <= 3; i++ {
			r.Isolate(i)
		}
		time.Sleep(time.Duration(rnd.IntN(2000)) * time.Millisecond)
		for _, i := range rnd.Perm(3) {
			r.Rejoin(i + 1)
			time.Sleep(time.Duration(rnd.IntN(300)) * time.Millisecond)
		}
	}},
	{"the leader crashes, and another server in the election", func(r *recording, rnd *rand.Rand) {
		i := r.leader()
		r.Node(i).Kill()
		time.Sleep(time.Duration(rnd.IntN(400)) * time.Millisecond)
		j := other(rnd, i)
		r.Node(j).Kill()
		r.restart(j)
		r.restart(i)
	}},
}
