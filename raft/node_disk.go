package raft

import (
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// written are the pieces in which the library asks for its writes: the entries of a Ready and then
// its HardState. doc.go, "Write Entries, HardState and Snapshot to persistent storage in order".
var written = [][]string{{"Log"}, {"Term", "Vote", "Commit"}}

// promises list what answers say about the disk. The library sends an answer only after what it
// speaks of is on disk; other messages may come earlier. raft.go send, msgsAfterAppend.
var promises = []modules.Promise[State]{
	{
		Name: "the vote of a term",
		Made: func(peer int, msg unsafe.Pointer) (term, candidate uint64, ok bool) {
			m := (*Msg)(msg)
			return uint64(m.Term), uint64(peer), m.Kind == MsgVoteResp && !m.Reject
		},
		Kept: func(s *State, i int, term, candidate uint64) bool {
			return uint64(s.Term[i]) > term || uint64(s.Term[i]) == term && s.Vote[i] == Server(candidate)
		},
	},
	{
		Name: "the term",
		Made: func(_ int, msg unsafe.Pointer) (term, _ uint64, ok bool) {
			m := (*Msg)(msg)
			return uint64(m.Term), 0, m.Kind == MsgVoteResp || m.Kind == MsgAppResp
		},
		Kept: func(s *State, i int, term, _ uint64) bool { return uint64(s.Term[i]) >= term },
	},
	{
		Name: "the acknowledged entries of the term",
		Made: func(_ int, msg unsafe.Pointer) (term, index uint64, ok bool) {
			m := (*Msg)(msg)
			return uint64(m.Term), uint64(m.Index), m.Kind == MsgAppResp && !m.Reject
		},
		Kept: func(s *State, i int, term, index uint64) bool {
			return uint64(s.Term[i]) > term || uint64(s.lastIndex(Server(i))) >= index
		},
		Torn: true, // a crash may come between the entries of a later term and that term
	},
}
