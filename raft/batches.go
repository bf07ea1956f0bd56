package raft

import "github.com/multigrain/multigrain/modules"

// Batching says whether an append may carry several entries: Config.MaxSizePerMsg above 0.
//
// Deviation: the library counts bytes, the specification entries. Next to a node, where any number
// may be sent, how many it is is taken from the message that the node is seen to send.
const Batching = MaxBatch > 1

// AheadSlots is Servers next to a node that sends several entries at once, else 0.
const AheadSlots = Servers * BatchSlots * nodeSlots

// Run is an append that is seen: the index after which it begins and how many entries it has.
type Run struct{ Index, Count Number }

// Runs are the next appends to one server that are seen, in their order.
type Runs = modules.Seq[Run, [maxAhead]Run]

// maxAhead is more than the appends that one step sends to a server.
const maxAhead = 16

// entries returns how many entries a MsgApp has, and entry the k-th, from 1.
func (m *Msg) entries() (k Number) {
	if m.carriesEntry() {
		k = 1
	}
	for x := range m.More {
		k += Number(m.More[x].Len())
	}
	return k
}

func (m *Msg) entry(k Number) Entry {
	for x := range m.More {
		if k > 1 {
			return m.More[x].At(int(k - 1))
		}
	}
	return m.Entry
}

// fill puts as many entries after the first one into an append from i to j as it carries. raft.go
// maybeSendAppend, log.go entries.
func (n *State) fill(i, j Server, m *Msg) {
	end := n.batchEnd(i, j, m.Index)
	for x := range m.More {
		for k := m.Index + 2; k <= end; k++ {
			m.More[x].Append(n.entryAt(i, k))
		}
	}
}

// batchEnd returns the index of the last entry in an append from i to j that begins after index k.
func (s *State) batchEnd(i, j Server, k Number) Number {
	if !liveNode {
		return min(s.lastIndex(i), k+MaxBatch)
	}
	for x := range s.Ahead {
		for y := 1; x == int(j) && y <= s.Ahead[x].Len(); y++ {
			if r := s.Ahead[x].At(y); r.Index == k && r.Count > 0 {
				return min(s.lastIndex(i), k+r.Count)
			}
		}
	}
	return s.lastIndex(i)
}

// appendRun is maybeAppend where an append may carry several entries, for a log that agrees at
// m.Index. log.go maybeAppend, findConflict.
func (n *State) appendRun(i Server, m *Msg) (last Number) {
	last = m.Index + m.entries()
	same := Number(0)
	for same < m.entries() && n.matchTerm(i, m.Index+same+1, m.entry(same+1).Term) {
		same++
	}
	switch {
	case same == m.entries():
	case m.Index+same+1 <= n.Commit[i]:
		n.Panics.Raise(ConflictWithCommitted)
		return last
	default:
		n.truncate(i, m.Index+same)
		for k := same + 1; k <= m.entries(); k++ {
			n.Log[i].Append(m.entry(k))
		}
	}
	n.commitTo(i, min(m.Commit, last))
	return last
}

// freeInflight frees what j has acknowledged up to index k. tracker/inflights.go FreeLE.
func (n *State) freeInflight(i, j Server, k Number) {
	for x := range n.Pr[i][j].Inflight {
		for !n.Pr[i][j].Inflight[x].Empty() && n.Pr[i][j].Inflight[x].At(1) <= k {
			n.Pr[i][j].Inflight[x].PopFront()
		}
	}
}

// clearInflight forgets what is in flight to j. tracker/progress.go ResetState.
func (n *State) clearInflight(i, j Server) {
	for x := range n.Pr[i][j].Inflight {
		n.Pr[i][j].Inflight[x].Clear()
	}
}
