package abstraction

import (
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/graph"
)

// space is the state graph of a composition as a transition system whose edges are made when they
// are asked for. State 0 is none of the composition: its edges lead to the initial states and have
// their values. State k is node k-1 of the graph.
type space[T any] struct {
	graph.Graph
	spec     *checker.Spec[T]
	observed []uint32 // by action
	value    func(n *T) uint32
	of       owner
	keep     bool // all nodes, and not only those that are not expanded

	nodes   []*T     // by node; nil if it is expanded
	outside []bool   // by node: it is outside the state constraints, and so has no edges
	values  []uint32 // by node
	depth   []int32  // by node
	edges   []graph.Edge
	spans   []span // by state
	out     checker.Successors[T]
	at      uint32 // the node that is expanded
	node    *T
	raised  int64
}

// owner numbers labels.
type owner interface {
	label(action, before, after uint32) uint32
	exhausted() bool
}

// span is where the edges of a state are. It is zero if the state is not expanded.
type span struct {
	from uint64
	n    uint32
	done bool
}

func newSpace[T any](spec *checker.Spec[T], observed []uint32, keep bool, value func(*T) uint32, of owner) *space[T] {
	s := &space[T]{spec: spec, observed: observed, keep: keep, value: value, of: of, spans: make([]span, 1)}
	s.out.Full = s.take
	return s
}

func (s *space[T]) states() int64 { return int64(len(s.values)) }

func (s *space[T]) bytes() int64 {
	pending := int64(0)
	if s.keep {
		pending = s.states()
	} else if n := len(s.nodes); n > 0 {
		pending = int64(n) - int64(s.expanded())
	}
	var node T
	return s.Bytes() + int64(cap(s.edges))*8 + s.states()*40 + pending*int64(unsafe.Sizeof(node))
}

// expanded returns the number of states whose edges are made.
func (s *space[T]) expanded() (n int) {
	for k := range s.spans {
		if s.spans[k].done {
			n++
		}
	}
	return n
}

// Inits returns the state before the initial ones: see inclusion.System.
func (s *space[T]) Inits() []uint32 { return []uint32{0} }

// Of returns the edges of a state, sorted by label.
func (s *space[T]) Of(k uint32) []graph.Edge {
	if !s.spans[k].done && !s.of.exhausted() {
		from := len(s.edges)
		if k == 0 {
			s.begin()
		} else {
			s.expand(k - 1)
		}
		added := s.edges[from:]
		slices.SortFunc(added, func(a, b graph.Edge) int {
			if a.Label != b.Label {
				return int(int64(a.Label) - int64(b.Label))
			}
			return int(int64(a.To) - int64(b.To))
		})
		added = slices.Compact(added)
		s.edges = s.edges[:from+len(added)]
		s.spans[k] = span{uint64(from), uint32(len(added)), true}
	}
	x := s.spans[k]
	return s.edges[x.from : x.from+uint64(x.n)]
}

// begin makes the edges to the initial states.
func (s *space[T]) begin() {
	s.spec.Init(func(n *T) bool {
		if raised := s.raises(n); !raised {
			to := s.add(n, graph.None, graph.None)
			s.edges = append(s.edges, graph.Edge{Label: s.of.label(initially, 0, s.values[to-1]), To: to})
		}
		return true
	})
}

// raises reports whether a node has a raised assertion, which ends a behaviour.
func (s *space[T]) raises(n *T) bool {
	if s.spec.Raised == nil {
		return false
	}
	raised, _ := s.spec.Raised(n)
	if raised {
		s.raised++
	}
	return raised
}

// add returns the state of a node.
func (s *space[T]) add(n *T, parent, by uint32) uint32 {
	k, fresh := s.Add(fingerprint.Of(n), parent, by)
	if fresh {
		copied := *n
		depth := int32(0)
		if parent != graph.None {
			depth = s.depth[parent] + 1
		}
		s.nodes, s.values, s.depth = append(s.nodes, &copied), append(s.values, 0), append(s.depth, depth)
		s.outside = append(s.outside, s.spec.Within != nil && !s.spec.Within(n))
		s.spans = append(s.spans, span{})
		s.values[k] = s.value(&copied)
	}
	return k + 1
}

// expand makes the edges of a node.
func (s *space[T]) expand(k uint32) {
	if s.outside[k] {
		return
	}
	s.at, s.node = k, s.nodes[k]
	s.out.Current = k
	s.spec.Next(s.node, &s.out)
	s.take()
	if !s.keep {
		s.nodes[k] = nil
	}
}

// take makes edges of the collected successors.
func (s *space[T]) take() {
	for k := range s.out.N {
		n, instance := &s.out.Node[k], s.out.Instance[k]
		if s.raises(n) {
			continue
		}
		to := s.add(n, s.at, instance)
		label := s.of.label(s.action(int(instance)), s.values[s.at], s.values[to-1])
		if label == 0 && to == s.at+1 {
			continue // stuttering
		}
		s.edges = append(s.edges, graph.Edge{Label: label, To: to})
	}
	s.out.N = 0
}

// action returns the number of the observed action of an instance, 0 for none.
func (s *space[T]) action(instance int) uint32 {
	return s.observed[s.spec.Instances[instance].Action]
}

// deepest returns the depth of the deepest node.
func (s *space[T]) deepest() (d int) {
	for _, n := range s.depth {
		d = max(d, int(n))
	}
	return d
}

// trace returns a behaviour through states, from that of an initial node on. Labels are those of
// the steps between; nil where any will do.
func (s *space[T]) trace(states, labels []uint32) checker.Trace[T] {
	var t checker.Trace[T]
	s.spec.Init(func(n *T) bool {
		if fingerprint.Of(n) == s.Hash(states[0]-1) {
			t.Init = *n
			return false
		}
		return true
	})
	at := &t.Init
	for k := 1; k < len(states); k++ {
		t.Steps = append(t.Steps, s.step(at, states[k-1], states[k], labels, k-1))
		at = &t.Steps[k-1].Node
	}
	return t
}

// step finds a step from the node of a state to another state, with the k-th of some labels.
func (s *space[T]) step(at *T, from, to uint32, labels []uint32, k int) checker.Step[T] {
	for instance := range s.spec.Instances {
		if !s.spec.Enabled(at, instance) {
			continue
		}
		n := *at
		s.spec.Apply(at, &n, instance)
		if fingerprint.Of(&n) != s.Hash(to-1) {
			continue
		}
		if labels != nil && s.of.label(s.action(instance), s.values[from-1], s.values[to-1]) != labels[k] {
			continue
		}
		return checker.Step[T]{Instance: instance, Node: n}
	}
	panic("abstraction: a step of the graph is not one of the specification")
}

// path returns the states of a shortest behaviour to a node.
func (s *space[T]) path(k uint32) (states []uint32) {
	for _, n := range s.Path(k) {
		states = append(states, n+1)
	}
	return states
}
