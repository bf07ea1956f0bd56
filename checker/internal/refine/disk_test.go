package refine

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// promising returns the ticket lock whose answers promise that the next ticket is on disk.
func promising(torn bool, written [][]string) *Spec[ticketState] {
	spec := ticketSpec()
	spec.Runtime = &modules.Runtime[ticketState]{Restart: ticketRestart, Written: written,
		Promises: []modules.Promise[ticketState]{{
			Name: "the ticket",
			Made: func(_ int, msg unsafe.Pointer) (major, minor uint64, ok bool) {
				m := (*ticketMsg)(msg)
				return uint64(m.Ticket) + 1, 0, m.Kind == assigned
			},
			Kept: func(s *ticketState, i int, major, _ uint64) bool { return uint64(s.Highest[i]) >= major },
			Torn: torn,
		}}}
	return spec
}

// on returns a restart from these variables.
func on(highest, current int) string {
	return fmt.Sprintf(`{"event":"restart","state":{"Highest":%d,"Current":%d}}`, highest, current)
}

// TestPromise restarts a node with and without the ticket that it has given. The alarm names both
// events, also after a loss and after the check continued from a saved state.
func TestPromise(t *testing.T) {
	t.Parallel()
	given := "<1 assign 0\n>1 assigned 0\n<2 assign 0\n>2 assigned 1\n"
	for _, c := range []struct {
		name, stream string
		torn         bool
		at, sent     int64 // of the alarm; 0: none
		unexplained  int64
	}{
		{"kept", given + on(2, 0), false, 0, 0, 0},
		{"more than promised", "<1 assign 0\n>1 assigned 0\n<2 assign 0\n" + on(2, 0), false, 0, 0, 0},
		{"broken", given + on(1, 0), false, 5, 4, 0},
		{"broken at the second restart", given + on(2, 0) + "\n" + on(0, 0), false, 6, 4, 0},
		{"after a loss", given + "lost\n" + on(1, 0), false, 6, 4, 0},
		{"after a loss, and a torn write may explain it", given + "lost\n" + on(1, 0), true, 0, 0, 0},
		{"no torn write explains it", given + on(1, 0), true, 5, 4, 0},
		{"not all is told", given + `{"event":"restart","state":{"Highest":1}}`, false, 0, 0, 0},
		{"unexplained, and no promise is broken", given + on(9, 0), false, 0, 0, 1},
	} {
		for _, saved := range []bool{false, true} {
			checker, err := New(promising(c.torn, nil), 0, Options{})
			if err != nil {
				t.Fatal(err)
			}
			stream := c.stream
			if first, rest, ok := strings.Cut(stream, "lost\n"); saved && ok {
				lines(t, checker, strings.TrimSpace(first))
				b, err := checker.Snapshot()
				if err != nil {
					t.Fatal(err)
				}
				if checker, err = New(promising(c.torn, nil), 0, Options{}); err != nil {
					t.Fatal(err)
				}
				if err := checker.Restore(b); err != nil {
					t.Fatal(err)
				}
				stream = "lost\n" + rest
			}
			a := lines(t, checker, stream)
			if a == nil {
				a = &Alarm{}
			}
			if a.Position != c.at || a.Sent != c.sent || checker.Stats.Unexplained != c.unexplained {
				t.Errorf("%s, saved %t: alarm at %d of %d, want %d of %d; %d unexplained", c.name, saved, a.Position, a.Sent, c.at, c.sent, checker.Stats.Unexplained)
			}
			if c.at > 0 && (a.Message.Value == nil || a.State == nil || !strings.Contains(a.Why, "the ticket") || len(a.Last) == 0) {
				t.Errorf("%s: %+v", c.name, a)
			}
		}
	}
}

// TestWritten restarts a node within a write of two pieces: the first one may be newer than the
// second one, and not the other way round.
func TestWritten(t *testing.T) {
	t.Parallel()
	const both = "<1 assign 0\n<1 release 0\n"
	for _, c := range []struct {
		written          [][]string
		highest, current int
		unexplained      int64
	}{
		{nil, 0, 1, 1}, // a release is taken after the assignment
		{[][]string{{"Current"}, {"Highest"}}, 0, 1, 0},
		{[][]string{{"Highest"}, {"Current"}}, 0, 1, 1},
		{[][]string{{"Highest"}, {"Current"}}, 1, 0, 0},
		{[][]string{{"Current"}, {"Highest"}}, 0, 2, 1},
	} {
		checker, err := New(promising(false, c.written), 0, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a := lines(t, checker, both+on(c.highest, c.current)+"\n<2 assign 0\n>2 assigned 7"); a == nil {
			t.Errorf("%v: no alarm after the restart", c.written)
		}
		if checker.Stats.Unexplained != c.unexplained {
			t.Errorf("%v, %d and %d on disk: %d unexplained", c.written, c.highest, c.current, checker.Stats.Unexplained)
		}
	}
	if _, err := New(promising(false, [][]string{{"Hihgest"}}), 0, Options{}); err == nil || !strings.Contains(err.Error(), "Hihgest") {
		t.Error(err)
	}
}

// TestBegins starts with a restart that tells a state: the node had it before.
func TestBegins(t *testing.T) {
	t.Parallel()
	checker, err := New(promising(false, nil), 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := lines(t, checker, on(5, 3)+"\n<1 assign 0\n>1 assigned 5\n<1 assign 0\n>1 assigned 5")
	if a == nil || a.Position != 5 || checker.Stats.Unexplained != 0 || checker.Stats.Decided != 1 {
		t.Errorf("%+v, %+v", a, checker.Stats)
	}
}
