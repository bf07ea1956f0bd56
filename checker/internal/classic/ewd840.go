package classic

import "github.com/multigrain/multigrain/modules"

const ring840 = 4

// Ring840 is the state of EWD840: Dijkstra's termination detection on a ring. Sets hold the active
// and the black nodes.
type Ring840 struct {
	Active, Black modules.Set[id]
	TokenAt       id
	TokenBlack    bool
}

// init840 yields every choice of activity, colours and the token's place; the token is black.
func init840(yield func(Ring840) bool) {
	for active := range modules.Set[id](1 << ring840) {
		for black := range modules.Set[id](1 << ring840) {
			for at := range id(ring840) {
				if !yield(Ring840{active, black, at, true}) {
					return
				}
			}
		}
	}
}

var initiateProbe840 = modules.Action[Ring840, because]{
	Name: "InitiateProbe", Params: eachBecause(1, 2),
	Guard: func(s *Ring840, p because) bool {
		return s.TokenAt == 0 && [...]bool{s.TokenBlack, s.Black.Has(0)}[p.Reason]
	},
	Effect: func(s, n *Ring840, _ because) {
		n.TokenAt = ring840 - 1
		n.TokenBlack = false
		n.Black.Remove(0)
	},
}

// passToken840 leaves node 0 to initiateProbe840.
var passToken840 = modules.Action[Ring840, because]{
	Name: "PassToken", Params: eachBecause(ring840, 3),
	Guard: func(s *Ring840, p because) bool {
		return p.I != 0 && s.TokenAt == p.I && [...]bool{!s.Active.Has(p.I), s.Black.Has(p.I), s.TokenBlack}[p.Reason]
	},
	Effect: func(s, n *Ring840, p because) {
		n.TokenAt = p.I - 1
		n.TokenBlack = s.TokenBlack || s.Black.Has(p.I)
		n.Black.Remove(p.I)
	},
}

var sendMsg840 = modules.Action[Ring840, pair]{
	Name: "SendMsg", Params: modules.EachPair[id](ring840),
	Guard: func(s *Ring840, p pair) bool { return s.Active.Has(p.I) },
	Effect: func(s, n *Ring840, p pair) {
		n.Active.Add(p.J)
		if p.J > p.I {
			n.Black.Add(p.I)
		}
	},
}

var deactivate840 = modules.Action[Ring840, one]{
	Name: "Deactivate", Params: modules.Each[id](ring840),
	Guard:  func(s *Ring840, p one) bool { return s.Active.Has(p.I) },
	Effect: func(s, n *Ring840, p one) { n.Active.Remove(p.I) },
}

// EWD840 is CodePlexBug08/EWD840.tla for four nodes. It has 1 024 initial states.
func EWD840() Model[Ring840] {
	return Model[Ring840]{
		Name: "EWD840, N = 4", Init: init840,
		Actions: []modules.AnyAction[Ring840]{&initiateProbe840, &passToken840, &sendMsg840, &deactivate840},
		Invariants: []modules.Invariant[Ring840]{
			{ID: "TerminationDetection", Doc: "what is detected is true", State: func(s *Ring840) bool {
				detected := s.TokenAt == 0 && !s.TokenBlack && !s.Black.Has(0) && !s.Active.Has(0)
				return !detected || s.Active.Empty()
			}},
			{ID: "Inv", Doc: "nodes that the token has left are passive, or the round is not conclusive", State: func(s *Ring840) bool {
				visited := modules.Below[id](int(s.TokenAt) + 1)
				return s.TokenBlack || s.Black.Intersects(visited) || s.Active.Within(visited)
			}},
		},
		Distinct: 1_566, Generated: 15_986, Depth: 11,
	}
}
