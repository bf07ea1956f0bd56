package raft

// Before v3.7.0 heartbeats confirm a read by the context that its client chose (contextsOfClients).
// The leader cannot distinguish two uses of one context. Late answers to the heartbeats of the
// first read confirm the second one and all reads that wait ahead of it (etcd issue 20418).
//
//	ReadIndex A, heartbeats A -> A confirmed by one answer, the other one is in flight
//	a new leader commits a write
//	ReadIndex B               -> waits
//	ReadIndex A, once more    -> waits after B
//	the other answer          -> confirms A, and so B, which does not see the write

// contextOf returns the context of a read as heartbeats carry it: 0 is none.
func contextOf(id Number) Number { return id + 1 }

// waits returns the position of a read among those that i has not confirmed, from 1; 0 if it is not
// there.
func (s *State) waits(i Server, id Number) int {
	for k := 1; k <= s.ReadOnly[i].Unconfirmed.Len(); k++ {
		if s.ReadOnly[i].Unconfirmed.At(k).ID == id {
			return k
		}
	}
	return 0
}

// addRequest makes a read wait, unless one with its context waits already. read_only.go addRequest,
// v3.6.0.
func (n *State) addRequest(i Server, id Number) {
	if n.waits(i, id) == 0 {
		n.ReadOnly[i].Unconfirmed.Append(Request{ID: id, Index: n.Commit[i]})
	}
}

// ackContext notes that j answered a heartbeat with the context of a read. read_only.go recvAck,
// v3.6.0.
func (n *State) ackContext(i, j Server, id Number) {
	if k := n.waits(i, id); k > 0 {
		r := n.ReadOnly[i].Unconfirmed.At(k)
		r.Acks.Add(j)
		n.ReadOnly[i].Unconfirmed.Put(k, r)
	}
}

// releaseUpTo answers a read that a quorum has confirmed, and all that wait ahead of it. raft.go
// stepLeader, MsgHeartbeatResp; read_only.go advance, v3.6.0.
func (n *State) releaseUpTo(i Server, id Number) {
	k := n.waits(i, id)
	if k == 0 || !n.isQuorum(i, n.ReadOnly[i].Unconfirmed.At(k).Acks) {
		return
	}
	for range k {
		n.answerRead(i, n.ReadOnly[i].Unconfirmed.PopFront())
	}
}
