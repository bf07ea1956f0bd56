package oracle

import "slices"

// Live reports whether a liveness property is violated: whether a state with From, or an initial
// one, can be followed for ever by states without To in a fair way. A behaviour may always stay in
// a state. It is fair if each fair instance is again and again taken, or unable to change the state.
//
// The states from which that is possible are the largest set Z without To such that from each of
// its states, and for each fair instance, a path in Z leads to a state where the instance cannot
// change the state, or to a step of it within Z (Emerson, Lei: Efficient model checking in
// fragments of the propositional mu-calculus, 1986).
func (g *Graph) Live(k int) bool {
	l := &g.Machine.Spec.Liveness[k]
	params := []Param{{}}
	if l.Each {
		params = nil
		for i := range g.Machine.Spec.Nodes {
			params = append(params, Param{I: i})
		}
	}
	for _, p := range params {
		z := g.forever(l, p)
		for s := range g.States {
			asked := l.From == nil && slices.Contains(g.Initial, s) || l.From != nil && g.Holds(l.From, s, p)
			if asked && z[s] {
				return true
			}
		}
	}
	return false
}

// Holds reports whether a condition holds in state k.
func (g *Graph) Holds(e *Node, k int, p Param) bool {
	return (&scope{m: g.Machine, s: g.States[k], p: p}).is(e)
}

// Fair reports whether an instance is fair for a liveness property.
func (m *Machine) Fair(l *Leads, in Instance) bool {
	return !slices.Contains(l.Unfair, in.Action) && !m.Spec.Modules[m.Spec.Actions[in.Action].Module].Environment
}

// changes reports whether an edge changes the state.
func (g *Graph) changes(s int, e Edge) bool { return e.To != s }

// forever returns Z.
func (g *Graph) forever(l *Leads, p Param) []bool {
	z := make([]bool, len(g.States))
	for s := range z {
		z[s] = !g.Holds(l.To, s, p)
	}
	for again := true; again; {
		again = false
		for i, in := range g.Machine.Instances {
			if !g.Machine.Fair(l, in) {
				continue
			}
			good := g.reaches(z, func(s int) bool {
				able := false
				for _, e := range g.Edges[s] {
					if e.Instance == i && g.changes(s, e) {
						able = true
						if e.To >= 0 && z[e.To] {
							return true
						}
					}
				}
				return !able
			})
			for s := range z {
				if z[s] && !good[s] {
					z[s], again = false, true
				}
			}
		}
	}
	return z
}

// reaches returns the states of z from which a path in z leads to one for which goal holds.
func (g *Graph) reaches(z []bool, goal func(int) bool) []bool {
	good := make([]bool, len(z))
	for s := range z {
		good[s] = z[s] && goal(s)
	}
	for again := true; again; {
		again = false
		for s := len(z) - 1; s >= 0; s-- {
			if !z[s] || good[s] {
				continue
			}
			for _, e := range g.Edges[s] {
				if e.To >= 0 && good[e.To] {
					good[s], again = true, true
					break
				}
			}
		}
	}
	return good
}
