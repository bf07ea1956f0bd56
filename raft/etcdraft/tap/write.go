package tap

import (
	"bytes"
	"io"
	"strconv"
	"time"
)

// redial is how long a tap waits before it opens its sink again.
const redial = 100 * time.Millisecond

// gather is how long events wait for others that are written with them, unless they fill a quarter
// of the buffer. Each write wakes the process that reads, and on a busy machine the node waits for
// that.
const gather = 10 * time.Millisecond

// write writes what waits until the tap is closed.
func (t *Tap) write() {
	defer close(t.done)
	var to io.WriteCloser
	var spare []byte
	for {
		<-t.wake
		select {
		case <-t.hurry:
		case <-time.After(t.gather):
		}
		t.mu.Lock()
		b, closed := t.buf, t.closed
		t.buf = spare[:0]
		t.mu.Unlock()
		to = t.put(to, b)
		spare = b
		if closed {
			if to != nil {
				to.Close()
			}
			return
		}
		t.mu.Lock()
		if len(t.buf) > 0 || t.closed {
			rouse(t.wake)
		}
		t.mu.Unlock()
	}
}

// put writes b, and returns the open sink. What is written to a sink begins with a header. What
// cannot be written is lost.
func (t *Tap) put(to io.WriteCloser, b []byte) io.WriteCloser {
	if len(b) == 0 {
		return to
	}
	if to == nil {
		var err error
		for attempt := 0; ; attempt++ {
			if to, err = t.sink(); err == nil {
				b = t.headed(b)
				break
			}
			t.mu.Lock()
			closed, full := t.closed, len(t.buf) >= t.max
			t.mu.Unlock()
			if closed || full {
				t.forget(b, false, false)
				return nil
			}
			time.Sleep(redial)
		}
	}
	n, err := to.Write(b)
	if err == nil {
		t.note(b)
		return to
	}
	to.Close()
	whole := bytes.LastIndexByte(b[:n], '\n') + 1
	torn := n > whole
	if torn && b[n] == '\n' { // the line lacks nothing but its end
		whole = n + 1
	}
	t.note(b[:n])
	t.forget(b[whole:], torn, whole <= n)
	return nil
}

// note counts the events of b as written: the ends of lines, so one that begins b ends an event,
// too.
func (t *Tap) note(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.written += int64(bytes.Count(b, newline))
}

// forget counts the events of b as lost. open says that the bytes that the sink took end within a
// line, and torn that this line is the first one of b. A monitor counts its part as one event that
// cannot be read.
func (t *Tap) forget(b []byte, open, torn bool) {
	lost, reported := int64(0), int64(0)
	part := open && torn
	for line := range bytes.Lines(b) {
		if !part && bytes.HasPrefix(line, []byte(headerBegin)) {
			continue // no event of the node, and the next sink gets another one
		}
		part = false
		n, again := lostIn(line)
		if !again {
			n = 1
			lost++ // the others are in t.lost already
		}
		reported += n
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lost += lost
	var first []byte
	if open {
		first = append(first, '\n')
	}
	if open && torn {
		reported--
	}
	if reported > 0 {
		first = AppendLost(first, reported, "")
	}
	t.buf = append(first, t.buf...)
}

// lostIn returns the number of events that a line says are lost. ok is false for another line.
func lostIn(line []byte) (n int64, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"event":"lost","count":`))
	if !ok {
		return 0, false
	}
	digits := bytes.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	n, err := strconv.ParseInt(string(rest[:max(digits, 0)]), 10, 64)
	return n, err == nil
}

var newline = []byte("\n")
