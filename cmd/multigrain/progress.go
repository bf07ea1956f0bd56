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
	width int   // of the terminal, 0 for none
	walks int64 // asked for; 0: no number of them
	next  time.Time
	drawn bool
}

// every is the time between two lines where there is no terminal, redraw that between two states of the one line.
const (
	every  = 5 * time.Second
	redraw = 200 * time.Millisecond
)

// progress returns what shows the progress of a run, or nil where none is wanted.
func (c *call) progress(req wire.Request) *progress {
	if c.opt.quiet {
		return nil
	}
	p := &progress{to: c.err, width: c.errWidth}
	if s := req.Options.Simulate; s != nil {
		p.walks = s.Number
	}
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
	text, done, all := p.text(at)
	if p.width == 0 {
		p.next = now.Add(every)
		fmt.Fprintln(p.to, text)
		return
	}
	p.next = now.Add(redraw)
	p.drawn = true
	line := text
	if all > 0 {
		line = bar(done, all) + " " + text
	}
	if runes := []rune(line); len(runes) >= p.width {
		line = string(runes[:p.width-1])
	}
	fmt.Fprintf(p.to, "\r\x1b[K%s", line)
}

// text says how far a run is, and how much is done of how much; of walks without a number there is no saying.
func (p *progress) text(at wire.Progress) (text string, done, all int64) {
	if at.Doing != "" {
		return fmt.Sprintf("%s: %s  %s", at.Doing, count(at.Count), elapsed(at.Seconds)), 0, 0
	}
	if at.Walks > 0 {
		return fmt.Sprintf("%s  %s steps  %s distinct  %s  %s", plural(at.Walks, "walk"), count(at.Steps), count(at.Distinct),
			rate(at.Steps, at.Seconds), elapsed(at.Seconds)), at.Walks, p.walks
	}
	return fmt.Sprintf("depth %d  %s distinct  %s generated  %s queued  %s  %s  %s", at.Depth, count(at.Distinct),
		count(at.Generated), count(at.Queue), rate(at.Distinct, at.Seconds), size(at.Memory), elapsed(at.Seconds)), at.Distinct - at.Queue, at.Distinct
}

// bar shows which part of all is done.
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
