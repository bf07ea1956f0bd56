//go:build !multigrain_runtime

package replay

import (
	"testing"

	"github.com/multigrain/multigrain/grains"
)

// endpoints composes the grains of configs/zab/endpoints.hcl.
func endpoints(t testing.TB) composition {
	return composed(t, map[string]int{"crashes": 2, "partitions": 1, "requests": 2, "epochs": 4, "timeouts": 2},
		grains.Ref{Module: "election", Grain: "coarse-join"}, grains.Ref{Module: "synchronization", Grain: "follower-threads"},
		grains.Ref{Module: "broadcast", Grain: "follower-threads"}, grains.Ref{Module: "faults", Grain: "endpoints"})
}

// follows are the steps with which leader 1 begins to serve with a follower, or gets one more.
func follows(j string) []string {
	return append(acknowledged("1", j), "FollowerProcessUPTODATEAsync(I: "+j+", J: 1)")
}

// TestEnds has each action with which one end of a connection ends by itself. Servers continue
// until they notice. A leader proposes to a follower that is down, and takes a write while it has
// no quorum. A follower gets what its leader sent before it crashed.
func TestEnds(t *testing.T) {
	needServers(t)
	c := endpoints(t)
	both := [][]string{{"QuorumElection(I: 1, S: {0, 1})"}, follows("0"), {"JoinLeader(I: 1, J: 2)"}, follows("2")}
	for name, behaviour := range map[string][][]string{
		"a leader gives up": {
			{"NodeCrashUnnoticed(I: 2, Tmp: false)", "LeaderProcessRequest(I: 1)", "LeaderProcessNextACK(I: 1, J: 2)", "LeaderProcessCLOSED(I: 1, J: 2)",
				"FollowerTimesOut(I: 0)", "LeaderProcessNextACK(I: 1, J: 0)", "LeaderProcessCLOSED(I: 1, J: 0)", "LeaderProcessRequest(I: 1)", "LeaderGivesUp(I: 1)",
				"QuorumElection(I: 1, S: {0, 1})", "NodeStart(I: 2)"},
		},
		"a leader waits in vain": {
			{"NodeCrashUnnoticed(I: 0, Tmp: false)", "NodeCrashUnnoticed(I: 2, Tmp: false)", "NodeStart(I: 0)",
				"LeaderProcessNextACK(I: 1, J: 0)", "LeaderProcessCLOSED(I: 1, J: 0)", "LeaderDropsLearner(I: 1, J: 2)", "LeaderGivesUp(I: 1)"},
		},
		"a follower reads what its leader sent": {
			{"LeaderProcessRequest(I: 1)", "NodeCrashUnnoticed(I: 1, Tmp: false)", "FollowerProcessPROPOSALAsync(I: 0, J: 1)", "FollowerProcessCLOSED(I: 0, J: 1)",
				"FollowerTimesOut(I: 2)"},
		},
		"a link loses packets": {
			// The link is mended only after both ends have noticed that the connection is gone.
			{"LinkCut(I: 1, J: 0)", "LeaderProcessRequest(I: 1)", "LeaderDropsLearner(I: 1, J: 0)", "FollowerTimesOut(I: 0)",
				"PartitionRecover(I: 0, J: 1)", "JoinLeader(I: 1, J: 0)", "LeaderSyncFollower(I: 1, J: 0)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			walk(t, c, append(append([][]string(nil), both...), behaviour...))
		})
	}
}

// TestEndsBefore has ends that are noticed while a leader waits for its quorum.
func TestEndsBefore(t *testing.T) {
	needServers(t)
	walk(t, endpoints(t), [][]string{
		{"QuorumElection(I: 1, S: {0, 1})", "LeaderSyncFollower(I: 1, J: 0)", "FollowerProcessSyncMessage(I: 0, J: 1)", "LeaderDropsLearner(I: 1, J: 0)",
			"FollowerProcessNEWLEADERUpdateEpoch(I: 0, J: 1)", "FollowerProcessNEWLEADERReplyAck(I: 0, J: 1)", "LeaderGivesUp(I: 1)",
			"FollowerProcessCLOSED(I: 0, J: 1)", "QuorumElection(I: 1, S: {0, 1})"},
		acknowledged("1", "0"),
	})
}
