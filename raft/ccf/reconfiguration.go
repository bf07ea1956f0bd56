package ccf

// Proposal is a leader and the configuration that it proposes.
type Proposal struct {
	I     Server
	Nodes Nodes
}

// eachProposal yields the leaders and configurations.
func eachProposal(yield func(Proposal) bool) {
	for i := range Server(Servers) {
		for set := range 1 << Servers {
			if set > 0 && !yield(Proposal{i, Nodes(set)}) {
				return
			}
		}
	}
}

// ChangeConfiguration appends a configuration. It takes effect at once, together with those before
// it. A node joins once. What it is sent first are the entries from the new configuration on.
//
// Section 2.1, "From bootstrapping to retirement". TLA+: ChangeConfigurationInt. Code: raft.h
// add_configuration, create_and_remove_node_state.
var ChangeConfiguration = Action[Proposal]{
	Name:   "ChangeConfiguration",
	Params: eachProposal,
	Guard: func(s *State, p Proposal) bool {
		q := &s.Configurations[p.I]
		if s.LeadershipState[p.I] != Leader || !s.logHasRoom(p.I) || q.Empty() || !Judged && q.Len() >= MaxConfigurations {
			return false
		}
		from := q.Last().Nodes
		return p.Nodes != from && isScheduled(from, p.Nodes) && !s.joined().Intersects(p.Nodes.Minus(from))
	},
	Effect: func(s, n *State, p Proposal) {
		from := s.Configurations[p.I].Last().Nodes
		for j := range Server(Servers) {
			if p.Nodes.Minus(from).Has(j) {
				n.HasJoined[j] = true
				n.SentIndex[p.I][j] = s.last(p.I)
			}
		}
		n.Log[p.I].Append(Entry{Term: s.CurrentTerm[p.I], Type: TypeReconfiguration, Nodes: p.Nodes})
		n.Configurations[p.I].Append(Configuration{n.last(p.I), p.Nodes})
		if s.MembershipState[p.I] == Active && !p.Nodes.Has(p.I) {
			n.MembershipState[p.I] = RetirementOrdered
		}
	},
}

// joined returns the nodes that have joined the service, ever.
func (s *State) joined() (all Nodes) {
	for j := range Server(Servers) {
		if s.HasJoined[j] {
			all.Add(j)
		}
	}
	return all
}

// AppendRetiredCommitted appends that nodes are retired, once their removal is committed.
//
// Code: node_state.h and the governance application, which write the table of nodes.
var AppendRetiredCommitted = Action[One]{
	Name:   "AppendRetiredCommitted",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.mayAppend(p.I) && s.retired(p.I) != 0 },
	Effect: func(s, n *State, p One) {
		n.Log[p.I].Append(Entry{Term: s.CurrentTerm[p.I], Type: TypeRetired, Nodes: s.retired(p.I)})
	},
}

// retired returns the nodes whose removal i has committed and whose retirement no entry says.
//
// TLA+: AllRetired, AllRetiredCommittedTxns.
func (s *State) retired(i Server) (out Nodes) {
	noted := Nodes(0)
	for k := 1; k <= s.Log[i].Len(); k++ {
		if e := s.Log[i].At(k); e.Type == TypeRetired {
			noted = noted.Union(e.Nodes)
		}
	}
	committed := s.Log[i].Prefix(int(s.CommitIndex[i]))
	for j := range Server(Servers) {
		if retirementIndex(&committed, j) != 0 {
			out.Add(j)
		}
	}
	return out.Minus(noted)
}
