package mcp

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

const (
	// usual is the size of an answer in bytes where the caller asks for no other one, and largest
	// the size that a caller can ask for.
	usual   = 4000
	largest = 64_000
	// mostKept is the number of results whose text is kept for cursors. The oldest is dropped.
	mostKept = 20
	// mostText bounds the bytes of a result that are kept.
	mostText = 8 << 20
)

// latest is the cursor at the start of the last result that was kept.
const latest = "latest"

// store keeps the texts of results. It is safe for use by several goroutines.
type store struct {
	mu    sync.Mutex
	last  int // the number of the last result, from 1
	texts map[int]string
}

// keep keeps a text and returns its number.
func (s *store) keep(text string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.texts == nil {
		s.texts = map[int]string{}
	}
	s.last++
	s.texts[s.last] = text
	delete(s.texts, s.last-mostKept)
	return s.last
}

// at returns the text that a cursor names, and where in it the cursor is.
func (s *store) at(cursor string) (number, offset int, text string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cursor == latest {
		number = s.last
	} else {
		first, rest, _ := strings.Cut(cursor, ":")
		var bad error
		if number, err = strconv.Atoi(first); err == nil {
			offset, bad = strconv.Atoi(rest)
		}
		if err != nil || bad != nil {
			return 0, 0, "", fmt.Errorf("%q is no cursor: give the one that the end of an answer names, or %q", cursor, latest)
		}
	}
	text, ok := s.texts[number]
	if !ok || offset < 0 || offset > len(text) {
		return 0, 0, "", fmt.Errorf("the cursor %q names nothing that is kept: the last %d results are. Call the tool again", cursor, mostKept)
	}
	return number, offset, text, nil
}

// page returns the part of a kept text from offset on that fits into size bytes, 0 for the usual
// size. A part that is not the last one ends with the cursor of the next.
func page(number, offset int, text string, size int) string {
	size = bounded(size)
	rest := text[offset:]
	if len(rest) <= size {
		return rest
	}
	end := size - 120 // room for the last line
	if k := strings.LastIndexByte(rest[:end], '\n'); k > end/2 {
		end = k + 1
	}
	for end > 0 && !utf8.RuneStart(rest[end]) {
		end--
	}
	return fmt.Sprintf("%s\n[not the end: bytes %d to %d of %d. Call more with cursor \"%d:%d\" for the next part.]",
		strings.TrimSuffix(rest[:end], "\n"), offset, offset+end, len(text), number, offset+end)
}

// bounded returns the size of an answer in bytes: 0 is the usual one.
func bounded(size int) int {
	if size <= 0 {
		return usual
	}
	return min(max(size, 500), largest)
}

// progressLine is a line that says how far a run is: see package shell.
var progressLine = regexp.MustCompile(`^(depth \d+  |[\d,]+ walks?  |[^:]+: [\d,]+  )`)

// heading is the first line of a diagnostic.
var heading = regexp.MustCompile(`(?m)^(Error|Warning): `)

// ended is what a process printed, and how it ended.
type ended struct {
	out, err string
	exit     int
	judges   bool   // the verb has a verdict
	cut      string // why it was interrupted; "" if it was not
}

// text returns the answer: how the run ended, errors and warnings, then the result.
func (e *ended) text() string {
	var diags strings.Builder
	for line := range strings.Lines(e.err) {
		if !progressLine.MatchString(line) {
			diags.WriteString(line)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "exit code %d: %s\n", e.exit, e.meaning())
	errors, warnings := int64(0), int64(0)
	for _, m := range heading.FindAllStringSubmatch(diags.String(), -1) {
		if m[1] == "Error" {
			errors++
		} else {
			warnings++
		}
	}
	fmt.Fprintf(&b, "%s, %s\n", words.Plural(errors, "error"), words.Plural(warnings, "warning"))
	if e.cut != "" {
		fmt.Fprintf(&b, "%s: what follows is not the whole result\n", e.cut)
	}
	for _, part := range []string{diags.String(), e.out} {
		if part = strings.Trim(part, "\n"); part != "" {
			b.WriteString("\n" + part + "\n")
		}
	}
	return b.String()
}

// meaning returns what the exit code says. Of a verb without a verdict, 0 says nothing about
// properties.
func (e *ended) meaning() string {
	if e.exit == 0 && !e.judges {
		return "done; nothing is judged"
	}
	for _, x := range verdicts.Exits {
		if x.Code == e.exit {
			return x.Means
		}
	}
	return "the process was ended; nothing is known"
}
