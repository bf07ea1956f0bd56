package raft

import "unsafe"

// etcd's transport, next to a server whose messages alone are seen: package rafthttp of
// go.etcd.io/etcd/server/v3 v3.6.16. Between two servers it has a stream for appends and one for
// other messages, in each direction. A snapshot, and what comes while no stream stands, has a
// connection of its own.

// Streamed says that messages between two servers have several streams.
const Streamed = MaxStreams > 1

// ComingSlots is Servers next to a node over several streams, else 0.
const ComingSlots = Servers * StreamsSlots * nodeSlots

// Coming holds what is seen of the next messages to a server: where the next append begins, and the
// commit indices in the next append and in the next heartbeat.
type Coming struct {
	Index, Commit, Beat Number
	Ack                 Number // what the next acknowledgement has, 0 for none
	App, Beats          bool   // there is an append, or a heartbeat
}

// lanes is how many lanes there are from a server to another one.
const lanes = 2 + 2*StreamsSlots

// lane is 1 for answers that wait until what they speak of is on disk: the library sends them after
// all other messages of a Ready. raft.go send, msgsAfterAppend; rawnode.go readyWithoutAccept. In
// etcd's transport appends and snapshots have lanes of their own. peer.go pick.
func lane(kind uint8) int {
	switch Kind(kind) {
	case MsgAppResp, MsgVoteResp, MsgPreVoteResp:
		return 1
	case MsgApp:
		return 2 * StreamsSlots
	case MsgSnap:
		return 3 * StreamsSlots
	}
	return 0
}

// arrivals is how many streams reach a server from another one, and arrival that of a kind. Package
// raft/etcdserver states another one for a message that came otherwise: Appends outside of their
// stream come by the one of snapshots, and single requests by the last four.
const arrivals = 1 + 6*StreamsSlots

func arrival(kind uint8) int {
	switch Kind(kind) {
	case MsgApp:
		return StreamsSlots
	case MsgSnap:
		return 2 * StreamsSlots
	}
	return 0
}

// elided reports whether messages of a kind are left out where a later one says as much: of the
// acknowledgements in a Ready etcd sends the last one. etcdserver/raft.go processMessages.
func elided(kind uint8) bool { return Streamed && Kind(kind) == MsgAppResp }

// comes notes a message that the node is seen to send.
func (s *State) comes(peer int, m *Msg) {
	for x := range s.Coming {
		c := &s.Coming[x]
		switch {
		case x != peer:
		case m.Kind == MsgApp && !c.App:
			c.App, c.Index, c.Commit = true, m.Index, m.Commit
		case m.Kind == MsgHeartbeat && !c.Beats:
			c.Beats, c.Beat = true, m.Commit
		case m.Kind == MsgAppResp && !m.Reject && c.Ack == 0:
			c.Ack = m.Index
		}
	}
}

// nextAck returns the index up to which the leader i acknowledges its own entries next, 0 for none.
// Where only messages are seen, that is the smallest commit index in a message to come that needs
// it: no other moment makes a difference.
func (s *State) nextAck(i Server) (k Number) {
	if !Streamed {
		return s.Pr[i][i].Match + 1
	}
	for x := range s.Coming {
		for _, commit := range [2]Number{s.Coming[x].Commit, s.Coming[x].Beat} {
			if commit > s.Pr[i][i].Match && commit <= s.lastIndex(i) && (k == 0 || commit < k) {
				k = commit
			}
		}
	}
	return k
}

// noteCommit leaves open that i has crashed with a smaller commit index on its disk. A write that
// has nothing else need not be there: raft.MustSync, and WAL.Save of go.etcd.io/etcd/server/v3.
func (n *State) noteCommit(i Server) {
	if liveNode && Streamed {
		n.Commit[i] = max(n.Known[i], n.Commit[i])
		n.Known[i] = n.Commit[i]
	}
}

// recalled returns the commit index that i has had on its disk, where the next messages depend on
// it; 0 where none does.
func (s *State) recalled(i Server) (k Number) {
	for x := range s.Coming {
		for _, seen := range [3]Number{s.Coming[x].Commit, s.Coming[x].Beat, s.Coming[x].Ack} {
			if seen > s.Commit[i] && seen <= s.known(i) && (k == 0 || seen < k) {
				k = seen
			}
		}
	}
	return k
}

func (s *State) known(i Server) Number {
	if liveNode && Streamed {
		return s.Known[i]
	}
	return 0
}

// resends reports whether the leader i is seen to send j entries again, where only messages are
// seen. It begins after what j has acknowledged.
func (s *State) resends(i, j Server) bool {
	for x := range s.Coming {
		if x == int(j) {
			c := &s.Coming[x]
			return c.App && c.Index == s.Pr[i][j].Match && c.Index+1 < s.Pr[i][j].Next
		}
	}
	return !Streamed
}

// applyIdle applies those of i's committed entries that come first and change nothing but the state
// machine. Among these are changes that lead to the configuration that i has: the first entries of
// a cluster add its members. When such entries are applied makes no difference.
func (n *State) applyIdle(i Server) {
	for liveNode && Membership && !ToldApplies && n.Applied[i] < n.Commit[i] {
		k := n.Applied[i] + 1
		if n.Role[i] == Leader && (n.Conf[i].AutoLeave || n.PendingConf[i] == k) ||
			n.changeAt(i, k).Kind != NoChange && n.Conf[i].with(n.changeAt(i, k)) != n.Conf[i] {
			return
		}
		n.Applied[i] = k
	}
}

// forgetKnown ends what forgetCommit has left open, where the commit index has passed it.
func (n *State) forgetKnown(i Server) {
	if liveNode && Streamed && n.Known[i] <= n.Commit[i] {
		n.Known[i] = 0
	}
}

// ackCommitted makes a leader acknowledge itself what is committed, where only messages are seen:
// whether it has done so before makes no difference to what it commits next.
func (n *State) ackCommitted(i Server) {
	if Streamed && n.Role[i] == Leader && n.tracks(i, i) && n.Pr[i][i].Match < n.Commit[i] {
		n.Pr[i][i].Match = n.Commit[i]
		n.Pr[i][i].Next = n.Commit[i] + 1
	}
}

// merge returns what forgets of whom a leader has heard, where only messages are seen. Without
// snapshots, RecentActive decides only whether the leader steps down at an election timeout. The
// timeout before that one forgets it, too, and nobody sees either of them. So a leader may step
// down whatever RecentActive is. See LeaderTimeout.
func merge() func(s *State, i int) {
	if !Streamed || Snapshots {
		return nil
	}
	return func(s *State, i int) { s.RecentActive[i] = 0 }
}

// sends returns what ends schedules that cannot send what is seen next to a peer, where only
// messages are seen; nil elsewhere. Terms only grow, and within a term the commit index of a leader
// does, too. Who follows in a term does not lead in it.
func sends() func(s *State, i, peer int, msg unsafe.Pointer) bool {
	if !Streamed {
		return nil
	}
	return func(s *State, i, peer int, msg unsafe.Pointer) bool {
		m := (*Msg)(msg)
		if m.Term != s.Term[i] || m.Kind != MsgApp && m.Kind != MsgHeartbeat {
			return m.Term >= s.Term[i]
		}
		switch s.Role[i] {
		case Leader:
			return m.Kind == MsgHeartbeat || m.Commit >= s.Commit[i]
		case Candidate:
			return true
		}
		return false
	}
}
