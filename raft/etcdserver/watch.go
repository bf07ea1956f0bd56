package etcdserver

import "sync"

// Watch orders the events of all links, and hands them to the streams. It learns which member has
// which number: that of the link before its peer port.
type Watch struct {
	mu      sync.Mutex
	members map[uint64]int // numbers by identity
	streams []*Stream
	stands  map[route]uint64 // the connection that carries a stream of messages
	posts   map[route]*slots // messages with a request of their own
	blind   func(e Event)    // is called once for each cause; may be nil
	causes  map[string]bool
}

// route is a stream of messages between two members, or their single requests.
type route struct {
	from, to uint64
	appends  bool
}

func (e *Event) route() route { return route{e.From, e.To, e.Appends} }

// slots divides the single requests of a route into sequences: the next message of one comes after
// the answer to the last one, so it was processed later. rafthttp/pipeline.go has four at once.
type slots [4]struct {
	conn uint64 // of the request without an answer; 0: none
	used int    // when it was used last
}

// take returns the slot for a request: a free one, if there is any, that was used the longest ago.
func (s *slots) take(conn uint64) (best int) {
	last := 0
	for k := range s {
		last = max(last, s[k].used)
		if free, than := s[k].conn == 0, s[best].conn == 0; free && !than || free == than && s[k].used < s[best].used {
			best = k
		}
	}
	s[best].conn, s[best].used = conn, last+1
	return best
}

func (s *slots) free(conn uint64) {
	for k := range s {
		if s[k].conn == conn {
			s[k].conn = 0
		}
	}
}

// NewWatch returns a Watch without streams. It calls blind once for each reason why something
// cannot be decoded.
func NewWatch(blind func(Event)) *Watch {
	return &Watch{members: map[uint64]int{}, stands: map[route]uint64{}, posts: map[route]*slots{}, blind: blind, causes: map[string]bool{}}
}

// Add adds a stream: before the first event.
func (w *Watch) Add(s *Stream) {
	s.members = w.members
	w.streams = append(w.streams, s)
}

// Note takes an event. An event that others depend on is noted before these.
func (w *Watch) Note(e Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e.Kind {
	case Attached: // From is the member of the link
		w.members[e.From] = e.Number
		// A member dials again after it has read the last of the connection before.
		if before := w.stands[e.route()]; before != 0 {
			w.hand(Event{Kind: Detached, Number: e.Number, From: e.From, To: e.To, Appends: e.Appends, Conn: before})
		}
		w.stands[e.route()] = e.Conn
	case Detached:
		if w.stands[e.route()] != e.Conn {
			return
		}
		delete(w.stands, e.route())
	case Sent:
		e.Stale = !e.Single && w.stands[e.route()] != e.Conn
	case Delivered:
		if e.Single && e.To != 0 {
			w.members[e.To] = e.Number
			e.Stream = FirstSingle + w.slots(e.route()).take(e.Conn)
		} else if w.stands[e.route()] != e.Conn {
			return
		}
	case Answered:
		w.slots(e.route()).free(e.Conn)
		return
	case Blind:
		if w.blind != nil && !w.causes[e.Cause] {
			w.causes[e.Cause] = true
			w.blind(e)
		}
	}
	w.hand(e)
}

// hand gives an event to all streams.
func (w *Watch) hand(e Event) {
	for _, s := range w.streams {
		s.take(e)
	}
}

func (w *Watch) slots(r route) *slots {
	s := w.posts[r]
	if s == nil {
		s = &slots{}
		w.posts[r] = s
	}
	return s
}

// Close ends all streams. The error says how many events they have lost.
func (w *Watch) Close() (err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.streams {
		if bad := s.end(); err == nil {
			err = bad
		}
	}
	return err
}
