package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// BeatRound is a round of heartbeats in one step. The leader p.I sends its heartbeats, every
// follower that it reaches takes its heartbeat and answers, and the leader takes the answers.
// Nothing is in flight between the leader and its followers before the step.
//
// It stands for Beat, HandleHeartbeat and HandleHeartbeatResp, and is a sequence of these steps.
// So it adds no behaviour. It leaves out rounds that begin while other messages are in flight,
// and what happens during a round. Clients that only propose do not see the difference
// (configs/raft/coarse-beats.hcl). Clients that read see it with two reads, or where servers
// restart. Apply and Election see it where servers restart. At the baseline a leader resumes
// sending to a restarted server while messages of other servers are in flight.
var BeatRound = Action[One]{
	Name:   "BeatRound",
	Params: each,
	Guard: func(s *State, p One) bool {
		if s.Role[p.I] != Leader {
			return false
		}
		for j := range Server(Servers) {
			if j != p.I && (s.inFlight(p.I, j) > 0 || s.inFlight(j, p.I) > 0) {
				return false
			}
		}
		return true
	},
	Effect: func(s, n *State, p One) {
		n.bcastHeartbeat(p.I)
		for j := range Server(Servers) {
			if at := (At{I: j, J: p.I, K: 1}); n.arrives(at, MsgHeartbeat) {
				n.exchangeBeat(at)
			}
		}
	},
}

// ExchangeBeat lets follower p.I take a heartbeat of p.J, which takes the answer unless other
// messages are ahead of it. Such heartbeats are those that confirm reads: a read sends them at
// once, whatever is in flight.
//
// It stands for HandleHeartbeat and HandleHeartbeatResp, and is a sequence of these steps.
var ExchangeBeat = Action[At]{
	Name:   "ExchangeBeat",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.arrives(p, MsgHeartbeat) },
	Effect: func(s, n *State, p At) { n.exchangeBeat(p) },
}

func (n *State) exchangeBeat(p At) {
	n.handleHeartbeat(p)
	if back := (At{I: p.J, J: p.I, K: 1}); n.arrives(back, MsgHeartbeatResp) {
		n.handleHeartbeatResp(back)
	}
}

var replicationCoarseBeats = grains.Coarsen(grains.Grain[State]{
	Node:    nodeAppends,
	Name:    "coarse-beats",
	Doc:     "A round of heartbeats is one step, over idle links. So are a read's heartbeat and its answer.",
	Actions: Actions{&HandleApp, &HandleAppResp, &BeatRound, &ExchangeBeat, &HandleHeartbeatResp},
	Budgets: []modules.Budget[State]{modules.Spend[State]("heartbeats", &BeatRound)},
}, replicationBaseline)
