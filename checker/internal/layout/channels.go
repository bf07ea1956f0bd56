package layout

import (
	"fmt"
	"reflect"
	"strings"
)

// ChainAt is the place of a Chain in a flat type: the offset of its node, and, for that of a
// Deque, the offset of the number of elements taken.
type ChainAt struct {
	Node, Taken uintptr
	Deque       bool
}

// ChainsIn returns the places of all Chains and Deques in a flat type, in bytes from its start.
func ChainsIn(t reflect.Type) (out []ChainAt) {
	under := func(t reflect.Type, at uintptr) {
		for _, c := range ChainsIn(t) {
			out = append(out, ChainAt{c.Node + at, c.Taken + at, c.Deque})
		}
	}
	switch {
	case isOurs(t) && strings.HasPrefix(t.Name(), "Chain["):
		return []ChainAt{{}}
	case isOurs(t) && strings.HasPrefix(t.Name(), "Deque["):
		taken, _ := t.FieldByName("taken")
		return []ChainAt{{Taken: taken.Offset, Deque: true}}
	case t.Kind() == reflect.Array:
		for k := range t.Len() {
			under(t.Elem(), uintptr(k)*t.Elem().Size())
		}
	case t.Kind() == reflect.Struct:
		for f := range t.Fields() {
			under(f.Type, f.Offset)
		}
	}
	return out
}

// Wire is a channel of a Net as a part of a State: the offset of its first message, and that of
// the byte with the number of messages.
type Wire struct{ First, Count uintptr }

// Wires are the channels of one of a State's Nets.
type Wires struct {
	Variable string
	Message  reflect.Type
	Capacity int      // of a channel
	Of       [][]Wire // by sender and receiver
}

// WiresOf finds the Nets of a State: in all those that have room, at least one, and in unused
// those that have none since the composition does not use them. Bags do not count: their
// messages have lost their order.
func WiresOf(t reflect.Type) (all, unused []*Wires, err error) {
	for f := range t.Fields() {
		if !isOurs(f.Type) || !strings.HasPrefix(f.Type.Name(), "Net[") {
			continue
		}
		rows := f.Type.Field(0).Type
		row := rows.Elem()
		channel := row.Elem()
		queue, _ := channel.FieldByName("q")
		elem, _ := queue.Type.FieldByName("elem")
		count, _ := queue.Type.FieldByName("n")
		found := &Wires{Variable: f.Name, Message: elem.Type.Elem(), Capacity: elem.Type.Len()}
		if f.Type.Size() == 0 {
			unused = append(unused, found)
			continue
		}
		for i := range rows.Len() {
			var of []Wire
			for j := range row.Len() {
				at := f.Offset + uintptr(i)*row.Size() + uintptr(j)*channel.Size() + queue.Offset
				of = append(of, Wire{at + elem.Offset, at + count.Offset})
			}
			found.Of = append(found.Of, of)
		}
		if len(all) > 0 && len(found.Of) != len(all[0].Of) {
			return nil, nil, fmt.Errorf("networks %s and %s are not of the same servers", all[0].Variable, f.Name)
		}
		all = append(all, found)
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("the State has no Net that the composition uses: a running node's messages are those of one")
	}
	return all, unused, nil
}
