package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
)

// progress shows how far an exploration is: one line that is rewritten on a terminal, a line every few seconds otherwise.
type progress struct {
	to    io.Writer
	width int // of the terminal, 0 for none
	next  time.Time
	drawn bool
}

// every is the time between two lines where there is no terminal, redraw that between two states of the one line.
const (
	every  = 5 * time.Second
	redraw = 200 * time.Millisecond
)

// progress returns what shows the progress of a run, or nil where none is wanted.
func (c *call) progress() *progress {
	if c.opt.quiet {
		return nil
	}
	p := &progress{to: c.err, width: c.errWidth}
	if p.width == 0 {
		p.next = time.Now().Add(every) // short runs stay silent
	}
	return p
}

func (p *progress) show(at wire.Progress) {
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	text := fmt.Sprintf("depth %d  %s distinct  %s generated  %s queued  %s  %s  %s", at.Depth, count(at.Distinct),
		count(at.Generated), count(at.Queue), rate(at.Distinct, at.Seconds), size(at.Memory), elapsed(at.Seconds))
	if p.width == 0 {
		p.next = now.Add(every)
		fmt.Fprintln(p.to, text)
		return
	}
	p.next = now.Add(redraw)
	p.drawn = true
	line := bar(at.Distinct-at.Queue, at.Distinct) + " " + text
	if runes := []rune(line); len(runes) >= p.width {
		line = string(runes[:p.width-1])
	}
	fmt.Fprintf(p.to, "\r\x1b[K%s", line)
}

// bar shows which part of the states that are known is explored.
func bar(done, all int64) string {
	const cells = 16
	n := 0
	if all > 0 {
		n = int(max(0, done) * cells / all)
	}
	return "[" + strings.Repeat("#", n) + strings.Repeat(".", cells-n) + "]"
}

// end takes the line away.
func (p *progress) end() {
	if p != nil && p.drawn {
		fmt.Fprint(p.to, "\r\x1b[K")
		p.drawn = false
	}
}
