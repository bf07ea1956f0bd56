package overdue

import (
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
)

// TestShown: a call that ran whenever it was seen is most likely a loop. One that waited is
// reported to wait. A machine under load and a server that does not answer make it last, too.
func TestShown(t *testing.T) {
	t.Parallel()
	dump := func(state string) string {
		return "goroutine 7 gp=0xc000 m=4 [" + state + "]:\n" +
			"example.com/adapter.(*a).Observe(0xc0001)\n\t/home/a/adapter.go:12 +0x1\n" +
			"github.com/multigrain/multigrain/checker/conform.(*tester).compared(0xc0002)\n\t/src/checker/conform/tester.go:200 +0x2\n"
	}
	for _, c := range []struct{ states, want string }{
		{"running runnable running", "a loop without end, most likely"},
		{"running IO_wait,_2_minutes runnable running", "a loop without end, most likely"},
		{"select select,_1_minutes running", "it waited in 2 of 3 observations, for \"select\" at last"},
		{"IO_wait", "it waited in 1 of 1 observations, for \"IO wait\" at last"},
	} {
		calls := map[string]*lasting{}
		for _, state := range strings.Fields(c.states) {
			calls = seen(calls, wire.Calls(dump(strings.ReplaceAll(state, "_", " "))), time.Now())
		}
		if len(calls) != 1 {
			t.Fatalf("%s: %d calls", c.states, len(calls))
		}
		for _, x := range calls {
			if got := x.shown(); got != c.want || !x.Adapter {
				t.Errorf("%s: %q, of the adapter %t", c.states, got, x.Adapter)
			}
		}
	}
}
