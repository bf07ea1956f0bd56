package control

import (
	"context"
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
)

// TestEndsApart has ends that close one by one. What a server has sent arrives, and then its end.
// What was sent to it before is lost, and what is sent to it later stays in flight.
func TestEndsApart(t *testing.T) {
	t.Parallel()
	n, connect := networkOf(t)
	n.EndsApart()
	e := connect()
	_, err := e.learner.Write(packet(zookeeper.ACK, Zxid(1, 1)))
	check(t, err)
	_, err = e.leader.Write(packet(zookeeper.COMMIT, Zxid(1, 1)))
	check(t, err)
	awaitKept(t, n, 1, 2, 1)
	awaitKept(t, n, 2, 1, 1)
	check(t, e.learner.Close())
	kept := awaitKept(t, n, 1, 2, 2)
	if kept[0].Type != zookeeper.ACK || kept[1].Type != Closed || kept[0].Number == kept[1].Number {
		t.Errorf("in flight is %+v", kept)
	}
	if left := n.Kept(2, 1); len(left) != 0 || n.LeaderOf(1) != 0 {
		t.Errorf("to the end that is closed %v is in flight, and its leader is %d", left, n.LeaderOf(1))
	}
	_, err = e.leader.Write(packet(zookeeper.COMMIT, Zxid(1, 2)))
	check(t, err)
	awaitKept(t, n, 2, 1, 1)
	for _, want := range []zookeeper.Type{zookeeper.ACK, Closed} {
		if m, err := n.Deliver(1, 2); m.Type != want || err != nil {
			t.Errorf("%v %v is delivered; want %v", m.Type, err, want)
		}
	}
	if kind, _ := next(t, e.leader); kind != zookeeper.ACK {
		t.Errorf("%v arrived", kind)
	}
	mustEnd(t, "the leader's connection", e.leader)
	if kept := n.Kept(2, 1); len(kept) != 2 || kept[0].Type != zookeeper.COMMIT || kept[1].Type != Closed {
		t.Errorf("in flight to the end that is closed is %+v", kept)
	}
	if err := n.TimeOut(1, 2); err == nil {
		t.Error("an end that is closed times out")
	}
}

// TestLossyLink cuts a link whose ends close one by one. The connection stays, and nothing arrives
// that is sent meanwhile. A wait ends at one end only. A new connection begins with nothing in
// flight.
func TestLossyLink(t *testing.T) {
	t.Parallel()
	n, connect := networkOf(t)
	n.EndsApart()
	e := connect()
	send := func(z zookeeper.Zxid) {
		_, err := e.leader.Write(packet(zookeeper.COMMIT, z))
		check(t, err)
	}
	send(Zxid(1, 1))
	awaitKept(t, n, 2, 1, 1)
	n.Disconnect(1, 2)
	send(Zxid(1, 2))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	check(t, n.Await(ctx, func(func(int, int) []Message) bool { return n.lost == 1 }))
	n.Heal(1, 2)
	send(Zxid(1, 3))
	if kept := awaitKept(t, n, 2, 1, 1); kept[0].Zxid != Zxid(1, 3) || n.LeaderOf(1) != 2 {
		t.Errorf("in flight is %v, and the leader is %d", kept, n.LeaderOf(1))
	}
	check(t, n.TimeOut(1, 2))
	mustEnd(t, "the learner's connection", e.learner)
	if kept := n.Kept(1, 2); len(kept) != 1 || kept[0].Type != Closed || len(n.Kept(2, 1)) != 0 {
		t.Errorf("in flight is %v and %v", kept, n.Kept(2, 1))
	}
	connect()
	// The link accepts the connection in a goroutine of its own.
	for n.LeaderOf(1) != 2 {
		if ctx.Err() != nil {
			t.Fatalf("the leader is %d over the new connection", n.LeaderOf(1))
		}
		time.Sleep(time.Millisecond)
	}
	if len(n.Kept(1, 2)) != 0 {
		t.Errorf("over the new connection %v is in flight", n.Kept(1, 2))
	}
	n.forget()
	if n.LeaderOf(1) != 0 {
		t.Errorf("without connections the leader is %d", n.LeaderOf(1))
	}
}
