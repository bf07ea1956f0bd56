package explorer

import (
	"context"
	"fmt"
	"io"
	"strings"

	"golang.org/x/term"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// keys are the keys that are pressed. One goroutine reads them, so that a search can be stopped by
// a key while no line is read.
type keys struct{ pressed chan byte }

// pressed reads keys until the end of in.
func pressed(in io.Reader) *keys {
	k := &keys{make(chan byte, 1<<12)}
	go func() {
		defer close(k.pressed)
		one := make([]byte, 1)
		for {
			n, err := in.Read(one)
			if n == 1 {
				k.pressed <- one[0]
			}
			if err != nil {
				return
			}
		}
	}()
	return k
}

// Read reads keys, one at least.
func (k *keys) Read(b []byte) (n int, err error) {
	if len(b) == 0 {
		return 0, nil
	}
	key, ok := <-k.pressed
	if !ok {
		return 0, io.EOF
	}
	b[0] = key
	return 1, nil
}

// edit reads lines with history and completion from a terminal that passes on every key. Ctrl-D and
// Ctrl-C end it.
func (t *talk) edit(in io.Reader, out io.Writer, width int) error {
	t.keys = pressed(in)
	screen := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{t.keys, out}, "> ")
	screen.SetSize(width, 24)
	screen.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		if key != '\t' {
			return "", 0, false
		}
		completed := t.complete(line[:pos])
		return completed + line[pos:], len(completed), completed != line[:pos]
	}
	t.out = &terminal.Writer{To: screen}
	t.progress = func(line string) { fmt.Fprintf(screen, "\r\x1b[K%s", line) }
	for !t.ended {
		text, err := screen.ReadLine()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if err := t.line(t.ctx, text); err != nil {
			fmt.Fprintf(t.out, "%v\n", err)
		}
	}
	return nil
}

// searching searches from here. At a terminal it shows the progress, and any key stops it.
func (t *talk) searching(ctx context.Context, g goal) (*finding, error) {
	if t.progress == nil {
		return t.find(ctx, t.here, g, func(wire.Progress) {})
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type result struct {
		found *finding
		err   error
	}
	lines, done := make(chan string, 1), make(chan result, 1)
	go func() {
		f, err := t.find(ctx, t.here, g, func(p wire.Progress) {
			select {
			case lines <- fmt.Sprintf("%s, depth %d, %.1f s; any key stops the search", words.Plural(p.Distinct, "state"), p.Depth, p.Seconds):
			default: // the line before is not shown yet
			}
		})
		done <- result{f, err}
	}()
	for {
		select {
		case line := <-lines:
			t.progress(line)
		case <-t.keys.pressed:
			stop()
		case r := <-done:
			t.progress("")
			return r.found, r.err
		}
	}
}
