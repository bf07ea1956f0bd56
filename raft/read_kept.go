package raft

import "github.com/multigrain/multigrain/modules"

var readKept = modules.Invariant[State]{ID: "ReadKept", Step: keepsReads,
	Doc: "A leader that is asked for a read confirms it or keeps it (etcd issue 12680)."}

func keepsReads(s, n *State) bool {
	for k := range n.Reads {
		r := &n.Reads[k]
		if !ReadMessages || LocalReads || r.Phase != Asked || s.Reads[k].Phase == Asked || n.Role[r.Server] != Leader {
			continue
		}
		if n.waits(r.Server, Number(k)) == 0 && !n.pends(r.Server, Number(k)) {
			return false
		}
	}
	return true
}

// pends reports whether a read waits for the first commit of the leader i.
func (s *State) pends(i Server, id Number) bool {
	for k := 1; k <= s.PendingReads[i].Len(); k++ {
		if s.PendingReads[i].At(k) == id {
			return true
		}
	}
	return false
}
