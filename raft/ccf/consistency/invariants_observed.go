package consistency

import "github.com/multigrain/multigrain/modules"

// Seen are the transactions that a response observes.
type Seen = modules.Seq[Number, [roomHistory]Number]

// observed returns the transactions that a response observes. Those that are not recorded are in
// the branch of its view up to its sequence number, since a branch is only appended to.
func (s *State) observed(e *Event) (seen Seen) {
	if Observations == "recorded" {
		for k := 1; k <= e.Observed.Len(); k++ {
			seen.Append(e.Observed.At(k))
		}
		return seen
	}
	b := s.branch(e.View)
	for k := 1; k <= int(e.SeqNum); k++ {
		if tx := b.At(k).Tx; tx != 0 {
			seen.Append(tx)
		}
	}
	return seen
}

// isCommitted reports whether a client received the committed status for the ID of a response.
func (s *State) isCommitted(e *Event) bool { return s.hasStatus(CommittedStatus, e.View, e.SeqNum) }

func onlyObserveSentRequests(s *State) bool {
	for k := 1; k <= s.History.Len(); k++ {
		e := s.History.At(k)
		if !e.isResponse() {
			continue
		}
		seen := s.observed(&e)
		for x := 1; x <= seen.Len(); x++ {
			if at := s.find(RwTxRequest, seen.At(x)); at == 0 || at > k {
				return false
			}
		}
	}
	return true
}

func atMostOnceObserved(s *State) bool {
	for k := 1; k <= s.History.Len(); k++ {
		e := s.History.At(k)
		if !e.isResponse() {
			continue
		}
		seen := s.observed(&e)
		for x := 1; x <= seen.Len(); x++ {
			if seen.Find(seen.At(x)) != x {
				return false
			}
		}
	}
	return true
}

func committedOrInvalid(s *State) bool {
	for k := 1; k <= s.History.Len(); k++ {
		if e := s.History.At(k); e.isStatus(CommittedStatus) && s.hasStatus(InvalidStatus, e.View, e.SeqNum) {
			return false
		}
	}
	return true
}

func onceCommittedPrevCommitted(s *State) bool {
	for i := 1; i <= s.History.Len(); i++ {
		for j := 1; j <= s.History.Len(); j++ {
			a, b := s.History.At(i), s.History.At(j)
			if a.isStatus(CommittedStatus) && b.isStatus(InvalidStatus) && a.View == b.View && b.SeqNum <= a.SeqNum {
				return false
			}
		}
	}
	return true
}

func onceCommittedNextInvalid(s *State) bool {
	for i := 1; i <= s.History.Len(); i++ {
		for j := 1; j <= s.History.Len(); j++ {
			a, b := s.History.At(i), s.History.At(j)
			if a.isStatus(CommittedStatus) && b.isStatus(CommittedStatus) && a.SeqNum <= b.SeqNum && b.View < a.View {
				return false
			}
		}
	}
	return true
}

func onceInvalidNextInvalid(s *State) bool {
	for i := 1; i <= s.History.Len(); i++ {
		for j := 1; j <= s.History.Len(); j++ {
			a, b := s.History.At(i), s.History.At(j)
			if a.isStatus(InvalidStatus) && b.isStatus(CommittedStatus) && a.View == b.View && b.SeqNum >= a.SeqNum {
				return false
			}
		}
	}
	return true
}

// allCommittedObserved reports whether each committed transaction of a kind observes the committed
// read-write transactions whose responses came before its request.
func (s *State) allCommittedObserved(request, response Kind) bool {
	for i := 1; i <= s.History.Len(); i++ {
		a := s.History.At(i)
		if a.Type != RwTxResponse || !s.isCommitted(&a) {
			continue
		}
		for k := i + 1; k <= s.History.Len(); k++ {
			e := s.History.At(k)
			if e.Type != response || !s.isCommitted(&e) || s.find(request, e.Tx) < i {
				continue
			}
			if seen := s.observed(&e); seen.Find(a.Tx) == 0 {
				return false
			}
		}
	}
	return true
}

// invalidNotObserved reports whether no other read-write transaction, or no other committed one,
// observes one that a client knows to be invalid.
//
// Deviation: the published properties do not name the transaction that is invalid, and the one
// about committed transactions compares an ID with an event, so that it always holds.
func (s *State) invalidNotObserved(committed bool) bool {
	for i := 1; i <= s.History.Len(); i++ {
		a := s.History.At(i)
		if a.Type != RwTxResponse || !s.hasStatus(InvalidStatus, a.View, a.SeqNum) {
			continue
		}
		for k := 1; k <= s.History.Len(); k++ {
			e := s.History.At(k)
			if k == i || e.Type != RwTxResponse || committed && !s.isCommitted(&e) {
				continue
			}
			if seen := s.observed(&e); seen.Find(a.Tx) != 0 {
				return false
			}
		}
	}
	return true
}

// serializable reports whether the observations of responses to read-write transactions, or to
// committed ones, are prefixes of each other.
func (s *State) serializable(committed bool) bool {
	for i := 1; i <= s.History.Len(); i++ {
		a := s.History.At(i)
		if a.Type != RwTxResponse || committed && !s.isCommitted(&a) {
			continue
		}
		seen := s.observed(&a)
		for j := 1; j < i; j++ {
			b := s.History.At(j)
			if b.Type != RwTxResponse || committed && !s.isCommitted(&b) {
				continue
			}
			if other := s.observed(&b); !seen.HasPrefix(&other) && !other.HasPrefix(&seen) {
				return false
			}
		}
	}
	return true
}

// orderedRealTime is CommittedRwOrderedRealTimeInv.
//
// Deviation: the published property looks for the later transaction among responses to read-only
// ones, where it never is, so that it always holds.
func orderedRealTime(s *State) bool {
	for i := 1; i <= s.History.Len(); i++ {
		a := s.History.At(i)
		if a.Type != RwTxResponse || !s.isCommitted(&a) {
			continue
		}
		for k := i + 1; k <= s.History.Len(); k++ {
			e := s.History.At(k)
			if e.Type == RwTxResponse && s.isCommitted(&e) && s.find(RwTxRequest, e.Tx) > i && !a.before(&e) {
				return false
			}
		}
	}
	return true
}

// orderedSerializable compares each committed response with the next one in the order of IDs. With
// the option ordered = "adjacent" the next one observes exactly one transaction more, itself. That
// is the published property until commit c0330a2d. It does not hold where a transaction between the
// two has no response.
func orderedSerializable(s *State) bool {
	for i := 1; i <= s.History.Len(); i++ {
		a := s.History.At(i)
		if a.Type != RwTxResponse || !s.isCommitted(&a) {
			continue
		}
		k := s.nextCommitted(&a)
		if k == 0 {
			continue
		}
		b := s.History.At(k)
		x, y := s.observed(&a), s.observed(&b)
		if !y.HasPrefix(&x) || y.Len() <= x.Len() || y.Last() != b.Tx || Ordered == "adjacent" && y.Len() != x.Len()+1 {
			return false
		}
	}
	return true
}

// nextCommitted returns the position of the response to the committed read-write transaction with
// the least ID above that of a, 0 if there is none.
func (s *State) nextCommitted(a *Event) (k int) {
	var best Event
	for x := 1; x <= s.History.Len(); x++ {
		e := s.History.At(x)
		if e.Type == RwTxResponse && s.isCommitted(&e) && a.before(&e) && (k == 0 || e.before(&best)) {
			k, best = x, e
		}
	}
	return k
}
