package effects

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// link sets the steps that follow each step, and the conditions that decide whether it runs.
func (f *flow) link() {
	n := len(f.steps)
	next := make([][]int, n)
	for k, s := range f.steps {
		if f.frames[k] == nil {
			continue
		}
		next[k] = f.successors(k)
		for _, to := range next[k] {
			s.next = append(s.next, f.steps[to])
		}
	}
	after := postdominators(next)
	for k, s := range f.steps {
		if len(next[k]) < 2 {
			continue
		}
		for _, to := range next[k] {
			for x := to; x != after[k] && x < n; x = after[x] {
				d := decision{s, f.outcome(s, to)}
				if !slices.Contains(f.steps[x].by, d) {
					f.steps[x].by = append(f.steps[x].by, d)
				}
			}
		}
	}
	// What only an exception leads to depends on it.
	normal := reached(next, 0)
	for h := range f.m.Handlers {
		if f.caught[h] == nil {
			continue
		}
		entry := f.at[f.m.Handlers[h].At]
		f.caught[h].next = f.steps[entry : entry+1]
		for x, is := range reached(next, entry) {
			if d := (decision{f.caught[h], "caught"}); is && !normal[x] && !slices.Contains(f.steps[x].by, d) {
				f.steps[x].by = append(f.steps[x].by, d)
			}
		}
	}
}

// outcome names the outcome of a condition that leads to an instruction. Conditions that are the
// negation of each other have the same outcomes.
func (f *flow) outcome(s *step, to int) string {
	i := s.in
	if i.Op == opTableswitch || i.Op == opLookup {
		cases := strings.Split(i.Const, ";")
		var out []string
		for k, jump := range i.Jumps {
			if f.at[jump] == to && k == 0 {
				out = append(out, "default")
			} else if f.at[jump] == to {
				out = append(out, cases[k-1])
			}
		}
		slices.Sort(out)
		return strings.Join(out, ",")
	}
	jumped := len(i.Jumps) > 0 && f.at[i.Jumps[0]] == to
	_, negated := positive(i.Op)
	return fmt.Sprint(jumped != negated)
}

// positive returns the conditional jump that an opcode negates, and whether it negates one. For
// ldc_w it returns ldc: the one that a compiler takes depends on the size of the constant pool.
func positive(op bytecode.Op) (bytecode.Op, bool) {
	switch op {
	case opLdcW:
		return opLdc, false
	// ifne ifge ifle if_icmpne if_icmpge if_icmple if_acmpne ifnonnull
	case 154, 156, 158, 160, 162, 164, 166, 199:
		return op - 1, true
	}
	return op, false
}

// reached says which instructions an instruction leads to.
func reached(next [][]int, from int) []bool {
	out := make([]bool, len(next))
	if len(next) == 0 {
		return out
	}
	out[from] = true
	for todo := []int{from}; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, to := range next[k] {
			if !out[to] {
				out[to] = true
				todo = append(todo, to)
			}
		}
	}
	return out
}

// postdominators returns for each instruction the first one that every path from it to the end
// passes; the number of instructions stands for the end. A loop without an end counts as if it
// could end at its jump back. Source: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
// Algorithm", 2001.
func postdominators(next [][]int) []int {
	n := len(next)
	back := make([][]int, n+1)
	for k, out := range next {
		if len(out) == 0 {
			back[n] = append(back[n], k)
		}
		for _, to := range out {
			back[to] = append(back[to], k)
		}
	}
	ends := reached(back, n)
	for k := n - 1; k >= 0; k-- {
		if !ends[k] && len(next[k]) > 0 && slices.Min(next[k]) <= k {
			back[n] = append(back[n], k)
			ends = reached(back, n)
		}
	}
	order, number := postorder(back, n)
	out := make([]int, n+1)
	for k := range out {
		out[k] = -1
	}
	out[n] = n
	meet := func(a, b int) int {
		for a != b {
			for number[a] < number[b] {
				a = out[a]
			}
			for number[b] < number[a] {
				b = out[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for _, k := range slices.Backward(order) {
			if k == n {
				continue
			}
			to := next[k]
			if slices.Contains(back[n], k) {
				to = append(slices.Clone(to), n)
			}
			best := -1
			for _, x := range to {
				if out[x] >= 0 && best < 0 {
					best = x
				} else if out[x] >= 0 {
					best = meet(x, best)
				}
			}
			if best >= 0 && out[k] != best {
				out[k], changed = best, true
			}
		}
	}
	for k := range out {
		if out[k] < 0 {
			out[k] = n
		}
	}
	return out
}

// postorder returns the nodes that a node reaches in postorder, and the position of each.
func postorder(next [][]int, from int) (order, number []int) {
	number = make([]int, len(next))
	seen := make([]bool, len(next))
	type visit struct{ node, child int }
	seen[from] = true
	for stack := []visit{{from, 0}}; len(stack) > 0; {
		v := &stack[len(stack)-1]
		if v.child < len(next[v.node]) {
			to := next[v.node][v.child]
			v.child++
			if !seen[to] {
				seen[to] = true
				stack = append(stack, visit{to, 0})
			}
			continue
		}
		number[v.node] = len(order)
		order = append(order, v.node)
		stack = stack[:len(stack)-1]
	}
	return order, number
}
