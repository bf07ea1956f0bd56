package zab

import "github.com/multigrain/multigrain/modules"

// protocolInvariants are the properties of Zab: I-1 to I-10 of Remix, table 2. They hold at every granularity. The delivered
// transactions of a process are those that it knows to be committed.
var protocolInvariants = []modules.Invariant[State]{
	{ID: "I-1", State: oneLeaderPerEpoch,
		Doc: "Primary uniqueness: there is at most one established leader for each epoch."},
	{ID: "I-2", State: integrity,
		Doc: "Integrity: if some process delivers t, then some primary has broadcast t."},
	{ID: "I-3", State: agreement,
		Doc: "Agreement: if some process f delivers t and some process f' delivers t', then f' delivers t or f delivers t'."},
	{ID: "I-4", State: totalOrder,
		Doc: "Total order: if some process delivers t before t', then any process that delivers t' delivers t before it."},
	{ID: "I-5", State: localPrimaryOrder,
		Doc: "Local primary order: if a primary broadcasts t before t', then a process that delivers t' delivers t before it."},
	{ID: "I-6", State: globalPrimaryOrder,
		Doc: "Global primary order: a process that delivers t of epoch e and t' of a later epoch delivers t before t'."},
	{ID: "I-7", State: primaryIntegrity,
		Doc: "Primary integrity: a primary that broadcasts has before delivered what processes deliver of earlier primaries."},
	{ID: "I-8", State: initialHistoryIntegrity,
		Doc: "Initial history integrity: the initial history of an established epoch begins with those of earlier ones."},
	{ID: "I-9", State: commitConsistency,
		Doc: "Commit consistency: what a serving process has delivered begins with the initial history of its epoch."},
	{ID: "I-10", State: historyConsistency,
		Doc: "History consistency: of two processes in the same epoch, one has a history that begins with the other's."},
}

// ghosts keep the variables that only the protocol invariants read.
var ghosts = []modules.Rule[State]{
	modules.After(&LeaderProcessRequest, func(s, n *State, p One) {
		n.ProposalMsgsLog.Add(n.History[p.I].Last())
	}),
	// An epoch is established once a quorum has acknowledged NEWLEADER, and its leader knows.
	modules.After(&LeaderProcessACKLD, func(s, n *State, p Pair) {
		if Bookkeeping == 0 && s.ZabState[p.I] != BROADCAST && n.ZabState[p.I] == BROADCAST {
			n.Established[n.AcceptedEpoch[p.I]-1] = true
			n.EstablishedWith[n.AcceptedEpoch[p.I]-1] = n.History[p.I]
		}
	}),
}

func integrity(s *State) bool {
	for i := range Server(Servers) {
		for k := 1; k <= s.delivered(i); k++ {
			if !s.ProposalMsgsLog.Has(s.History[i].At(k)) {
				return false
			}
		}
	}
	return true
}

func agreement(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if !s.agree(i, j) {
				return false
			}
		}
	}
	return true
}

func totalOrder(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if !s.ordered(i, j) {
				return false
			}
		}
	}
	return true
}

// localPrimaryOrder: the counter of a zxid is the order in which a primary broadcasts.
func localPrimaryOrder(s *State) bool {
	for i := range Server(Servers) {
		for k := 1; k <= s.delivered(i); k++ {
			z := s.History[i].At(k).Zxid
			for x := 1; x <= s.ProposalMsgsLog.Len(); x++ {
				t := s.ProposalMsgsLog.At(x)
				if t.Zxid.Epoch != z.Epoch || t.Zxid.Counter >= z.Counter {
					continue
				}
				if at := s.deliveryOf(i, t); at == 0 || at >= k {
					return false
				}
			}
		}
	}
	return true
}

// primaryIntegrity: what a primary has delivered when it begins to broadcast is the history with which its epoch was
// established.
func primaryIntegrity(s *State) bool {
	for x := 1; x <= s.ProposalMsgsLog.Len(); x++ {
		epoch := s.ProposalMsgsLog.At(x).Zxid.Epoch
		if !s.Established[epoch-1] {
			continue // ghosts of epochs are not kept
		}
		for i := range Server(Servers) {
			for k := 1; k <= s.delivered(i); k++ {
				t := s.History[i].At(k)
				if t.Zxid.Epoch < epoch && s.EstablishedWith[epoch-1].Find(t) == 0 {
					return false
				}
			}
		}
	}
	return true
}

func initialHistoryIntegrity(s *State) bool {
	before := 0
	for e := range s.Established {
		if !s.Established[e] {
			continue
		}
		if !s.EstablishedWith[e].HasPrefix(&s.EstablishedWith[before]) {
			return false
		}
		before = e
	}
	return true
}

func commitConsistency(s *State) bool {
	for i := range Server(Servers) {
		if s.ZabState[i] != BROADCAST {
			continue
		}
		initial := &s.EstablishedWith[s.CurrentEpoch[i]-1]
		if initial.Len() > s.delivered(i) || !s.History[i].HasPrefix(initial) {
			return false
		}
	}
	return true
}

func historyConsistency(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if s.CurrentEpoch[i] > 0 && s.CurrentEpoch[i] == s.CurrentEpoch[j] && !oneExtends(&s.History[i], &s.History[j]) {
				return false
			}
		}
	}
	return true
}
