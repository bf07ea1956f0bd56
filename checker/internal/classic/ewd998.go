package classic

import "github.com/multigrain/multigrain/modules"

const ring998 = 3

// Ring998 is the state of EWD998: Safra's termination detection with messages in flight.
type Ring998 struct {
	Active, Black modules.Set[id]
	Counter       [ring998]int8 // messages sent less messages received
	Pending       [ring998]int8 // messages in flight to the node
	TokenAt       id
	TokenSum      int8
	TokenBlack    bool
}

func init998(yield func(Ring998) bool) {
	for active := range modules.Set[id](1 << ring998) {
		for black := range modules.Set[id](1 << ring998) {
			for at := range id(ring998) {
				if !yield(Ring998{Active: active, Black: black, TokenAt: at, TokenBlack: true}) {
					return
				}
			}
		}
	}
}

var initiateProbe998 = modules.Action[Ring998, because]{
	Name: "InitiateProbe", Params: eachBecause(1, 3),
	Guard: func(s *Ring998, p because) bool {
		return s.TokenAt == 0 && [...]bool{s.TokenBlack, s.Black.Has(0), s.Counter[0]+s.TokenSum > 0}[p.Reason]
	},
	Effect: func(s, n *Ring998, _ because) {
		n.TokenAt, n.TokenSum, n.TokenBlack = ring998-1, 0, false
		n.Black.Remove(0)
	},
}

// passToken998 leaves node 0 to initiateProbe998.
var passToken998 = modules.Action[Ring998, one]{
	Name: "PassToken", Params: modules.Each[id](ring998),
	Guard: func(s *Ring998, p one) bool { return p.I != 0 && s.TokenAt == p.I && !s.Active.Has(p.I) },
	Effect: func(s, n *Ring998, p one) {
		n.TokenAt = p.I - 1
		n.TokenSum = s.TokenSum + s.Counter[p.I]
		n.TokenBlack = s.TokenBlack || s.Black.Has(p.I)
		n.Black.Remove(p.I)
	},
}

var sendMsg998 = modules.Action[Ring998, pair]{
	Name: "SendMsg", Params: modules.EachPair[id](ring998),
	Guard: func(s *Ring998, p pair) bool { return s.Active.Has(p.I) },
	Effect: func(s, n *Ring998, p pair) {
		n.Counter[p.I]++
		n.Pending[p.J]++
	},
}

var recvMsg998 = modules.Action[Ring998, one]{
	Name: "RecvMsg", Params: modules.Each[id](ring998),
	Guard: func(s *Ring998, p one) bool { return s.Pending[p.I] > 0 },
	Effect: func(s, n *Ring998, p one) {
		n.Pending[p.I]--
		n.Counter[p.I]--
		n.Black.Add(p.I)
		n.Active.Add(p.I)
	},
}

var deactivate998 = modules.Action[Ring998, one]{
	Name: "Deactivate", Params: modules.Each[id](ring998),
	Guard:  func(s *Ring998, p one) bool { return s.Active.Has(p.I) },
	Effect: func(s, n *Ring998, p one) { n.Active.Remove(p.I) },
}

// EWD998 is examples/ewd998/EWD998.tla for three nodes. A state constraint bounds counters,
// messages and the token's sum.
func EWD998() Model[Ring998] {
	return Model[Ring998]{
		Name: "EWD998, N = 3", Init: init998,
		Actions: []modules.AnyAction[Ring998]{&initiateProbe998, &passToken998, &sendMsg998, &recvMsg998, &deactivate998},
		Invariants: []modules.Invariant[Ring998]{
			{ID: "TerminationDetection", Doc: "what is detected is true", State: terminationDetection998},
			{ID: "Inv", Doc: "what the token has counted is true, or the round is not conclusive", State: safra},
		},
		Constraints: []modules.Invariant[Ring998]{{ID: "StateConstraint", State: func(s *Ring998) bool {
			for i := range ring998 {
				if s.Counter[i] > 2 || s.Pending[i] > 2 {
					return false
				}
			}
			return s.TokenSum <= 3
		}}},
		Distinct: 241_254, Generated: 1_692_321, Depth: 41,
	}
}

func sum998(xs []int8) (total int8) {
	for _, x := range xs {
		total += x
	}
	return total
}

func terminationDetection998(s *Ring998) bool {
	detected := s.TokenAt == 0 && !s.TokenBlack && s.TokenSum+s.Counter[0] == 0 && !s.Black.Has(0) && !s.Active.Has(0)
	return !detected || s.Active.Empty() && sum998(s.Pending[:]) == 0
}

// safra reports whether the invariant of the paper holds, P0 to P4.
func safra(s *Ring998) bool {
	if sum998(s.Pending[:]) != sum998(s.Counter[:]) {
		return false
	}
	behind := modules.Below[id](int(s.TokenAt) + 1) // nodes that the token has not visited
	counted := s.Active.Within(behind) && s.TokenSum == sum998(s.Counter[s.TokenAt+1:])
	return counted || sum998(s.Counter[:s.TokenAt+1])+s.TokenSum > 0 || s.Black.Intersects(behind) || s.TokenBlack
}
