package counterexample

import "github.com/multigrain/multigrain/checker"

// expander computes successors in memory of its own.
type expander[T any] struct {
	n, rep T
	spec   *checker.Spec[T]
	out    checker.Successors[T]
}

func newExpander[T any](spec *checker.Spec[T]) *expander[T] {
	h := &expander[T]{spec: spec}
	h.out.Skipped = make([]int64, len(spec.Actions))
	return h
}

// each shows the successors of s with the instances that lead to them, and the properties of steps
// that these break, if they are asked.
func (h *expander[T]) each(s *T, steps bool, show func(n *T, instance int, stepped uint64)) {
	h.out.N = 0
	h.out.Steps = nil
	if steps {
		h.out.Steps = h.spec.Steps
	}
	h.out.Full = func() {
		for k := range h.out.N {
			stepped := uint64(0)
			if h.out.Steps != nil {
				stepped = h.out.Broken[k]
			}
			show(&h.out.Node[k], int(h.out.Instance[k]), stepped)
		}
		h.out.N = 0
	}
	h.spec.Next(s, &h.out)
	h.out.Full()
}
