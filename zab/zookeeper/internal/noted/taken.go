package noted

import (
	"slices"
	"sync"
)

// Taken notes which places ran. Several goroutines write it at once.
type Taken struct {
	spots []Spot
	mu    sync.Mutex
	ran   []bool // two for each place
}

// NewTaken notes the places of spots, so many as count says.
func NewTaken(spots []Spot, count int) *Taken {
	return &Taken{spots: spots, ran: make([]bool, 2*count)}
}

// Classes are the names of the classes with spots.
func (t *Taken) Classes() (out []string) {
	for _, s := range t.spots {
		if !slices.Contains(out, s.Class) {
			out = append(out, s.Class)
		}
	}
	return out
}

// In returns the spots in a class.
func (t *Taken) In(class string) (out []Spot) {
	for _, s := range t.spots {
		if s.Class == class {
			out = append(out, s)
		}
	}
	return out
}

// Forget forgets what ran.
func (t *Taken) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.ran)
}

// Line notes that a thread has come to a spot of a line.
func (t *Taken) Line(s Spot) { t.note(2*s.Place + 1) }

// Jump notes to which offset a condition led, and reports whether it has led to both.
func (t *Taken) Jump(s Spot, to int) (both bool) {
	switch to {
	case s.Next:
		t.note(2*s.Place + 1)
	case s.Jump:
		t.note(2 * s.Place)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ran[2*s.Place] && t.ran[2*s.Place+1]
}

func (t *Taken) note(k int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ran[k] = true
}

// Ran returns what ran since Forget, with two entries for each place: whether a condition jumped,
// and whether it did not, or the line ran.
func (t *Taken) Ran() []bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.ran)
}
