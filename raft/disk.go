package raft

import "github.com/multigrain/multigrain/modules"

// AsyncStorage says that storage is slower than the server: the library's AsyncStorageWrites. Else
// what a step changes is on disk when it ends, and answers are sent then.
const AsyncStorage = MaxWrites > 0

// Disk holds what survives a restart: HardState and the entries.
type Disk struct {
	Log    Log
	Term   Number
	Vote   Server
	Commit Number
}

// Response is a message that waits until a write is on disk; to the server itself it is its own
// vote or acknowledgement.
type Response struct {
	To  Server
	Msg Msg
}

// Responses are those of one step.
type Responses = modules.Seq[Response, [2]Response]

// Write is a request of a server to its append thread after a step: MsgStorageAppend. Stable is the
// MsgStorageAppendResp, of term 0 where there is none.
type Write struct {
	Responses    Responses
	Entry        Entry // of term 0 where there is none
	Index        Number
	Term, Commit Number // HardState, where Hard says that it changes
	Vote         Server
	Hard         bool
	Stable       Stable
}

// Stable tells the server that its log is on disk up to an entry.
type Stable struct{ Term, Index, LogTerm Number }

// Writes is the queue of an append thread.
type Writes = modules.Seq[Write, [MaxWrites]Write]

// respond sends m from i to j as soon as what i has changed is on disk. raft.go send,
// msgsAfterAppend.
func (n *State) respond(i, j Server, m Msg) {
	if AsyncStorage && (Mistake != AckBeforeWrite || m.Kind != MsgAppResp) {
		n.After[i].Append(Response{j, m})
		return
	}
	n.send(i, j, m)
}

// onDisk returns what a restart of i finds.
func (s *State) onDisk(i Server) Disk {
	if AsyncStorage {
		return s.Disk[i]
	}
	return Disk{Log: s.Log[i], Term: s.Term[i], Vote: s.Vote[i], Commit: s.Commit[i]}
}

// appliable returns the index up to which i may apply: entries that are committed and on its disk.
// log.go maxAppliableIndex.
func (s *State) appliable(i Server) Number {
	switch {
	case Mistake == ApplyUncommitted && s.Role[i] == Leader:
		return s.lastIndex(i)
	case AsyncStorage:
		return min(s.Commit[i], s.StableTo[i])
	}
	return s.Commit[i]
}
