package search

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
)

// Server is a NATS server whose workers run the parts of a search other than the first, which the
// command runs itself.
//
//	command                           worker                  its command, see Member
//	  --call-->
//	            <--offer--
//	  --task-->                         --starts-->
//	            <--ready--------------------------------        its program is built
//	  --go-------------------------------------------->         begins to search
//	            <--frames------------------------------>
//	            <--ended--------------------------------        or by the worker, if that ends
type Server struct {
	Conn *queue.Conn
	// Name of the server, and the digest of the sources that its workers must have.
	Name, Sources string
	// Task returns the task of the worker with a part of an attempt: see Member.
	Task func(id string, part int) []byte
	// Joined is called with the names of the workers that take part.
	Joined func(names []string)
}

// Kinds of notes.
const (
	noteReady = "ready" // a part has its program
	noteGo    = "go"    // a part begins: goes
	noteBeat  = "beat"  // at intervals, to the command and from it
	noteEnded = "ended" // a part has ended: Ends
	noteStop  = "stop"  // a part must end
)

// goes is the request of a part. All notes name the worker: one whose confirmation came too late
// has a task that another one has, too, and its notes count for nothing.
type goes struct {
	Worker  string       `json:"worker"`
	Request wire.Request `json:"request"`
}

// Ends says that a part is ready, or how it ended. All errors are nil or "" if it ended as it
// should.
type Ends struct {
	Worker  string           `json:"worker"`
	Fault   *wire.Error      `json:"fault,omitempty"`
	Crash   *wire.CrashError `json:"crash,omitempty"`
	Other   string           `json:"other,omitempty"`
	Batches int64            `json:"batches,omitempty"` // that it sent
	Bytes   int64            `json:"bytes,omitempty"`
}

// err returns the error of a part.
func (e Ends) err(part int, name string) error {
	switch {
	case e.Fault != nil:
		return e.Fault
	case e.Crash != nil:
		return &partError{part, e.Crash}
	case e.Other != "":
		return &LostError{fmt.Sprintf("worker %s cannot run its part: %s", name, strings.TrimSuffix(e.Other, "."))}
	}
	return nil
}

// endsOf takes an error of wire.Program.Run apart.
func endsOf(err error) (e Ends) {
	switch {
	case err == nil:
	case errors.As(err, &e.Fault), errors.As(err, &e.Crash):
	default:
		e.Other = err.Error()
	}
	return e
}

// Ended says on the seat of a part how the part ended.
func Ended(seat *queue.Seat, worker string, e Ends) error {
	e.Worker = worker
	return seat.Note(0, noteEnded, e)
}

const (
	// alone is how long a search waits for workers if their number is given, and some if it is not.
	alone = time.Minute
	some  = 3 * time.Second
)

// crew are the workers of an attempt.
type crew struct {
	seat  *queue.Seat
	names []string      // of the workers of part 1 and so on
	met   chan struct{} // closed when the names are known
	done  chan struct{}

	mu    sync.Mutex
	heard []time.Time
	ready []chan struct{} // closed when the part is
	ended []chan struct{} // closed when how is set
	how   []Ends
}

// gather returns a crew for an attempt with a number of parts, or with 0 for all workers that are
// free. Its programs are built. H carries the frames of part 0.
func (s *Server) gather(ctx context.Context, stop <-chan struct{}, parts int, h *hub) (*crew, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	c := &crew{met: make(chan struct{}), done: make(chan struct{})}
	most, wait := wire.MostParts-1, some
	if parts > 0 {
		most, wait = parts-1, alone
	}
	id := rand.Text()
	var err error
	if c.seat, err = s.Conn.Sit(id, 0, func(frame []byte) { h.comes(0, frame) }, c.note); err != nil {
		return nil, err
	}
	if most > 0 {
		c.names, err = s.Conn.Recruit(ctx, queue.Call{ID: id, Sources: s.Sources}, most, wait, func(k int) []byte { return s.Task(id, k+1) })
	}
	for range c.names {
		c.heard, c.how = append(c.heard, host.Now()), append(c.how, Ends{})
		c.ready, c.ended = append(c.ready, make(chan struct{})), append(c.ended, make(chan struct{}))
	}
	close(c.met)
	switch {
	case err != nil:
	case ctx.Err() != nil:
		err = &LostError{"interrupted while workers were called"}
	case len(c.names) < most && parts > 0, len(c.names) == 0 && most > 0:
		err = &LostError{fmt.Sprintf("%d of %d workers with the sources %s answered at %s within %s. Start more in checkouts of these sources: multigrain worker -on %s", len(c.names), max(1, parts-1), s.Sources, s.Name, wait, s.Name)}
	}
	if err != nil {
		c.leave()
		return nil, err
	}
	if s.Joined != nil {
		s.Joined(c.names)
	}
	go c.beat()
	for k := range c.names {
		select {
		case <-c.ready[k]:
		case <-c.ended[k]:
			err = c.how[k].err(k+1, c.names[k])
		case <-ctx.Done():
			err = &LostError{"interrupted while workers built the program"}
		}
		if err != nil {
			c.leave()
			return nil, err
		}
	}
	return c, nil
}

// note takes a note of a worker's part.
func (c *crew) note(n queue.Note) {
	<-c.met
	k := n.From - 1
	var e Ends
	if k < 0 || k >= len(c.names) || json.Unmarshal(n.Data, &e) != nil || e.Worker != c.names[k] {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard[k] = host.Now()
	switch n.Kind {
	case noteReady:
		select {
		case <-c.ready[k]:
		default:
			close(c.ready[k])
		}
	case noteEnded:
		c.end(k, e)
	}
}

// end says how a part ended, unless that is known. The caller holds the lock.
func (c *crew) end(k int, e Ends) {
	select {
	case <-c.ended[k]:
	default:
		c.how[k] = e
		close(c.ended[k])
	}
}

// beat tells the parts that the command lives, and looks for those that are silent.
func (c *crew) beat() {
	tick := time.NewTicker(queue.Beat)
	defer tick.Stop()
	last := host.Now()
	for {
		select {
		case <-c.done:
			return
		case <-tick.C:
		}
		c.mu.Lock()
		asleep := host.Since(last) > wire.Silence/2 // this process did not run
		last = host.Now()
		for k := range c.names {
			if asleep {
				c.heard[k] = last
			}
			if silent := last.Sub(c.heard[k]); silent > wire.Silence {
				c.end(k, Ends{Fault: &wire.Error{Kind: wire.ErrorExchange, Message: fmt.Sprintf("worker %s has not been heard of for %.0f s", c.names[k], silent.Seconds())}})
			}
		}
		c.mu.Unlock()
		for k := range c.names {
			_ = c.seat.Note(k+1, noteBeat, goes{Worker: c.names[k]}) // silence is noticed
		}
	}
}

// run begins a part of a worker, waits for its end, and returns its error.
func (c *crew) run(ctx context.Context, part int, req wire.Request, h *hub) error {
	k := part - 1
	if err := c.seat.Note(part, noteGo, goes{c.names[k], req}); err != nil {
		return err
	}
	select {
	case <-c.ended[k]:
		c.mu.Lock()
		defer c.mu.Unlock()
		h.batches.Add(c.how[k].Batches)
		h.bytes.Add(c.how[k].Bytes)
		return c.how[k].err(part, c.names[k])
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// leave ends the parts that have not ended, and the crew.
func (c *crew) leave() {
	for k, name := range c.names {
		_ = c.seat.Note(k+1, noteStop, goes{Worker: name}) // silence ends it, too
	}
	c.seat.Leave()
	close(c.done)
}
