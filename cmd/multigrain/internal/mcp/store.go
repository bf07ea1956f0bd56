package mcp

import (
	"strconv"
	"strings"
	"sync"
)

// mostKept is the number of answers that are kept. The oldest is dropped.
const mostKept = 20

// latest is the cursor at the start of the last answer.
const latest = "latest"

// store keeps whole answers. Calls return parts of them. It is safe for use by several goroutines.
type store struct {
	mu   sync.Mutex
	last int // the number of the last answer, from 1
	all  map[int]*whole
}

// keep keeps an answer and returns its number.
func (s *store) keep(w *whole) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[int]*whole{}
	}
	s.last++
	s.all[s.last] = w
	delete(s.all, s.last-mostKept)
	return s.last
}

// at returns the answer that a cursor names, its number, and the line at which the cursor is.
func (s *store) at(cursor string) (w *whole, number, line int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number = s.last; cursor != latest {
		first, rest, _ := strings.Cut(cursor, ":")
		var bad error
		number, err = strconv.Atoi(first)
		if line, bad = strconv.Atoi(rest); err != nil || bad != nil {
			return nil, 0, 0, refusal("%q is no cursor: give the one that an answer names, or %q", cursor, latest)
		}
	}
	if w = s.all[number]; w == nil || line < 0 || line > len(w.lines) {
		return nil, 0, 0, refusal("the cursor %q names nothing that is kept: the last %d answers are. Call the tool again", cursor, mostKept)
	}
	return w, number, line, nil
}
