package published

// ElectionAndDiscovery elects p.I with the followers p.S and takes all of them to Synchronization
// in one step. The leader is the most recent of the quorum, the quorum all servers that it can
// reach and that look for a leader, the new epoch one above all that they have accepted.
//
// TLA+: ElectionAndDiscovery of MSPEC_2. Remix: figure 5b.
var ElectionAndDiscovery = Action[Party]{
	Name:   "ElectionAndDiscovery",
	Params: EachQuorum,
	Guard: func(s *State, p Party) bool {
		for k := range Server(Servers) {
			able := s.isOn(k) && s.isLooking(k) && !s.Msgs.IsCut(p.I, k)
			if able != p.S.Has(k) || able && k != p.I && !s.selfVote(p.I).succeeds(s.selfVote(k)) {
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
				n.ZabState[k] = SYNCHRONIZATION
				n.AcceptedEpoch[k] = epoch
				n.InitialHistory[k] = Number(s.History[k].Len())
			}
			if p.S.Has(k) && k != p.I {
				n.State[k] = FOLLOWING
				n.LeaderAddr[k] = p.I
				n.PacketsSync[k] = Packets{}
				n.Electing[p.I].Put(k, Elector{PeerLastZxid: s.lastProcessedZxid(k), InQuorum: true})
			}
		}
		n.Connecting[p.I] = Contacts{Sids: p.S, Connected: p.S}
		n.TempMaxEpoch[p.I] = epoch
	},
}

// lead makes i the leader of an epoch, without learners.
func (n *State) lead(i Server, epoch Number) {
	n.State[i] = LEADING
	n.CurrentEpoch[i] = epoch
	n.Electing[i].Clear()
	n.Electing[i].Put(i, Elector{PeerLastZxid: Synced(), InQuorum: true})
	n.AckldRecv[i] = Contacts{Sids: Set(0).With(i), Connected: Set(0).With(i)}
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
