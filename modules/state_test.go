package modules_test

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

type (
	kind    uint8
	txn     struct{ Epoch, Counter uint8 }
	message struct {
		Kind kind
		Txn  txn
	}
	channel = modules.Channel[message, [2]message]
	tcp     = modules.Net[int8, kind, message, [2]message, [2]channel, [2][2]channel]
	udp     = modules.Bag[int8, kind, message, [2]message, [2]channel, [2][2]channel]
)

// flat is a State of all value types.
type flat struct {
	Zxid    [2]int32
	Leader  int8
	Up      bool
	Votes   [2]modules.Set[int8]
	History modules.Seq[txn, [2]txn]
	Table   modules.Map[int8, txn, [2]txn]
	Sent    modules.Records[txn, [3]txn]
	Unused  modules.Records[txn, [0]txn]
	Msgs    tcp
	Packets udp
	Alarms  modules.Raised[kind]
	Fill    [2]uint8
}

func TestCheckStateAccepts(t *testing.T) {
	t.Parallel()
	for _, err := range modules.CheckState(reflect.TypeFor[flat]()) {
		t.Error(err)
	}
}

func TestCheckStateFindings(t *testing.T) {
	t.Parallel()
	type list []uint8
	for _, c := range []struct {
		state any
		want  []string // what each finding says, in order
	}{
		{uint8(0), []string{"the type State is a uint8"}},
		{struct {
			A [2]uint8 `inuse:"N"`
			N uint8
		}{}, nil},
		{struct {
			A [2]uint8 `inuse:"N"`
			N int8
		}{}, []string{`State.A is tagged inuse:"N"`}},
		{struct {
			A [2]uint8 `inuse:"M"`
			N uint8    `inuse:"A"`
		}{}, []string{`State.A is tagged inuse:"M"`, `State.N is tagged inuse:"A"`}},
		{struct{ P *uint8 }{}, []string{"State.P is a ptr"}},
		{struct{ M map[int8]int8 }{}, []string{"State.M is a map"}},
		{struct{ S list }{}, []string{"State.S is a slice"}},
		{struct{ S string }{}, []string{"State.S is a string"}},
		{struct{ I any }{}, []string{"State.I is a interface"}},
		{struct{ F func() }{}, []string{"State.F is a func"}},
		{struct{ F float64 }{}, []string{"State.F is a float64"}},
		{struct{ N int }{}, []string{"State.N is a int, whose size depends on the machine"}},
		{struct {
			A, B uint
			C    uintptr
		}{}, []string{"State.A is a uint", "State.B is a uint", "State.C is a uintptr"}},
		{struct{ P [2]struct{ Q [3]*int8 } }{}, []string{"State.P[].Q[] is a ptr"}},
		{struct {
			A uint8
			B uint16
		}{}, []string{"State has 1 bytes of padding before B"}},
		{struct {
			A uint32
			B uint8
		}{}, []string{"State has 3 bytes of padding at its end"}},
		{struct {
			A    uint8
			None [0]uint8
		}{}, []string{"State has 1 bytes of padding at its end"}},
		{struct {
			In struct {
				A uint32
				B uint16
			}
		}{}, []string{"State.In has 2 bytes of padding at its end"}},
		{struct {
			Q modules.Seq[uint16, [2]uint16]
		}{}, []string{"State.Q has 1 bytes of padding at its end"}},
		{struct{ Q modules.Seq[*int8, [1]*int8] }{}, []string{"State.Q[] is a ptr", "State.Q has 7 bytes of padding"}},
		{struct{ A, B modules.Raised[kind] }{}, []string{"State has 2 Raised fields"}},
		{struct {
			N modules.Net[int8, kind, txn, [1]txn, [1]modules.Channel[txn, [1]txn], [1][1]modules.Channel[txn, [1]txn]]
		}{}, []string{"State.N carries modules_test.txn, whose first field must be its kind, of type modules_test.kind"}},
		{struct {
			N modules.Bag[int8, kind, kind, [1]kind, [1]modules.Channel[kind, [1]kind], [1][1]modules.Channel[kind, [1]kind]]
		}{}, []string{"State.N carries modules_test.kind"}},
	} {
		errs := modules.CheckState(reflect.TypeOf(c.state))
		for k, err := range errs {
			if k >= len(c.want) || !strings.Contains(err.Error(), c.want[k]) {
				t.Errorf("%T: finding %d: %v; want %v", c.state, k+1, err, c.want)
			}
		}
		if len(errs) < len(c.want) {
			t.Errorf("%T: %d findings, want %v", c.state, len(errs), c.want)
		}
	}
}

func TestRaisedOffset(t *testing.T) {
	t.Parallel()
	if at, ok := modules.RaisedOffset(reflect.TypeFor[flat]()); !ok || at != unsafe.Offsetof(flat{}.Alarms) {
		t.Errorf("offset %d, %v", at, ok)
	}
	if _, ok := modules.RaisedOffset(reflect.TypeFor[struct{ A uint8 }]()); ok {
		t.Error("found one where there is none")
	}
}

func TestFieldAt(t *testing.T) {
	t.Parallel()
	type node struct {
		Spent [0]uint8
		State flat
	}
	var n node
	offset := func(p unsafe.Pointer) uintptr { return uintptr(p) - uintptr(unsafe.Pointer(&n)) }
	for _, c := range []struct {
		at   uintptr
		want string
	}{
		{offset(unsafe.Pointer(&n.State.Zxid[1])), "State.Zxid[1]"},
		{offset(unsafe.Pointer(&n.State.Leader)), "State.Leader"},
		{offset(unsafe.Pointer(&n.State.Votes[1])), "State.Votes[1]"},
		{offset(unsafe.Pointer(&n.State.History)), "State.History"},
		// inside, the second element
		{offset(unsafe.Pointer(&n.State.History)) + 3, "State.History"},
		{offset(unsafe.Pointer(&n.State.Table)), "State.Table"},
		{offset(unsafe.Pointer(&n.State.Unused)), "State.Unused"},
		{offset(unsafe.Pointer(&n.State.Msgs)) + unsafe.Sizeof(n.State.Msgs) - 1, "State.Msgs"},
		{offset(unsafe.Pointer(&n.State.Packets)), "State.Packets"},
		{offset(unsafe.Pointer(&n.State.Fill[1])), "State.Fill[1]"},
	} {
		if got := modules.FieldAt(reflect.TypeFor[node](), c.at); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	if got := modules.FieldAt(reflect.TypeFor[[2][3]uint16](), 8); got != "[1][1]" {
		t.Errorf("got %s", got)
	}
}
