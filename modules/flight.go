package modules

import (
	"bytes"
	"reflect"
	"strings"
	"unsafe"
)

// Channels are the channels of one Net or Bag of a State, for those who follow messages from outside, such as package rounds. A
// specification does not use it.
type Channels struct {
	Name    string // path in the State: Msgs
	Bag     bool   // messages of a channel have no order
	Servers int    // channels lead from 0..Servers-1 to 0..Servers-1
	offset  uintptr
	typ     reflect.Type
}

// flight is what Net and Bag let package modules see of their messages.
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

// ChannelsOf returns the channels of a State of type t: of its fields that are a Net or a Bag, and of those of structs in it. Arrays
// are not entered, and a matrix without rows is left out.
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

// Bytes is the memory of all channels in a State: it is equal where nothing in flight differs.
func (c *Channels) Bytes(state unsafe.Pointer) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(state, c.offset)), c.typ.Size())
}

// Len is the number of messages in flight from i to j.
func (c *Channels) Len(state unsafe.Pointer, i, j int) int { return c.in(state).lengthOf(i, j) }

// At is the memory of the k-th message in flight from i to j, counted from 0 to Len-1.
func (c *Channels) At(state unsafe.Pointer, i, j, k int) []byte {
	return c.in(state).inFlight(i, j, k)
}

// IsCut reports whether the channel from i to j is cut.
func (c *Channels) IsCut(state unsafe.Pointer, i, j int) bool { return c.in(state).isCut(i, j) }

// Message is the type of the messages.
func (c *Channels) Message() reflect.Type {
	net := c.typ
	if c.Bag {
		net = net.Field(0).Type
	}
	// Net.ch, an array of rows of Channel, whose q is a Seq, whose elem is an array.
	return net.Field(0).Type.Elem().Elem().Field(0).Type.Field(0).Type.Elem()
}

// Span is where the channels are in a State: bytes from first to before last.
func (c *Channels) Span() (first, last uintptr) { return c.offset, c.offset + c.typ.Size() }

// Taken is the place of a message from i to j that is in flight before a step and no longer after it, counted from 0; -1 if there is
// none. Of several it is the first one.
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
