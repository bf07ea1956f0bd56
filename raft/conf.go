package raft

// Membership says whether the composition changes the configuration.
const Membership = MaxChanges > 0

// Conf is a configuration: tracker.Config. Outgoing is empty but in a joint configuration, where
// decisions need a quorum of both.
type Conf struct {
	Members
	AutoLeave bool
}

// Members are the sets of a configuration. It is a struct of its own because Go 1.26 fails to
// compile assignments to elements of empty arrays of structs with more than four fields.
type Members struct{ Voters, Outgoing, Learners, LearnersNext Set }

// ChangeKind is the kind of a configuration change.
type ChangeKind uint8

// Kinds of changes.
const (
	NoChange    ChangeKind = iota
	Simple                 // one voter comes or goes: section 4.1 of the dissertation
	JointAuto              // voters come and go; the joint configuration is left by itself
	JointManual            // voters come and go; it is left by a proposal
	LeaveJoint
	Learn // servers become learners
)

// Change is a configuration change in an entry: raftpb.ConfChangeV2.
type Change struct {
	Kind        ChangeKind
	Add, Remove Set
}

// initialConf returns the configuration in every server's storage at the beginning, also of servers
// outside it.
func initialConf() Conf {
	if InitialVoters == 0 {
		return Conf{Members: Members{Voters: Everyone}}
	}
	return Conf{Members: Members{Voters: Everyone & (1<<InitialVoters - 1)}}
}

// conf returns the configuration that i has applied.
func (s *State) conf(i Server) Conf {
	if !Membership {
		return Conf{Members: Members{Voters: Everyone}}
	}
	return s.Conf[i]
}

// tracks reports whether i's configuration has j: whether there is a Progress for it.
func (s *State) tracks(i, j Server) bool {
	c := s.conf(i)
	return c.Voters.Union(c.Outgoing).Union(c.Learners).Has(j)
}

// votes reports whether j is a voter in i's configuration.
func (s *State) votes(i, j Server) bool {
	c := s.conf(i)
	return c.Voters.Union(c.Outgoing).Has(j)
}

// promotable reports whether i may become leader. raft.go promotable.
func (s *State) promotable(i Server) bool {
	return s.tracks(i, i) && !s.conf(i).Learners.Has(i) && !s.restoring(i)
}

// isQuorum reports whether a set holds a quorum of the configuration that i knows, in a joint one a
// quorum of both. quorum/joint.go; section 6.
func (s *State) isQuorum(i Server, set Set) bool {
	c := s.conf(i)
	if Mistake == UnionQuorum {
		return majority(set, c.Voters.Union(c.Outgoing))
	}
	return majority(set, c.Voters) && (c.Outgoing.Empty() || majority(set, c.Outgoing))
}

func majority(set, of Set) bool { return set.Intersect(of).Len()*2 > of.Len() }

// isSingleton reports whether i is the only voter. tracker.go IsSingleton.
func (s *State) isSingleton(i Server) bool {
	c := s.conf(i)
	return c.Voters.Len() == 1 && c.Outgoing.Empty()
}

// with returns the configuration after a change. confchange/confchange.go Simple, EnterJoint,
// LeaveJoint.
func (c Conf) with(ch Change) Conf {
	switch ch.Kind {
	case JointAuto, JointManual:
		c.Outgoing = c.Voters
		c.AutoLeave = ch.Kind == JointAuto
	case LeaveJoint:
		return Conf{Members: Members{Voters: c.Voters, Learners: c.Learners.Union(c.LearnersNext)}}
	case Learn:
		gone := c.Voters.Intersect(ch.Add)
		c.Voters = c.Voters.Minus(gone)
		c.LearnersNext = c.LearnersNext.Union(ch.Add.Intersect(c.Outgoing))
		c.Learners = c.Learners.Union(ch.Add.Minus(c.Outgoing))
		return c
	}
	c.Voters = c.Voters.Union(ch.Add).Minus(ch.Remove)
	c.Learners = c.Learners.Minus(ch.Add).Minus(ch.Remove)
	c.LearnersNext = c.LearnersNext.Minus(ch.Add).Minus(ch.Remove)
	return c
}

// joint reports whether decisions need two quorums.
func (c Conf) joint() bool { return !c.Outgoing.Empty() }

// changeAt returns the configuration change at index k of i's log.
func (s *State) changeAt(i Server, k Number) (c Change) {
	if e := s.entryAt(i, k); Membership {
		for x := range e.Change {
			c = e.Change[x]
		}
	}
	return c
}

// Addition is a request to the leader of a term. In another term it means nothing.
type Addition struct {
	Term     Number
	Server   Server
	Answered bool
}

// hasUnappliedChange reports whether i has committed a change that it has not applied. raft.go
// hasUnappliedConfChanges.
func (s *State) hasUnappliedChange(i Server) bool {
	for k := s.Commit[i]; Membership && k > s.Applied[i]; k-- {
		if s.changeAt(i, k).Kind != NoChange {
			return true
		}
	}
	return false
}
