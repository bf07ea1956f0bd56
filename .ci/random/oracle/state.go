package oracle

import (
	"slices"
)

// Value is a state. Each variable has one slot, a Net or Bag one for each channel and one for the
// connections that are broken. A set is a 0 or 1 for each node. A map is a number for each node, -1
// for one that is not a key. A message is its kind and its number, kind*16+number, a record is
// a*16+b.
type Value struct {
	Slot   [][]int
	Spent  []int // of each budget
	Raised int   // bits
}

// layout returns the first slot of each variable, and the number of slots.
func (s *Spec) layout() (first []int, slots int) {
	for _, v := range s.Vars {
		first = append(first, slots)
		slots++
		if v.Kind == Net || v.Kind == Bag {
			slots += s.Nodes * s.Nodes
		}
	}
	return first, slots
}

// zero returns the state that Inits begin with.
func (m *Machine) zero() *Value {
	s := m.Spec
	v := &Value{Slot: make([][]int, m.slots), Spent: make([]int, len(s.Budgets))}
	for k, x := range s.Vars {
		n := 1
		switch x.Kind {
		case Nums, Flags, Set, Map:
			n = s.Nodes
		case Sets, Net, Bag:
			n = s.Nodes * s.Nodes
		case Seq, Recs:
			n = 0
		}
		list := make([]int, n)
		if x.Kind == Ref || x.Kind == Map {
			for i := range list {
				list[i] = -1
			}
		}
		v.Slot[m.first[k]] = list
	}
	return v
}

// channel returns the slot of the channel from i to j of a Net or Bag, whose own slot says which
// connections are broken.
func (m *Machine) channel(v, i, j int) int { return m.first[v] + 1 + i*m.Spec.Nodes + j }

func (v *Value) clone() *Value {
	c := &Value{Slot: make([][]int, len(v.Slot)), Spent: slices.Clone(v.Spent), Raised: v.Raised}
	for k := range v.Slot {
		c.Slot[k] = slices.Clone(v.Slot[k])
	}
	return c
}

// Key returns a text that equal states, and no others, have.
func (v *Value) Key() string {
	var b []byte
	for _, list := range v.Slot {
		b = append(b, byte(len(list)))
		for _, x := range list {
			b = append(b, byte(x+1))
		}
	}
	for _, x := range v.Spent {
		b = append(b, byte(x))
	}
	return string(append(b, byte(v.Raised)))
}
