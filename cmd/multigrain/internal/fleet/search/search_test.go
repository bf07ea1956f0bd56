package search

import (
	"errors"
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
)

// TestLossOf: only a process that was killed, and parts that lost each other, are losses. A fault
// of the specification, or a program that ends by itself, would be the same in another attempt.
func TestLossOf(t *testing.T) {
	killed := &partError{1, &wire.CrashError{Status: "signal: killed", Killed: true}}
	for _, c := range []struct {
		err  error
		lost bool
	}{
		{killed, true},
		{&wire.Error{Kind: wire.ErrorExchange, Message: "part 2 lost a frame"}, true},
		{&partError{0, &wire.CrashError{Status: "exit status 2"}}, false},
		{&wire.Error{Kind: wire.ErrorCapacity}, false},
		{errors.New("no such file"), false},
		{nil, false},
	} {
		if _, lost := lossOf(c.err); lost != c.lost {
			t.Errorf("%v: lost %t", c.err, lost)
		}
	}
	if why, _ := lossOf(killed); why != "worker 2 ended (signal: killed)" {
		t.Error(why)
	}
}

// TestTelling: what the specification did says more than that its other parts lost it.
func TestTelling(t *testing.T) {
	fault := &wire.Error{Kind: wire.ErrorCapacity}
	exchange := &wire.Error{Kind: wire.ErrorExchange}
	crash := &partError{1, &wire.CrashError{Killed: true}}
	if got := telling([]error{exchange, crash, fault}); got != error(fault) {
		t.Error(got)
	}
	if got := telling([]error{errors.New("canceled"), exchange, crash}); got != error(crash) {
		t.Error(got)
	}
	if telling(nil) != nil {
		t.Error("an error of nothing")
	}
}
