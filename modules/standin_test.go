package modules

import "testing"

type counted struct{ At, Left uint8 }

var (
	raise = Action[counted, One[int8]]{Name: "Raise", Params: Each[int8](3),
		Effect: func(s, n *counted, _ One[int8]) { n.Left-- }}
	raiseAll = Action[counted, Party[int8]]{Name: "RaiseAll", Params: Quorums[int8](3),
		Effect: func(s, n *counted, p Party[int8]) { n.At, n.Left = s.At+1, 0 }}
)

// TestStandsFor: a property of a replaced step is judged on the step that stands for it, for each
// parameter. The states are that before the replaced step and that after the coarse one.
func TestStandsFor(t *testing.T) {
	t.Parallel()
	bad := int8(-1)
	v := &Invariant[counted]{ID: "V", OnStep: OnStep(&raise, func(s, n *counted, p One[int8]) bool {
		return s.At == 1 && n.Left == 0 && p.I != bad
	})}
	members := func(p Party[int8], yield func(One[int8]) bool) {
		for i := range int8(3) {
			if p.S.Has(i) && !yield(One[int8]{i}) {
				return
			}
		}
	}
	before := func(s, b *counted, _ Party[int8]) { b.At = s.At + 1 }
	judge := func(stands ...StandIn[counted]) (holds []bool) {
		b := Bind([]AnyAction[counted]{&raiseAll}, nil, []*Invariant[counted]{v}, stands...)[0]
		for k := range b.Params {
			s := counted{Left: 3}
			n := s
			b.Apply(&s, &n, k)
			for _, on := range b.Steps {
				holds = append(holds, on.Holds(&s, &n, k))
			}
			if s != (counted{Left: 3}) {
				t.Errorf("the state before was changed to %v", s)
			}
		}
		return holds
	}
	count := func(holds []bool) (n int) {
		for _, h := range holds {
			if h {
				n++
			}
		}
		return n
	}
	whole := StandsFor(&raiseAll, &raise, members, before)
	if got := judge(whole); len(got) == 0 || count(got) != len(got) {
		t.Errorf("got %v", got)
	}
	if got := judge(StandsFor(&raiseAll, &raise, members, nil)); len(got) == 0 || count(got) != 0 {
		t.Errorf("in the state before the coarse step it is false, and got %v", got)
	}
	if got := judge(); len(got) != 0 {
		t.Errorf("without a declaration it is judged: %v", got)
	}
	bad = 2 // one of the replaced steps of some parties
	if got := judge(whole); count(got) == 0 || count(got) == len(got) {
		t.Errorf("it is false for parties with 2 only, and got %v", got)
	}
}
