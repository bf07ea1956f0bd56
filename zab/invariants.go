package zab

import "github.com/multigrain/multigrain/modules"

// protocolInvariants are the properties of Zab: I-1 to I-10 of Remix, table 2. They hold at every
// granularity. The delivered transactions of a process are those that it knows to be committed; a
// server that restarts is another process.
//
// Deviation: I-8 speaks of initial histories only. As in the published specification, what was
// delivered counts too. Otherwise a transaction that was committed in Broadcast and lost by the
// next leader is missed after those who delivered it restart. That hides nothing: the invariant
// asks for more.
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
		Doc: "Initial history integrity: the initial history of an epoch begins with those of earlier established epochs and with " +
			"what was delivered of them."},
	{ID: "I-9", State: commitConsistency,
		Doc: "Commit consistency: what a serving process has delivered begins with the initial history of its epoch."},
	{ID: "I-10", State: historyConsistency,
		Doc: "History consistency: of two processes in the same epoch, one has a history that begins with the other's."},
}

// ghosts keep the variables that only the protocol invariants read.
var ghosts = []modules.Rule[State]{
	modules.After(&LeaderProcessRequest, func(s, n *State, p One) { n.recordProposal(p.I) }),
	modules.After(&ElectionAndDiscovery, func(s, n *State, p Party) { n.recordEpoch(p.I) }),
	modules.After(&QuorumElection, func(s, n *State, p Party) { n.recordEpoch(p.I) }),
	modules.After(&LeaderProcessACKEPOCH, func(s, n *State, p Pair) {
		if s.ZabState[p.I] == DISCOVERY && n.ZabState[p.I] == SYNCHRONIZATION {
			n.recordEpoch(p.I)
		}
	}),
}

// deliveriesNoted keep the longest sequence that a process has delivered.
var deliveriesNoted = []modules.Rule[State]{
	modules.AfterAny(func(s, n *State) {
		if LiveNode {
			return
		}
		for i := range Server(Servers) {
			if n.LastCommitted[i] > s.LastCommitted[i] {
				n.recordDeliveries(i)
			}
		}
	}),
}

func integrity(s *State) bool {
	for i := range Past + 1 {
		for k := 1; k <= s.delivered(i); k++ {
			if !s.ProposalMsgsLog.Has(s.delivery(i, k)) {
				return false
			}
		}
	}
	return true
}

func agreement(s *State) bool {
	for i := range Past + 1 {
		for j := range i {
			if !s.agree(i, j) {
				return false
			}
		}
	}
	return true
}

func totalOrder(s *State) bool {
	for i := range Past + 1 {
		for j := range Past + 1 {
			if i != j && !s.ordered(i, j) {
				return false
			}
		}
	}
	return true
}

// localPrimaryOrder: the counter of a zxid is the order in which a primary broadcasts.
func localPrimaryOrder(s *State) bool {
	for i := range Past + 1 {
		for k := 1; k <= s.delivered(i); k++ {
			z := s.delivery(i, k).Zxid
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

func globalPrimaryOrder(s *State) bool {
	for i := range Past + 1 {
		if !s.inEpochOrder(i) {
			return false
		}
	}
	return true
}

// primaryIntegrity: what a primary has delivered when it begins to broadcast is the history with
// which its epoch began.
func primaryIntegrity(s *State) bool {
	for x := 1; x <= s.ProposalMsgsLog.Len(); x++ {
		epoch := s.ProposalMsgsLog.At(x).Zxid.Epoch
		if !s.Established[epoch-1] {
			continue
		}
		for i := range Past + 1 {
			for k := 1; k <= s.delivered(i); k++ {
				t := s.delivery(i, k)
				if t.Zxid.Epoch < epoch && s.EpochHistory[epoch-1].Find(t) == 0 {
					return false
				}
			}
		}
	}
	return true
}

func initialHistoryIntegrity(s *State) bool {
	established, latest := 0, 0
	for e := range s.EpochHistory {
		if !s.EpochLeader[e].Empty() {
			latest = e
		}
		if s.Established[e] {
			if !s.EpochHistory[e].HasPrefix(&s.EpochHistory[established]) {
				return false
			}
			established = e
		}
	}
	h := &s.EpochHistory[latest]
	return h.HasPrefix(&s.EpochHistory[established]) && s.beginsWithEarlier(h, Number(latest+1))
}

// beginsWithEarlier reports whether h, with which the latest epoch begins, has all that was
// delivered of earlier ones.
func (s *State) beginsWithEarlier(h *History, epoch Number) bool {
	for k := 1; k <= s.CommittedLog.Len(); k++ {
		t := s.CommittedLog.At(k)
		if t.Zxid.Epoch < epoch && (k > h.Len() || h.At(k) != t) {
			return false
		}
	}
	return true
}

func commitConsistency(s *State) bool {
	for i := range Server(Servers) {
		if s.ZabState[i] != BROADCAST {
			continue
		}
		initial := &s.EpochHistory[s.CurrentEpoch[i]-1]
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
