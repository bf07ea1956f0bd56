package explore_test

import (
	"errors"
	"io"
	"sync"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/exchange"
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

// square is a state of a toy with 40 rows and columns.
type square struct{ X, Y uint8 }

// walks is a toy with 1600 states and the depth 78, whose corner breaks an invariant if asked.
func walks(broken bool) *checker.Spec[square] {
	return toy([]square{{}}, []rule[square]{
		{"Right", func(s *square) bool { return s.X < 39 }, func(_, n *square) { n.X++ }},
		{"Down", func(s *square) bool { return s.Y < 39 }, func(_, n *square) { n.Y++ }},
	}, func(n *square) bool { return !broken || n.X < 39 || n.Y < 39 })
}

// TestPartsFrames: a frame that comes twice changes nothing. One that is lost or damaged ends the
// search with an error instead of wrong counts. Without these the counts are right.
func TestPartsFrames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		through func(n int, frame []byte) [][]byte
		lost    bool
	}{
		"all":   {func(_ int, f []byte) [][]byte { return [][]byte{f} }, false},
		"twice": {func(_ int, f []byte) [][]byte { return [][]byte{f, f} }, false},
		"lost": {func(n int, f []byte) [][]byte {
			if n == 40 {
				return nil
			}
			return [][]byte{f}
		}, true},
		"damaged": {func(n int, f []byte) [][]byte {
			if f = append([]byte(nil), f...); n == 40 {
				f[len(f)-1] ^= 1
			}
			return [][]byte{f}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := newNetwork(3)
			var mu sync.Mutex
			n := 0
			net.through = func(_ int, f []byte) [][]byte {
				mu.Lock()
				defer mu.Unlock()
				n++
				return c.through(n, f)
			}
			results, errs := shared(walks(true), explore.Options{Stop: 1}, net)
			err := errors.Join(errs...)
			if c.lost {
				if _, ok := errors.AsType[*exchange.Error](err); !ok {
					t.Errorf("%s, error %v", results[0].Verdict, err)
				}
				return
			}
			res := results[0]
			if err != nil || res.Distinct != 1600 || res.Generated != 3121 || res.Depth != 78 || len(res.Violations) != 1 || res.Violations[0].Depth != 78 {
				t.Errorf("%d distinct, %d generated, depth %d, %d violations, error %v", res.Distinct, res.Generated, res.Depth, len(res.Violations), err)
			}
		})
	}
}

// TestPartsOptions: options that are not possible in parts are refused.
func TestPartsOptions(t *testing.T) {
	t.Parallel()
	for _, opt := range []explore.Options{
		{Part: &explore.Part{Index: 2, Count: 2}}, {Part: &explore.Part{Count: 0}}, {Part: &explore.Part{Count: 1}, Mem: 1 << 30},
		{Part: &explore.Part{Count: 1}, Checkpoint: "kept"}, {Part: &explore.Part{Count: 1}, Fingerprint: 64}, {Part: &explore.Part{Count: 1}, Nearest: true},
	} {
		if _, err := explore.Run(walks(false), opt); err == nil {
			t.Errorf("%+v is accepted", opt)
		}
	}
}

// TestPartsFault: a part in which the specification panics reports that with a trace, and the
// others end.
func TestPartsFault(t *testing.T) {
	t.Parallel()
	spec := walks(false)
	state := spec.State
	spec.State = func(n *square) uint64 {
		if n.X == 20 && n.Y == 20 {
			panic("twenty")
		}
		return state(n)
	}
	_, errs := shared(spec, explore.Options{Stop: 1}, newNetwork(3))
	var fault *explore.SpecError[square]
	if !errors.As(errors.Join(errs...), &fault) || fault.Value != "twenty" || len(fault.Trace.Steps) != 40 {
		t.Errorf("%v", errs)
	}
}
