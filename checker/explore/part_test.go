package explore_test

import (
	"errors"
	"io"
	"sync"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/explore/exchange"
)

// network connects parts in this process. Through may return a frame several times, or not at all.
type network struct {
	boxes   []chan []byte
	closed  chan struct{}
	through func(to int, frame []byte) [][]byte
}

func newNetwork(parts int) *network {
	x := &network{closed: make(chan struct{})}
	for range parts {
		x.boxes = append(x.boxes, make(chan []byte, 1<<14))
	}
	return x
}

type link struct {
	net *network
	own int
}

func (l link) Send(frame []byte) error {
	to := exchange.Receiver(frame)
	frames := [][]byte{frame}
	if l.net.through != nil {
		frames = l.net.through(to, frame)
	}
	for _, f := range frames {
		select {
		case l.net.boxes[to] <- append([]byte(nil), f...):
		case <-l.net.closed:
			return errors.New("closed")
		}
	}
	return nil
}

func (l link) Receive() ([]byte, error) {
	select {
	case f := <-l.net.boxes[l.own]:
		return f, nil
	case <-l.net.closed:
		return nil, io.EOF
	}
}

// shared explores in so many parts and returns the result of each.
func shared[T any](spec *checker.Spec[T], opt explore.Options, net *network) ([]checker.Result[T], []error) {
	parts := len(net.boxes)
	results, errs := make([]checker.Result[T], parts), make([]error, parts)
	var wait sync.WaitGroup
	for k := range parts {
		wait.Go(func() {
			own := opt
			own.Part = &explore.Part{Index: k, Count: parts, Link: link{net, k}}
			results[k], errs[k] = explore.Run(spec, own)
		})
	}
	wait.Wait()
	close(net.closed)
	return results, errs
}

// inParts explores in so many parts, and checks the traces.
func inParts[T any](t *testing.T, spec *checker.Spec[T], opt explore.Options, parts int) checker.Result[T] {
	t.Helper()
	results, errs := shared(spec, opt, newNetwork(parts))
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	res := results[0]
	checkTraces(t, spec, &res)
	if parts == 1 {
		res.Workers = 2 // the order of work is another one: see same
	}
	return res
}
