package shell

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Progress shows how far an exploration is: one line that is rewritten on a terminal, a line
// every few seconds otherwise.
type Progress struct {
	To    io.Writer
	Width int   // of the terminal, 0 for none
	Walks int64 // asked for; 0: no number of them
	Next  time.Time
	drawn bool
}

// every is the time between two lines where there is no terminal, redraw that between two states
// of the one line.
const (
	Every  = 5 * time.Second
	redraw = 200 * time.Millisecond
)

// Show writes progress, at most once in a period: see Every. It writes notes of the program at
// once, each in a line.
func (p *Progress) Show(at wire.Progress) {
	if at.Noted != "" {
		p.End()
		for line := range strings.Lines(at.Noted) {
			fmt.Fprintln(p.To, words.Printable(strings.TrimSuffix(line, "\n")))
		}
		return
	}
	now := host.Now()
	if now.Before(p.Next) {
		return
	}
	text, done, all := p.text(at)
	text = words.Printable(text)
	if p.Width == 0 {
		p.Next = now.Add(Every)
		fmt.Fprintln(p.To, text)
		return
	}
	p.Next = now.Add(redraw)
	p.drawn = true
	line := text
	if all > 0 {
		line = Bar(done, all) + " " + text
	}
	if runes := []rune(line); len(runes) >= p.Width {
		line = string(runes[:p.Width-1])
	}
	fmt.Fprintf(p.To, "\r\x1b[K%s", line)
}

// text says how far a run is, and how much is done of how much; of walks without a number there
// is no saying.
func (p *Progress) text(at wire.Progress) (text string, done, all int64) {
	if at.Doing != "" {
		return fmt.Sprintf("%s: %s  %s", at.Doing, words.Count(at.Count), words.Elapsed(at.Seconds)), 0, 0
	}
	if at.Walks > 0 {
		return fmt.Sprintf("%s  %s steps  %s distinct  %s  %s", words.Plural(at.Walks, "walk"), words.Count(at.Steps), words.Count(at.Distinct),
			words.Rate(at.Steps, at.Seconds), words.Elapsed(at.Seconds)), at.Walks, p.Walks
	}
	return fmt.Sprintf("depth %d  %s distinct  %s generated  %s queued  %s  %s  %s", at.Depth, words.Count(at.Distinct),
		words.Count(at.Generated), words.Count(at.Queue), words.Rate(at.Distinct, at.Seconds), words.Size(at.Memory), words.Elapsed(at.Seconds)), at.Distinct - at.Queue, at.Distinct
}

// Bar shows which part of all is done.
func Bar(done, all int64) string {
	const cells = 16
	n := 0
	if all > 0 {
		n = int(max(0, done) * cells / all)
	}
	return "[" + strings.Repeat("#", n) + strings.Repeat(".", cells-n) + "]"
}

// End takes the line away.
func (p *Progress) End() {
	if p != nil && p.drawn {
		fmt.Fprint(p.To, "\r\x1b[K")
		p.drawn = false
	}
}
