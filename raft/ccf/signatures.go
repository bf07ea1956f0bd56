package ccf

// SignCommittableMessages appends a signature: what is before it can be committed with it. Unless
// SignTwice is set, it never follows a signature of the same term.
//
// Section 2.1, "Signature transactions". TLA+: MCSignCommittableMessages of MCccfraft.tla. Code:
// history.h start_signature_emit_timer.
var SignCommittableMessages = Action[One]{
	Name:   "SignCommittableMessages",
	Params: each,
	Guard: func(s *State, p One) bool {
		if !s.mayAppend(p.I) || s.Log[p.I].Empty() {
			return false
		}
		e := s.Log[p.I].Last()
		return SignTwice || e.Type != TypeSignature || e.Term != s.CurrentTerm[p.I]
	},
	Effect: func(s, n *State, p One) {
		n.Log[p.I].Append(Entry{Term: s.CurrentTerm[p.I], Type: TypeSignature})
		if s.MembershipState[p.I] == RetirementOrdered {
			n.MembershipState[p.I] = RetirementSigned
		}
	},
}

// logHasRoom reports whether i's log may have one more entry.
func (s *State) logHasRoom(i Server) bool { return Judged || int(s.last(i)) < MaxLog }

// mayAppend reports whether i leads, has not left, and has room in its log.
//
// Code: raft.h can_replicate_unsafe, can_sign_unsafe.
func (s *State) mayAppend(i Server) bool {
	return s.LeadershipState[i] == Leader && !s.hasLeft(i) && s.logHasRoom(i)
}
