// Package spent ends a run that has used its processor time. The limit is a context, so that all
// that an interrupt ends is ended, and Why says which of the two came first.
package spent

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/multigrain/multigrain/checker/host"
)

// least is the shortest time between two readings of the processor time.
const least = 10 * time.Millisecond

// limit is the cause of a context that the processor time ended.
type limit time.Duration

func (l limit) Error() string {
	return fmt.Sprintf("the limit of %s of processor time is reached", time.Duration(l))
}

// Within returns a context that is done when this process has used so much processor time since
// its start; 0 is no limit. End releases it. The error says that the system does not tell the
// processor time.
func Within(ctx context.Context, most time.Duration) (within context.Context, end func(), err error) {
	if most <= 0 {
		return ctx, func() {}, nil
	}
	used, ok := host.Processor()
	if !ok {
		return nil, nil, fmt.Errorf("%s does not tell the processor time of a process: give a limit of time", runtime.GOOS)
	}
	within, cancel := context.WithCancelCause(ctx)
	if used >= most { // at once, however short the run is
		cancel(limit(most))
	}
	go func() {
		for within.Err() == nil {
			// All processors together cannot use the rest earlier.
			select {
			case <-within.Done():
			case <-time.After(max(least, (most-used)/time.Duration(runtime.GOMAXPROCS(0)))):
				if used, _ = host.Processor(); used >= most {
					cancel(limit(most))
				}
			}
		}
	}()
	return within, func() { cancel(nil) }, nil
}

// Reached reports whether the processor time ended a context.
func Reached(ctx context.Context) bool {
	var l limit
	return errors.As(context.Cause(ctx), &l)
}

// Why says why a context is done: at its limit of processor time, or at an interrupt.
func Why(ctx context.Context) string {
	if Reached(ctx) {
		return context.Cause(ctx).Error()
	}
	return "interrupted"
}
