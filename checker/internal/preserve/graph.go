package preserve

import (
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/graph"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/modules"
)

// end is the state after a visible step that raises an assertion or leaves the state constraints:
// nothing follows.
const end = graph.None

// edge is a transition.
type edge = graph.Edge

// stateGraph is the state graph of a composition, or the part that was explored: states are
// numbered in breadth-first order. Nodes are kept of the current level and the next; others are
// computed again from the step that reached them first. States are identified by their 64-bit
// fingerprints.
type stateGraph[T any] struct {
	graph.Graph
	spec  *checker.Spec[T]
	inits []T      // the first states
	dead  []uint32 // states without a successor, of those that were expanded
	// endings are, by state, the labels of its endings.
	endings map[uint32][]uint32
}

// node returns the node of a state.
func (g *stateGraph[T]) node(k uint32) *T {
	n := new(T)
	states := g.Path(k)
	*n = g.inits[states[0]]
	for _, to := range states[1:] {
		s := *n
		_, by := g.Reached(to)
		g.spec.Apply(&s, n, int(by))
	}
	return n
}

// add returns the number of a node, and whether it is new.
func (g *stateGraph[T]) add(n *T, parent, by uint32) (uint32, bool) {
	k, fresh := g.Add(fingerprint.Of(n), parent, by)
	if fresh && parent == end {
		g.inits = append(g.inits, *n)
	}
	return k, fresh
}

// explorer makes the graph of one side.
type explorer[T any] struct {
	*run[T]
	g    *stateGraph[T]
	side int
	out  checker.Successors[T]
	buf  []byte
	self uint32 // the state that is being expanded
	node *T     // its node
	next level[T]
	// taken counts the successors of the node.
	taken int
}

// explore explores a side as far as the limits allow.
func (r *run[T]) explore(side int) (g *stateGraph[T], err error) {
	x := &explorer[T]{run: r, side: side, self: end}
	spec := r.c.Sides[side].Spec
	x.g = &stateGraph[T]{spec: spec}
	x.out.Steps = spec.Steps
	x.out.Full = x.take
	r.exploring.Store(&position[T]{side: side, graph: x.g})
	defer r.exploring.Store(nil)
	defer func() {
		if v := recover(); v != nil {
			err = x.fault(v, callers())
		}
	}()
	spec.Init(func(n *T) bool {
		x.initial(n)
		return true
	})
	depth := 0
	for now := x.next; now.n > 0; now = x.next {
		x.next = level[T]{}
		if !x.expand(&now) {
			break
		}
		if x.next.n > 0 {
			depth++
		}
	}
	res := &r.res.Sides[side]
	res.States, res.Transitions, res.Depth = int64(x.g.Nodes()), int64(len(x.g.List)), depth
	res.Complete = x.g.Closed() == x.g.Nodes()
	return x.g, nil
}

// level is the nodes of a level, in pieces: a slice that grows would be held twice.
type level[T any] struct {
	pieces [][]T
	n      int
}

const pieceNodes = 1 << 12

func (l *level[T]) add(n *T) {
	if l.n%pieceNodes == 0 {
		l.pieces = append(l.pieces, make([]T, 0, pieceNodes))
	}
	last := &l.pieces[len(l.pieces)-1]
	*last = append(*last, *n)
	l.n++
}

// memory returns roughly how many bytes the graph and two levels take.
func (x *explorer[T]) memory(now *level[T]) int64 {
	return int64(now.n+x.next.n)*int64(unsafe.Sizeof(*x.node)) + x.g.Bytes()
}

// expand expands the nodes of a level. It reports whether the limits allowed all of it.
func (x *explorer[T]) expand(now *level[T]) bool {
	for k := range now.n {
		if k%pieceNodes == 0 && k > 0 {
			now.pieces[k/pieceNodes-1] = nil
		}
		x.self = x.g.Closed()
		x.expanding.Store(int64(x.self))
		if x.over([]string{"states of the fine composition", "states of the coarse composition"}[x.side], int64(x.self)) ||
			x.opt.MaxStates > 0 && int64(x.g.Nodes()) > x.opt.MaxStates ||
			x.opt.Timeout > 0 && k%1024 == 0 && x.seeing == nil && host.Since(x.start) > x.opt.Timeout/2 {
			return false
		}
		if k%1024 == 0 {
			switch {
			case x.opt.Memory > 0 && x.memory(now) > x.opt.Memory:
				x.full = MemoryFull
			case host.MemoryShort():
				x.full = host.NoMemory
			}
			if x.full != "" {
				return false
			}
		}
		x.node, x.out.Current = &now.pieces[k/pieceNodes][k%pieceNodes], x.self
		x.taken = 0
		x.g.spec.Next(x.node, &x.out)
		x.take()
		if x.taken == 0 {
			x.g.dead = append(x.g.dead, x.self)
		}
		x.g.Close()
	}
	return true
}

func (x *explorer[T]) initial(n *T) {
	spec := x.c.Sides[x.side].Spec
	if spec.Raised != nil {
		if raised, _ := spec.Raised(n); raised {
			return
		}
	}
	x.lookState(n, end, -1)
	if spec.Within == nil || spec.Within(n) {
		if _, fresh := x.g.add(n, end, end); fresh {
			x.next.add(n)
			x.see(n)
		}
	}
}

// take judges the collected successors.
func (x *explorer[T]) take() {
	spec := x.c.Sides[x.side].Spec
	s := x.node
	x.taken += x.out.N
	for k := range x.out.N {
		n, instance := &x.out.Node[k], int(x.out.Instance[k])
		raised, broken := false, uint64(0)
		if spec.Raised != nil {
			raised, broken = spec.Raised(n)
		}
		to := end
		switch {
		case raised:
			x.lookRaised(broken, instance)
		default:
			x.lookStep(s, n, instance, x.out.Broken[k])
			if spec.Within != nil && !spec.Within(n) {
				x.lookState(n, x.self, int32(instance))
				break
			}
			at, fresh := x.g.add(n, x.self, uint32(instance))
			to = at
			if fresh {
				x.next.add(n)
				x.see(n)
				x.lookState(n, x.self, int32(instance))
				x.spend(n)
			}
		}
		label := uint32(silent)
		if key := x.key(x.side, s, instance, raised); key != nil {
			label = x.labels.number(key, x.side, x.self)
		}
		if label == silent && (to == end || to == x.self) {
			continue
		}
		x.g.Edges.Add(edge{Label: label, To: to})
	}
	x.out.N = 0
}

func (x *explorer[T]) see(n *T) {
	if x.seeing != nil {
		x.seeing(n)
	}
}

// spend notes what a new state has spent of the budgets.
func (x *explorer[T]) spend(n *T) {
	if x.c.Spent == nil {
		return
	}
	spent, most := x.c.Spent(n), &x.res.Sides[x.side].Spent
	for len(*most) < len(spent) {
		*most = append(*most, 0)
	}
	for k, v := range spent {
		(*most)[k] = max((*most)[k], v)
	}
}

// lookState lets the state invariants look at n.
func (x *explorer[T]) lookState(n *T, from uint32, instance int32) {
	side := &x.c.Sides[x.side]
	if from == end { // an initial state: it has no other number yet
		from = x.g.Nodes()
	}
	broken := side.Spec.State(n)
	for k := range x.c.Looks {
		if l := &x.c.Looks[k]; l.Kind == modules.KindState {
			x.look(k, l.Cells, x.c.State(n), n, broken, from, instance, 0)
		}
	}
}

// lookStep lets the step properties look at the step from s to n.
func (x *explorer[T]) lookStep(s, n *T, instance int, broken uint64) {
	side := &x.c.Sides[x.side]
	for k := range x.c.Looks {
		l := &x.c.Looks[k]
		if l.Kind != modules.KindStep {
			continue
		}
		if side.On[k] == nil {
			x.look(k, l.Cells, x.c.State(s), n, broken, x.self, int32(instance), 0)
			continue
		}
		for _, sees := range side.On[k][instance] {
			before, broken := x.c.State(s), broken
			if sees.Stands != nil {
				var holds bool
				if before, holds = sees.Stands(s, n); holds {
					broken = 0
				}
			}
			x.look(k, sees.Cells, before, n, broken, x.self, int32(instance), byte(sees.Number))
		}
	}
}

// look notes the value of an observer between the State before and the node n.
func (x *explorer[T]) look(k int, cells []layout.Cell, before unsafe.Pointer, n *T, broken uint64, from uint32, instance int32, on byte) {
	x.buf = append(x.buf[:0], on)
	after := x.c.State(n)
	for c := range cells {
		p := before
		if cells[c].Next {
			p = after
		}
		x.buf = cells[c].Append(x.buf, p)
	}
	x.looks.add(k, valueHash(x.buf), x.side, broken>>x.c.Sides[x.side].Invariant[k]&1 != 0, from, instance)
}

// lookRaised notes which assertions a step raises.
func (x *explorer[T]) lookRaised(broken uint64, instance int) {
	for k := range x.c.Looks {
		if x.c.Looks[k].Kind == modules.KindAssert && broken>>x.c.Sides[x.side].Invariant[k]&1 != 0 {
			x.looks.add(k, 1, x.side, true, x.self, int32(instance))
		}
	}
}

// valueHash returns the 64-bit hash of a value.
func valueHash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 32
	return h * 0xd1342543de82ef95
}
