package checker

import (
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

func properties[S any](invs []*modules.Invariant[S]) (out []Property) {
	for _, v := range invs {
		out = append(out, Property{v.ID, v.Instance, v.Doc, v.Kind()})
	}
	return out
}

// Name is how manifests and results name a property.
func (p Property) Name() string {
	if p.Instance == "" {
		return p.ID
	}
	return p.ID + "." + p.Instance
}

func (x *bound[S, U]) state(n *Node[S, U]) (broken uint64) {
	for k, v := range x.spec.Invariants {
		if v.State != nil && !v.State(&n.State) {
			broken |= 1 << k
		}
	}
	return broken
}

func (x *bound[S, U]) reached(n *Node[S, U]) (mask uint64) {
	for k, v := range x.spec.Goals {
		if v.State(&n.State) {
			mask |= 1 << k
		}
	}
	return mask
}

func (x *bound[S, U]) within() func(n *Node[S, U]) bool {
	if len(x.spec.Constraints) == 0 {
		return nil
	}
	return func(n *Node[S, U]) bool {
		for _, v := range x.spec.Constraints {
			if !v.State(&n.State) {
				return false
			}
		}
		return true
	}
}

func (x *bound[S, U]) hasSteps() bool {
	for _, v := range x.spec.Invariants {
		if v.Kind() == modules.KindStep {
			return true
		}
	}
	return false
}

func (x *bound[S, U]) steps(s, n *Node[S, U], instance int) (broken uint64) {
	for k, v := range x.spec.Invariants {
		if v.Step != nil && !v.Step(&s.State, &n.State) {
			broken |= 1 << k
		}
	}
	for _, on := range x.spec.Actions[x.instances[instance].Action].Steps {
		if !on.Holds(&s.State, &n.State, x.param[instance]) {
			for k, v := range x.spec.Invariants {
				if v == on.Invariant {
					broken |= 1 << k
				}
			}
		}
	}
	return broken
}

func (x *bound[S, U]) raised(at uintptr) func(n *Node[S, U]) (bool, uint64) {
	return func(n *Node[S, U]) (bool, uint64) {
		b := (*[4]uint8)(unsafe.Add(unsafe.Pointer(&n.State), at))
		mask := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
		if mask == 0 {
			return false, 0
		}
		broken := uint64(0)
		for k, v := range x.spec.Invariants {
			if v.Raises&mask != 0 {
				broken |= 1 << k
			}
		}
		return true, broken
	}
}
