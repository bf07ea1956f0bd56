package etcdserver

import "sync"

// Watch orders the events of all links, and hands them to the streams. It learns which member has
// which number: that of the link before its peer port.
type Watch struct {
	mu      sync.Mutex
	members map[uint64]int // numbers by identity
	streams []*Stream
	blind   func(e Event) // is called once for each cause; may be nil
	causes  map[string]bool
}

// NewWatch returns a Watch without streams. It calls blind once for each reason why something
// cannot be decoded.
func NewWatch(blind func(Event)) *Watch {
	return &Watch{members: map[uint64]int{}, blind: blind, causes: map[string]bool{}}
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
	case Delivered:
		if e.Single && e.To != 0 {
			w.members[e.To] = e.Number
		}
	case Blind:
		if w.blind != nil && !w.causes[e.Cause] {
			w.causes[e.Cause] = true
			w.blind(e)
		}
	}
	for _, s := range w.streams {
		s.take(e)
	}
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
