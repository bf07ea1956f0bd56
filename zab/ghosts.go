package zab

// recordProposal notes the transaction that leader i has just broadcast.
func (n *State) recordProposal(i Server) { n.ProposalMsgsLog.Add(n.History[i].Last()) }

// recordEpoch notes with which history leader i begins its epoch. Earlier epochs that were not
// established, and that nobody leads, are over.
func (n *State) recordEpoch(i Server) {
	epoch := int(n.AcceptedEpoch[i])
	for e := range epoch - 1 {
		if !n.Established[e] && !n.isLed(Number(e+1)) {
			n.EpochHistory[e].Clear()
		}
	}
	n.EpochHistory[epoch-1] = n.History[i]
}

// isLed reports whether a server leads an epoch: where each end of a connection notices by itself,
// a leader can be late to see that its followers have left it.
func (s *State) isLed(epoch Number) bool {
	for k := range Server(Servers) {
		if s.State[k] == LEADING && s.AcceptedEpoch[k] == epoch {
			return true
		}
	}
	return false
}

// recordEstablished notes that a quorum has acknowledged the epoch of leader i, if it serves.
func (n *State) recordEstablished(i Server) {
	if n.ZabState[i] == BROADCAST {
		n.Established[n.AcceptedEpoch[i]-1] = true
	}
}

// recordDeliveries notes what i has delivered, if it is more than anyone before. If it is something
// else, I-3 or I-4 is broken.
func (n *State) recordDeliveries(i Server) {
	if k := n.delivered(i); k > n.CommittedLog.Len() && n.History[i].HasPrefix(&n.CommittedLog) {
		n.CommittedLog = n.History[i].Prefix(k)
	}
}
