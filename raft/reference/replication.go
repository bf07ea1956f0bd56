package reference

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// ClientReq enters the next command into the log of a leader.
// RaftS ClientReq(i); figure 2, "Leaders".
var ClientReq = Action[One]{
	Name:   "ClientReq",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.Role[p.I] == Leader && int(s.Reqs) < MaxRequests
	},
	Effect: func(s, n *State, p One) {
		n.Reqs = s.Reqs + 1
		n.Log[p.I].Append(Entry{Term: s.Term[p.I], Value: n.Reqs})
	},
}

// SendAE sends a follower the entry that it lacks next, or none where the leader has no more: a
// heartbeat. The commit index that it tells stops at the last entry that it vouches for. RaftS
// SendAE(i, j); figure 2, "AppendEntries RPC".
var SendAE = Action[Pair]{
	Name:   "SendAE",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return s.Role[p.I] == Leader && s.room(p.I, p.J)
	},
	Effect: func(s, n *State, p Pair) {
		next := s.Next[p.I][p.J]
		m := Msg{Kind: AE, Term: s.Term[p.I], Index: next - 1, LogTerm: s.termAt(p.I, next-1)}
		last := m.Index
		if next <= s.lastIndex(p.I) {
			m.Entry = s.Log[p.I].At(int(next))
			last = next
		}
		m.Commit = min(s.Commit[p.I], last)
		n.Msgs.Send(p.I, p.J, m)
	},
}

// RecvAE answers a request to append of a term that is not newer. One of the same term makes a
// candidate a follower. If the entry before the new one is there, the new one replaces the entry
// that conflicts with it and all after. The commit index then follows the leader's. RaftS RecvAE(j,
// i); figure 2, "AppendEntries RPC, Receiver implementation" 1 to 5.
//
// Deviation: RaftS compares whole entries where the figure compares terms (3); by LogMatching both
// are the same.
var RecvAE = Action[Pair]{
	Name:   "RecvAE",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return s.Msgs.Is(p.J, p.I, AE) && s.room(p.I, p.J) && s.Msgs.Head(p.J, p.I).Term <= s.Term[p.I]
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, AE)
		r := Msg{Kind: AER, Term: s.Term[p.I]}
		if m.Term == s.Term[p.I] {
			n.Role[p.I] = Follower
			n.Votes[p.I] = 0
			if s.agreesAt(p.I, m.Index, m.LogTerm) {
				r.OK = true
				r.Index = n.accept(p.I, &m)
				n.Commit[p.I] = max(s.Commit[p.I], m.Commit)
			}
		}
		n.Msgs.Send(p.I, p.J, r)
	},
}

// agreesAt reports whether i's log has an entry of that term at index k. Index 0 agrees always.
func (s *State) agreesAt(i Server, k, term uint8) bool {
	return k == 0 || k <= s.lastIndex(i) && s.termAt(i, k) == term
}

// accept puts the entry that m carries into i's log, unless it is there, and returns the index up
// to which i's log agrees with the leader's.
func (s *State) accept(i Server, m *Msg) uint8 {
	if !m.carriesEntry() {
		return m.Index
	}
	at := m.Index + 1
	log := &s.Log[i]
	if at > s.lastIndex(i) || log.At(int(at)) != m.Entry {
		log.Truncate(int(m.Index))
		log.Append(m.Entry)
	}
	return at
}

// RecvAER moves a leader's view of the follower's log: forward to what the follower confirms, or
// one entry back. An answer to a server that does not lead that term any more is taken and
// forgotten. RaftS RecvAER(j, i); figure 2, "Leaders".
var RecvAER = Action[Pair]{
	Name:   "RecvAER",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		return s.Msgs.Is(p.J, p.I, AER) && s.Msgs.Head(p.J, p.I).Term <= s.Term[p.I]
	},
	Effect: func(s, n *State, p Pair) {
		m := n.Msgs.Recv(p.J, p.I, AER)
		switch {
		case m.Term != s.Term[p.I] || s.Role[p.I] != Leader:
		case m.OK:
			n.Next[p.I][p.J] = m.Index + 1
			n.Match[p.I][p.J] = m.Index
		default:
			n.Next[p.I][p.J] = max(s.Next[p.I][p.J]-1, 1)
		}
	},
}

// AdvanceCommit commits what a quorum has, up to the last entry of the leader's own term that it
// has. RaftS AdvanceCommit(i); figure 2, "Leaders", and section 5.4.2.
var AdvanceCommit = Action[One]{
	Name:   "AdvanceCommit",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.Role[p.I] == Leader && s.committable(p.I) > s.Commit[p.I]
	},
	Effect: func(s, n *State, p One) {
		n.Commit[p.I] = s.committable(p.I)
	},
}

// committable returns the largest index above i's commit index whose entry is of i's term and on a
// quorum, i counted in; the commit index itself where there is none.
func (s *State) committable(i Server) uint8 {
	for k := s.lastIndex(i); k > s.Commit[i]; k-- {
		if s.termAt(i, k) == s.Term[i] && s.replicas(i, k).IsQuorum(Servers) {
			return k
		}
	}
	return s.Commit[i]
}

// replicas returns the set of servers that have the leader i's entry at index k, as far as i knows.
func (s *State) replicas(i Server, k uint8) (has modules.Set[Server]) {
	has.Add(i)
	for j := range Server(Servers) {
		if s.Match[i][j] >= k {
			has.Add(j)
		}
	}
	return has
}

var raftBaseline = grains.Grain[State]{
	Name:   "baseline",
	Doc:    "every message and every decision of a server is a step",
	Covers: []string{"raft"},
	Actions: Actions{
		&Timeout, &SendRV, &RecvRV, &RecvRVR, &BecomeLeader, &UpdateTerm,
		&ClientReq, &SendAE, &RecvAE, &RecvAER, &AdvanceCommit,
	},
}
