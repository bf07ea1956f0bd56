package raft

// mayCampaign reports whether i may become a candidate. raft.go hup.
func (s *State) mayCampaign(i Server) bool {
	return s.Role[i] != Leader && s.promotable(i) && (overlooksChanges || Mistake == CampaignUnapplied || !s.hasUnappliedChange(i))
}

// campaign makes i a candidate of the next term, with the votes that it needs asked for and its own
// counted. raft.go campaign.
func (n *State) campaign(i Server, context Number) {
	n.becomeCandidate(i)
	if countsItself && n.winsAlone(i) {
		return
	}
	for j := range Server(Servers) {
		if j != i && n.votes(i, j) {
			n.send(i, j, Msg{Kind: MsgVote, Term: n.Term[i], Index: n.lastIndex(i), LogTerm: n.lastTerm(i), Context: context})
		}
	}
	if !countsItself {
		n.respondSelf(i, Msg{Kind: MsgVoteResp, Term: n.Term[i]})
	}
}

// winsAlone counts i's own vote and reports whether that decides: i then leads, or campaigns after
// its candidacy for votes. It has sent nobody anything. raft.go campaign, v3.5.35.
func (n *State) winsAlone(i Server) bool {
	n.Granted[i].Add(i)
	switch {
	case !n.isQuorum(i, n.Granted[i]):
		return false
	case n.Role[i] == PreCandidate:
		n.campaign(i, 0)
	default:
		n.beginLeading(i)
		if EmptyEntry {
			n.Log[i].Append(Entry{Term: n.Term[i]})
			n.countItself(i)
		}
	}
	return true
}

// poll records j's answer to the candidate i; the first one counts. raft.go poll, stepCandidate;
// tracker.go RecordVote, TallyVotes.
func (n *State) poll(i, j Server, granted bool) {
	if n.Granted[i].Has(j) || n.Rejected[i].Has(j) {
		return
	}
	if granted {
		n.Granted[i].Add(j)
	} else {
		n.Rejected[i].Add(j)
	}
	switch {
	case n.isQuorum(i, n.Granted[i]) && n.Role[i] == PreCandidate:
		n.campaign(i, 0)
	case n.isQuorum(i, n.Granted[i]):
		n.becomeLeader(i)
	case !n.isQuorum(i, Everyone.Minus(n.Rejected[i])):
		n.becomeFollower(i, n.Term[i], None)
	}
}

// preCampaign makes i ask everybody whether they would vote for it in the next term. raft.go
// campaign, campaignPreElection.
func (n *State) preCampaign(i Server) {
	n.becomePreCandidate(i)
	if countsItself && n.winsAlone(i) {
		return
	}
	for j := range Server(Servers) {
		if j != i && n.votes(i, j) {
			n.send(i, j, Msg{Kind: MsgPreVote, Term: n.Term[i] + 1, Index: n.lastIndex(i), LogTerm: n.lastTerm(i)})
		}
	}
	if !countsItself {
		n.respondSelf(i, Msg{Kind: MsgPreVoteResp, Term: n.Term[i] + 1})
	}
}
