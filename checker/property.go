package checker

import (
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

func properties[S any](invs []*modules.Invariant[S]) (out []Property) {
	for _, v := range invs {
		out = append(out, Property{v.ID, v.Instance, v.Doc, v.Kind()})
	}
	return out
}

// Name returns the name of a property in manifests and results: its ID, or ID.INSTANCE if it has an
// instance.
func (p Property) Name() string {
	if p.Instance == "" {
		return p.ID
	}
	return p.ID + "." + p.Instance
}

// judge is a state invariant with its bit.
type judge[S any] struct {
	holds func(s *S) bool
	bit   uint64
}

func judges[S any](invs []*modules.Invariant[S]) (out []judge[S]) {
	for k, v := range invs {
		if v.State != nil {
			out = append(out, judge[S]{v.State, 1 << k})
		}
	}
	return out
}

// stepJudge is a property of all steps with its bit.
type stepJudge[S any] struct {
	holds func(s, n *S) bool
	bit   uint64
}

func stepJudges[S any](invs []*modules.Invariant[S]) (out []stepJudge[S]) {
	for k, v := range invs {
		if v.Step != nil {
			out = append(out, stepJudge[S]{v.Step, 1 << k})
		}
	}
	return out
}

func (x *bound[S, U]) state(n *Node[S, U]) (broken uint64) {
	for k := range x.judges {
		if j := &x.judges[k]; !j.holds(&n.State) {
			broken |= j.bit
		}
	}
	return broken
}

func (x *bound[S, U]) holds(n *Node[S, U], invariant int) bool {
	v := x.spec.Invariants[invariant]
	return v.State == nil || v.State(&n.State)
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
	for k := range x.stepJudges {
		if j := &x.stepJudges[k]; !j.holds(&s.State, &n.State) {
			broken |= j.bit
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
		mask := raisedIn(n, at)
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

// raisedIn returns the assertions that are raised in n, whose State has the Raised field at an
// offset.
func raisedIn[S any, U Counters](n *Node[S, U], at uintptr) uint32 {
	b := (*[4]uint8)(unsafe.Add(unsafe.Pointer(&n.State), at))
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func (x *bound[S, U]) maskedBy(at uintptr) func(n *Node[S, U]) uint64 {
	return func(n *Node[S, U]) (masked uint64) {
		raised := raisedIn(n, at)
		for k, v := range x.spec.Masked {
			if v.Raises&raised != 0 {
				masked |= 1 << k
			}
		}
		return masked
	}
}

// liveness returns the liveness properties on nodes, one for each value of a parameter. Instances
// of an environment's actions, and of those that a property names, are not fair.
func (x *bound[S, U]) liveness() (out []Temporal[Node[S, U]]) {
	for _, v := range x.spec.Liveness {
		var fair []bool
		for _, in := range x.instances {
			a := &x.spec.Actions[in.Action]
			named := slices.ContainsFunc(v.Unfair, func(u modules.AnyAction[S]) bool { return modules.NameOf(u) == a.Name })
			fair = append(fair, !a.Environment && !named)
		}
		for _, one := range v.Instances(x.names) {
			t := Temporal[Node[S, U]]{
				Property: Property{ID: v.ID, Instance: one.Param, Doc: v.Doc, Kind: modules.KindLiveness},
				To:       func(n *Node[S, U]) bool { return one.To(&n.State) },
				Fair:     fair,
			}
			if one.From != nil {
				t.From = func(n *Node[S, U]) bool { return one.From(&n.State) }
			}
			out = append(out, t)
		}
	}
	return out
}
