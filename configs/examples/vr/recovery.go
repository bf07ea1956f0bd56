package vr

// Crash lets a replica lose its state and send RECOVERY, while more than half of all others are up.
var Crash = Action[One]{Name: "Crash", Params: each,
	Guard: func(s *State, p One) bool { return !s.Lost.Has(p.I) && 2*(s.Lost.Len()+1) < Replicas },
	Effect: func(s, n *State, p One) {
		n.Lost.Add(p.I)
		n.become(p.I, Replica{})
		if !AnyNonce {
			n.Responses[p.I].Clear()
		}
	},
}

// Respond lets I take RECOVERY of J, and send RECOVERYRESPONSE, of a primary with its log.
var Respond = Action[Pair]{Name: "Respond", Params: eachPair,
	Guard: func(s *State, p Pair) bool { return s.normal(p.I) && s.Lost.Has(p.J) },
	Effect: func(s, n *State, p Pair) {
		m := s.R[p.I]
		if !s.leads(p.I) {
			m = Replica{View: m.View, Last: m.Last}
		}
		n.Responses[p.J].Put(p.I, m)
	},
}

// Restore takes RECOVERYRESPONSE of a quorum with J, the primary of the latest view among them.
var Restore = Action[Pair]{Name: "Restore", Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		answers := &s.Responses[p.I]
		return s.Lost.Has(p.I) && answers.Has(p.J) && primaryOf(answers.At(p.J).View) == p.J &&
			answers.Where(func(_ Node, m Replica) bool { return m.View <= answers.At(p.J).View }).IsQuorum(Replicas)
	},
	Effect: func(s, n *State, p Pair) {
		n.Lost.Remove(p.I)
		n.become(p.I, s.Responses[p.I].At(p.J))
	},
}
