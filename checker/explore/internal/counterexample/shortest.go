package counterexample

import (
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

// shortestGuide provides the steps of all shortest counterexamples of a group.
type shortestGuide[T any] struct {
	*BackwardSets[T]
	key Key
}

// layerBytes bounds the memory of the nodes of a layer.
const layerBytes = 256 << 20

// fewestSwitches returns a shortest counterexample of a group with the fewest switches of the
// acting server, by its initial node and instances. Its cost is less than below.
func (l *BackwardSets[T]) fewestSwitches(key Key, below int) (init T, instances []int, found bool) {
	bit := l.bits[key]
	if l.depth[key] < 0 {
		return init, nil, false
	}
	defer func() {
		if recover() != nil { // a step that was never taken before
			found = false
		}
	}()
	s := &pathSearch[T]{rec: l.rec, by: &shortestGuide[T]{l, key}, length: l.depth[key], below: below}
	for k, in := range l.rec.Spec.Instances {
		s.instances, s.servers = append(s.instances, k), append(s.servers, in.Server)
	}
	l.rec.Spec.Init(func(n *T) bool {
		if l.sets[0].of(fingerprint.Of(l.rec.represent(*n)))&bit != 0 {
			s.roots = append(s.roots, *n)
		}
		return true
	})
	widest := max(maxPaths, min(1<<20, layerBytes/int(unsafe.Sizeof(init))))
	for _, s.width = range [...]int{trialPaths, widest} {
		s.truncated = false
		if root, better, ok := s.find(); ok {
			init, instances, found = s.roots[root], better, true
		}
		if !s.truncated {
			break
		}
	}
	return init, instances, found
}

// moves are the steps that lead on.
func (l *shortestGuide[T]) moves(s *pathSearch[T], at int, now *layer[T]) {
	found := make([][]move, len(now.places))
	next, bit := &l.sets[at+1], l.bits[l.key]
	s.share(len(now.places), func(x int, h *expander[T]) {
		h.each(&now.nodes[x], false, func(n *T, instance int, _ uint64) {
			if next.of(l.hash(h, n))&bit != 0 {
				found[x] = append(found[x], move{origin: origin{x, instance}, place: place{hash: fingerprint.Of(n)}})
			}
		})
	})
	for _, f := range found {
		s.moves = append(s.moves, f...)
	}
}

// ends returns the steps that break the group's invariant.
func (l *shortestGuide[T]) ends(s *pathSearch[T], now *layer[T]) [][]int {
	found := make([][]int, len(now.places))
	if l.key.Invariant < 0 {
		for x := range found {
			found[x] = []int{endHere}
		}
		return found
	}
	s.share(len(now.places), func(x int, h *expander[T]) {
		h.each(&now.nodes[x], true, func(n *T, instance int, stepped uint64) {
			if (l.any || l.rec.Spec.Instances[instance].Action == l.key.Action) && l.breaks(h, n, stepped, l.key) {
				found[x] = append(found[x], instance)
			}
		})
	})
	return found
}

func (l *shortestGuide[T]) left(*stepSet) servers { return 0 }
