package reduce

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/modules"
)

// What it computes. A representative for each node: the same node with its servers in a canonical
// order. Two nodes that differ only in which server is which have the same representative.
//
// Why it is right. If the specification treats all servers alike, exchanging servers maps
// behaviours to behaviours and keeps every property. So it suffices to explore one node of each
// orbit. The canonical order sorts servers by signatures that move with the servers. Where
// signatures tie, it takes the smallest encoding among the remaining orders, so the result is
// exact.
//
// What it costs. One signature for each server, and a refinement while it separates more servers.
// Only ties try permutations: k! for k tied servers.
//
// Example. Servers 1 and 2 differ, server 0 is elected. Sorting by signature gives one node for
// both:
//
//	server   0        1      2             0        1      2
//	role     leader   voted  idle    and   leader   idle   voted    have the same representative

// BySymmetry makes nodes that differ in nothing but which server is which one state. The
// representative of a node is found by sorting the servers by signatures that go with them when
// they change places. Where signatures tie, it is the smallest encoding among the orders that are
// left. So equal orbits have one representative, and the stored nodes are nodes that were reached.
//
// It is sound for specifications that do not tell servers apart but by what they have and did.
// Package interaction refuses those that compare or compute with the identities; Equivariant tests
// what it cannot see. The fields in without, which Slice leaves out, stay where they are. It is
// called after Slice.
func BySymmetry[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], ids modules.Identities, without []string) (*Symmetry[S, U], error) {
	plan, err := layout.PermutationOf(reflect.TypeFor[S](), ids, without)
	if err != nil {
		return nil, err
	}
	y := &Symmetry[S, U]{plan: plan, sliced: spec.Represent}
	y.scratch.New = func() any { return new([2]checker.Node[S, U]) }
	spec.Represent = y.represent
	return y, nil
}

// Symmetry permutes the servers of nodes.
type Symmetry[S any, U checker.Counters] struct {
	plan    *layout.Permutation
	sliced  func(n, rep *checker.Node[S, U])
	scratch sync.Pool
}

// order says what each server becomes.
type order = [modules.MaxSet]uint8

// unmoved is the order in which each server stays what it is.
var unmoved = func() (o order) {
	for k := range o {
		o[k] = uint8(k)
	}
	return o
}()

// Permute makes p the node n in which server k has become to[k].
func (y *Symmetry[S, U]) Permute(to *order, n, p *checker.Node[S, U]) {
	p.Spent = n.Spent
	y.plan.Apply(to, unsafe.Pointer(&n.State), unsafe.Pointer(&p.State))
}

func (y *Symmetry[S, U]) represent(n, rep *checker.Node[S, U]) {
	var room *[2]checker.Node[S, U]
	if y.sliced != nil {
		room = y.scratch.Get().(*[2]checker.Node[S, U])
		defer y.scratch.Put(room)
		y.sliced(n, &room[1])
		n = &room[1]
	}
	var sig [modules.MaxSet]uint64
	at := unsafe.Pointer(&n.State)
	y.plan.Rows(at, &sig)
	y.refine(at, &sig)
	to, ties := ranks(&sig, y.plan.Groups())
	y.Permute(&to, n, rep)
	if ties == 0 {
		return
	}
	if room == nil {
		room = y.scratch.Get().(*[2]checker.Node[S, U])
		defer y.scratch.Put(room)
	}
	y.smallest(n, rep, &room[0], &to, ties, 0)
}

// refine tells apart servers whose own variables agree by how they stand in the state, as long as
// that tells more apart.
func (y *Symmetry[S, U]) refine(at unsafe.Pointer, sig *[modules.MaxSet]uint64) {
	groups := y.plan.Groups()
	all := 0
	for _, g := range groups {
		all += g.Count
	}
	for classes := distinct(sig, groups); classes < all; {
		finer := *sig
		for _, g := range groups {
			for i := g.First; i < g.End(); i++ {
				colour := *sig
				colour[i] ^= marked
				finer[i] = y.plan.Seen(at, &colour)
			}
		}
		now := distinct(&finer, groups)
		if now <= classes {
			return
		}
		*sig, classes = finer, now
	}
}

// marked tells the server that looks from one of the same colour.
const marked = 0x9e6c63d0876a9a47

// distinct counts the different signatures of each group, and returns the sum.
func distinct(sig *[modules.MaxSet]uint64, groups []modules.Group) (classes int) {
	for _, g := range groups {
		for i := g.First; i < g.End(); i++ {
			fresh := true
			for j := g.First; j < i; j++ {
				fresh = fresh && sig[i] != sig[j]
			}
			if fresh {
				classes++
			}
		}
	}
	return classes
}

// ranks returns where sorting each group by signatures puts each server. Bit k of ties says that
// the servers in places k and k+1 have the same signature and the same group.
func ranks(sig *[modules.MaxSet]uint64, groups []modules.Group) (to order, ties uint64) {
	to = unmoved
	for _, g := range groups {
		for i := g.First; i < g.End(); i++ {
			place, equal := g.First, 0
			for j := g.First; j < g.End(); j++ {
				switch {
				case sig[j] < sig[i]:
					place++
				case sig[j] == sig[i] && j < i:
					equal++
				}
			}
			to[i] = uint8(place + equal)
			if equal > 0 {
				ties |= 1 << (place + equal - 1)
			}
		}
	}
	return to, ties
}

// smallest tries all orders of the servers in places from at on that ties leave open, and makes rep
// the one with the smallest bytes.
func (y *Symmetry[S, U]) smallest(n, rep, try *checker.Node[S, U], to *order, ties uint64, at int) {
	for at < modules.MaxSet && ties>>at&1 == 0 {
		at++
	}
	if at >= modules.MaxSet {
		y.Permute(to, n, try)
		if bytes.Compare(checker.Bytes(try), checker.Bytes(rep)) < 0 {
			*rep = *try
		}
		return
	}
	for last := at; ; last++ {
		exchange(to, at, last)
		y.smallest(n, rep, try, to, ties, at+1)
		exchange(to, at, last)
		if ties>>last&1 == 0 {
			return
		}
	}
}

// exchange exchanges the servers in places a and b.
func exchange(to *order, a, b int) {
	for i := range to {
		switch int(to[i]) {
		case a:
			to[i] = uint8(b)
		case b:
			to[i] = uint8(a)
		}
	}
}

// AsymmetryError is a specification that tells servers apart.
type AsymmetryError struct {
	What string // the action or property, "" for the initial states
	Text string
}

func (e *AsymmetryError) Error() string {
	if e.What == "" {
		return "the servers are not symmetric: " + e.Text
	}
	return fmt.Sprintf("the servers are not symmetric: %s %s", e.What, e.Text)
}
