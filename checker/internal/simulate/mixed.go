package simulate

import "math/rand/v2"

// Mixed is a strategy that takes walks by several strategies in turns.
//
// Walk n is taken by the strategy that has place n modulo the sum of the shares in a fixed
// pattern. So the walks of each are a function of the seed.
type Mixed[T any] struct {
	parts   []Part[T]
	pattern []int // parts, by place
}

// Part is a strategy among others.
type Part[T any] struct {
	Name     string
	Strategy Strategy[T]
	Share    int // of the walks, relative to those of the others
	Depth    int // steps of a walk, at most; 0: no limit apart from that of the run
}

// NewMixed returns a strategy that takes walks by others. At least one has a share above 0.
func NewMixed[T any](parts []Part[T]) *Mixed[T] {
	m := &Mixed[T]{}
	most := 0
	for _, p := range parts {
		if p.Share > 0 {
			m.parts = append(m.parts, p)
			most = max(most, p.Share)
		}
	}
	for turn := range most { // spread, not one strategy after the other
		for k, p := range m.parts {
			if turn < p.Share {
				m.pattern = append(m.pattern, k)
			}
		}
	}
	return m
}

// Of returns the number of the part that takes a walk.
func (m *Mixed[T]) Of(walk int64) int { return m.pattern[(walk-1)%int64(len(m.pattern))] }

// Parts returns the strategies that take walks.
func (m *Mixed[T]) Parts() []Part[T] { return m.parts }

// Drawer returns what draws the steps of one worker's walks.
func (m *Mixed[T]) Drawer() Drawer[T] {
	d := &mixedDrawer[T]{mixed: m}
	for _, p := range m.parts {
		d.drawers = append(d.drawers, p.Strategy.Drawer())
	}
	return d
}

// mixedRound is how many walks are taken before the parts learn, at most.
const mixedRound = 64

// Round returns how many walks are taken before the parts learn.
func (m *Mixed[T]) Round() int64 {
	round := int64(mixedRound)
	for _, p := range m.parts {
		if x, ok := p.Strategy.(Learning); ok {
			round = min(round, x.Round())
		}
	}
	return round
}

// mixedLesson is the lesson of a part.
type mixedLesson struct {
	part   int
	lesson any
}

// MixedNotes are the notes of a part.
type MixedNotes struct {
	Part  int
	Notes any
}

// Learn passes a walk to the part that took it.
func (m *Mixed[T]) Learn(start int, steps []int32, lesson any) {
	l, _ := lesson.(mixedLesson)
	if x, ok := m.parts[l.part].Strategy.(Learning); ok {
		x.Learn(start, steps, l.lesson)
	}
}

// LearnsBranches reports whether some part asks for branches.
func (m *Mixed[T]) LearnsBranches() bool {
	for _, p := range m.parts {
		if x, ok := p.Strategy.(BranchLearning); ok && x.LearnsBranches() {
			return true
		}
	}
	return false
}

// Branch adds a branch to the lesson of the part that took the walk.
func (m *Mixed[T]) Branch(lesson any, branch, step int) any {
	l, _ := lesson.(mixedLesson)
	if x, ok := m.parts[l.part].Strategy.(BranchLearning); ok && x.LearnsBranches() {
		l.lesson = x.Branch(l.lesson, branch, step)
	}
	return l
}

// mixedDrawer draws by the part that takes the walk.
type mixedDrawer[T any] struct {
	mixed   *Mixed[T]
	drawers []Drawer[T]
	part    int
	steps   int
}

func (d *mixedDrawer[T]) drawer() Drawer[T] { return d.drawers[d.part] }

func (d *mixedDrawer[T]) Start(number int64, rng *rand.Rand) int {
	if x, ok := d.drawers[d.mixed.Of(number)].(Starter); ok {
		return x.Start(number, rng)
	}
	return -1
}

func (d *mixedDrawer[T]) Begin(number int64, rng *rand.Rand, s *T) {
	d.part, d.steps = d.mixed.Of(number), 0
	d.drawer().Begin(number, rng, s)
}

func (d *mixedDrawer[T]) Draw(s *T, enabled []int32) int {
	if depth := d.mixed.parts[d.part].Depth; depth > 0 && d.steps >= depth {
		return -1
	}
	return d.drawer().Draw(s, enabled)
}

func (d *mixedDrawer[T]) Took(instance int, s, n *T) {
	d.steps++
	d.drawer().Took(instance, s, n)
}

func (d *mixedDrawer[T]) Refused(instance int) { d.drawer().Refused(instance) }

func (d *mixedDrawer[T]) Lesson() any {
	l := mixedLesson{part: d.part}
	if x, ok := d.drawer().(Learner); ok {
		l.lesson = x.Lesson()
	}
	return l
}

func (d *mixedDrawer[T]) Notes() any {
	n := MixedNotes{Part: d.part}
	if x, ok := d.drawer().(Noter); ok {
		n.Notes = x.Notes()
	}
	return n
}

func (d *mixedDrawer[T]) Skips() bool {
	x, ok := d.drawer().(Skipper)
	depth := d.mixed.parts[d.part].Depth
	return ok && x.Skips() && (depth == 0 || d.steps < depth)
}

func (d *mixedDrawer[T]) Planned() int { return d.drawer().(Skipper).Planned() }
