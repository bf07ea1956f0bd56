package modules

import (
	"bytes"
	"reflect"
	"strings"
	"unsafe"
)

// Kind is the type of message kinds: a small enumeration. For the static analysis the messages of
// each kind are one variable, so kinds are given as constants.
type Kind interface{ ~uint8 }

// Channel holds the messages in flight from one server to another.
type Channel[M comparable, Q Array[M]] struct {
	q   Seq[M, Q]
	cut bool
}

// Net is a matrix of channels with the semantics of TCP: first in, first out. Cut breaks a
// connection and loses the messages in flight. Messages that are sent over a broken connection are
// lost. I indexes servers, and M is the message. The first field of M is its kind, of type K. The
// other parameters give the sizes:
//
//	type Queue = modules.Channel[Msg, [MaxChannel]Msg]
//	type Net   = modules.Net[Server, Kind, Msg, [MaxChannel]Msg, [Servers]Queue, [Servers][Servers]Queue]
//
// Is, Peek, Recv, Count and Nth name the kinds that they are about. Send and Holds have the kind of
// their message. The other operations are kind-blind and belong in environment modules, or in a
// specification whose modules do not share channels.
type Net[I Index, K Kind, M comparable, Q Array[M], R Array[Channel[M, Q]], X Array[R]] struct{ ch X }

func (n *Net[I, K, M, Q, R, X]) at(i, j I) *Channel[M, Q] {
	row := &n.ch[int(i)]
	return &(*row)[int(j)]
}

// kindOf reads the kind, the first field of every message.
func kindOf[K Kind, M any](m *M) K { return *(*K)(unsafe.Pointer(m)) }

// Is reports whether the first message in flight from i to j is of one of the kinds.
func (n *Net[I, K, M, Q, R, X]) Is(i, j I, kinds ...K) bool {
	c := n.at(i, j)
	if len(c.q.elem) > 0 {
		have := kindOf[K](c.q.slot(0)) // of zeros where the channel is empty
		for _, k := range kinds {
			if k == have {
				return c.q.n > 0
			}
		}
	}
	return false
}

// Peek returns the first message in flight from i to j, which must be of one of the kinds. It stays
// in flight.
func (n *Net[I, K, M, Q, R, X]) Peek(i, j I, kinds ...K) M {
	if !n.Is(i, j, kinds...) {
		panic(&RangeError{"Net", ofKind, n.Len(i, j), address(n.at(i, j))})
	}
	return *n.at(i, j).q.slot(0)
}

// Recv takes the first message in flight from i to j, which must be of one of the kinds.
func (n *Net[I, K, M, Q, R, X]) Recv(i, j I, kinds ...K) M {
	if !n.Is(i, j, kinds...) {
		panic(&RangeError{"Net", ofKind, n.Len(i, j), address(n.at(i, j))})
	}
	c := n.at(i, j)
	m := *c.q.slot(0)
	c.q.Remove(1)
	return m
}

// Send puts m after the messages in flight from i to j. Over a broken connection it is lost.
func (n *Net[I, K, M, Q, R, X]) Send(i, j I, m M) {
	c := n.at(i, j)
	if c.cut {
		return
	}
	if int(c.q.n) >= len(c.q.elem) {
		panic(&CapacityError{"Net", len(c.q.elem), address(c)})
	}
	c.q.elem[c.q.n] = m
	c.q.n++
}

// Tell sends m from i to all others out of 0 to last-1.
func (n *Net[I, K, M, Q, R, X]) Tell(i I, last int, m M) {
	for j := range last {
		if I(j) != i {
			n.Send(i, I(j), m)
		}
	}
}

// Len returns the number of messages in flight from i to j, of all kinds.
func (n *Net[I, K, M, Q, R, X]) Len(i, j I) int { return n.at(i, j).q.Len() }

// Empty reports whether nothing is in flight from i to j.
func (n *Net[I, K, M, Q, R, X]) Empty(i, j I) bool { return n.at(i, j).q.n == 0 }

// Head returns the first message in flight from i to j, whatever its kind; there must be one.
func (n *Net[I, K, M, Q, R, X]) Head(i, j I) M { return n.at(i, j).q.At(1) }

// Pop takes the first message in flight from i to j, whatever its kind; there must be one.
func (n *Net[I, K, M, Q, R, X]) Pop(i, j I) M { return n.at(i, j).q.PopFront() }

// At returns the k-th message in flight from i to j, 1 to Len, whatever its kind.
func (n *Net[I, K, M, Q, R, X]) At(i, j I, k int) M { return n.at(i, j).q.At(k) }

// Count returns the number of messages of the kinds in flight from i to j. A Net with other kinds
// in flight counts none of these, so that a step that waits by it depends on the named kinds alone.
func (n *Net[I, K, M, Q, R, X]) Count(i, j I, kinds ...K) (count int) {
	c := n.at(i, j)
	for x := range int(c.q.n) {
		if among(c.q.slot(x), kinds) {
			count++
		}
	}
	return count
}

// Nth returns the k-th message of the kinds in flight from i to j, 1 to Count.
func (n *Net[I, K, M, Q, R, X]) Nth(i, j I, k int, kinds ...K) M {
	c := n.at(i, j)
	left := k
	for x := range int(c.q.n) {
		if !among(c.q.slot(x), kinds) {
			continue
		}
		if left--; left == 0 {
			return *c.q.slot(x)
		}
	}
	panic(&RangeError{"Net", k, n.Count(i, j, kinds...), address(c)})
}

// Holds reports whether a message equal to m is in flight from i to j. It depends on the kind of m
// alone.
func (n *Net[I, K, M, Q, R, X]) Holds(i, j I, m M) bool {
	c := n.at(i, j)
	for x := range int(c.q.n) {
		if *c.q.slot(x) == m {
			return true
		}
	}
	return false
}

// among reports whether a message is of one of the kinds.
func among[K Kind, M any](m *M, kinds []K) bool {
	have := kindOf[K](m)
	for _, k := range kinds {
		if k == have {
			return true
		}
	}
	return false
}

// Clear loses all messages in flight from i to j.
func (n *Net[I, K, M, Q, R, X]) Clear(i, j I) { n.at(i, j).q.Clear() }

// Lose loses the k-th message in flight from i to j, 1 to Len.
func (n *Net[I, K, M, Q, R, X]) Lose(i, j I, k int) { n.at(i, j).q.Remove(k) }

// Duplicate puts a copy of the k-th message in flight from i to j, 1 to Len, after the last.
func (n *Net[I, K, M, Q, R, X]) Duplicate(i, j I, k int) {
	c := n.at(i, j)
	if c.q.Len() == c.q.Cap() {
		panic(&CapacityError{"Net", c.q.Cap(), address(c)})
	}
	c.q.Append(c.q.At(k))
}

// Cut breaks the connection from i to j and loses the messages in flight.
func (n *Net[I, K, M, Q, R, X]) Cut(i, j I) {
	c := n.at(i, j)
	c.q.Clear()
	c.cut = true
}

// Mend makes a new connection from i to j, with nothing in flight.
func (n *Net[I, K, M, Q, R, X]) Mend(i, j I) { n.at(i, j).cut = false }

// IsCut reports whether the connection from i to j is broken.
func (n *Net[I, K, M, Q, R, X]) IsCut(i, j I) bool { return n.at(i, j).cut }

// Bag is a matrix of channels with the semantics of UDP: any message in flight may be received
// next, lost or duplicated. A channel is a bag, kept sorted by the messages' bytes; a position in
// it identifies a message and means nothing else. The parameters are those of Net.
type Bag[I Index, K Kind, M comparable, Q Array[M], R Array[Channel[M, Q]], X Array[R]] struct {
	net Net[I, K, M, Q, R, X]
}

// Is reports whether there is a k-th message in flight from i to j, counted from 1. The message
// must be of one of the kinds and differ from the message before it: equal messages are one choice,
// not several.
func (b *Bag[I, K, M, Q, R, X]) Is(i, j I, k int, kinds ...K) bool {
	q := &b.net.at(i, j).q
	if k < 1 || k > q.Len() || k > 1 && q.elem[k-1] == q.elem[k-2] {
		return false
	}
	have := kindOf[K](&q.elem[k-1])
	for _, kind := range kinds {
		if kind == have {
			return true
		}
	}
	return false
}

// Peek returns the k-th message in flight from i to j, for which Is holds. It stays in flight.
func (b *Bag[I, K, M, Q, R, X]) Peek(i, j I, k int, kinds ...K) M {
	if !b.Is(i, j, k, kinds...) {
		panic(&RangeError{"Bag", k, b.Len(i, j), address(b.net.at(i, j))})
	}
	return b.net.at(i, j).q.elem[k-1]
}

// Recv takes the k-th message in flight from i to j, for which Is holds.
func (b *Bag[I, K, M, Q, R, X]) Recv(i, j I, k int, kinds ...K) M {
	m := b.Peek(i, j, k, kinds...)
	b.net.at(i, j).q.Remove(k)
	return m
}

// Send puts m in flight from i to j. Over a broken connection it is lost.
func (b *Bag[I, K, M, Q, R, X]) Send(i, j I, m M) {
	c := b.net.at(i, j)
	if c.cut {
		return
	}
	if c.q.Len() == c.q.Cap() {
		panic(&CapacityError{"Bag", c.q.Cap(), address(c)})
	}
	k := 1
	for k <= c.q.Len() && before(&c.q.elem[k-1], &m) {
		k++
	}
	c.q.Insert(k, m)
}

// Arrived is Is for the message that p names: the K-th in flight from J to I.
func (b *Bag[I, K, M, Q, R, X]) Arrived(p At[I], kinds ...K) bool {
	return b.Is(p.J, p.I, int(p.K), kinds...)
}

// Read is Peek for the message that p names. It stays in flight.
func (b *Bag[I, K, M, Q, R, X]) Read(p At[I], kinds ...K) M {
	return b.Peek(p.J, p.I, int(p.K), kinds...)
}

// Take is Recv for the message that p names.
func (b *Bag[I, K, M, Q, R, X]) Take(p At[I], kinds ...K) M {
	return b.Recv(p.J, p.I, int(p.K), kinds...)
}

// Reply sends m from I to J, which has sent the message that p names.
func (b *Bag[I, K, M, Q, R, X]) Reply(p At[I], m M) { b.Send(p.I, p.J, m) }

// Tell sends m from i to all others out of 0 to n-1.
func (b *Bag[I, K, M, Q, R, X]) Tell(i I, n int, m M) {
	for j := range n {
		if I(j) != i {
			b.Send(i, I(j), m)
		}
	}
}

// Len returns the number of messages in flight from i to j, of all kinds.
func (b *Bag[I, K, M, Q, R, X]) Len(i, j I) int { return b.net.Len(i, j) }

// Count returns the number of messages of the kinds in flight from i to j. Equal messages count
// each.
func (b *Bag[I, K, M, Q, R, X]) Count(i, j I, kinds ...K) int { return b.net.Count(i, j, kinds...) }

// Nth returns the k-th message of the kinds in flight from i to j, 1 to Count, in the order of
// their bytes.
func (b *Bag[I, K, M, Q, R, X]) Nth(i, j I, k int, kinds ...K) M { return b.net.Nth(i, j, k, kinds...) }

// Holds reports whether a message equal to m is in flight from i to j. It depends on the kind of m
// alone.
func (b *Bag[I, K, M, Q, R, X]) Holds(i, j I, m M) bool { return b.net.Holds(i, j, m) }

// Lose loses the k-th message in flight from i to j, 1 to Len.
func (b *Bag[I, K, M, Q, R, X]) Lose(i, j I, k int) { b.net.Lose(i, j, k) }

// Duplicate puts a second copy of the k-th message from i to j, 1 to Len, in flight. In a full Bag
// it panics with a *CapacityError, as Send does.
func (b *Bag[I, K, M, Q, R, X]) Duplicate(i, j I, k int) {
	c := b.net.at(i, j)
	m := c.q.At(k)
	if c.q.Len() == c.q.Cap() {
		panic(&CapacityError{"Bag", c.q.Cap(), address(c)})
	}
	c.q.Insert(k, m)
}

// Clear loses all messages in flight from i to j.
func (b *Bag[I, K, M, Q, R, X]) Clear(i, j I) { b.net.Clear(i, j) }

// Cut breaks the connection from i to j: nothing more is sent, and messages in flight stay.
func (b *Bag[I, K, M, Q, R, X]) Cut(i, j I) { b.net.at(i, j).cut = true }

// Mend lets messages be sent from i to j again.
func (b *Bag[I, K, M, Q, R, X]) Mend(i, j I) { b.net.Mend(i, j) }

// IsCut reports whether the connection from i to j is broken.
func (b *Bag[I, K, M, Q, R, X]) IsCut(i, j I) bool { return b.net.IsCut(i, j) }

// Channels are the channels of one Net or Bag of a State, for those who follow messages from
// outside, such as package rounds. A specification does not use it.
type Channels struct {
	Name    string // path in the State: Msgs
	Bag     bool   // messages of a channel have no order
	Servers int    // channels lead from 0..Servers-1 to 0..Servers-1
	offset  uintptr
	typ     reflect.Type
}

// flight gives access to the messages of a Net or a Bag, whatever its parameters.
type flight interface {
	inFlight(i, j, k int) []byte // bytes of the k-th message from 0
	lengthOf(i, j int) int
	isCut(i, j int) bool
}

func (n *Net[I, K, M, Q, R, X]) inFlight(i, j, k int) []byte {
	m := n.at(I(i), I(j)).q.slot(k)
	return unsafe.Slice((*byte)(unsafe.Pointer(m)), unsafe.Sizeof(*m))
}

func (n *Net[I, K, M, Q, R, X]) lengthOf(i, j int) int { return n.Len(I(i), I(j)) }
func (n *Net[I, K, M, Q, R, X]) isCut(i, j int) bool   { return n.IsCut(I(i), I(j)) }

func (b *Bag[I, K, M, Q, R, X]) inFlight(i, j, k int) []byte { return b.net.inFlight(i, j, k) }
func (b *Bag[I, K, M, Q, R, X]) lengthOf(i, j int) int       { return b.net.lengthOf(i, j) }
func (b *Bag[I, K, M, Q, R, X]) isCut(i, j int) bool         { return b.net.isCut(i, j) }

// ChannelsOf returns the channels of a State of type t: of its fields that are a Net or a Bag, and
// of those of structs in it. Arrays are not entered, and a matrix without rows is left out.
func ChannelsOf(t reflect.Type) (out []Channels) { return channelsOf(t, "", 0) }

func channelsOf(t reflect.Type, path string, offset uintptr) (out []Channels) {
	for f := range t.Fields() {
		name, at := path+f.Name, offset+f.Offset
		net := isOurs(f.Type) && strings.HasPrefix(f.Type.Name(), "Net[")
		bag := isOurs(f.Type) && strings.HasPrefix(f.Type.Name(), "Bag[")
		switch {
		case net || bag:
			matrix := f.Type.Field(0).Type // of a Bag: its Net
			if bag {
				matrix = matrix.Field(0).Type
			}
			if matrix.Len() > 0 {
				out = append(out, Channels{Name: name, Bag: bag, Servers: matrix.Len(), offset: at, typ: f.Type})
			}
		case f.Type.Kind() == reflect.Struct && !isOurs(f.Type):
			out = append(out, channelsOf(f.Type, name+".", at)...)
		}
	}
	return out
}

func (c *Channels) in(state unsafe.Pointer) flight {
	return reflect.NewAt(c.typ, unsafe.Add(state, c.offset)).Interface().(flight)
}

// Bytes returns the memory of all channels in a State: it is equal where nothing in flight differs.
func (c *Channels) Bytes(state unsafe.Pointer) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(state, c.offset)), c.typ.Size())
}

// Len returns the number of messages in flight from i to j.
func (c *Channels) Len(state unsafe.Pointer, i, j int) int { return c.in(state).lengthOf(i, j) }

// At returns the memory of the k-th message in flight from i to j, counted from 0 to Len-1.
func (c *Channels) At(state unsafe.Pointer, i, j, k int) []byte {
	return c.in(state).inFlight(i, j, k)
}

// IsCut reports whether the connection from i to j is disconnected in a state, as IsCut of the Net
// or Bag does.
func (c *Channels) IsCut(state unsafe.Pointer, i, j int) bool { return c.in(state).isCut(i, j) }

// Message returns the type of the messages.
func (c *Channels) Message() reflect.Type {
	net := c.typ
	if c.Bag {
		net = net.Field(0).Type
	}
	// Net.ch, an array of rows of Channel, whose q is a Seq, whose elem is an array.
	return net.Field(0).Type.Elem().Elem().Field(0).Type.Field(0).Type.Elem()
}

// Span returns where the channels are in a State: bytes from first to before last.
func (c *Channels) Span() (first, last uintptr) { return c.offset, c.offset + c.typ.Size() }

// Taken returns the place, from 0, of a message from i to j that a step took out of the
// channel. Of several it is the first one. It is -1 if there is none.
func (c *Channels) Taken(before, after unsafe.Pointer, i, j int) int {
	was, is := c.Len(before, i, j), c.Len(after, i, j)
	left := make([]bool, is)
	for k := range was {
		found := false
		for x := 0; x < is && !found; x++ {
			if !left[x] && bytes.Equal(c.At(before, i, j, k), c.At(after, i, j, x)) {
				left[x], found = true, true
			}
		}
		if !found {
			return k
		}
	}
	return -1
}
