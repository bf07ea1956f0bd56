package search

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker/wire"
)

// hub carries the frames of the parts of one search between their pipes. A frame goes from the
// goroutine that reads it straight to the pipe of its receiver. This does not block for long: a
// program reads its frames whatever else it does.
type hub struct {
	parts          []*place
	batches, bytes atomic.Int64
	// through returns what is delivered in the place of a frame, in tests; nil: the frame.
	through func(frame []byte) [][]byte
}

// place is where the frames for a part go.
type place struct {
	ready chan struct{} // closed when to is set
	mu    sync.Mutex
	to    io.Writer
	gone  bool
}

func newHub(parts int) *hub {
	h := &hub{parts: make([]*place, parts)}
	for k := range h.parts {
		h.parts[k] = &place{ready: make(chan struct{})}
	}
	return h
}

// connect carries the frames that a part sends until it ends. Frames for a part that has not begun
// wait; those for one that has ended are dropped.
func (h *hub) connect(part int, sent io.Reader, received io.Writer) {
	own := h.parts[part]
	own.to = received
	close(own.ready)
	r := bufio.NewReaderSize(sent, 256<<10)
	for {
		frame, err := wire.ReadFrame(r)
		if err != nil {
			return // it has ended, and its end says why
		}
		if h.deliver(frame) != nil {
			return
		}
	}
}

// errNoPart is a frame for a part that does not exist.
var errNoPart = errors.New("a program sent a frame for a part that does not exist")

func (h *hub) deliver(frame []byte) error {
	to := wire.FrameReceiver(frame)
	if to < 0 || to >= len(h.parts) {
		return fmt.Errorf("%w: %d", errNoPart, to)
	}
	if wire.FrameIsBatch(frame) {
		h.batches.Add(1)
	}
	h.bytes.Add(int64(len(frame)))
	if h.through == nil {
		h.parts[to].write(frame)
		return nil
	}
	for _, f := range h.through(frame) {
		h.parts[to].write(f)
	}
	return nil
}

func (p *place) write(frame []byte) {
	<-p.ready
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		p.gone = wire.WriteFrame(p.to, frame) != nil
	}
}

// frames returns what carries the frames of a part.
func (a *attempt) frames(k int) func(sent io.Reader, received io.Writer) {
	return func(sent io.Reader, received io.Writer) { a.hub.connect(k, sent, received) }
}
