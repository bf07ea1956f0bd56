package effects

import "slices"

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
			if is.of(x, y) == was.of(x.twin, y.twin) || !print(x).conflicts(print(y)) {
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

// orders says for each step which others may follow it without an exception: at all, and in the
// same round of each loop.
type orders struct{ ever, once [][]bool }

// order is that of two steps: which of them may follow the other.
type order [4]bool

func (o *orders) of(x, y *step) order {
	a, b := x.index, y.index
	return order{o.ever[a][b], o.ever[b][a], o.once[a][b], o.once[b][a]}
}

// orders returns the orders of all steps.
func (b *body) orders() *orders {
	next := b.edges()
	out := &orders{follow(next), nil}
	for _, e := range backward(next, b.entry()) {
		next[e[0]] = slices.DeleteFunc(slices.Clone(next[e[0]]), func(to int) bool { return to == e[1] })
	}
	out.once = follow(next)
	return out
}

// edges returns the numbers of the steps that follow each step.
func (b *body) edges() [][]int {
	next := make([][]int, len(b.steps))
	for k, s := range b.steps {
		for _, to := range s.next {
			next[k] = append(next[k], to.index)
		}
	}
	return next
}

// follow says for each node which nodes one or more edges lead to.
func follow(next [][]int) [][]bool {
	out := make([][]bool, len(next))
	for k := range next {
		out[k] = reached(next, k)
		out[k][k] = false
		for from := range next {
			if out[k][from] && slices.Contains(next[from], k) || slices.Contains(next[k], k) {
				out[k][k] = true
				break
			}
		}
	}
	return out
}

// entry returns the number of the step with which the method begins.
func (b *body) entry() int {
	return max(0, slices.IndexFunc(b.steps, func(s *step) bool { return s.kind != parameter && s.kind != caught }))
}

// backward returns the edges that lead back to where a loop begins. Compilers make loops with one
// beginning each, so that the order of the search from the entry does not matter.
func backward(next [][]int, entry int) (out [][2]int) {
	state := make([]byte, len(next)) // 1: on the path, 2: done
	type visit struct{ node, child int }
	for k := -1; k < len(next); k++ {
		from := k
		if k < 0 {
			from = entry
		}
		if from >= len(next) || state[from] != 0 {
			continue
		}
		state[from] = 1
		for stack := []visit{{from, 0}}; len(stack) > 0; {
			v := &stack[len(stack)-1]
			if v.child == len(next[v.node]) {
				state[v.node] = 2
				stack = stack[:len(stack)-1]
				continue
			}
			to := next[v.node][v.child]
			v.child++
			switch state[to] {
			case 0:
				state[to] = 1
				stack = append(stack, visit{to, 0})
			case 1:
				out = append(out, [2]int{v.node, to})
			}
		}
	}
	return out
}
