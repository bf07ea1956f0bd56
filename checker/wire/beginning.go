package wire

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker/host"
)

// How long the initialisation of a program's packages may take: without a limit of the user, beyond
// the user's timeout, and after the user asked the program to stop.
const (
	patience = time.Minute
	beyond   = 3 * time.Second
	stopping = 500 * time.Millisecond
	dumping  = 2 * time.Second
)

// errStuck is the cause of killing a program that does not begin.
var errStuck = errors.New("the program did not begin")

// patience returns how long the program may take to begin.
func (p *Program) patience(req Request) time.Duration {
	switch {
	case p.Patience > 0:
		return p.Patience
	case req.Options.Timeout > 0:
		return min(patience, req.Options.Timeout+beyond)
	}
	return patience
}

// beginning watches whether a program begins: whether the initialisation of its packages, which is
// the user's code, returns. A program that has begun ends by itself when it is asked to.
type beginning struct {
	began, end   chan struct{}
	kill         context.CancelCauseFunc
	stuck, asked atomic.Bool
	after        time.Duration
}

// watch ends a program that does not begin. The program prints first where it is.
func (b *beginning) watch(p *os.Process, stop <-chan struct{}, most time.Duration) {
	start := host.Now()
	over := time.NewTimer(most)
	defer over.Stop()
	for waiting := true; waiting; {
		select {
		case <-b.began:
			return
		case <-b.end:
			return
		case <-stop:
			stop = nil // asked once
			b.asked.Store(true)
			over.Reset(stopping)
		case <-over.C:
			waiting = false
		}
	}
	b.after = host.Since(start)
	b.stuck.Store(true)
	dump(p)
	select {
	case <-b.end:
	case <-time.After(dumping):
		b.kill(errStuck)
	}
}
