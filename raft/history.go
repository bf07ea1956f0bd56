package raft

import "github.com/multigrain/multigrain/modules"

// The key-value store on top is one register: a command writes it, by the index of its entry. A
// history of writes and reads is linearizable with the writes in the order of the log exactly if no
// read returns an older value than one that a write or a read had completed with before it began
// (Herlihy and Wing, real-time order). history_test.go compares that with a search for an order.

// register returns the value of i's register: the index of the last command that i has applied.
func (s *State) register(i Server) Number {
	for k := s.Applied[i]; k > s.offset(i); k-- {
		if s.valueAt(i, k) != 0 {
			return k
		}
	}
	if Snapshots {
		return s.Snap[i].Value
	}
	return 0
}

// acknowledgeWrites tells clients that their commands are done: those of its own term that a leader
// has applied.
func acknowledgeWrites(s, n *State) {
	if !Reading || LocalReads { // next to a node nobody reads Completed
		return
	}
	for i := range Server(Servers) {
		if n.Role[i] != Leader || n.Applied[i] <= s.Applied[i] {
			continue
		}
		for k := n.Applied[i]; k > s.Applied[i]; k-- {
			if n.valueAt(i, k) != 0 && n.termAt(i, k) == n.Term[i] {
				n.Completed = max(n.Completed, k)
			}
		}
	}
}

// linearizability is the invariant of the register.
var linearizability = modules.Invariant[State]{ID: "Linearizability", State: linearizable,
	Doc: "A read returns the newest value that was written or read before it began, or a newer one (dissertation, section 6.4)."}

func linearizable(s *State) bool {
	for k := range s.Reads {
		if !s.Reads[k].fresh() {
			return false
		}
	}
	return true
}

// fresh reports whether a read has no older value than it must return, as far as it has one.
func (r *Read) fresh() bool { return r.Phase != Answered || r.Value >= r.Floor }
