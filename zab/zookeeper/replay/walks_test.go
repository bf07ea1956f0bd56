//go:build !multigrain_runtime

package replay

import (
	"errors"
	"testing"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab"
)

// acknowledged are the steps with which a follower acknowledges the epoch of its leader, which has
// its quorum then.
func acknowledged(leader, follower string) []string {
	to := "(I: " + leader + ", J: " + follower + ")"
	from := "(I: " + follower + ", J: " + leader + ")"
	return []string{"LeaderSyncFollower" + to, "FollowerProcessSyncMessage" + from, "FollowerProcessNEWLEADERUpdateEpoch" + from,
		"FollowerProcessNEWLEADERReplyAck" + from, "LeaderProcessFirstACK" + to}
}

// TestWalked does behaviours that random walks had and in which servers once seemed to depart.
func TestWalked(t *testing.T) {
	needServers(t)
	c := compose(t, chosen{"coarse", "fine-concurrent", "fine-concurrent", 2, 2, 2, nil})
	for name, behaviour := range map[string][][]string{
		// The SyncRequestProcessor that a shutdown leaves running has two transactions: one with
		// which it stands, and one in its queue.
		"two left to log": {
			{"NodeCrash(I: 2, Tmp: false)", "ElectionAndDiscovery(I: 1, S: {0, 1})"}, acknowledged("1", "0"),
			{"LeaderProcessRequest(I: 1)", "LeaderProcessRequest(I: 1)", "FollowerProcessUPTODATEAsync(I: 0, J: 1)",
				"FollowerProcessPROPOSALAsync(I: 0, J: 1)", "FollowerProcessPROPOSALAsync(I: 0, J: 1)", "NodeCrash(I: 1, Tmp: false)"},
		},
		// The sessions that clients have with a leader end when it loses its quorum. When it leads
		// again it gets a request.
		"a leader serves again": {
			{"ElectionAndDiscovery(I: 2, S: {0, 1, 2})"}, acknowledged("2", "1"),
			{"NodeCrash(I: 0, Tmp: false)", "PartitionStart(I: 2, J: 1)", "PartitionRecover(I: 1, J: 2)", "ElectionAndDiscovery(I: 2, S: {1, 2})"},
			acknowledged("2", "1"), {"LeaderProcessRequest(I: 2)"},
		},
	} {
		t.Run(name, func(t *testing.T) { walk(t, c, behaviour) })
	}
}

// walk does a behaviour on servers, which have to follow it. It returns them with the last node.
func walk(t *testing.T, c composition, behaviour [][]string) (*adapter, node) {
	t.Helper()
	opened, err := open(setup(t, c, "3.8.0", nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Stop() })
	var steps []int
	for _, part := range behaviour {
		for _, text := range part {
			steps = append(steps, instance(t, c, text))
		}
	}
	return opened.(*adapter), behave(t, c, opened.(*adapter), steps)
}

// TestVotes has a server lead without a transaction, and then vote. Its vote has the first zxid of
// its epoch. So the servers elect it where the specification elects another one of the same epoch.
// This is a difference and not a step that could not be driven, and the evidence has both votes.
func TestVotes(t *testing.T) {
	needServers(t)
	c := compose(t, chosen{"coarse", "fine-concurrent", "fine-concurrent", 2, 2, 2, nil})
	a, before := walk(t, c, [][]string{
		{"NodeCrash(I: 2, Tmp: false)", "ElectionAndDiscovery(I: 1, S: {0, 1})", "PartitionStart(I: 1, J: 0)", "NodeStart(I: 2)",
			"PartitionRecover(I: 0, J: 1)", "ElectionAndDiscovery(I: 1, S: {0, 1, 2})"},
		acknowledged("1", "2"), {"NodeCrash(I: 0, Tmp: false)", "PartitionStart(I: 1, J: 2)", "PartitionRecover(I: 1, J: 2)"},
	})
	last := instance(t, c, "ElectionAndDiscovery(I: 2, S: {1, 2})")
	if !c.Bound.Enabled(&before, last) {
		t.Fatal("the specification does not elect server 2")
	}
	n := before
	c.Bound.Apply(&before, &n, last)
	s := conform.Step[zab.State]{Action: zab.ElectionAndDiscovery.Name, Params: zab.Party{I: 2, S: zab.Set(0).With(1).With(2)}, Before: &before.State, After: &n.State}
	err := a.Perform(s)
	if err == nil || errors.As(err, new(*conform.UndrivenError)) {
		t.Fatalf("the election of server 2 ends with %v; want a difference", err)
	}
	e := a.Evidence().(*Evidence)
	if e.Elected != 1 || e.Votes[1] != (zab.Vote{Leader: 1, Epoch: 2, Zxid: zab.Zxid{Epoch: 2}}) || e.Votes[2] != (zab.Vote{Leader: 2, Epoch: 2}) {
		t.Errorf("the evidence is %+v", e)
	}
}
