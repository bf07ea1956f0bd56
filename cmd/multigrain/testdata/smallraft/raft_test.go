package smallraft

import "testing"

// deliver carries messages until there are none.
func deliver(servers map[int]*Server, queue []Message) {
	for len(queue) > 0 {
		m := queue[0]
		queue = append(queue[1:], servers[m.To].Step(m)...)
	}
}

func TestCommit(t *testing.T) {
	servers := map[int]*Server{}
	for id := 1; id <= 3; id++ {
		servers[id] = New(id, []int{1, 2, 3})
	}
	deliver(servers, servers[2].Tick())
	out, ok := servers[2].Propose([]byte("x"))
	if !ok {
		t.Fatal("nobody leads")
	}
	deliver(servers, out)
	for id, s := range servers {
		if c := s.Committed(); len(c) != 2 || string(c[1].Command) != "x" {
			t.Errorf("server %d has committed %v", id, c)
		}
	}
}
