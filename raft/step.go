package raft

// take receives the message at p and does what a newer or older term in it asks for: ok reports
// whether there is more to do. raft.go Step, the part on terms; figure 2, "Rules for Servers, All
// Servers"; dissertation, sections 4.2.3 and 9.6.
func (n *State) take(p At, k Kind) (m Msg, ok bool) {
	m = n.recv(p, k)
	if Membership && k.isResponse() && !n.tracks(p.I, p.J) { // RawNode.Step: ErrStepPeerNotFound
		return m, false
	}
	switch {
	case m.Term > n.Term[p.I]:
		if (k == MsgVote || k == MsgPreVote) && m.Context != ByTransfer && n.inLease(p.I) {
			return m, false
		}
		if k == MsgPreVote || k == MsgPreVoteResp && !m.Reject {
			return m, true
		}
		lead := None
		if k == MsgApp || k == MsgHeartbeat || k == MsgSnap {
			lead = p.J
		}
		n.becomeFollower(p.I, m.Term, lead)
	case m.Term < n.Term[p.I]:
		switch {
		case (k == MsgApp || k == MsgHeartbeat) && (CheckQuorum || PreVote):
			n.respond(p.I, p.J, Msg{Kind: MsgAppResp, Term: n.Term[p.I]})
		case k == MsgPreVote:
			n.respond(p.I, p.J, Msg{Kind: MsgPreVoteResp, Term: n.Term[p.I], Reject: true})
		}
		return m, Mistake == StaleVoteReplies && k == MsgVoteResp
	}
	return m, true
}
