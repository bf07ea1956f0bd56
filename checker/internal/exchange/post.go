package exchange

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker/host"
)

// Link delivers frames between parts. A frame may be lost, or come twice, and those of one part to
// another keep their order.
type Link interface {
	// Send sends a frame to the part that its header names. It keeps nothing of frame. Calls do not
	// overlap.
	Send(frame []byte) error
	// Receive waits for the next frame, which is the caller's.
	Receive() ([]byte, error)
}

const (
	// Window is how many batches may be in transit between two parts in one direction.
	Window = 32
	// creditEvery is after how many batches their sender gets credits again.
	creditEvery = 8
	// beatEvery is the interval of beats.
	beatEvery = 200 * time.Millisecond
	// Silence is how long a part may be silent before it counts as gone.
	Silence = 45 * time.Second
)

// Error says that parts lost each other.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

// Post sends and receives the frames of one part.
type Post struct {
	link        Link
	index, many int
	silence     time.Duration
	beat        func() []byte // the body of beats
	urgent      func(Frame)

	sending sync.Mutex
	sent    []uint32 // by part: frames

	// Of the goroutine that receives:
	got   []uint32 // by part: the last frame
	heard []atomic.Int64

	credits []int // by part: batches that may be sent
	taken   []int // by part: batches without a credit so far

	mu      sync.Mutex
	inbox   []Frame
	waiting atomic.Bool
	news    chan struct{} // has an element if the inbox may have something
	failure error
	failed  chan struct{}
	closed  chan struct{}
	ending  sync.Once

	Repeated atomic.Int64 // frames that came twice
}

// Open returns the post of part index of so many. Beat returns the body of each beat. Urgent is
// called for each frame of another kind than Batch as soon as it is received, from another
// goroutine; the frame is in the inbox, too, except a beat.
func Open(link Link, index, parts int, beat func() []byte, urgent func(Frame)) *Post {
	return open(link, index, parts, Silence, beat, urgent)
}

// open is Open with a time after which a silent part counts as gone.
func open(link Link, index, parts int, silence time.Duration, beat func() []byte, urgent func(Frame)) *Post {
	p := &Post{
		link: link, index: index, many: parts, silence: silence, beat: beat, urgent: urgent,
		sent: make([]uint32, parts), got: make([]uint32, parts), heard: make([]atomic.Int64, parts),
		credits: make([]int, parts), taken: make([]int, parts),
		news: make(chan struct{}, 1), failed: make(chan struct{}), closed: make(chan struct{}),
	}
	now := host.Now().UnixNano()
	for k := range parts {
		p.credits[k] = Window
		p.heard[k].Store(now)
	}
	go p.receive()
	go p.watch()
	return p
}

// Close ends the post. Nothing is sent or received any more.
func (p *Post) Close() { p.ending.Do(func() { close(p.closed) }) }

// Send sends a frame to a part. The first HeaderBytes of the frame are overwritten.
func (p *Post) Send(to int, kind Kind, level int, frame []byte) error {
	if len(frame) > MostFrame {
		return &Error{fmt.Sprintf("a message of %d bytes is too long for the exchange between parts, which takes %d", len(frame), MostFrame)}
	}
	p.sending.Lock()
	defer p.sending.Unlock()
	p.sent[to]++
	seal(frame, to, p.index, p.sent[to], kind, level)
	if err := p.link.Send(frame); err != nil {
		p.fail(&Error{fmt.Sprintf("part %d cannot send: %v", p.index+1, err)})
		return p.Err()
	}
	return nil
}

// SendBatch sends a batch to a part, if there is a credit. It reports whether it did.
func (p *Post) SendBatch(to, level int, frame []byte) (sent bool, err error) {
	if p.credits[to] == 0 {
		return false, nil
	}
	p.credits[to]--
	return true, p.Send(to, Batch, level, frame)
}

// Taken says that a batch of a part was taken.
func (p *Post) Taken(from int) error {
	if p.taken[from]++; p.taken[from] < creditEvery {
		return nil
	}
	n := p.taken[from]
	p.taken[from] = 0
	frame := make([]byte, HeaderBytes+1)
	frame[HeaderBytes] = byte(n)
	return p.Send(from, credit, 0, frame)
}

// Waiting reports whether the inbox has a frame.
func (p *Post) Waiting() bool { return p.waiting.Load() }

// News has an element when a frame may have come since the inbox was empty.
func (p *Post) News() <-chan struct{} { return p.news }

// Failed is closed when parts have lost each other.
func (p *Post) Failed() <-chan struct{} { return p.failed }

// Err returns why they did.
func (p *Post) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failure
}

// Take returns the next frame. Credits are taken here and not returned. It returns false if there
// is no other.
func (p *Post) Take() (Frame, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.inbox) > 0 {
		f := p.inbox[0]
		p.inbox[0] = Frame{}
		p.inbox = p.inbox[1:]
		if f.Kind == credit {
			p.credits[f.From] += int(f.Body[0])
			continue
		}
		p.waiting.Store(len(p.inbox) > 0)
		return f, true
	}
	p.inbox = nil
	p.waiting.Store(false)
	return Frame{}, false
}

// fail ends the exchange. The first reason counts.
func (p *Post) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
		return
	default:
	}
	if p.failure == nil {
		p.failure = err
		close(p.failed)
	}
}

// receive puts what comes into the inbox until the link ends.
func (p *Post) receive() {
	for {
		frame, err := p.link.Receive()
		if err != nil {
			p.fail(&Error{fmt.Sprintf("part %d is no longer connected: %v", p.index+1, err)})
			return
		}
		if err := p.accept(frame); err != nil {
			p.fail(err)
			return
		}
	}
}

// accept puts a frame into the inbox, unless it came before.
func (p *Post) accept(frame []byte) error {
	f, to, number, err := unseal(frame)
	if err != nil {
		return &Error{fmt.Sprintf("part %d was sent something else: %v", p.index+1, err)}
	}
	if to != p.index || f.From >= p.many || f.Kind == credit && len(f.Body) != 1 {
		return &Error{fmt.Sprintf("part %d got a frame that is not for it", p.index+1)}
	}
	p.heard[f.From].Store(host.Now().UnixNano())
	switch last := p.got[f.From]; {
	case number <= last:
		p.Repeated.Add(1)
		return nil
	case number > last+1:
		return &Error{fmt.Sprintf("part %d lost frame %d of part %d: frame %d came after frame %d", p.index+1, last+1, f.From+1, number, last)}
	}
	p.got[f.From] = number
	if f.Kind != Batch && f.Kind != credit && p.urgent != nil {
		p.urgent(f)
	}
	if f.Kind == Beat {
		return nil
	}
	p.mu.Lock()
	p.inbox = append(p.inbox, f)
	p.mu.Unlock()
	p.waiting.Store(true)
	select {
	case p.news <- struct{}{}:
	default:
	}
	return nil
}

// watch sends beats and looks for parts that are silent.
func (p *Post) watch() {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	last := host.Now()
	for {
		select {
		case <-p.closed:
			return
		case <-p.failed:
			return
		case <-tick.C:
		}
		now := host.Now()
		asleep := now.Sub(last) > p.silence/2 // this process did not run: others may have spoken
		last = now
		for k := range p.many {
			if k == p.index {
				continue
			}
			if asleep {
				p.heard[k].Store(now.UnixNano())
			}
			if silent := now.UnixNano() - p.heard[k].Load(); silent > int64(p.silence) {
				p.fail(&Error{fmt.Sprintf("part %d has not been heard of for %.0f s", k+1, time.Duration(silent).Seconds())})
				return
			}
			if p.Send(k, Beat, 0, append(make([]byte, HeaderBytes), p.beat()...)) != nil {
				return
			}
		}
	}
}
