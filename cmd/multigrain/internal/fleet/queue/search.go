package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/multigrain/multigrain/checker/host"
)

// searches begins the subjects of searches. The server stores nothing of a search: a lost message
// ends an attempt, and the command begins another one with another ID.
//
//	multigrain.search                  a Call for workers
//	an inbox of the command            the offer of a worker
//	an inbox of the worker             its task, which it confirms
//	multigrain.search.ID.PART.frame    a frame for a part
//	multigrain.search.ID.PART.note     a Note for a part
const searches = "multigrain.search"

// Call asks workers for their offers to run parts of a search.
type Call struct {
	ID      string `json:"id"`      // of an attempt
	Sources string `json:"sources"` // digest
	reply   string
}

// Recruit calls for workers until so many have confirmed their tasks, or a time is over. With most
// 0 it takes all that offer themselves. Task returns that of the k-th worker, from 0. The result
// has the names of the workers in this order.
func (c *Conn) Recruit(ctx context.Context, call Call, most int, wait time.Duration, task func(k int) []byte) (names []string, err error) {
	text, err := json.Marshal(call)
	if err != nil {
		return nil, err
	}
	inbox := c.nc.NewInbox()
	offers, err := c.nc.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer offers.Unsubscribe()
	ctx, stop := context.WithTimeout(ctx, wait)
	defer stop()
	var called time.Time
	for (most == 0 || len(names) < most) && ctx.Err() == nil {
		if host.Since(called) > Beat {
			called = host.Now()
			if err := c.nc.PublishRequest(searches, inbox, text); err != nil {
				return names, err
			}
		}
		offer, err := offers.NextMsg(Beat / 4)
		if err != nil || offer.Reply == "" {
			if c.nc.IsClosed() {
				return names, errGone
			}
			continue
		}
		// A worker that took something else meanwhile does not answer.
		if _, err := c.nc.Request(offer.Reply, task(len(names)), 2*time.Second); err == nil {
			names = append(names, string(offer.Data))
		}
	}
	return names, nil
}

// Calls are the calls that a worker has heard and not answered.
type Calls struct {
	conn *Conn
	sub  *nats.Subscription
}

// Listen hears calls. Those that nobody takes while the worker does a job are forgotten.
func (c *Conn) Listen() (*Calls, error) {
	sub, err := c.nc.SubscribeSync(searches)
	if err != nil {
		return nil, err
	}
	return &Calls{c, sub}, sub.SetPendingLimits(64, -1)
}

// Next returns the next call that has come; nil if there is none.
func (s *Calls) Next() *Call {
	for {
		m, err := s.sub.NextMsg(time.Millisecond)
		if err == nats.ErrSlowConsumer {
			continue // older ones were dropped: they are repeated
		}
		if err != nil {
			return nil
		}
		var call Call
		if json.Unmarshal(m.Data, &call) == nil && call.ID != "" && m.Reply != "" {
			call.reply = m.Reply
			return &call
		}
	}
}

// Offer answers a call and waits for the task. It returns nil if the command needs nobody any more.
func (s *Calls) Offer(call *Call, name string) (task []byte) {
	inbox := s.conn.nc.NewInbox()
	sub, err := s.conn.nc.SubscribeSync(inbox)
	if err != nil {
		return nil
	}
	defer sub.Unsubscribe()
	if s.conn.nc.PublishRequest(call.reply, inbox, []byte(name)) != nil {
		return nil
	}
	m, err := sub.NextMsg(2 * Beat)
	if err != nil || m.Respond(nil) != nil {
		return nil
	}
	return m.Data
}

// Note is a message of one part of a search to another that is no frame.
type Note struct {
	From int             `json:"from"` // a part
	Kind string          `json:"kind"`
	Data json.RawMessage `json:"data,omitempty"`
}

// Seat is the place of a part on the server.
type Seat struct {
	conn *Conn
	id   string
	part int
	subs []*nats.Subscription
}

// Sit takes the seat of a part of an attempt. With frame nil it only sends. Frame is called for
// each frame for the part, and note for each note, each from a goroutine of its own. Frames of one
// part come in the order in which they were sent, or are lost.
func (c *Conn) Sit(id string, part int, frame func([]byte), note func(Note)) (*Seat, error) {
	s := &Seat{conn: c, id: id, part: part}
	if frame == nil {
		return s, nil
	}
	hear := func(kind string, do func([]byte)) error {
		sub, err := c.nc.Subscribe(s.subject(part, kind), func(m *nats.Msg) { do(m.Data) })
		if err != nil {
			return err
		}
		s.subs = append(s.subs, sub)
		return sub.SetPendingLimits(-1, -1) // credits of the search bound them
	}
	err := hear("frame", frame)
	if err == nil {
		err = hear("note", func(data []byte) {
			var n Note
			if json.Unmarshal(data, &n) == nil {
				note(n)
			}
		})
	}
	if err == nil {
		err = c.nc.Flush() // from now on others can send to the seat
	}
	if err != nil {
		s.Leave()
		return nil, err
	}
	return s, nil
}

func (s *Seat) subject(part int, kind string) string {
	return fmt.Sprintf("%s.%s.%d.%s", searches, s.id, part, kind)
}

// Frame sends a frame to a part. It keeps nothing of frame.
func (s *Seat) Frame(to int, frame []byte) error {
	return s.conn.nc.Publish(s.subject(to, "frame"), frame)
}

// Note sends a note to a part.
func (s *Seat) Note(to int, kind string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	if text, err = json.Marshal(Note{s.part, kind, text}); err != nil {
		return err
	}
	return s.conn.nc.Publish(s.subject(to, "note"), text)
}

// Leave ends the seat. What was sent before is delivered.
func (s *Seat) Leave() {
	for _, sub := range s.subs {
		_ = sub.Unsubscribe()
	}
	_ = s.conn.nc.FlushTimeout(2 * time.Second)
}
