package effects

// exchanged returns the steps of the second version whose order with another one is not that of
// their twins. Orders count if one of the steps writes what the other reads or writes.
func (p *Program) exchanged(before, after *body) (out []*step) {
	was, is := before.orders(), after.orders()
	var twins []*step
	for _, s := range after.steps {
		if s.twin != nil && s.kind == instruction {
			twins = append(twins, s)
		}
	}
	prints := map[*step]*footprint{}
	print := func(s *step) *footprint {
		if prints[s] == nil {
			prints[s] = p.footprintOf(s)
		}
		return prints[s]
	}
	moved := map[*step]bool{}
	for k, x := range twins {
		for _, y := range twins[k+1:] {
			same := is[x.index][y.index] == was[x.twin.index][y.twin.index] && is[y.index][x.index] == was[y.twin.index][x.twin.index]
			if same || !print(x).conflicts(print(y)) {
				continue
			}
			for _, s := range []*step{x, y} {
				if !moved[s] {
					moved[s] = true
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// orders says for each step which others may follow it without an exception.
func (b *body) orders() [][]bool {
	next := make([][]int, len(b.steps))
	for k, s := range b.steps {
		for _, to := range s.next {
			next[k] = append(next[k], to.index)
		}
	}
	out := make([][]bool, len(b.steps))
	for k := range b.steps {
		out[k] = reached(next, k)
		out[k][k] = false
	}
	return out
}
