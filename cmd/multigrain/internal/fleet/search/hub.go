package search

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
)

// hub carries the frames of the parts of one search that run here. A frame goes from the goroutine
// that reads it straight to the pipe of its receiver, or to the server where that runs elsewhere.
// This does not block for long: a program reads its frames whatever else it does.
type hub struct {
	parts          []*place
	batches, bytes atomic.Int64
	// through returns what is delivered in the place of a frame, in tests; nil: the frame.
	through func(frame []byte) [][]byte
}

// place is where the frames for a part go.
type place struct {
	ready chan struct{} // closed when put is set
	mu    sync.Mutex
	put   func(frame []byte) error
	gone  bool
}

// opens says where the frames go.
func (p *place) opens(put func(frame []byte) error) {
	p.put = put
	close(p.ready)
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
	h.parts[part].opens(func(frame []byte) error { return wire.WriteFrame(received, frame) })
	r := bufio.NewReaderSize(sent, 256<<10)
	var frame []byte
	for {
		var err error
		if frame, err = wire.ReadFrame(r, frame); err != nil {
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
		p.gone = p.put(frame) != nil
	}
}

// frames returns what carries the frames of a part that runs here.
func (h *hub) frames(part int) func(sent io.Reader, received io.Writer) {
	return func(sent io.Reader, received io.Writer) { h.connect(part, sent, received) }
}

// elsewhere sends the frames for all parts but one to their seats.
func (h *hub) elsewhere(parts, own int, seat *queue.Seat) {
	for k, p := range h.parts[:parts] {
		if k != own {
			p.opens(func(frame []byte) error { return seat.Frame(k, frame) })
		}
	}
}

// comes takes a frame from a server for the part that runs here.
func (h *hub) comes(own int, frame []byte) {
	if wire.FrameReceiver(frame) == own {
		h.parts[own].write(frame)
	}
}
