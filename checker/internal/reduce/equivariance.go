package reduce

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker"
)

// What it computes. Whether a specification treats the servers of a group alike, as symmetry
// reduction requires. The answer is a counterexample, or a number of nodes without one.
//
// Why it is right. Let p exchange two servers. A specification is symmetric if each step from s to
// n is also one from p(s) to p(n), and if properties judge s and p(s) the same. Exchanges of
// neighbours generate all orders, so these are enough. A failure is one of the specification. The
// test samples: without a failure it is evidence and no proof. It samples random walks before an
// exploration (Equivariant), and what is explored (Watch), since walks may miss what is rare. Code
// that compares servers by order is refused before this test, by package
// interaction/internal/order.
//
// What it costs. For each sampled node and each exchange, all steps of two nodes. With samples
// nodes for each exchange that is about the work of exploring twice as many nodes.
//
// Example. The guard i == 0 of an action Lead tells server 0 apart:
//
//	s      Lead(0) is enabled
//	p(s)   Lead(1) should be enabled, and is not: servers 0 and 1 are not alike

// Samples is how many nodes Equivariant tries for each exchange of two servers.
const Samples = 1500

// walkLength is how long the random walks are on which nodes are sampled.
const walkLength = 60

// Equivariant tests whether the specification treats servers alike. In nodes on random walks, each
// exchange of two neighbouring servers must give the same steps of each action, with servers
// exchanged, and break the same properties. These exchanges generate all orders of the servers. It
// returns how many pairs of nodes it has compared; the error is an *AsymmetryError. The same seed
// samples the same nodes. Properties of a panicking step are left to the exploration, which ends
// there.
func (y *Symmetry[S, U]) Equivariant(spec *checker.Spec[checker.Node[S, U]], samples int, seed uint64) (pairs int, err error) {
	e := y.equivariance(spec)
	e.r = rand.New(rand.NewPCG(seed, 5))
	if len(e.exchanges) == 0 {
		return 0, nil
	}
	if err := e.initial(); err != nil {
		return 0, err
	}
	if len(e.inits) == 0 {
		return 0, nil
	}
	return e.walks(samples)
}

// watched is how many of the first nodes of an exploration Watch tests.
const watched = 2048

// Watch makes spec test nodes that an exploration expands, as Equivariant does: the first ones, and
// of twice as many half as many more, and so on. found is called with each failure, by whichever
// worker meets it. It is called before the exploration. The function that it returns says how many
// pairs of nodes were compared.
func (y *Symmetry[S, U]) Watch(spec *checker.Spec[checker.Node[S, U]], found func(error)) (pairs func() int) {
	as := *spec
	e, next := y.equivariance(&as), spec.Next
	var nodes, compared atomic.Int64
	spec.Next = func(s *checker.Node[S, U], out *checker.Successors[checker.Node[S, U]]) {
		if k := nodes.Add(1); k <= watched || k&(1<<bits.Len64(uint64(k/watched))-1) == 0 {
			n, err := e.all(s)
			compared.Add(int64(n))
			if err != nil {
				found(err)
			}
		}
		next(s, out)
	}
	return func() int { return int(compared.Load()) }
}

func (y *Symmetry[S, U]) equivariance(spec *checker.Spec[checker.Node[S, U]]) *equivariance[S, U] {
	e := &equivariance[S, U]{y: y, spec: spec}
	for _, g := range y.plan.Groups() {
		for i := g.First; i+1 < g.End(); i++ {
			to := unmoved
			to[i], to[i+1] = to[i+1], to[i]
			e.exchanges = append(e.exchanges, to)
		}
	}
	return e
}

// all compares a node by each exchange.
func (e *equivariance[S, U]) all(n *checker.Node[S, U]) (pairs int, err error) {
	steps, ok := e.steps(n)
	if !ok {
		return 0, nil
	}
	for _, to := range e.exchanges {
		if err := e.compare(n, steps, &to); err != nil {
			return pairs, err
		}
		pairs++
	}
	return pairs, nil
}

type equivariance[S any, U checker.Counters] struct {
	y         *Symmetry[S, U]
	spec      *checker.Spec[checker.Node[S, U]]
	r         *rand.Rand
	exchanges []order
	inits     []checker.Node[S, U]
}

// initial collects the initial nodes. Every exchange must map each of them to an initial one.
func (e *equivariance[S, U]) initial() error {
	e.spec.Init(func(n *checker.Node[S, U]) bool {
		e.inits = append(e.inits, *n)
		return true
	})
	known := map[string]bool{}
	for k := range e.inits {
		known[e.text(&e.inits[k])] = true
	}
	var p checker.Node[S, U]
	for k := range e.inits {
		for _, to := range e.exchanges {
			e.y.Permute(&to, &e.inits[k], &p)
			if !known[e.text(&p)] {
				return &AsymmetryError{Text: "exchanging two of them makes another state of an initial one" + e.where(&e.inits[k], &p)}
			}
		}
	}
	return nil
}

// text returns a node as far as it counts: without what is left out of the state.
func (e *equivariance[S, U]) text(n *checker.Node[S, U]) string {
	if e.y.sliced == nil {
		return string(checker.Bytes(n))
	}
	var rep checker.Node[S, U]
	e.y.sliced(n, &rep)
	return string(checker.Bytes(&rep))
}

// where names the first variable in which two nodes differ.
func (e *equivariance[S, U]) where(a, b *checker.Node[S, U]) string {
	v, w := e.spec.Describe(a), e.spec.Describe(b)
	for k := range min(len(v.Elems), len(w.Elems), len(v.Names)) {
		if fmt.Sprint(v.Elems[k]) != fmt.Sprint(w.Elems[k]) {
			return ", with another " + v.Names[k]
		}
	}
	return ""
}

func (e *equivariance[S, U]) walks(samples int) (pairs int, err error) {
	for pairs < samples*len(e.exchanges) {
		n := e.inits[e.r.IntN(len(e.inits))]
		before := pairs
		for range walkLength {
			steps, ok := e.steps(&n)
			for _, to := range e.exchanges {
				if !ok {
					break
				}
				if err := e.compare(&n, steps, &to); err != nil {
					return pairs, err
				}
				pairs++
			}
			if !ok || len(steps) == 0 {
				break
			}
			next := steps[e.r.IntN(len(steps))]
			if n = next.node; next.ends {
				break
			}
		}
		if pairs == before {
			return pairs, nil // nothing to be had: the initial nodes panic
		}
	}
	return pairs, nil
}

// step is a successor and what the exploration would say of it.
type step[T any] struct {
	action int
	node   T
	broken uint64 // invariants
	ends   bool   // it is not explored: an assertion is raised, or it is outside the constraints
}

// steps returns the successors of n. It is false where a guard or an effect panics.
func (e *equivariance[S, U]) steps(n *checker.Node[S, U]) (out []step[checker.Node[S, U]], ok bool) {
	defer func() {
		if recover() != nil {
			out, ok = nil, false
		}
	}()
	for k := range e.spec.Instances {
		if !e.spec.Enabled(n, k) {
			continue
		}
		s := step[checker.Node[S, U]]{action: e.spec.Instances[k].Action, node: *n}
		e.spec.Apply(n, &s.node, k)
		if e.spec.Raised != nil {
			if raised, broken := e.spec.Raised(&s.node); raised {
				s.ends, s.broken = true, broken
			}
		}
		if e.spec.Steps != nil {
			s.broken |= e.spec.Steps(n, &s.node, k)
		}
		if !s.ends {
			s.broken |= e.spec.State(&s.node)
			s.ends = e.spec.Within != nil && !e.spec.Within(&s.node)
		}
		out = append(out, s)
	}
	return out, true
}

// compare compares the steps of n with those of the node with servers exchanged.
func (e *equivariance[S, U]) compare(n *checker.Node[S, U], steps []step[checker.Node[S, U]], to *order) error {
	var p checker.Node[S, U]
	e.y.Permute(to, n, &p)
	if got, want := e.spec.State(&p), e.spec.State(n); got != want {
		return &AsymmetryError{What: "invariant " + e.property(got^want), Text: "holds or not depending on which server is which"}
	}
	others, ok := e.steps(&p)
	if !ok {
		return &AsymmetryError{What: "a step", Text: "fails in a state, and none in the state with two servers exchanged"}
	}
	count := map[string]int{}
	for k := range others {
		count[e.key(&others[k], &others[k].node)]++
	}
	var moved checker.Node[S, U]
	for k := range steps {
		s := &steps[k]
		e.y.Permute(to, &s.node, &moved)
		key := e.key(s, &moved)
		if count[key]--; count[key] < 0 {
			return &AsymmetryError{What: "action " + e.spec.Actions[s.action].Name, Text: "does something else when two servers are exchanged" + e.differs(s, &moved, others)}
		}
	}
	for k := range others {
		if count[e.key(&others[k], &others[k].node)] > 0 {
			return &AsymmetryError{What: "action " + e.spec.Actions[others[k].action].Name, Text: "does something only when two servers are exchanged"}
		}
	}
	return nil
}

// differs says in what the nearest step of the same action differs: in a variable, or in the
// properties that it breaks.
func (e *equivariance[S, U]) differs(s *step[checker.Node[S, U]], moved *checker.Node[S, U], others []step[checker.Node[S, U]]) string {
	best, at := -1, -1
	for k := range others {
		if others[k].action != s.action {
			continue
		}
		same := 0
		a, b := checker.Bytes(moved), checker.Bytes(&others[k].node)
		for x := range a {
			if a[x] == b[x] {
				same++
			}
		}
		if same > best {
			best, at = same, k
		}
	}
	switch {
	case at < 0:
		return ", where it is not enabled"
	case bytes.Equal(checker.Bytes(moved), checker.Bytes(&others[at].node)):
		return ", where it breaks other properties"
	}
	return e.where(moved, &others[at].node)
}

func (e *equivariance[S, U]) key(s *step[checker.Node[S, U]], n *checker.Node[S, U]) string {
	return fmt.Sprint(s.action, s.broken, s.ends) + e.text(n)
}

// property returns the name of the first invariant of a mask.
func (e *equivariance[S, U]) property(mask uint64) string {
	k := bits.TrailingZeros64(mask)
	if p := e.spec.Invariants[k]; p.Instance != "" {
		return p.ID + "." + p.Instance
	} else {
		return p.ID
	}
}

// Orders returns all ways in which servers can change places, for oracles: the first is none.
func (y *Symmetry[S, U]) Orders() []order {
	out := []order{unmoved}
	for _, g := range y.plan.Groups() {
		var more []order
		for _, to := range out {
			var place func(k int)
			place = func(k int) {
				if k == g.End() {
					more = append(more, to)
					return
				}
				for v := g.First; v < g.End(); v++ {
					if !slices.Contains(to[g.First:k], uint8(v)) {
						to[k] = uint8(v)
						place(k + 1)
					}
				}
			}
			place(g.First)
		}
		out = more
	}
	return out
}
