package chain

import (
	"reflect"
	"testing"

	"github.com/multigrain/multigrain/interaction/vettest"
	"github.com/multigrain/multigrain/modules"
)

// TestSpecification runs the rules for specifications.
func TestSpecification(t *testing.T) {
	t.Parallel()
	vettest.Run(t)
	for _, err := range modules.CheckState(reflect.TypeFor[State]()) {
		t.Error(err)
	}
}

// TestChains checks head, tail and successor of every chain of three servers by hand.
func TestChains(t *testing.T) {
	t.Parallel()
	if Servers != 3 {
		t.Skip("the table is for three servers")
	}
	const none = -1
	for _, c := range []struct {
		members    []Node
		head, tail Node
		next       [3]Node // by server; none: it is not in the chain
	}{
		{[]Node{0, 1, 2}, 0, 2, [3]Node{1, 2, Client}},
		{[]Node{1, 2}, 1, 2, [3]Node{none, 2, Client}},
		{[]Node{0, 2}, 0, 2, [3]Node{2, none, Client}},
		{[]Node{0, 1}, 0, 1, [3]Node{1, Client, none}},
		{[]Node{1}, 1, 1, [3]Node{none, Client, none}},
	} {
		m := modules.SetOf(c.members...)
		if head(m) != c.head || tail(m) != c.tail {
			t.Errorf("chain %v: head %d, tail %d", c.members, head(m), tail(m))
		}
		for i, want := range c.next {
			if want != none && next(m, Node(i)) != want {
				t.Errorf("chain %v: after %d comes %d, want %d", c.members, i, next(m, Node(i)), want)
			}
		}
	}
}
