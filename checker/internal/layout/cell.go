package layout

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// Cell is a place in a State that a step or a property reads. It is the place of an Access for
// one value of the parameters. A view consists of the values of cells.
type Cell struct {
	Name     string // as people write it: History[1]
	Variable string // as in Access
	Next     bool   // of the state after, in a step property

	kind         cellKind
	typ          reflect.Type // of the value shown
	offset, size uintptr
	bit          uint8     // ofMember, ofEntry: the bit of the byte at offset
	value        uintptr   // ofEntry: where the value of the key is
	count        uintptr   // ofHead, ofKind: distance from the first message to their number
	message      uint8     // ofHead, ofKind: the kind
	place        uint8     // ofPlace: the position of the message, from 1
	kinds        [4]uint64 // ofPlace: the set of the kinds that are shown
}

type cellKind uint8

const (
	ofBytes  cellKind = iota
	ofMember          // of a Set: whether it is in
	ofEntry           // of a Map: whether the key is present, and its value
	ofHead            // of a Net: the first message in flight if it is of the kind, else nothing
	ofKind            // of a Bag, or all of a Net: the messages of the kind, in their order
	ofPlace           // of a Bag: the message at a position if its kind is shown, else nothing
)

// CellsOf returns the cells of a State of type t that accesses mean with parameter p, each
// once, in the order of the accesses.
//
// An access to one kind of messages of a Net means what Is, Peek and Recv of that kind see.
// That is the first message in flight if it is of the kind, or else that there is none.
// With modules.AllOfKind it means all messages of the kind. Accesses to all kinds are those of
// kind-blind operations and mean the whole channel. In a Bag, an access to a kind means its
// messages, wherever they are. A Raised has no cell: it is zero in all stored states. The error
// names an access that means no part of the State.
func CellsOf(t reflect.Type, accesses []modules.Access, p any, enum modules.Enum) ([]Cell, error) {
	c := &cellCompiler{param: reflect.ValueOf(p), enum: enum, kinds: map[string]int{}, seen: map[string]bool{}}
	for _, a := range accesses {
		if net, _, ok := strings.Cut(a.Variable, "#"); ok && !c.seen[a.Variable+channelName("", a)] {
			c.seen[a.Variable+channelName("", a)] = true
			c.kinds[channelName(net, a)]++
		}
	}
	clear(c.seen)
	for _, a := range accesses {
		if err := c.add(t, a); err != nil {
			return nil, fmt.Errorf("%s: %w", a, err)
		}
	}
	return c.out, nil
}

type cellCompiler struct {
	param reflect.Value
	enum  modules.Enum
	kinds map[string]int // how many kinds are accessed of a channel
	seen  map[string]bool
	out   []Cell
}

func channelName(net string, a modules.Access) string {
	a.Variable, a.Key = net, ""
	return a.String()
}

// dimension is an array on the path to a cell.
type dimension struct {
	length int
	stride uintptr
}

func (c *cellCompiler) add(t reflect.Type, a modules.Access) error {
	path, kind, split := strings.Cut(a.Variable, "#")
	cell := Cell{Variable: a.Variable, Next: a.Next}
	var dims []dimension
	enter := func() {
		for t.Kind() == reflect.Array {
			dims = append(dims, dimension{t.Len(), t.Elem().Size()})
			t = t.Elem()
		}
	}
	for name := range strings.SplitSeq(path, ".") {
		enter()
		if isChannels(t) && name == "cut" {
			kind = ".cut"
			break
		}
		f, ok := t.FieldByName(name)
		if t.Kind() != reflect.Struct || !ok {
			return fmt.Errorf("%s has no field %s", t, name)
		}
		cell.offset += f.Offset
		t = f.Type
	}
	enter()
	switch {
	case strings.HasPrefix(t.Name(), "Raised[") && isOurs(t):
		return nil
	case isChannels(t):
		bag := strings.HasPrefix(t.Name(), "Bag[")
		if bag {
			t, a.Key = t.Field(0).Type, ""
		}
		t = t.Field(0).Type
		enter()
		if err := c.channel(&cell, t, kind, bag, split, a); err != nil {
			return err
		}
	case a.Key != "":
		k, err := c.term(a.Key)
		if err != nil || k < 0 {
			return fmt.Errorf("key %s is not known: %v", a.Key, err)
		}
		cell.keyed(t, k)
	default:
		cell.typ, cell.size = t, t.Size()
	}
	return c.expand(cell, dims, a)
}

func isChannels(t reflect.Type) bool {
	return isOurs(t) && (strings.HasPrefix(t.Name(), "Net[") || strings.HasPrefix(t.Name(), "Bag["))
}

// channel makes the cell one of a Channel, of type t.
func (c *cellCompiler) channel(cell *Cell, t reflect.Type, kind string, bag, split bool, a modules.Access) error {
	queue, _ := t.FieldByName("q")
	elem, _ := queue.Type.FieldByName("elem")
	if kind == ".cut" {
		cut, _ := t.FieldByName("cut")
		cell.offset += cut.Offset
		cell.typ, cell.size = cut.Type, cut.Type.Size()
		return nil
	}
	cell.typ, cell.size = queue.Type, queue.Type.Size()
	if !split || elem.Type.Len() == 0 {
		cell.offset += queue.Offset
		return nil
	}
	values := c.enum(elem.Type.Elem().Field(0).Type)
	if net, _, _ := strings.Cut(a.Variable, "#"); !bag && c.kinds[channelName(net, a)] >= len(values) {
		cell.Variable = net
		cell.offset += queue.Offset
		return nil
	}
	v, ok := values[kind]
	if !ok {
		return fmt.Errorf("%s has no constant %s", elem.Type.Elem().Field(0).Type, kind)
	}
	n, _ := queue.Type.FieldByName("n")
	cell.kind, cell.message, cell.count, cell.typ = ofHead, uint8(v), n.Offset-elem.Offset, elem.Type.Elem()
	cell.offset += queue.Offset + elem.Offset
	cell.size = cell.typ.Size()
	if bag || a.Key == modules.AllOfKind {
		cell.kind = ofKind
	}
	return nil
}

// keyed makes the cell one member of a Set, or one entry of a Map, of type t.
func (cell *Cell) keyed(t reflect.Type, k int) {
	cell.bit, cell.typ = uint8(k%8), t
	if t.Kind() != reflect.Struct {
		cell.kind = ofMember
		cell.offset += uintptr(k / 8)
		return
	}
	cell.kind = ofEntry
	val, _ := t.FieldByName("val")
	in, _ := t.FieldByName("in")
	cell.value = cell.offset + val.Offset + uintptr(k)*val.Type.Elem().Size()
	cell.offset += in.Offset + uintptr(k/8)
	cell.typ, cell.size = val.Type.Elem(), val.Type.Elem().Size()
}

// expand appends the cells of all elements that the access means.
func (c *cellCompiler) expand(cell Cell, dims []dimension, a modules.Access) error {
	index := make([]int, len(dims))
	for k := range index {
		index[k] = -1
		if k < len(a.Index) {
			x, err := c.term(a.Index[k])
			if err != nil {
				return err
			}
			if x >= dims[k].length {
				return nil // a capacity of 0: there is nothing to be read
			}
			index[k] = x
		}
	}
	c.each(cell, dims, index, "", a.Key)
	return nil
}

func (c *cellCompiler) each(cell Cell, dims []dimension, index []int, at, key string) {
	if len(dims) == 0 {
		cell.Name = cell.Variable + at
		if cell.kind == ofMember || cell.kind == ofEntry {
			cell.Name += fmt.Sprintf("{%d}", cell.bit)
		}
		if cell.kind == ofKind && key == modules.AllOfKind {
			cell.Name += "{*}"
		}
		if cell.Next {
			cell.Name += "'"
		}
		if !c.seen[cell.Name] {
			c.seen[cell.Name] = true
			c.out = append(c.out, cell)
		}
		return
	}
	for x := range dims[0].length {
		if index[0] >= 0 && x != index[0] {
			continue
		}
		one := cell
		one.offset += uintptr(x) * dims[0].stride
		one.value += uintptr(x) * dims[0].stride
		c.each(one, dims[1:], index[1:], at+"["+strconv.Itoa(x)+"]", key)
	}
}

// term returns the value of a symbolic term; -1 for one that is not known.
func (c *cellCompiler) term(s string) (int, error) {
	if s == "*" {
		return -1, nil
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n, nil
	}
	v := c.param
	for k, name := range strings.Split(s, ".") {
		if k == 0 {
			continue // p
		}
		if v.Kind() != reflect.Struct {
			return 0, fmt.Errorf("parameter %s has no field %s", c.param.Type(), name)
		}
		v = v.FieldByName(name)
	}
	switch {
	case v.CanInt():
		return int(v.Int()), nil
	case v.CanUint():
		return int(v.Uint()), nil
	}
	return 0, fmt.Errorf("the term %s is no number", s)
}
