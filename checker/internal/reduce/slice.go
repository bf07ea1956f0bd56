package reduce

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
)

// What it computes. Nodes without the fields that cannot matter: the cone of influence of guards
// and checked properties stays.
//
// Why it is right. No guard, no checked property and no remaining field is computed from the fields
// that are left out. So two nodes that differ only there have the same enabled steps and the same
// verdicts, and their successors differ only there again: a bisimulation.
//
// What it costs. Clearing some bytes of a node before its fingerprint is taken. The saving is the
// number of values that the cleared fields would have.
//
// Example. A counter of messages that only a report reads:
//
//	State { Role, Log, Sent }     guards and properties read Role and Log
//	(leader, [1], 7) and (leader, [1], 8) are one state

// span is a part of a node's bytes.
type span struct{ from, to uintptr }

// Slice leaves fields of the State out of the identity of nodes: two that differ only there are one
// state, the one that was found first. What stands for a node is the node with these fields zero.
// It is sound for fields from which neither a guard nor a checked property nor another field is
// computed (cone of influence). Counts and traces then differ from those of the whole
// specification, verdicts do not. The error names a field that the State does not have.
func Slice[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], fields []string) error {
	state := reflect.TypeFor[S]()
	from := unsafe.Offsetof(new(checker.Node[S, U]).State)
	var out []span
	for _, name := range fields {
		f, ok := state.FieldByName(name)
		if !ok {
			return fmt.Errorf("the state has no field %q to leave out", name)
		}
		at := from + f.Offset
		if n := len(out); n > 0 && out[n-1].to == at {
			out[n-1].to += f.Type.Size()
			continue
		}
		out = append(out, span{at, at + f.Type.Size()})
	}
	if len(out) == 0 {
		return nil
	}
	whole := spec.Represent
	spec.Represent = func(n, rep *checker.Node[S, U]) {
		if whole != nil {
			whole(n, rep)
		} else {
			*rep = *n
		}
		b := checker.Bytes(rep)
		for _, s := range out {
			clear(b[s.from:s.to])
		}
	}
	return nil
}
