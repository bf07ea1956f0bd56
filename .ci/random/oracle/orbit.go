package oracle

import "slices"

// permutations returns all orders of 0 to n-1.
func permutations(n int) (out [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, p := range permutations(n - 1) {
		for at := range n {
			out = append(out, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return out
}

// Orbit returns a text that two states have exactly if they are equal up to a permutation of the
// nodes: the smallest key of all permutations.
func (m *Machine) Orbit(v *Value) string {
	least := ""
	for k, to := range permutations(m.Spec.Nodes) {
		if key := m.permuted(v, to).Key(); k == 0 || key < least {
			least = key
		}
	}
	return least
}

// permuted returns the state in which node k is node to[k].
func (m *Machine) permuted(v *Value, to []int) *Value {
	c, n := v.clone(), m.Spec.Nodes
	for x := range m.Spec.Vars {
		at := m.first[x]
		from, dest := v.Slot[at], c.Slot[at]
		switch m.Spec.Vars[x].Kind {
		case Ref:
			if from[0] >= 0 {
				dest[0] = to[from[0]]
			}
		case Nums, Flags, Set, Map:
			for i := range n {
				dest[to[i]] = from[i]
			}
		case Sets, Net, Bag:
			for i := range n {
				for j := range n {
					dest[to[i]*n+to[j]] = from[i*n+j]
				}
			}
		}
		if kind := m.Spec.Vars[x].Kind; kind == Net || kind == Bag {
			for i := range n {
				for j := range n {
					c.Slot[m.channel(x, to[i], to[j])] = slices.Clone(v.Slot[m.channel(x, i, j)])
				}
			}
		}
	}
	return c
}

// Alike reports whether the nodes are alike: the initial states and the successors of each reachable
// state are the same after each permutation. The properties are not asked.
func (g *Graph) Alike() bool {
	m := g.Machine
	for _, to := range permutations(m.Spec.Nodes) {
		for _, k := range g.Initial {
			if other, ok := g.number[m.permuted(g.States[k], to).Key()]; !ok || !slices.Contains(g.Initial, other) {
				return false
			}
		}
		for k, s := range g.States {
			other, ok := g.number[m.permuted(s, to).Key()]
			if !ok || !slices.Equal(g.successors(k, to), g.successors(other, nil)) {
				return false
			}
		}
	}
	return true
}

// successors returns the keys of the states after the steps of state k, permuted, in order.
func (g *Graph) successors(k int, to []int) (keys []string) {
	for _, e := range g.Edges[k] {
		n := g.after(e)
		if to != nil {
			n = g.Machine.permuted(n, to)
		}
		keys = append(keys, n.Key())
	}
	slices.Sort(keys)
	return keys
}
