package library

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/raft"

	spec "github.com/multigrain/multigrain/raft/hashicorpraft"
)

// deliver delivers a message, or its answer: the one of that kind and term.
func (a *adapter) deliver(action string, from, to spec.Server, kind spec.Kind, term spec.Number) error {
	for k := 1; k <= a.flight.Len(from, to); k++ {
		if a.flight.Is(from, to, k, kind) && a.flight.Peek(from, to, k, kind).Call == term {
			s := on(action, to, from)
			s.Params = spec.At{I: to, J: from, K: uint8(k)}
			return a.Perform(s)
		}
	}
	return fmt.Errorf("no message for %s from %d to %d of term %d", action, from, to, term)
}

// TestCheckOutlivesLeadership is what a walk has found in v1.8.0: server 1 asks in term 2 whether it leads, loses the leadership to server 2
// in term 3 and leads again in term 4. The answer to a heartbeat of term 2, a refusal, makes it give up term 4.
func TestCheckOutlivesLeadership(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &adapter{net: &network{}}
		defer a.Stop()
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		elect := func(i, voter spec.Server, term spec.Number) {
			t.Helper()
			do(a.Perform(at("Timeout", i)))
			do(a.deliver("HandleVote", i, voter, spec.RequestVote, term))
			do(a.deliver("HandleVoteReply", voter, i, spec.VoteReply, term))
			if r := a.servers[i].raft; r.State() != raft.Leader || r.CurrentTerm() != uint64(term) {
				t.Fatalf("server %d is %s in term %d", i, r.State(), r.CurrentTerm())
			}
		}
		do(a.Start(nil))
		elect(1, 2, 2)
		do(a.Perform(at("Verify", 1)))
		elect(2, 0, 3)
		do(a.deliver("HandleAppend", 2, 1, spec.AppendEntries, 3))
		elect(1, 0, 4)
		do(a.deliver("HandleHeartbeat", 1, 2, spec.Heartbeat, 2))
		do(a.deliver("HandleHeartbeatReply", 2, 1, spec.HeartbeatReply, 2))
		if r := a.servers[1].raft; r.State() != raft.Follower || r.CurrentTerm() != 4 {
			t.Errorf("server 1 is %s in term %d: the specification says that it gives up", r.State(), r.CurrentTerm())
		}
	})
}
