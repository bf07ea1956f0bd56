package zookeeper

import (
	"bytes"
	"encoding/json"
	"net"
	"time"
)

// socket writes lines to a Unix socket on which a consumer listens. While nobody does the lines are
// lost; when somebody does again, the first lines are the header and how many. All that was being
// written when a consumer went away counts as lost.
type socket struct {
	path string
	lost func(lines uint64) []byte // the line that says so
	// head is the header of the stream, which a consumer gets again that may have missed it.
	head []byte
	conn net.Conn
	gone uint64    // lines that nobody got
	last time.Time // when the last connection failed
}

// pause is how long a socket waits before it connects again, and writeLimit how long a consumer may
// leave a write waiting.
const (
	pause      = 200 * time.Millisecond
	writeLimit = 5 * time.Second
)

// Write writes whole lines. It never fails: what cannot be written is counted.
func (s *socket) Write(lines []byte) (int, error) {
	n := len(lines)
	if s.conn == nil && time.Since(s.last) > pause {
		s.connect()
	}
	if s.conn != nil && s.send(lines) {
		return n, nil
	}
	s.gone += events(lines)
	return n, nil
}

func (s *socket) connect() {
	conn, err := net.DialTimeout("unix", s.path, pause)
	if err != nil {
		s.last = time.Now()
		return
	}
	s.conn = conn
	if s.gone > 0 && s.send(append(bytes.Clone(s.head), s.lost(s.gone)...)) {
		s.gone = 0
	}
}

// send writes to the connection and gives it up if that fails.
func (s *socket) send(b []byte) bool {
	s.conn.SetWriteDeadline(time.Now().Add(writeLimit))
	if _, err := s.conn.Write(b); err != nil {
		s.conn.Close()
		s.conn, s.last = nil, time.Now()
		return false
	}
	return true
}

// lostLine returns the line that says that so many lines before it are lost.
func (o *tapOptions) lostLine(lines uint64) []byte {
	now := time.Now()
	var b []byte
	if o.node >= 0 {
		// of numbers and a text
		b, _ = json.Marshal(line{Event: "lost", Count: lines, At: now.UnixNano()})
	} else {
		b, _ = (&Event{What: EventDropped, Count: lines, Time: now}).MarshalJSON() // as above
	}
	return append(b, '\n')
}
