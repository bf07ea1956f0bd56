//go:build !multigrain_runtime

package replay

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
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
	c := compose(t, chosen{"coarse", "follower-threads", "follower-threads", 2, 2, 2, nil})
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

// TestEpochWritten crashes a server that writes an epoch. Server 2 has a transaction of an earlier
// epoch that nobody else has, so it gets a snapshot. It writes that, and crashes before the file
// with the epoch has its name. Its next start takes the epoch from currentEpoch.tmp.
func TestEpochWritten(t *testing.T) {
	needServers(t)
	c := compose(t, chosen{"coarse", "follower-threads", "follower-threads", 3, 1, 2, nil})
	walk(t, c, [][]string{
		{"NodeCrash(I: 0, Tmp: false)", "ElectionAndDiscovery(I: 2, S: {1, 2})"}, acknowledged("2", "1"),
		{"LeaderProcessRequest(I: 2)", "NodeCrash(I: 2, Tmp: false)", "NodeStart(I: 0)", "ElectionAndDiscovery(I: 1, S: {0, 1})"},
		acknowledged("1", "0"),
		{"FollowerProcessUPTODATEAsync(I: 0, J: 1)", "LeaderProcessRequest(I: 1)", "FollowerProcessPROPOSALAsync(I: 0, J: 1)",
			"FollowerSyncProcessorLogRequest(I: 0, J: 1)", "LeaderProcessNextACK(I: 1, J: 0)", "LeaderProcessNextACK(I: 1, J: 0)",
			"NodeStart(I: 2)", "PartitionStart(I: 1, J: 0)", "PartitionRecover(I: 0, J: 1)", "ElectionAndDiscovery(I: 1, S: {0, 1, 2})",
			"LeaderSyncFollower(I: 1, J: 2)", "FollowerProcessSyncMessage(I: 2, J: 1)", "FollowerProcessNEWLEADERTakeSnapshot(I: 2, J: 1)",
			"NodeCrash(I: 2, Tmp: true)", "NodeStart(I: 2)"},
	})
}

// walk does a behaviour on servers, which have to follow it. It returns them with the last node.
func walk(t *testing.T, c composition, behaviour [][]string) (*adapter, node) {
	t.Helper()
	opened, err := open(setup(t, c, "3.8.0", nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Stop() })
	return opened.(*adapter), behave(t, c, opened.(*adapter), instances(t, c, behaviour))
}

// instances finds steps of a composition by their texts.
func instances(t testing.TB, c composition, behaviour [][]string) (steps []int) {
	t.Helper()
	for _, text := range slices.Concat(behaviour...) {
		steps = append(steps, instance(t, c, text))
	}
	return steps
}

// TestVotes has a server lead without a transaction, and then vote. Its vote has the first zxid of
// its epoch. So the servers elect it where the specification elects another one of the same epoch.
// This is a difference and not a step that could not be driven, and the evidence has both votes.
func TestVotes(t *testing.T) {
	needServers(t)
	c := compose(t, chosen{"coarse", "follower-threads", "follower-threads", 2, 2, 2, nil})
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

// TestLateCommitProcessor shows what a CommitProcessor does that is still about to apply a
// transaction when its server shuts down. The shutdown does not wait for this thread. It reads the
// end of the log, so memory and committedLog have 1:1 and 1:2. Then the thread applies 1:1 once
// more and adds it to committedLog, so that maxCommittedLog is 1:1. The server leads, and has its
// learner truncate 1:2, which is committed and which both have. If the thread does not run again,
// the leader sends DIFF. Versions before 3.9.4 do so (ZKDatabase.addCommittedProposal).
func TestLateCommitProcessor(t *testing.T) {
	needServers(t)
	for name, runs := range map[string]bool{"runs": true, "never runs": false} {
		t.Run(name, func(t *testing.T) { lateCommitProcessor(t, runs) })
	}
}

// lateCommitProcessor does the behaviour of TestLateCommitProcessor. It says whether the thread
// runs after the shutdown.
func lateCommitProcessor(t *testing.T, runs bool) {
	c := compose(t, chosen{"coarse", "follower-threads", "follower-threads", 1, 1, 2, nil})
	follower := func(i string) []string {
		to, from := "(I: "+i+", J: 2)", "(I: 2, J: "+i+")"
		return []string{"FollowerProcessUPTODATEAsync" + to, "FollowerProcessPROPOSALAsync" + to, "FollowerProcessPROPOSALAsync" + to,
			"FollowerSyncProcessorLogRequest" + to, "FollowerSyncProcessorLogRequest" + to,
			"LeaderProcessNextACK" + from, "LeaderProcessNextACK" + from, "LeaderProcessNextACK" + from}
	}
	a, n := walk(t, c, [][]string{
		{"ElectionAndDiscovery(I: 2, S: {0, 1, 2})"}, acknowledged("2", "1"), acknowledged("2", "0"),
		{"LeaderProcessRequest(I: 2)", "LeaderProcessRequest(I: 2)"}, follower("1"), follower("0"),
		{"FollowerProcessCOMMITAsync(I: 1, J: 2)", "NodeCrash(I: 2, Tmp: false)"},
	})
	if err, ok := a.clients.answer(path(1)); err != nil || !ok {
		t.Fatalf("the client was answered %v, %v", err, ok)
	}
	late, err := a.node(1).LeftCommitters()
	if err != nil || len(late) != 1 {
		t.Fatalf("%d CommitProcessors are left, %v; want one", len(late), err)
	}
	if runs {
		if err := late[0].Release(); err != nil {
			t.Fatal(err)
		}
	}
	n = proceed(t, c, a, n, instances(t, c, [][]string{
		{"ElectionAndDiscovery(I: 1, S: {0, 1})"}, acknowledged("1", "0"),
		{"PartitionStart(I: 1, J: 0)", "PartitionRecover(I: 0, J: 1)", "ElectionAndDiscovery(I: 1, S: {0, 1})"},
	}))
	before := n
	c.Bound.Apply(&before, &n, instance(t, c, "LeaderSyncFollower(I: 1, J: 0)"))
	s := conform.Step[zab.State]{Action: zab.LeaderSyncFollower.Name, Params: zab.Pair{I: 1}, Before: &before.State, After: &n.State}
	if err := a.Perform(s); err != nil {
		t.Fatal(err)
	}
	var have zab.State
	if err := a.Observe(&have); err != nil {
		t.Fatal(err)
	}
	if !n.State.Msgs.Is(1, 0, zab.DIFF) {
		t.Fatal("the specification does not send DIFF")
	}
	if !runs {
		if !a.agrees(&have, &n.State) {
			t.Errorf("the servers have %+v, and the specification %+v", have, n.State)
		}
		return
	}
	if !have.Msgs.Is(1, 0, zab.TRUNC) || have.Msgs.Peek(1, 0, zab.TRUNC).Zxid != (zab.Zxid{Epoch: 1, Counter: 1}) {
		t.Fatalf("the leader sends %+v; want TRUNC to 1:1", have.Msgs)
	}
	if err := a.deliver(1, 0); err != nil {
		t.Fatal(err)
	}
	if err := a.node(0).Peer().Release(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(settling); ; time.Sleep(10 * time.Millisecond) {
		d, err := a.node(0).Disk()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(d.History, func(x control.Txn) bool { return x.Path == path(1) }) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("server 0 still has %v", d.History)
		}
	}
}

// TestStillness holds that servers count as still only after enough equal observations, and that a
// change of the state or of the error begins the count again.
func TestStillness(t *testing.T) {
	var x stillness
	var have zab.State
	long := -2 * unmoved
	for k := 1; k < fewestSame; k++ {
		if x.holds(&have, nil) {
			t.Fatalf("still after %d observations", k)
		}
	}
	x.since = x.since.Add(long)
	if !x.holds(&have, nil) {
		t.Fatalf("not still after %d observations in a long time", fewestSame)
	}
	for what, err := range map[string]error{"an error": errors.New("odd"), "a state": nil} {
		if err == nil {
			have.ClientRequest++
		}
		if x.holds(&have, err); x.count != 1 {
			t.Errorf("%s does not begin the count again: %d", what, x.count)
		}
		for range fewestSame {
			x.holds(&have, err)
		}
		if x.holds(&have, err) {
			t.Errorf("%s: still after no time", what)
		}
	}
}
