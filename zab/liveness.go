package zab

import "github.com/multigrain/multigrain/modules"

// livenessProperties state what servers eventually do without further faults. A manifest names
// those that it checks.
//
// Crashes, restarts, partitions, their ends and time-outs are the environment's, which need not do
// anything: a server that is down may stay down. Clients need not ask for anything.
var livenessProperties = []modules.Liveness[State]{
	{ID: "broadcast", From: quorumConnected,
		To:     func(s *State) bool { return quorumServes(s) || !quorumConnected(s) },
		Unfair: Actions{&LeaderProcessRequest, &Replicate},
		Doc:    "A quorum that stays up and connected reaches Broadcast."},
}

// quorumConnected reports whether there is a majority of servers that are up and have links to each
// other.
func quorumConnected(s *State) bool {
	for q := range Set(1 << Servers) {
		if q.IsQuorum(Servers) && connected(s, q) {
			return true
		}
	}
	return false
}

// connected reports whether the servers of q are up and have links to each other.
func connected(s *State, q Set) bool {
	for i := range Server(Servers) {
		if q.Has(i) && !s.isOn(i) {
			return false
		}
		for j := range i {
			if q.Has(i) && q.Has(j) && s.Msgs.IsCut(i, j) {
				return false
			}
		}
	}
	return true
}

// quorumServes reports whether there is a leader in Broadcast with a majority, itself included,
// that follows it in Broadcast.
func quorumServes(s *State) bool {
	for i := range Server(Servers) {
		if !s.isOn(i) || s.State[i] != LEADING || s.ZabState[i] != BROADCAST {
			continue
		}
		with := Set(0).With(i)
		for k := range Server(Servers) {
			if s.isOn(k) && s.State[k] == FOLLOWING && s.LeaderAddr[k] == i && s.ZabState[k] == BROADCAST {
				with.Add(k)
			}
		}
		if with.IsQuorum(Servers) {
			return true
		}
	}
	return false
}
