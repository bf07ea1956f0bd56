package ccf

import "github.com/multigrain/multigrain/modules"

// schedule returns the configurations that a service has one after the other, with empty ones after
// them: RAFT_CONFIGS of MCccfraft.tla, where 2C3N are two configurations of three nodes. For "any"
// it is the first one only, and a leader may propose every set of nodes.
func schedule() [3]Nodes {
	switch Configured {
	case "1C1N":
		return [3]Nodes{modules.Below[Server](1)}
	case "1C2N":
		return [3]Nodes{modules.Below[Server](2)}
	case "1C3N":
		return [3]Nodes{modules.Below[Server](3)}
	case "2C2N":
		return [3]Nodes{modules.SetOf[Server](0), modules.SetOf[Server](1)}
	case "2C3N":
		return [3]Nodes{modules.SetOf[Server](0, 1), modules.SetOf[Server](1, 2)}
	case "2C5N":
		return [3]Nodes{modules.Below[Server](3), modules.Below[Server](5)}
	case "3C2N":
		return [3]Nodes{modules.SetOf[Server](0), modules.SetOf[Server](0, 1), modules.SetOf[Server](1)}
	}
	return [3]Nodes{modules.Below[Server](Servers)}
}

// isScheduled reports whether a configuration may follow another one: MCChangeConfigurationInt.
func isScheduled(from, to Nodes) bool {
	if Configured == "any" {
		return to != 0
	}
	in := schedule()
	return in[0] == from && in[1] == to && to != 0 || in[1] == from && in[2] == to && to != 0
}

// quorum reports whether a set has more than half of the nodes of a configuration, counting these
// only.
func quorum(set, configuration Nodes) bool {
	return set.Intersect(configuration).IsQuorum(configuration.Len())
}

// quorumInEach reports whether a set has a quorum in each of i's active configurations.
func (s *State) quorumInEach(i Server, set Nodes) bool {
	for k := 1; k <= s.Configurations[i].Len(); k++ {
		if !quorum(set, s.Configurations[i].At(k).Nodes) {
			return false
		}
	}
	return true
}

// nodesUpTo returns the nodes of i's configurations up to an index: GetServerSetForIndex.
func (s *State) nodesUpTo(i Server, index Number) (all Nodes) {
	for k := 1; k <= s.Configurations[i].Len(); k++ {
		if c := s.Configurations[i].At(k); c.Index <= index {
			all = all.Union(c.Nodes)
		}
	}
	return all
}

// nodes returns the nodes of i's active configurations: GetServerSet.
//
// Code: raft.h other_nodes_in_active_configs.
func (s *State) nodes(i Server) Nodes { return s.nodesUpTo(i, MaxLog) }

// configurationAt returns the index of the last of i's configurations up to an index, 0 if there is
// none: LastConfigurationToIndex.
func (s *State) configurationAt(i Server, index Number) (last Number) {
	for k := 1; k <= s.Configurations[i].Len(); k++ {
		if c := s.Configurations[i].At(k); c.Index <= index {
			last = c.Index
		}
	}
	return last
}

// dropConfigurationsAfter forgets i's configurations after an index: ConfigurationsToIndex.
func (n *State) dropConfigurationsAfter(i Server, index Number) {
	q := &n.Configurations[i]
	for !q.Empty() && q.Last().Index > index {
		q.Truncate(q.Len() - 1)
	}
}

// dropConfigurationsBefore forgets i's configurations before an index.
func (n *State) dropConfigurationsBefore(i Server, index Number) {
	q := &n.Configurations[i]
	for !q.Empty() && q.At(1).Index < index {
		q.PopFront()
	}
}

// retirementIndex returns the index at which a log removes a node for good, 0 if it does not:
// RetirementIndexLog.
func retirementIndex(l *Log, i Server) Number {
	in := 0
	out := 0
	for k := 1; k <= l.Len(); k++ {
		e := l.At(k)
		if e.Type != TypeReconfiguration {
			continue
		}
		switch {
		case e.Nodes.Has(i):
			in, out = k, 0
		case in > 0 && out == 0:
			out = k
		}
	}
	return Number(out)
}

// isRetiredCommitted reports whether a log has an entry up to an index that says that a node is
// retired: IsRetiredCommittedLog.
func isRetiredCommitted(l *Log, commit Number, i Server) bool {
	for k := 1; k <= min(int(commit), l.Len()); k++ {
		if e := l.At(k); e.Type == TypeRetired && e.Nodes.Has(i) {
			return true
		}
	}
	return false
}

// membership returns how far a node is in leaving, as a log and a commit index have it:
// CalcMembershipState.
func membership(l *Log, commit Number, i Server) Membership {
	at := retirementIndex(l, i)
	switch {
	case at == 0:
		return Active
	case at <= commit && isRetiredCommitted(l, commit, i):
		return RetiredCommitted
	case at <= commit:
		return RetirementCompleted
	case at < committable(l):
		return RetirementSigned
	}
	return RetirementOrdered
}

// completeRetirements takes the nodes over that only configurations before the committed one have,
// and drops those whose retirement all later leaders know: NextRetirementCompleted. The
// configurations are those before the step. Log and commit index are those after it.
func (n *State) completeRetirements(i Server, before *Configurations) {
	current := Configuration{}
	for k := 1; k <= before.Len(); k++ {
		if c := before.At(k); c.Index <= n.CommitIndex[i] {
			current = c
		}
	}
	out := Nodes(0)
	for k := 1; k <= before.Len(); k++ {
		if c := before.At(k); c.Index < current.Index {
			out = out.Union(c.Nodes)
		}
	}
	was := n.RetirementCompleted[i]
	now := was.Union(out.Minus(current.Nodes))
	for j := range Server(Servers) {
		if was.Has(j) && membership(&n.Log[i], n.CommitIndex[i], j) == RetiredCommitted {
			now.Remove(j)
		}
	}
	n.RetirementCompleted[i] = now
}

// mayCampaign reports whether i is still needed, and signed to be in a configuration or retiring.
func (s *State) mayCampaign(i Server) bool {
	if s.hasLeft(i) {
		return false
	}
	if s.RetirementCompleted[i].Has(i) {
		return true
	}
	for k := 1; k <= s.Configurations[i].Len(); k++ {
		if c := s.Configurations[i].At(k); c.Nodes.Has(i) && committable(&s.Log[i]) >= c.Index {
			return true
		}
	}
	return false
}

// forgetOrdered takes an unsigned retirement back, after a rollback.
func (n *State) forgetOrdered(i Server) {
	if n.MembershipState[i] == RetirementOrdered {
		n.MembershipState[i] = Active
	}
}
