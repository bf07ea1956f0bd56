package zookeeper

import (
	"context"
	"sync"
	"time"
)

// What an event is about.
const (
	EventOpen   = "open"   // a connection stands
	EventPacket = "packet" // a message was sent over it and is about to be delivered
	EventClosed = "closed" // one direction of it has ended
	EventBlind  = "blind"  // one direction cannot be decoded any more: Reason says why
	// server From starts again: stated by who starts it, no packet shows it
	EventRestart = "restart"
	// Count events before this one were lost, because the consumer was too slow
	EventDropped = "dropped"
)

// Event is something that happened on a connection. From sent and To receives; -1 where the server
// is not known (yet).
type Event struct {
	Seq    uint64 // from 1, without gaps but those that Dropped counts
	Time   time.Time
	What   string
	Port   Port
	Conn   uint64 // of this tap, from 1
	From   int64
	To     int64
	Packet Packet // EventPacket only
	Reason string // EventClosed: "" where the sender closed in order; EventBlind
	Count  uint64 // EventDropped
}

// Sink orders the events of a tap's links and keeps them for a consumer. It never waits for the
// consumer: events without room are dropped and counted, and the consumer learns where.
//
// An event stands after all that its sender can have received before: a packet's event is taken
// down before the packet is forwarded.
type Sink struct {
	mu       sync.Mutex
	ring     []Event
	first, n int
	seq      uint64
	dropped  uint64 // since the last event that was kept
	lost     uint64 // in all
	closed   bool
	wake     chan struct{}
}

// NewSink returns a sink with room for so many events that the consumer has not taken, at least 1.
func NewSink(room int) *Sink {
	return &Sink{ring: make([]Event, max(room, 1)), wake: make(chan struct{}, 1)}
}

// put takes an event down.
func (s *Sink) put(e *Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	e.Seq = s.seq
	e.Time = time.Now()
	need := 1
	if s.dropped > 0 {
		need = 2
	}
	if s.closed || s.n+need > len(s.ring) && !(need == 2 && len(s.ring) == 1 && s.n == 0) {
		s.dropped++
		s.lost++
		return
	}
	if s.dropped > 0 {
		s.push(&Event{Seq: s.seq - 1, Time: e.Time, What: EventDropped, Count: s.dropped, From: -1, To: -1})
		s.dropped = 0
	}
	if s.n < len(s.ring) {
		s.push(e)
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Sink) push(e *Event) {
	s.ring[(s.first+s.n)%len(s.ring)] = *e
	s.n++
}

// take moves events to batch, whose capacity is the most that is taken, and reports whether more
// may come.
func (s *Sink) take(batch []Event) (taken []Event, more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.n > 0 && len(batch) < cap(batch) {
		batch = append(batch, s.ring[s.first])
		s.ring[s.first] = Event{}
		s.first = (s.first + 1) % len(s.ring)
		s.n--
	}
	return batch, s.n > 0 || !s.closed
}

// Drain passes events to consume, in order, until the sink is closed and empty, ctx is done or
// consume fails. Consume must not keep its argument.
func (s *Sink) Drain(ctx context.Context, consume func(batch []Event) error) error {
	batch := make([]Event, 0, 256)
	for {
		taken, more := s.take(batch)
		if len(taken) > 0 {
			if err := consume(taken); err != nil {
				return err
			}
			continue
		}
		if !more {
			return s.lastDropped(consume)
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// lastDropped tells the consumer of what was dropped after the last event that was kept.
func (s *Sink) lastDropped(consume func([]Event) error) error {
	s.mu.Lock()
	e := Event{Seq: s.seq, Time: time.Now(), What: EventDropped, Count: s.dropped, From: -1, To: -1}
	s.dropped = 0
	s.mu.Unlock()
	if e.Count == 0 {
		return nil
	}
	return consume([]Event{e})
}

// Restarted says that a server's process has ended and starts again. It is called before the new
// process runs.
func (s *Sink) Restarted(server int64) { s.put(&Event{What: EventRestart, From: server, To: -1}) }

// Close ends the stream: what comes later is dropped.
func (s *Sink) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Counts returns how many events there were and how many of these were dropped.
func (s *Sink) Counts() (events, dropped uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq, s.lost
}
