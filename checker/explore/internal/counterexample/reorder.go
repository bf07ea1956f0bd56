package counterexample

import (
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

// reordering is the steps of a trace, each once.
type reordering[T any] struct {
	trace *checker.Trace[T]
	// by step: that of the same instance before, -1 for none: equal ones are taken in order
	earlier []int
	acts    []serverSteps
}

// serverSteps holds the steps of one server in a trace.
type serverSteps struct {
	server servers
	all    stepSet
}

// reorder returns the instances of a trace in the order with the fewest switches of the acting
// server; nil if that is the trace's own. The last step stays the last one and starts from the same
// node, so that it breaks what it broke.
func (r *Record[T]) reorder(t *checker.Trace[T]) (order []int) {
	if len(t.Steps) < 3 || len(t.Steps) > maxReordered {
		return nil
	}
	o := &reordering[T]{trace: t}
	s := &pathSearch[T]{rec: r, by: o, roots: []T{t.Init}, length: len(t.Steps) - 1}
	for k, step := range t.Steps {
		earlier, server := k-1, r.Spec.Instances[step.Instance].Server
		for earlier >= 0 && s.instances[earlier] != step.Instance {
			earlier--
		}
		o.earlier = append(o.earlier, earlier)
		s.instances, s.servers = append(s.instances, step.Instance), append(s.servers, server)
		if server < 0 {
			continue
		}
		x := slices.IndexFunc(o.acts, func(a serverSteps) bool { return a.server == of(server) })
		if x < 0 {
			x = len(o.acts)
			o.acts = append(o.acts, serverSteps{server: of(server)})
		}
		o.acts[x].all = o.acts[x].all.with(k)
	}
	s.below = cost(s.servers)
	if s.below < switchCost {
		return nil
	}
	// another order need not have been explored where nodes stand for others
	defer func() { _ = recover() }()
	for _, s.width = range [...]int{trialPaths, maxPaths} {
		s.truncated = false
		if _, better, ok := s.find(); ok {
			order = better
		}
		if !s.truncated {
			break
		}
	}
	return order
}

// moves are the steps that are left.
func (o *reordering[T]) moves(s *pathSearch[T], _ int, now *layer[T]) {
	for x := range now.places {
		from := now.places[x].taken
		for k := range s.instances[:len(s.instances)-1] {
			if from.has(k) || o.earlier[k] >= 0 && !from.has(o.earlier[k]) {
				continue
			}
			taken := from.with(k)
			left := o.left(&taken)
			if now.anyPath(x, func(w *path) bool { return s.after(w, k, left) < s.below }) {
				s.moves = append(s.moves, move{origin: origin{x, k}, left: left, place: place{taken: taken}})
			}
		}
	}
	s.share(len(s.moves), func(k int, h *expander[T]) { s.attempt(now, &s.moves[k], &h.n, &h.rep) })
}

// ends returns the last step, from where it was taken.
func (o *reordering[T]) ends(s *pathSearch[T], now *layer[T]) [][]int {
	ends, last := make([][]int, len(now.nodes)), len(o.trace.Steps)-1
	for x := range now.nodes {
		if string(checker.Bytes(&now.nodes[x])) == string(checker.Bytes(&o.trace.Steps[last-1].Node)) {
			ends[x] = []int{last}
		}
	}
	return ends
}

// attempt takes a step from a place of now.
func (s *pathSearch[T]) attempt(now *layer[T], t *move, n, rep *T) {
	spec, node, instance := s.rec.Spec, &now.nodes[t.from], s.instances[t.step]
	if !spec.Enabled(node, instance) {
		return
	}
	*n = *node
	spec.Apply(node, n, instance)
	if spec.Raised != nil {
		if raised, _ := spec.Raised(n); raised {
			return
		}
	}
	if spec.Within != nil && !spec.Within(n) {
		return
	}
	// Nodes of other parts are not asked for here: follow does that for the order that is chosen.
	if r := spec.Representative(n, rep); s.rec.Far != nil || s.rec.knows(r) {
		t.place.hash = fingerprint.Of(n)
	}
}

// left returns the set of servers with steps that are not taken.
func (o *reordering[T]) left(t *stepSet) (set servers) {
	for x := range o.acts {
		for k, steps := range o.acts[x].all {
			if steps&^t[k] != 0 {
				set |= o.acts[x].server
				break
			}
		}
	}
	return set
}
