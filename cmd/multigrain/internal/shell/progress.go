package shell

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
	JSON  bool  // an object a line, at most one a second
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
	if p.JSON {
		p.Next = now.Add(time.Second)
		// Progress is made of numbers and texts, which JSON can hold.
		line, _ := json.Marshal(struct {
			Progress wire.Progress `json:"progress"`
			Asked    int64         `json:"walks_asked,omitempty"`
		}{at, p.Walks})
		fmt.Fprintf(p.To, "%s\n", line)
		return
	}
	parts, done, all := p.parts(at, words.Count)
	room := p.Width - 1
	if all > 0 {
		room -= len(Bar(0, 1)) + 1
	}
	wide := func() bool {
		return p.Width > 0 && len(parts) > 2 && utf8.RuneCountInString(strings.Join(parts, "  ")) > room
	}
	if wide() {
		parts, _, _ = p.parts(at, words.Rough)
	}
	for wide() {
		// The first and the last say most.
		parts = slices.Delete(parts, len(parts)/2, len(parts)/2+1)
	}
	text := words.Printable(strings.Join(parts, "  "))
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

// parts says how far a run is, and how much is done of how much. All is 0 where nobody knows: how
// many states an exploration has still to find is no function of its queue. The part in the middle
// says least. Count writes numbers.
func (p *Progress) parts(at wire.Progress, count func(int64) string) (parts []string, done, all int64) {
	if at.Doing != "" {
		return []string{at.Doing + ": " + count(at.Count), words.Elapsed(at.Seconds)}, 0, 0
	}
	if at.Walks > 0 {
		parts = []string{words.Plural(at.Walks, "walk"), count(at.Steps) + " steps"}
		if at.Distinct > 0 { // walks on an implementation do not count states
			parts = append(parts, count(at.Distinct)+" distinct")
		}
		return append(parts, words.Rate(at.Steps, at.Seconds), words.Elapsed(at.Seconds)), at.Walks, p.Walks
	}
	return []string{fmt.Sprintf("depth %d", at.Depth), count(at.Distinct) + " distinct", count(at.Queue) + " queued", count(at.Generated) + " generated",
		words.Rate(at.Distinct, at.Seconds), words.Size(at.Memory), words.Elapsed(at.Seconds)}, 0, 0
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
