package events

// Proposal is a leader's change of the configuration.
type Proposal struct {
	I                  Server
	Add, Remove, Learn Set
}

// ChangeConf announces that the leader i appends a configuration change. TLA+: AddNewServer,
// AddLearner, DeleteServer. Code: raft.go stepLeader, MsgProp.
var ChangeConf = Action[Proposal]{
	Name:   "ChangeConf",
	Params: observed[Proposal],
	Guard: func(s *State, p Proposal) bool {
		return s.begun(p.I) && s.Await[p.I] == Nothing && s.Role[p.I] == Leader && s.ChangeCount < MaxChanges &&
			(UncheckedChanges || s.Pending[p.I] <= s.Commit[p.I] && s.Outgoing[p.I] == 0)
	},
	Effect: func(s, n *State, p Proposal) {
		n.Appending[p.I]++
		at := Position{s.Log[p.I].Index + n.Appending[p.I], s.Term[p.I]}
		n.Changes[n.ChangeCount] = Change{at, p.Add, p.Remove, p.Learn}
		n.ChangeCount++
		n.Pending[p.I] = at.Index
	},
}

// NewConf is a configuration that a server takes; Joint says that decisions need a quorum of the
// one before, too.
type NewConf struct {
	I      Server
	Voters Set
	Joint  bool
}

// confs is a domain with each value of Joint, since the event does not state it.
func confs(yield func(NewConf) bool) {
	for _, joint := range []bool{false, true} {
		if !yield(NewConf{Joint: joint}) {
			return
		}
	}
}

// ApplyConf makes i take the configuration after a change that is committed in its log, or leave a
// joint one, or keep the one that it has. TLA+: ApplySimpleConfChange. Code: raft.go
// switchToConfig.
var ApplyConf = Action[NewConf]{
	Name:   "ApplyConf",
	Params: confs,
	Guard: func(s *State, p NewConf) bool {
		return s.begun(p.I) && s.Begun.Has(p.I) && s.Await[p.I] != Install && (s.keeps(p) || s.changed(p) >= 0)
	},
	Effect: func(s, n *State, p NewConf) {
		k := s.changed(p)
		switch {
		case p.Joint && s.Outgoing[p.I] == 0:
			n.Outgoing[p.I] = s.Voters[p.I]
		case !p.Joint:
			n.Outgoing[p.I] = 0
		}
		n.Voters[p.I] = p.Voters
		if k >= 0 {
			c := &s.Changes[k]
			n.Applied[p.I] = c.At.Index
			n.Learners[p.I] = (s.Learners[p.I] | c.Learn) &^ (c.Add | c.Remove)
			n.Unstated[p.I] &^= c.Add | c.Remove | c.Learn
		}
		for j := range Server(Servers) {
			if !n.tracks(p.I, j) {
				n.Match[p.I][j] = 0
			}
		}
	},
}

// keeps reports whether the voters stay as they are: a change that was refused, or the end of a
// joint configuration.
func (s *State) keeps(p NewConf) bool {
	return p.Voters == s.Voters[p.I] && (!p.Joint || s.Outgoing[p.I] != 0)
}

// changed returns the index in Changes of the committed change that p.I applies. That is the one
// after the last one that it has applied if that leads to the configuration of p. Otherwise, unless
// the configuration stays as it is, it is a later one that does. -1: there is none.
func (s *State) changed(p NewConf) int {
	first := true
	for k := range int(s.ChangeCount) {
		c := &s.Changes[k]
		if c.At.Index <= s.Applied[p.I] || c.At.Index > s.Commit[p.I] || s.termAt(s.Log[p.I], c.At.Index) != c.At.Term {
			continue
		}
		if p.Voters == (s.Voters[p.I]|c.Add)&^(c.Remove|c.Learn) && (!p.Joint || s.Outgoing[p.I] == 0) && (first || !s.keeps(p)) {
			return k
		}
		first = false
	}
	return -1
}

// InstallConf makes i take the configuration of a snapshot, and the snapshot instead of its log. Of
// a joint configuration the event does not say which one is left; another server has it. Code:
// raft.go restore.
var InstallConf = Action[NewConf]{
	Name:   "InstallConf",
	Params: confs,
	Guard: func(s *State, p NewConf) bool {
		return s.begun(p.I) && s.Await[p.I] == Install && !s.hasSnapshot(p.I) && (!p.Joint || s.outgoingOf(p.Voters) != 0)
	},
	Effect: func(s, n *State, p NewConf) {
		m := &s.Handling[p.I]
		n.Log[p.I] = Position{m.Entries, m.Last}
		n.Commit[p.I] = m.Entries
		n.Applied[p.I] = m.Entries
		n.Voters[p.I], n.Outgoing[p.I] = p.Voters, 0
		n.Learners[p.I] = s.Learners[m.From] &^ p.Voters
		n.Unstated[p.I] = s.Unstated[m.From] &^ p.Voters
		if p.Joint {
			n.Outgoing[p.I] = s.outgoingOf(p.Voters)
		}
	},
}

// outgoingOf returns what a joint configuration with these voters leaves, as some server has it; 0
// where none does.
func (s *State) outgoingOf(voters Set) Set {
	for j := range Server(Servers) {
		if s.Voters[j] == voters && s.Outgoing[j] != 0 {
			return s.Outgoing[j]
		}
	}
	return 0
}
