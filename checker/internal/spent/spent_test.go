package spent

import (
	"context"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/host"
)

// TestWithin: a context ends when the process has used its processor time, and not when time
// passes in which it uses none.
func TestWithin(t *testing.T) {
	used, ok := host.Processor()
	if !ok {
		t.Skip("the system does not tell the processor time")
	}
	const more = 300 * time.Millisecond
	ctx, end, err := Within(t.Context(), used+more)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if at, end, err := Within(t.Context(), 1); err != nil || !Reached(at) {
		t.Error("a limit that is reached at once ends nothing")
	} else {
		end()
	}
	time.Sleep(2 * more)
	if ctx.Err() != nil {
		t.Fatal("a process that sleeps has used its processor time")
	}
	for begun := time.Now(); ctx.Err() == nil; {
		if time.Since(begun) > time.Minute {
			t.Fatal("a process that works has not used its processor time")
		}
	}
	if now, _ := host.Processor(); now < used+more {
		t.Errorf("ended after %s, of %s", now-used, more)
	}
	if want := "the limit of " + (used + more).String() + " of processor time is reached"; !Reached(ctx) || Why(ctx) != want {
		t.Errorf("%s, want %s", Why(ctx), want)
	}
}

// TestInterrupted: a context that ended before its limit is interrupted, and so is one without.
func TestInterrupted(t *testing.T) {
	for _, most := range []time.Duration{0, time.Hour} {
		ctx, cancel := context.WithCancel(t.Context())
		within, end, err := Within(ctx, most)
		if err != nil {
			t.Skip(err)
		}
		cancel()
		<-within.Done()
		if Reached(within) || Why(within) != "interrupted" {
			t.Errorf("limit %s: %s", most, Why(within))
		}
		end()
	}
}
