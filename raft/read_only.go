package raft

// passRead lets a server process a read: raft.go stepLeader and stepFollower, MsgReadIndex. A
// candidate drops it.
func (n *State) passRead(i Server, id Number) {
	switch {
	case n.Role[i] == Follower && n.Lead[i] != None:
		n.send(i, n.Lead[i], Msg{Kind: MsgReadIndex, Context: id})
	case n.Role[i] == Leader && n.isSingleton(i): // asks nobody, waits for no commit
		n.answerRead(i, Request{ID: id, Index: n.Commit[i]})
	case n.Role[i] == Leader && !n.committedInTerm(i) && Mistake != ReadBeforeCommit:
		if dropsEarlyReads {
			return
		}
		n.PendingReads[i].Append(id)
	case n.Role[i] == Leader:
		n.confirmRead(i, id)
	}
}

// committedInTerm reports whether the leader i has committed an entry of its term. raft.go
// committedEntryInCurrentTerm.
func (s *State) committedInTerm(i Server) bool {
	return s.matchTerm(i, s.Commit[i], s.Term[i])
}

// confirmRead begins to confirm that i still leads, by a round of heartbeats; with a lease it is
// treated as granted. raft.go sendMsgReadIndexResponse.
func (n *State) confirmRead(i Server, id Number) {
	if ReadOnlyOption == "lease" || Mistake == ReadWithoutQuorum {
		n.answerRead(i, Request{ID: id, Index: n.Commit[i]})
		return
	}
	if contextsOfClients {
		n.addRequest(i, id)
		n.ackContext(i, i, id)
		n.bcastHeartbeatWith(i, contextOf(id))
		return
	}
	n.ReadOnly[i].Unconfirmed.Append(Request{ID: id, Index: n.Commit[i]})
	n.ReadOnly[i].Acks[i] = n.readContext(i)
	n.bcastHeartbeat(i)
}

// readContext returns the context with which heartbeats confirm all reads that wait. read_only.go
// heartbeatCtx.
func (s *State) readContext(i Server) Number {
	if !ReadMessages || s.ReadOnly[i].Unconfirmed.Empty() {
		return 0
	}
	if waiting := s.ReadOnly[i].Unconfirmed; contextsOfClients {
		return contextOf(waiting.At(waiting.Len()).ID)
	}
	return s.ReadOnly[i].Confirmed + Number(s.ReadOnly[i].Unconfirmed.Len())
}

// releaseReads treats the reads that waited for the leader's first commit. raft.go
// releasePendingReadIndexMessages.
func (n *State) releaseReads(i Server) {
	if !ReadMessages || n.PendingReads[i].Empty() || !n.committedInTerm(i) {
		return
	}
	ids := n.PendingReads[i]
	n.PendingReads[i].Clear()
	for k := 1; k <= ids.Len(); k++ {
		n.confirmRead(i, ids.At(k))
	}
}

// ackReads notes that j answered a heartbeat of that context, and answers the reads that a quorum
// has confirmed. raft.go stepLeader, MsgHeartbeatResp; read_only.go recvAck, maybeAdvance.
func (n *State) ackReads(i, j Server, context Number) {
	if !ReadMessages || ReadOnlyOption == "lease" || context == 0 {
		return
	}
	if contextsOfClients {
		n.ackContext(i, j, context-1)
		n.releaseUpTo(i, context-1)
		return
	}
	n.ReadOnly[i].Acks[j] = max(n.ReadOnly[i].Acks[j], context)
	for !n.ReadOnly[i].Unconfirmed.Empty() {
		var have Set
		for x := range Server(Servers) {
			if n.ReadOnly[i].Acks[x] > n.ReadOnly[i].Confirmed {
				have.Add(x)
			}
		}
		if !n.isQuorum(i, have) {
			return
		}
		n.ReadOnly[i].Confirmed++
		n.answerRead(i, n.ReadOnly[i].Unconfirmed.PopFront())
	}
}

// answerRead tells the server that was asked the index. raft.go responseToReadIndexReq.
func (n *State) answerRead(i Server, r Request) {
	if j := n.reader(r.ID); j != i {
		n.send(i, j, Msg{Kind: MsgReadIndexResp, Term: n.Term[i], Index: r.Index, Context: r.ID})
		return
	}
	n.indexRead(r)
}

// reader returns the server that was asked for a read.
func (n *State) reader(id Number) Server {
	if LocalReads {
		return Server(id % Readers)
	}
	return n.Reads[id].Server
}

// Readers is larger than any number of servers. With LocalReads the number of a read is k*Readers +
// i, where i is the server that was asked.
const Readers = 8

func (n *State) indexRead(r Request) {
	if !LocalReads && n.Reads[r.ID].Phase == Asked {
		n.Reads[r.ID].Phase = Indexed
		n.Reads[r.ID].Index = r.Index
	}
}
