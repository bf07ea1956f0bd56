package rounds

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
)

// Follower takes the steps of uniform executions one by one, all that the strategy can draw.
type Follower[T any] struct {
	d    *drawer[T]
	spec *checker.Spec[T]
	Node T
}

// Follow begins an execution.
func (x *Strategy[T]) Follow(spec *checker.Spec[T], schedule Schedule, n T) *Follower[T] {
	f := &Follower[T]{d: x.drawer(), spec: spec, Node: n}
	f.d.begin(schedule, x.state(&f.Node))
	return f
}

// Moves returns the instances that the strategy may draw, and -1 where it may end the part.
func (f *Follower[T]) Moves() (out []int) {
	if f.d.over() {
		return nil
	}
	f.d.at = &f.Node
	for k := range f.spec.Instances {
		if f.spec.Enabled(&f.Node, k) && f.d.admits(f.d.strategy.state(&f.Node), k) {
			out = append(out, k)
		}
	}
	if f.d.optional() || len(out) == 0 {
		out = append(out, -1)
	}
	return out
}

// Draw draws a move as walks do; -1 where the part ends.
func (f *Follower[T]) Draw(rng *rand.Rand) int {
	f.d.at, f.d.rng = &f.Node, rng
	var enabled []int32
	for k := range f.spec.Instances {
		if f.spec.Enabled(&f.Node, k) {
			enabled = append(enabled, int32(k))
		}
	}
	return f.d.choose(enabled)
}

// Move returns the execution after a move.
func (f *Follower[T]) Move(k int) *Follower[T] {
	x := f.d.strategy
	g := &Follower[T]{d: x.drawer(), spec: f.spec, Node: f.Node}
	g.d.schedule, g.d.round, g.d.part, g.d.taken = f.d.schedule, f.d.round, f.d.part, slices.Clone(f.d.taken)
	for _, net := range f.d.sent {
		var channels [][]uint16
		for _, c := range net {
			channels = append(channels, slices.Clone(c))
		}
		g.d.sent = append(g.d.sent, channels)
	}
	if k < 0 {
		g.d.next()
		return g
	}
	before := f.Node
	x.spec.Apply(&before, &g.Node, k)
	g.d.took(k, x.state(&before), x.state(&g.Node))
	return g
}

// Key identifies where the execution stands.
func (f *Follower[T]) Key() string {
	slices.Sort(f.d.taken)
	return fmt.Sprint(f.d.round, f.d.part, f.d.taken, f.d.sent, string(unsafe.Slice((*byte)(unsafe.Pointer(&f.Node)), unsafe.Sizeof(f.Node))))
}

// Round returns the round from 1.
func (f *Follower[T]) Round() int { return f.d.round + 1 }
