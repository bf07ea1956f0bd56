package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// ElectionAndDiscovery elects p.I with the followers p.S and takes all of them to Synchronization
// in one step. The leader is the most recent of the quorum. The quorum is all servers that it can
// reach and that look for a leader. The new epoch is one above all that they have accepted.
//
// Paper: figure 5b of Remix; phases 0 and 1 of Zab. TLA+: ElectionAndDiscovery. ZooKeeper:
// FastLeaderElection.lookForLeader, Learner.registerWithLeader, Leader.getEpochToPropose,
// Leader.waitForEpochAck.
//
// Deviation: a server never joins a leader that has its quorum, and no server is left with a raised
// AcceptedEpoch. Of more servers than a majority, those with the smallest identities are the ones
// whose acknowledgement came in time to count. That hides servers that join late, which grain
// coarse-join has.
var ElectionAndDiscovery = Action[Party]{
	Name:   "ElectionAndDiscovery",
	Params: EachQuorum,
	Guard: func(s *State, p Party) bool {
		for k := range Server(Servers) {
			able := s.isOn(k) && s.isLooking(k) && !s.Msgs.IsCut(p.I, k)
			if able != p.S.Has(k) || able && k != p.I && !s.atLeastAsRecent(p.I, k) {
				return false
			}
		}
		return true
	},
	Effect: electQuorum,
}

// electQuorum makes p.I the leader of the servers p.S, in an epoch above all that they have
// accepted. The ACKEPOCH that completes a majority is the last that counts: Leader.waitForEpochAck.
func electQuorum(s, n *State, p Party) {
	epoch := Number(0)
	for k := range Server(Servers) {
		if p.S.Has(k) {
			epoch = max(epoch, s.AcceptedEpoch[k])
		}
	}
	epoch++
	for k := range Server(Servers) {
		if !p.S.Has(k) {
			continue
		}
		n.ZabState[k] = SYNCHRONIZATION
		n.AcceptedEpoch[k] = epoch
		n.InitialHistory[k] = Number(s.History[k].Len())
		if k != p.I {
			n.State[k] = FOLLOWING
			n.LeaderAddr[k] = p.I
			n.PacketsSync[k] = Packets{}
		}
	}
	n.lead(p.I, epoch)
	n.Learners[p.I] = p.S
	acks := 1
	for k := range Server(Servers) {
		if k != p.I && p.S.Has(k) {
			z := s.memoryZxid(k)
			n.Electing[p.I].Put(k, Elector{PeerLastZxid: z, InQuorum: 2*acks <= Servers})
			acks++
		}
	}
}

// lead makes i the leader of an epoch, without learners.
func (n *State) lead(i Server, epoch Number) {
	n.State[i] = LEADING
	n.CurrentEpoch[i] = epoch
	n.coverLog(i, n.History[i])
	n.Electing[i].Clear()
	n.Electing[i].Put(i, Elector{PeerLastZxid: Synced(), InQuorum: true})
	n.AckldRecv[i] = Contacts{Sids: Set(0).With(i), Connected: Set(0).With(i)}
	n.Forwarding[i] = 0
	for k := range n.AckSid[i] {
		n.AckSid[i][k] = 0
	}
	n.EpochLeader[epoch-1].Add(i)
}

var electionDiscoveryCoarse = grains.Coarsen(grains.Grain[State]{
	Node:    nodeElected,
	Name:    "coarse",
	Doc:     "Election and Discovery in one step.",
	Actions: Actions{&ElectionAndDiscovery},
	Budgets: []modules.Budget[State]{modules.Spend[State]("epochs", &ElectionAndDiscovery)},
	Models: []string{
		"org.apache.zookeeper.server.quorum.FastLeaderElection.lookForLeader",
		"org.apache.zookeeper.server.quorum.Learner.registerWithLeader",
		"org.apache.zookeeper.server.quorum.Leader.lead",
		"org.apache.zookeeper.server.quorum.Leader.getEpochToPropose",
		"org.apache.zookeeper.server.quorum.Leader.waitForEpochAck",
	},
}, electionBaseline, discoveryBaseline)
