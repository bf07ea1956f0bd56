package rounds_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/rounds"
	"github.com/multigrain/multigrain/raft/reference"
)

// TestClosure judges single steps of the reference model. A reply of an older term is forgotten,
// so no step breaks the property; one that counts the reply does.
func TestClosure(t *testing.T) {
	t.Parallel()
	c, err := rounds.NewClosure(reflect.TypeFor[reference.State](), []string{"Term"}, []string{"Term"})
	if err != nil {
		t.Fatal(err)
	}
	var s reference.State
	for x := range reference.Init {
		s = x
	}
	s.Term[0] = 2
	s.Role[0] = reference.Candidate
	for _, k := range []struct {
		name  string
		term  uint8
		after func(n *reference.State)
		holds bool
	}{
		{"an older message is dropped", 1, func(n *reference.State) { n.Msgs.Pop(1, 0) }, true},
		{"an older message is used", 1, func(n *reference.State) { n.Msgs.Pop(1, 0); n.Votes[0].Add(1) }, false},
		{"an older message is answered", 1, func(n *reference.State) {
			n.Msgs.Pop(1, 0)
			n.Msgs.Send(0, 1, reference.Msg{Kind: reference.AER, Term: 2})
		}, false},
		{"a message of this round is used", 2, func(n *reference.State) { n.Msgs.Pop(1, 0); n.Votes[0].Add(1) }, true},
		{"a message of a newer round is used", 3, func(n *reference.State) { n.Msgs.Pop(1, 0); n.Term[0] = 3 }, true},
		{"an older message stays", 1, func(n *reference.State) { n.Term[0] = 3 }, true},
	} {
		before := s
		before.Msgs.Send(1, 0, reference.Msg{Kind: reference.RVR, Term: k.term, OK: true})
		after := before
		k.after(&after)
		if got := c.Holds(unsafe.Pointer(&before), unsafe.Pointer(&after)); got != k.holds {
			t.Errorf("%s: it holds: %v", k.name, got)
		}
	}
	for _, wrong := range [][2][]string{{{"Tern"}, {"Term"}}, {{"Term"}, {"Tern"}}, {{"Reqs"}, {"Term"}}, {{"Log"}, {"Term"}}, {nil, nil}} {
		if _, err := rounds.NewClosure(reflect.TypeFor[reference.State](), wrong[0], wrong[1]); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
}
