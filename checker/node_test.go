package checker

import (
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// alarm numbers the assertions of the test's specification.
type alarm uint8

// odd is a State of an odd size whose Raised field is not its first.
type odd struct {
	A     uint8
	Bell  modules.Raised[alarm]
	B, C  uint8
	Wrong [4]uint8
}

// TestNodeHasNoPadding: a node is its bytes, whatever the number of counters and the alignment of
// the State, unless that is empty.
func TestNodeHasNoPadding(t *testing.T) {
	t.Parallel()
	size[odd](t)
	size[struct{ A uint16 }](t)
	size[struct{ A uint64 }](t)
}

func size[S any](t *testing.T) {
	t.Helper()
	var s S
	if n := unsafe.Sizeof(Node[S, [0]uint8]{}); n != unsafe.Sizeof(s) {
		t.Errorf("%T: %d bytes without counters, the state has %d", s, n, unsafe.Sizeof(s))
	}
	if n := unsafe.Sizeof(Node[S, [8]uint8]{}); n != unsafe.Sizeof(s)+8 {
		t.Errorf("%T: %d bytes with 8 counters, the state has %d", s, n, unsafe.Sizeof(s))
	}
	if n := unsafe.Sizeof(Node[S, [16]uint8]{}); n != unsafe.Sizeof(s)+16 {
		t.Errorf("%T: %d bytes with 16 counters, the state has %d", s, n, unsafe.Sizeof(s))
	}
}

// TestRaisedIsRead: an assertion is found wherever the State has its field, and distinguished from
// the others.
func TestRaisedIsRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raise  []alarm
		any    bool
		broken uint64
	}{
		{nil, false, 0},
		{[]alarm{3}, true, 0b001},
		{[]alarm{31}, true, 0b100},
		{[]alarm{5}, true, 0}, // masked: no selected invariant forbids it
		{[]alarm{5, 3, 31}, true, 0b101},
	} {
		ring := modules.Action[odd, modules.None]{Name: "ring", Params: modules.Once, Effect: func(s, n *odd, _ modules.None) {
			for _, a := range c.raise {
				n.Bell.Raise(a)
			}
		}}
		invs := []*modules.Invariant[odd]{
			{ID: "three", Raises: modules.Bit(alarm(3))},
			{ID: "state", State: func(s *odd) bool { return s.Wrong == [4]uint8{} }},
			{ID: "last", Raises: modules.Bit(alarm(31))},
		}
		spec := &modules.Spec[odd]{
			Init:       func(yield func(odd) bool) { yield(odd{A: 255, B: 255, C: 255}) },
			Invariants: invs,
		}
		for _, b := range modules.Bind([]modules.AnyAction[odd]{&ring}, nil, invs) {
			spec.Actions = append(spec.Actions, modules.SpecAction[odd]{Bound: b})
		}
		x, err := Of[odd, [8]uint8](spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := Node[odd, [8]uint8]{Spent: [8]uint8{1, 2, 3, 4, 5, 6, 7, 8}, State: odd{A: 255, B: 255, C: 255}}
		n := s
		x.Apply(&s, &n, 0)
		if any, broken := x.Raised(&n); any != c.any || broken != c.broken {
			t.Errorf("%v: raised %v, broken %b; want %v, %b", c.raise, any, broken, c.any, c.broken)
		}
	}
}

// waits is a State of two clients, who wait and are served.
type waits struct{ Waiting, Served [2]bool }

// TestParametricLiveness: a liveness property with a parameter is one property for each value, with
// a name of its own. The actor of an action is a node of a role.
func TestParametricLiveness(t *testing.T) {
	t.Parallel()
	each := modules.Each[uint8](2)
	serve := modules.Action[waits, modules.One[uint8]]{Name: "serve", Params: each, Actor: "server", Effect: func(s, n *waits, p modules.One[uint8]) {
		n.Served[p.I] = true
	}}
	served := modules.Liveness[waits]{ID: "served", Each: modules.LeadsTo(each,
		func(s *waits, p modules.One[uint8]) bool { return s.Waiting[p.I] },
		func(s *waits, p modules.One[uint8]) bool { return s.Served[p.I] })}
	roles := []modules.Role{{Name: "client", Count: 2, First: 1}, {Name: "server"}}
	bound := modules.Bind([]modules.AnyAction[waits]{&serve}, nil, nil)
	spec, err := Of[waits, [0]uint8](&modules.Spec[waits]{Actions: []modules.SpecAction[waits]{{Bound: bound[0]}}, Roles: roles,
		Liveness: []*modules.Liveness[waits]{&served}, Init: func(yield func(waits) bool) { yield(waits{}) }}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(spec.Liveness) != 2 || spec.Liveness[0].Name() != "served.0" || spec.Liveness[1].Name() != "served.1" {
		t.Fatalf("%d properties: %+v", len(spec.Liveness), spec.Liveness)
	}
	n := Node[waits, [0]uint8]{State: waits{Waiting: [2]bool{false, true}, Served: [2]bool{true, false}}}
	if p := spec.Liveness[0]; p.From(&n) || !p.To(&n) {
		t.Error("served.0 is about another client")
	}
	if p := spec.Liveness[1]; !p.From(&n) || p.To(&n) || len(p.Fair) != 2 || !p.Fair[0] {
		t.Error("served.1 is about another client")
	}
	if in := spec.Instances[1]; in.Server != 2 || len(in.Touched) != 1 || in.Touched[0] != 1 || spec.Nodes[1] != "client 2" {
		t.Errorf("%+v of %v", in, spec.Nodes)
	}
}
