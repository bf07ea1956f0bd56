// Package treesize estimates how many behaviours a specification has, by random probing.
package treesize

import (
	"bytes"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// What it computes. Two estimates of the number of nodes of the tree of behaviours: D. Knuth,
// "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975, and
// P. Chen, "Heuristic sampling", SIAM Journal on Computing 21, 1992.
//
// Why it is right. Knuth's walk draws successors uniformly. The product of their numbers up to
// depth d is, in the mean, the number of nodes at depth d. Chen's method keeps one node of each
// stratum, with a weight: for how many nodes of the tree it stands. A further node of the stratum
// replaces it with the probability of its share of the weight. That keeps the mean, however strata
// are chosen. Here nodes of a stratum have equal depths and the same actions with a step.
//
// What it costs. Each node that is met costs its successors, and with Chen's method theirs.
//
// What it does not say. A state counts once for each behaviour that leads to it. So there may be
// fewer states by any factor: see docs/results/plan.md.
//
// Example. Two independent steps A and B have 4 states, and 5 behaviours: none, A, B, AB, BA.

// Limits bounds the probing.
type Limits struct {
	Walks   int           // of Knuth's method
	Depth   int           // steps of a behaviour, at most
	Seed    uint64        // of the random numbers
	Timeout time.Duration // of each method; 0: no limit
}

// Estimates are numbers of behaviours. One is 0 if it is not known, since a behaviour has more
// steps than Limits.Depth, or the time ended first.
type Estimates struct {
	Knuth, Chen float64
	Walks       int // that Knuth's method took
	Strata      int // that Chen's method met
}

// Of probes a specification. The error is an *checker.SpecError[T].
func Of[T any](spec *checker.Spec[T], l Limits) (out Estimates, err error) {
	s, err := simulate.NewStepper(spec, nil)
	if err != nil {
		return out, err
	}
	p := &prober[T]{s: s, spec: spec, l: l, rng: simulate.Source(l.Seed, 1), seed: maphash.MakeSeed()}
	if err := p.knuth(&out); err != nil {
		return out, err
	}
	return out, p.chen(&out)
}

// prober probes a specification.
type prober[T any] struct {
	s     *simulate.Stepper[T]
	spec  *checker.Spec[T]
	l     Limits
	rng   *rand.Rand
	seed  maphash.Seed // of signatures
	start time.Time    // of the method
}

func (p *prober[T]) over() bool { return p.l.Timeout > 0 && host.Since(p.start) > p.l.Timeout }

// successors returns copies of the nodes after a node, without the node itself, and the actions
// that lead there as a hash.
func (p *prober[T]) successors(at *T) (all []T, signature uint64, err error) {
	var actions []byte
	err = p.s.Each(at, func(instance int, n *T) {
		if bytes.Equal(checker.Bytes(at), checker.Bytes(n)) {
			return
		}
		all = append(all, *n)
		if a := p.spec.Instances[instance].Action; !slices.Contains(actions, byte(a)) {
			actions = append(actions, byte(a))
		}
	})
	slices.Sort(actions)
	return all, maphash.Bytes(p.seed, actions), err
}

// knuth fills in the mean over walks.
func (p *prober[T]) knuth(out *Estimates) error {
	p.start = host.Now()
	starts, sum := p.s.Starts(), 0.0
	for out.Walks < p.l.Walks && !p.over() {
		at, weight, depth := starts[p.rng.IntN(len(starts))], float64(len(starts)), 0
		for ; depth <= p.l.Depth; depth++ {
			sum += weight
			next, _, err := p.successors(&at)
			if err != nil {
				return err
			}
			if len(next) == 0 {
				break
			}
			weight *= float64(len(next))
			at = next[p.rng.IntN(len(next))]
		}
		if depth > p.l.Depth {
			return nil
		}
		out.Walks++
	}
	if out.Walks > 0 {
		out.Knuth = sum / float64(out.Walks)
	}
	return nil
}

// kept is the node that stands for a stratum.
type kept[T any] struct {
	node   T
	next   []T
	weight float64
}

// level are the strata of a depth, in the order in which they were met.
type level[T any] struct {
	of  map[uint64]int
	all []kept[T]
}

// add adds a node with a weight to its stratum.
func (p *prober[T]) add(l *level[T], n *T, weight float64) error {
	next, signature, err := p.successors(n)
	if err != nil {
		return err
	}
	k, ok := l.of[signature]
	if !ok {
		l.of[signature] = len(l.all)
		l.all = append(l.all, kept[T]{*n, next, weight})
		return nil
	}
	x := &l.all[k]
	if x.weight += weight; p.rng.Float64()*x.weight < weight {
		x.node, x.next = *n, next
	}
	return nil
}

// chen fills in the sum of the weights of all strata.
func (p *prober[T]) chen(out *Estimates) error {
	p.start = host.Now()
	sum, here := 0.0, &level[T]{of: map[uint64]int{}}
	for k := range p.s.Starts() {
		n := p.s.Starts()[k]
		if err := p.add(here, &n, 1); err != nil {
			return err
		}
	}
	for depth := 0; len(here.all) > 0; depth++ {
		next := &level[T]{of: map[uint64]int{}}
		for k := range here.all {
			x := &here.all[k]
			sum += x.weight
			out.Strata++
			if depth == p.l.Depth && len(x.next) > 0 || p.over() {
				return nil
			}
			for j := range x.next {
				if err := p.add(next, &x.next[j], x.weight); err != nil {
					return err
				}
			}
		}
		here = next
	}
	out.Chen = sum
	return nil
}
