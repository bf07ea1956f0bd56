package hashicorpraft

// Verify lets a leader check whether it still leads: it sends heartbeats and counts the answers to
// them and to appends.
//
// Section 8, "read-only". Code: api.go VerifyLeader; raft.go verifyLeader; replication.go
// heartbeat.
// Deviation: a leader checks again when the heartbeats of the check before are answered; the
// library would send another one after each.
var Verify = Action[One]{
	Name:   "Verify",
	Params: each,
	Guard: func(s *State, p One) bool {
		if s.Role[p.I] != Leader || s.Checks[p.I][s.Term[p.I]].Confirmed > 0 {
			return false
		}
		for j := range Server(Servers) {
			if s.Peers[p.I][j].Beating {
				return false
			}
		}
		return true
	},
	Effect: func(s, n *State, p One) {
		check := &n.Checks[p.I][s.Term[p.I]]
		check.Confirmed = 1
		for j := range Server(Servers) {
			if j != p.I {
				check.Asked.Add(j)
				n.Peers[p.I][j].Beating = true
				n.Net.Send(p.I, j, Msg{Kind: Heartbeat, Call: s.Term[p.I]})
			}
		}
	},
}

// HandleHeartbeat answers a heartbeat, which says who leads and nothing of the log.
//
// Code: raft.go appendEntries.
var HandleHeartbeat = Action[At]{
	Name:   "HandleHeartbeat",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Net.Is(p.J, p.I, int(p.K), Heartbeat) },
	Effect: func(s, n *State, p At) {
		m := n.Net.Recv(p.J, p.I, int(p.K), Heartbeat)
		reply := Msg{Kind: HeartbeatReply, Call: m.Call, Term: s.Term[p.I], LastLog: s.last(p.I)}
		reply.OK = n.hear(p, m, &reply)
		n.Net.Send(p.I, p.J, reply)
	},
}

// HandleHeartbeatReply counts a follower as heard of, and as one that knows who leads. A newer term
// in it is of interest only to a check.
//
// Code: replication.go heartbeat, notifyAll.
var HandleHeartbeatReply = Action[At]{
	Name:   "HandleHeartbeatReply",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Net.Is(p.J, p.I, int(p.K), HeartbeatReply) },
	Effect: func(s, n *State, p At) {
		m := n.Net.Recv(p.J, p.I, int(p.K), HeartbeatReply)
		n.confirm(p.I, p.J, m)
		if n.Role[p.I] == Leader && m.Call == s.Term[p.I] {
			n.Contact[p.I].Add(p.J)
			n.Peers[p.I][p.J].Beating = false
		}
	},
}

// confirm counts what j says of i's leadership in the term of the call, if i has asked.
//
// Code: future.go verifyFuture.vote; raft.go leaderLoop, verifyCh.
// Deviation: a check is not given up with the leadership. If its server leads again, in a newer
// term, when somebody refuses a call of that older term, it gives up the newer leadership.
func (n *State) confirm(i, j Server, m Msg) {
	check := &n.Checks[i][m.Call]
	if !check.Asked.Has(j) {
		return
	}
	check.Asked.Remove(j)
	switch {
	case m.OK:
		if check.Confirmed++; check.Confirmed >= Quorum {
			*check = Check{}
		}
	default:
		*check = Check{}
		if n.Role[i] == Leader {
			n.become(i, Follower)
		}
	}
}
