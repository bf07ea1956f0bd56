package ccf

// Drop loses a message from J to I.
//
// TLA+: DropMessages of Network.tla.
var Drop = Action[At]{
	Name:   "Drop",
	Params: positions,
	Guard:  func(s *State, p At) bool { return int(p.K) <= s.inFlight(p.J, p.I) },
	Effect: func(s, n *State, p At) {
		if Ordered {
			n.Stream.Lose(p.J, p.I, int(p.K))
			return
		}
		n.Bag.Lose(p.J, p.I, int(p.K))
	},
}

// Duplicate puts a second copy of a message from J to I in flight, next to the first one.
var Duplicate = Action[At]{
	Name:   "Duplicate",
	Params: positions,
	Guard: func(s *State, p At) bool {
		return !NoDup && int(p.K) <= s.inFlight(p.J, p.I) && s.inFlight(p.J, p.I) < MaxQueue
	},
	Effect: func(s, n *State, p At) {
		if Ordered {
			n.Stream.Duplicate(p.J, p.I, int(p.K))
			return
		}
		n.Bag.Duplicate(p.J, p.I, int(p.K))
	},
}
