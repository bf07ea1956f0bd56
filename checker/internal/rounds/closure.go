package rounds

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// Closure is the property that no message of an older round is used: communication closure as the
// paper obtains it (section 4). It is relative to round numbers that the specification keeps. A
// server's number is a list of variables, compared from the first one on; a message's number is a
// list of as many of its fields.
//
// A step violates it if it takes a message out of a channel whose number is less than the
// receiver's before the step, and changes anything else in the State. A step that only drops such
// a message does not.
type Closure struct {
	channels []modules.Channels
	server   []variable
	message  [][]variable // by channels
	size     uintptr      // of the State
}

// variable is a number in memory: of server i at offset + i*stride.
type variable struct{ offset, stride, size uintptr }

func (v variable) of(base unsafe.Pointer, i int) (x uint64) {
	at := unsafe.Add(base, v.offset+uintptr(i)*v.stride)
	switch v.size {
	case 1:
		return uint64(*(*uint8)(at))
	case 2:
		return uint64(*(*uint16)(at))
	case 4:
		return uint64(*(*uint32)(at))
	}
	return *(*uint64)(at)
}

// NewClosure returns the property for a State of type t: paths of variables that servers have one
// of each, such as Term, and of fields of messages, as many. All are unsigned numbers. The error
// names a path that is not there or has another type.
func NewClosure(t reflect.Type, server, message []string) (*Closure, error) {
	if len(server) == 0 || len(server) != len(message) {
		return nil, fmt.Errorf("a round number needs as many variables of a server as fields of a message, not %d and %d", len(server), len(message))
	}
	c := &Closure{channels: modules.ChannelsOf(t), size: t.Size()}
	for _, path := range server {
		v, arrays, err := variableAt(t, path)
		if err == nil && arrays != 1 {
			err = fmt.Errorf("variable %s is no array with an element for each server", path)
		}
		if err != nil {
			return nil, err
		}
		c.server = append(c.server, v)
	}
	var first error
	c.channels = slices.DeleteFunc(c.channels, func(n modules.Channels) bool {
		var fields []variable
		for _, path := range message {
			v, arrays, err := variableAt(n.Message(), path)
			if err == nil && arrays != 0 {
				err = fmt.Errorf("field %s of messages is an array", path)
			}
			if err != nil {
				first = err
				return true
			}
			fields = append(fields, v)
		}
		c.message = append(c.message, fields)
		return false
	})
	if len(c.channels) == 0 {
		return nil, fmt.Errorf("no channel has messages with the fields %s: %w", strings.Join(message, ", "), first)
	}
	return c, nil
}

// variableAt finds a number by its path, and counts the arrays on it.
func variableAt(t reflect.Type, path string) (v variable, arrays int, err error) {
	enter := func() {
		for t.Kind() == reflect.Array {
			t = t.Elem()
			v.stride = t.Size()
			arrays++
		}
	}
	for name := range strings.SplitSeq(path, ".") {
		enter()
		f, ok := reflect.StructField{}, false
		if t.Kind() == reflect.Struct {
			f, ok = t.FieldByName(name)
		}
		if !ok {
			return v, 0, fmt.Errorf("%s has no field %s", t.Name(), name)
		}
		v.offset += f.Offset
		t = f.Type
	}
	enter()
	switch t.Kind() {
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.size = t.Size()
		return v, arrays, nil
	}
	return v, 0, fmt.Errorf("%s is a %s, and not an unsigned number", path, t)
}

// Holds reports whether a step between two States uses no message of an older round.
func (c *Closure) Holds(before, after unsafe.Pointer) bool {
	for net := range c.channels {
		n := &c.channels[net]
		if bytes.Equal(n.Bytes(before), n.Bytes(after)) {
			continue
		}
		for i := range n.Servers {
			for j := range n.Servers {
				if k := n.Taken(before, after, i, j); k >= 0 && c.older(net, before, i, j, k) && !c.dropped(net, before, after, i, j) {
					return false
				}
			}
		}
	}
	return true
}

// older reports whether a message belongs to an older round than its receiver is in.
func (c *Closure) older(net int, before unsafe.Pointer, i, j, k int) bool {
	m := unsafe.Pointer(unsafe.SliceData(c.channels[net].At(before, i, j, k)))
	for x := range c.server {
		of, now := c.message[net][x].of(m, 0), c.server[x].of(before, j)
		if of != now {
			return of < now
		}
	}
	return false
}

// dropped reports whether a step changed nothing but one channel, from which it took a message.
func (c *Closure) dropped(net int, before, after unsafe.Pointer, i, j int) bool {
	n := &c.channels[net]
	if n.Len(after, i, j) != n.Len(before, i, j)-1 {
		return false
	}
	for a := range n.Servers {
		for b := range n.Servers {
			if (a != i || b != j) && (n.Len(after, a, b) != n.Len(before, a, b) || n.Taken(before, after, a, b) >= 0) {
				return false
			}
		}
	}
	whole := func(s unsafe.Pointer) []byte { return unsafe.Slice((*byte)(s), c.size) }
	from, to := n.Span()
	x, y := whole(before), whole(after)
	return bytes.Equal(x[:from], y[:from]) && bytes.Equal(x[to:], y[to:])
}
