package layout

import (
	"reflect"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// Append appends the value of the cell in the state at p to buf. Equal values append equal
// bytes, and a cell's bytes say where they end. So lists of cells can be compared as the bytes
// of all.
func (c *Cell) Append(buf []byte, p unsafe.Pointer) []byte {
	switch c.kind {
	case ofMember:
		return append(buf, c.isIn(p))
	case ofEntry:
		buf = append(buf, c.isIn(p))
		return append(buf, bytesAt(p, c.value, c.size)...)
	case ofHead:
		if first, n := c.messages(p); n > 0 && *(*uint8)(first) == c.message {
			return append(append(buf, 1), bytesAt(first, 0, c.size)...)
		}
		return append(buf, 0)
	case ofKind:
		at := len(buf)
		buf = append(buf, 0)
		first, n := c.messages(p)
		for k := range uintptr(n) {
			m := unsafe.Add(first, k*c.size)
			if *(*uint8)(m) == c.message {
				buf[at]++
				buf = append(buf, bytesAt(m, 0, c.size)...)
			}
		}
		return buf
	case ofPlace:
		if m, shown := c.placed(p); shown {
			return append(append(buf, 1), bytesAt(m, 0, c.size)...)
		}
		return append(buf, 0)
	}
	return append(buf, bytesAt(p, c.offset, c.size)...)
}

func (c *Cell) isIn(p unsafe.Pointer) byte { return *(*uint8)(unsafe.Add(p, c.offset)) >> c.bit & 1 }

func bytesAt(p unsafe.Pointer, offset, size uintptr) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(p, offset)), size)
}

// messages returns where the messages of a channel are, and how many.
func (c *Cell) messages(p unsafe.Pointer) (first unsafe.Pointer, n uint8) {
	first = unsafe.Add(p, c.offset)
	return first, *(*uint8)(unsafe.Add(first, c.count))
}

// placed returns the message at the cell's position, nil if there is none, and whether it is of a
// kind that is shown.
func (c *Cell) placed(p unsafe.Pointer) (m unsafe.Pointer, shown bool) {
	first, n := c.messages(p)
	if c.place < 1 || c.place > n {
		return nil, false
	}
	m = unsafe.Add(first, uintptr(c.place-1)*c.size)
	kind := *(*uint8)(m)
	return m, c.kinds[kind/64]>>(kind%64)&1 != 0
}

// Hides reports whether the cell is one of PicksOf, and a message is at its position that the cell
// does not show.
func (c *Cell) Hides(p unsafe.Pointer) bool {
	if c.kind != ofPlace {
		return false
	}
	m, shown := c.placed(p)
	return m != nil && !shown
}

// View returns the value of the cell in the state at p as people read it.
func (c *Cell) View(p unsafe.Pointer, names modules.Names) modules.View {
	show := func(at unsafe.Pointer) modules.View {
		return modules.ViewOf(reflect.NewAt(c.typ, at).Elem().Interface(), names)
	}
	switch c.kind {
	case ofMember:
		return modules.ViewOf(c.isIn(p) == 1, nil)
	case ofEntry:
		if c.isIn(p) == 0 {
			return modules.View{Text: "absent"}
		}
		return show(unsafe.Add(p, c.value))
	case ofHead:
		if first, n := c.messages(p); n > 0 && *(*uint8)(first) == c.message {
			return show(first)
		}
		return modules.View{Text: "no message first"}
	case ofKind:
		w := modules.View{Shape: modules.Multiset}
		first, n := c.messages(p)
		for k := range uintptr(n) {
			if m := unsafe.Add(first, k*c.size); *(*uint8)(m) == c.message {
				w.Elems = append(w.Elems, show(m))
			}
		}
		return w
	case ofPlace:
		if m, shown := c.placed(p); shown {
			return show(m)
		}
		return modules.View{Text: "no message"}
	}
	return show(unsafe.Add(p, c.offset))
}

// Packed returns cells with the same values as cs that are faster to read: neighbours in memory
// are one cell. They have no names and cannot be shown.
func Packed(cs []Cell) []Cell {
	var out []Cell
	for _, c := range cs {
		if k := len(out) - 1; k >= 0 && c.kind == ofBytes && out[k].kind == ofBytes && out[k].Next == c.Next && out[k].offset+out[k].size == c.offset {
			out[k].size += c.size
			continue
		}
		c.Name, c.Variable = "", ""
		out = append(out, c)
	}
	return out
}
