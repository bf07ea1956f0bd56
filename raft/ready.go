package raft

// respondSelf gives i its own vote or acknowledgement as soon as what i has changed is on disk,
// with Batches by CountVote and Advance.
func (n *State) respondSelf(i Server, m Msg) {
	if Batches {
		return
	}
	if AsyncStorage {
		n.After[i].Append(Response{i, m})
		return
	}
	n.stepSelf(i, &m)
}

// stepSelf lets i process its own answers. raft.go appendEntry, campaign.
func (n *State) stepSelf(i Server, m *Msg) {
	switch {
	// An answer to an earlier pre-candidacy counts, too.
	case m.Kind == MsgPreVoteResp && m.Term >= n.Term[i] && n.Role[i] == PreCandidate,
		m.Kind == MsgVoteResp && m.Term == n.Term[i] && n.Role[i] == Candidate:
		n.poll(i, i, true)
	case m.Kind == MsgAppResp && m.Term == n.Term[i] && n.Role[i] == Leader && n.tracks(i, i) && m.Index > n.Pr[i][i].Match:
		n.Pr[i][i].Match = m.Index
		n.Pr[i][i].Next = m.Index + 1
		if n.maybeCommit(i) {
			n.releaseReads(i)
			n.bcastAppend(i)
		}
	}
}
