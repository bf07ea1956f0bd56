package files

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// endless is a stream that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestUntil: a stream that is read until a context is done gives what it has, ends as it does, and
// ends with the cause of the context while it waits.
func TestUntil(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 20_000)
	for name, r := range map[string]io.Reader{"plain": strings.NewReader(text), "halves": iotest.HalfReader(strings.NewReader(text)),
		"with the end": iotest.DataErrReader(strings.NewReader(text))} {
		if got, err := io.ReadAll(Until(context.Background(), r)); string(got) != text || err != nil {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	if _, err := io.ReadAll(Until(context.Background(), iotest.ErrReader(io.ErrClosedPipe))); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	asked := errors.New("asked to end")
	silent, w := io.Pipe() // nothing is ever written
	defer w.Close()
	for name, r := range map[string]io.Reader{"silent": silent, "endless": endless{}} {
		ctx, stop := context.WithCancelCause(context.Background())
		u := Until(ctx, r)
		done := make(chan error)
		go func() { _, err := io.Copy(io.Discard, u); done <- err }()
		stop(asked)
		if err := <-done; !errors.Is(err, asked) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBounded: a stream that is longer than the bound fails, one that is as long does not.
func TestBounded(t *testing.T) {
	t.Parallel()
	if got, err := io.ReadAll(Bounded(strings.NewReader("12345"), 5)); string(got) != "12345" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := io.ReadAll(Bounded(endless{}, 5_000)); err == nil || !strings.Contains(err.Error(), "more than 5000 bytes") {
		t.Error(err)
	}
}
