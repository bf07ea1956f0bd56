package exchange

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

// pair are two posts whose frames pass through a function.
func pair(t *testing.T, silence time.Duration, through func(frame []byte) [][]byte) (a, b *Post) {
	t.Helper()
	boxes := [2]chan []byte{make(chan []byte, 1000), make(chan []byte, 1000)}
	open := func(own int) *Post {
		p := open(&memory{boxes, own, through}, own, 2, silence, func() []byte { return nil }, nil)
		t.Cleanup(p.Close)
		return p
	}
	return open(0), open(1)
}

// memory is a link in this process.
type memory struct {
	boxes   [2]chan []byte
	own     int
	through func(frame []byte) [][]byte
}

func (l *memory) Send(frame []byte) error {
	for _, f := range l.through(frame) {
		l.boxes[Receiver(frame)] <- bytes.Clone(f)
	}
	return nil
}

func (l *memory) Receive() ([]byte, error) {
	f, ok := <-l.boxes[l.own]
	if !ok {
		return nil, io.EOF
	}
	return f, nil
}

func all(frame []byte) [][]byte { return [][]byte{frame} }

// next waits for the next frame.
func next(t *testing.T, p *Post) Frame {
	t.Helper()
	for {
		if f, ok := p.Take(); ok {
			return f
		}
		select {
		case <-p.News():
		case <-p.Failed():
			t.Fatal(p.Err())
		case <-time.After(time.Minute):
			t.Fatal("nothing comes")
		}
	}
}

// TestOrder: frames come in order with what they hold, each once, also where the link repeats them.
func TestOrder(t *testing.T) {
	t.Parallel()
	a, b := pair(t, Silence, func(f []byte) [][]byte { return [][]byte{f, f} })
	for k := range 10 {
		if err := a.Send(1, Others+1, 7, append(make([]byte, HeaderBytes), byte(k))); err != nil {
			t.Fatal(err)
		}
	}
	for k := range 10 {
		if f := next(t, b); f.From != 0 || f.Kind != Others+1 || f.Level != 7 || f.Body[0] != byte(k) {
			t.Errorf("frame %d is %+v", k, f)
		}
	}
	if b.Repeated.Load() == 0 {
		t.Error("no frame counts as repeated")
	}
}

// TestCredits: a sender has Window credits and gets them back.
func TestCredits(t *testing.T) {
	t.Parallel()
	a, b := pair(t, Silence, all)
	batch := func() bool {
		sent, err := a.SendBatch(1, 1, make([]byte, HeaderBytes+1))
		if err != nil {
			t.Fatal(err)
		}
		return sent
	}
	for range Window {
		if !batch() {
			t.Fatal("a credit is missing")
		}
	}
	if batch() {
		t.Fatal("a batch was sent without a credit")
	}
	for range Window {
		next(t, b)
		if err := b.Taken(0); err != nil {
			t.Fatal(err)
		}
	}
	for begun := time.Now(); !batch(); time.Sleep(time.Millisecond) {
		if a.Take(); time.Since(begun) > time.Minute {
			t.Fatal("no credit comes back")
		}
	}
}

// TestLost: a frame that is lost is missed, at the latest by the next beat; a silent part is, too.
func TestLost(t *testing.T) {
	t.Parallel()
	lose := true
	_, b := func() (*Post, *Post) {
		a, b := pair(t, Silence, func(f []byte) [][]byte {
			if Kind(f[atKind]) == Others && lose {
				lose = false
				return nil
			}
			return [][]byte{f}
		})
		if err := a.Send(1, Others, 1, make([]byte, HeaderBytes)); err != nil {
			t.Fatal(err)
		}
		return a, b
	}()
	fails(t, b, "lost frame")
	_, b = pair(t, 2*time.Second, func(f []byte) [][]byte {
		if f[atSender] == 0 {
			return nil
		}
		return [][]byte{f}
	})
	fails(t, b, "has not been heard of")
}

func fails(t *testing.T, p *Post, why string) {
	t.Helper()
	select {
	case <-p.Failed():
		if err := p.Err(); !strings.Contains(err.Error(), why) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Errorf("nothing is missed: %s", why)
	}
}

// TestStream: frames pass a stream one after the other, into a buffer that has room, and what is no
// frame is refused.
func TestStream(t *testing.T) {
	t.Parallel()
	frame := append(make([]byte, HeaderBytes), "state"...)
	seal(frame, 3, 1, 5, Batch, 2)
	var b bytes.Buffer
	if err := Write(&b, frame); err != nil {
		t.Fatal(err)
	}
	if err := Write(&b, frame); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&b, nil)
	if err != nil || !bytes.Equal(got, frame) || Receiver(got) != 3 || !IsBatch(got) {
		t.Errorf("%q, %v", got, err)
	}
	again, err := Read(&b, got)
	if err != nil || !bytes.Equal(again, frame) || &again[0] != &got[0] {
		t.Errorf("%q, %v, or another buffer", again, err)
	}
	if _, err := Read(strings.NewReader("\xff\xff\xff\xff"), nil); err == nil {
		t.Error("a frame of 4 GiB is read")
	}
	if _, _, _, err := unseal(append(bytes.Clone(frame[:len(frame)-1]), 'X')); err == nil {
		t.Error("a damaged frame is taken")
	}
	if _, _, _, err := unseal(append(bytes.Clone(frame), 'X')); err == nil {
		t.Error("a frame of another length is taken")
	}
	if Receiver(nil) != -1 || IsBatch(nil) {
		t.Error("nothing is a frame")
	}
}
