package chain

import "testing"

// initial returns the initial state.
func initial(t *testing.T) (s State) {
	t.Helper()
	start(func(x State) bool { s = x; return false })
	return s
}

// do performs an enabled action.
func do[P any](t *testing.T, s *State, a *Action[P], p P) {
	t.Helper()
	if !a.Guard(s, p) {
		t.Fatalf("%s(%v) is not enabled", a.Name, p)
	}
	n := *s
	a.Effect(s, &n, p)
	*s = n
}

// stored has server 0 store update 1.
func stored(t *testing.T) State {
	s := initial(t)
	do(t, &s, &CallPut, None{})
	do(t, &s, &SendPut, None{})
	do(t, &s, &TakePut, One{I: 0})
	return s
}

// Section 3: updates pass from server to server along the chain, and the tail alone replies.
func TestTailReplies(t *testing.T) {
	t.Parallel()
	s := stored(t)
	for i := range Node(Servers - 1) {
		do(t, &s, &Pass, One{I: i})
		do(t, &s, &TakeUpdate, Pair{I: i + 1, J: i})
		if s.Msgs.Len(i, Client) != 0 {
			t.Errorf("server %d replies to the client", i)
		}
	}
	do(t, &s, &Pass, One{I: Servers - 1})
	do(t, &s, &TakeDone, One{I: Servers - 1})
	if s.Known != 1 {
		t.Errorf("the client knows version %d", s.Known)
	}
}

// Section 3.1: when the head fails, updates that it has not passed on are lost, and the client
// sends them again.
func TestHeadFails(t *testing.T) {
	t.Parallel()
	s := stored(t)
	do(t, &s, &Crash, One{I: 0})
	do(t, &s, &Detect, One{I: 0})
	do(t, &s, &Tell, One{I: Client})
	do(t, &s, &TakeView, None{})
	if TakePut.Guard(&s, One{I: 1}) {
		t.Error("server 1 takes an update before it knows that it is the head")
	}
	do(t, &s, &Tell, One{I: 1})
	do(t, &s, &Adopt, One{I: 1})
	do(t, &s, &TakePut, One{I: 1})
	if s.Log[1] != 1 {
		t.Errorf("server 1 has stored %d updates", s.Log[1])
	}
}

// Section 3.3: when a server in the middle fails, its predecessor sends the new successor what that
// may not have received.
func TestMiddleFails(t *testing.T) {
	t.Parallel()
	if Servers != 3 {
		t.Skip("server 1 is in the middle of three")
	}
	s := stored(t)
	do(t, &s, &Pass, One{I: 0})
	do(t, &s, &TakeUpdate, Pair{I: 1, J: 0})
	do(t, &s, &Crash, One{I: 1})
	do(t, &s, &Detect, One{I: 1})
	do(t, &s, &Tell, One{I: 0})
	do(t, &s, &Adopt, One{I: 0})
	do(t, &s, &Pass, One{I: 0})
	do(t, &s, &TakeUpdate, Pair{I: 2, J: 0})
	if s.Log[2] != 1 {
		t.Errorf("the tail has stored %d updates", s.Log[2])
	}
}

// Section 3.2: when the tail fails, its predecessor becomes the tail and replies.
func TestTailFails(t *testing.T) {
	t.Parallel()
	if Servers != 3 {
		t.Skip("server 2 is the tail of three")
	}
	s := stored(t)
	do(t, &s, &Pass, One{I: 0})
	do(t, &s, &TakeUpdate, Pair{I: 1, J: 0})
	do(t, &s, &Pass, One{I: 1})
	do(t, &s, &Crash, One{I: 2})
	do(t, &s, &Detect, One{I: 2})
	do(t, &s, &Tell, One{I: 1})
	do(t, &s, &Adopt, One{I: 1})
	do(t, &s, &Pass, One{I: 1})
	do(t, &s, &TakeDone, One{I: 1})
}
