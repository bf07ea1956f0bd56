package raft

// Snapshots says whether servers compact their logs.
const Snapshots = MaxCompactions > 0

// FromSnapshot says that a server starts from the snapshot in its storage, whatever it has applied.
const FromSnapshot = Snapshots && ToldApplies && RestartFrom == "snapshot"

// Snapshot stands for the entries up to an index, and survives a restart: raftpb.Snapshot.
type Snapshot struct {
	Body
	Index, Term Number
}

// Body is a snapshot's contents: the register, and the configuration where that changes.
type Body struct {
	Conf  [ChangeSlots]Conf
	Value Number
}

// offset returns the index of the last entry that i has folded away, 0 where there is none, and
// foldedTerm its term.
func (s *State) offset(i Server) Number {
	switch {
	case !Snapshots:
		return 0
	case ToldApplies:
		return s.Folded[i].Index
	}
	return s.Snap[i].Index
}

func (s *State) foldedTerm(i Server) Number {
	if ToldApplies {
		return s.Folded[i].Term
	}
	return s.Snap[i].Term
}

// left returns how many entries of i's log Log does not have. Next to a node there are none: it
// forgets what they were.
func (s *State) left(i Server) Number {
	if ToldApplies {
		return 0
	}
	return s.offset(i)
}

// has reports whether the snapshot's configuration has i.
func (s *Snapshot) has(i Server) bool {
	for x := range s.Conf {
		c := &s.Conf[x]
		if skipsOutgoing {
			return c.Voters.Union(c.Learners).Has(i)
		}
		//lint:ignore SA4004 Conf has one element, or none where membership does not change
		return c.Voters.Union(c.Outgoing).Union(c.Learners).Has(i)
	}
	return true
}

// Point is the last entry of a part of a log.
type Point struct{ Index, Term Number }

// changesBehind reports whether i has committed a configuration change after index k.
func (s *State) changesBehind(i Server, k Number) bool {
	for x := s.Commit[i]; x > k; x-- {
		if s.changeAt(i, x).Kind != NoChange {
			return true
		}
	}
	return false
}

// KeepsPending says that leaders remember which snapshot is in flight: a report is about it, or an
// acknowledgement must reach it.
const KeepsPending = ToldApplies || Reported || waitsForSnapshot

// setPending notes the index of the snapshot that is in flight from i to j:
// Progress.PendingSnapshot. It is 0 in other states.
func (n *State) setPending(i, j Server, k Number) {
	for x := range n.Pr[i][j].Pending {
		if KeepsPending {
			n.Pr[i][j].Pending[x] = k
		}
	}
}

// restoring reports whether i has taken over a snapshot that is not applied. log.go
// hasNextOrInProgressSnapshot.
func (s *State) restoring(i Server) bool {
	return Snapshots && ToldApplies && s.Applied[i] < s.offset(i)
}
