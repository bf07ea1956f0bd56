package published

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab/published/internal/tla"
)

// ElectionAndDiscovery elects p.I with the followers p.S and takes all of them to Synchronization
// in one step. The leader is the most recent of the quorum. The quorum is all servers that it can
// reach and that look for a leader. The new epoch is one above all that they have accepted.
//
// TLA+: ElectionAndDiscovery of MSPEC_2. Remix: figure 5b.
var ElectionAndDiscovery = Action[Party]{
	Name:   "ElectionAndDiscovery",
	Params: EachQuorum,
	Guard: func(s *State, p Party) bool {
		for k := range Server(Servers) {
			able := s.isOn(k) && s.isLooking(k) && !s.Msgs.IsCut(p.I, k)
			if able != p.S.Has(k) || able && k != p.I && !s.selfVote(p.I).Succeeds(s.selfVote(k)) {
				return false
			}
		}
		return true
	},
	Effect: func(s, n *State, p Party) {
		epoch := Number(0)
		for k := range Server(Servers) {
			if p.S.Has(k) {
				epoch = max(epoch, s.AcceptedEpoch[k])
			}
		}
		epoch++
		n.lead(p.I, epoch)
		n.Learners[p.I] = p.S
		for k := range Server(Servers) {
			if p.S.Has(k) {
				n.ZabState[k] = tla.SYNCHRONIZATION
				n.AcceptedEpoch[k] = epoch
				n.InitialHistory[k] = Number(s.History[k].Len())
			}
			if p.S.Has(k) && k != p.I {
				n.State[k] = tla.FOLLOWING
				n.LeaderAddr[k] = p.I
				n.PacketsSync[k] = Packets{}
				n.Electing[p.I].Put(k, tla.Elector{PeerLastZxid: s.lastProcessedZxid(k), InQuorum: true})
			}
		}
		n.Connecting[p.I] = tla.Contacts{Sids: p.S, Connected: p.S}
		n.TempMaxEpoch[p.I] = epoch
	},
}

// lead makes i the leader of an epoch, without learners.
func (n *State) lead(i Server, epoch Number) {
	n.State[i] = tla.LEADING
	n.CurrentEpoch[i] = epoch
	n.Electing[i].Clear()
	n.Electing[i].Put(i, tla.Elector{PeerLastZxid: tla.Synced(), InQuorum: true})
	n.AckldRecv[i] = tla.Contacts{Sids: Set(0).With(i), Connected: Set(0).With(i)}
	n.Forwarding[i] = 0
	n.acknowledgeAlone(i)
	n.EpochLeader[epoch-1].Add(i)
}

// acknowledgeAlone makes i the only server that has acknowledged its history.
func (n *State) acknowledgeAlone(i Server) {
	for k := range n.AckSid[i] {
		n.AckSid[i][k] = 0
		if k < n.History[i].Len() {
			n.AckSid[i][k] = Set(0).With(i)
		}
	}
}

var electionCoarse = grains.Coarsen(grains.Grain[State]{
	Name:    "coarse",
	Doc:     "Election and Discovery in one step, as MSPEC_2 has them.",
	Actions: Actions{&ElectionAndDiscovery},
	Budgets: []modules.Budget[State]{modules.Spend[State]("epochs", &ElectionAndDiscovery)},
}, electionBaseline, discoveryBaseline)
