package simulate

import "math/rand/v2"

// Prefixed is a strategy whose walks begin with steps of known behaviours. Another strategy
// continues each walk.
type Prefixed[T any] struct {
	by       Strategy[T]
	prefixes [][]int32
}

// NewPrefixed returns a strategy for walks that begin with one of some sequences of instances. It
// draws them uniformly. All of them begin in the only initial node.
func NewPrefixed[T any](by Strategy[T], prefixes [][]int32) *Prefixed[T] {
	return &Prefixed[T]{by, prefixes}
}

// Drawer returns what draws the steps of one worker's walks.
func (p *Prefixed[T]) Drawer() Drawer[T] { return &prefixedDrawer[T]{of: p, Drawer: p.by.Drawer()} }

// Round returns how many walks are taken before the other strategy learns.
func (p *Prefixed[T]) Round() int64 {
	if x, ok := p.by.(Learning); ok {
		return x.Round()
	}
	return mixedRound
}

// prefixedLesson is the lesson of a walk without its prefix.
type prefixedLesson struct {
	prefix int
	lesson any
}

// PrefixedNotes are the notes of a walk without its prefix.
type PrefixedNotes struct {
	Prefix int // steps
	Notes  any
}

// Learn lets the other strategy learn from a walk without its prefix.
func (p *Prefixed[T]) Learn(start int, steps []int32, lesson any) {
	l, _ := lesson.(prefixedLesson)
	if x, ok := p.by.(Learning); ok && l.prefix <= len(steps) {
		x.Learn(start, steps[l.prefix:], l.lesson)
	}
}

// LearnsBranches reports whether the other strategy asks for branches.
func (p *Prefixed[T]) LearnsBranches() bool {
	x, ok := p.by.(BranchLearning)
	return ok && x.LearnsBranches()
}

// Branch adds a branch to a lesson.
func (p *Prefixed[T]) Branch(lesson any, branch, step int) any {
	l, _ := lesson.(prefixedLesson)
	if x, ok := p.by.(BranchLearning); ok {
		l.lesson = x.Branch(l.lesson, branch, max(step-l.prefix, 0))
	}
	return l
}

// prefixedDrawer does a prefix and then draws as the other strategy does.
type prefixedDrawer[T any] struct {
	Drawer[T]
	of     *Prefixed[T]
	prefix []int32
	steps  int
	number int64
	rng    *rand.Rand
}

// before reports whether the walk is still in its prefix.
func (d *prefixedDrawer[T]) before() bool { return d.steps < len(d.prefix) }

func (d *prefixedDrawer[T]) Start(number int64, rng *rand.Rand) int {
	if x, ok := d.Drawer.(Starter); ok { // it plans the walk after the prefix
		x.Start(number, rng)
	}
	return 0
}

func (d *prefixedDrawer[T]) Begin(number int64, rng *rand.Rand, s *T) {
	d.prefix, d.steps, d.number, d.rng = d.of.prefixes[rng.IntN(len(d.of.prefixes))], 0, number, rng
	if !d.before() {
		d.Drawer.Begin(number, rng, s)
	}
}

func (d *prefixedDrawer[T]) Draw(s *T, enabled []int32) int {
	if !d.before() {
		return d.Drawer.Draw(s, enabled)
	}
	for _, k := range enabled {
		if k == d.prefix[d.steps] {
			return int(k)
		}
	}
	return -1
}

func (d *prefixedDrawer[T]) Took(instance int, s, n *T) {
	if !d.before() {
		d.Drawer.Took(instance, s, n)
		return
	}
	if d.steps++; !d.before() {
		d.Drawer.Begin(d.number, d.rng, n)
	}
}

func (d *prefixedDrawer[T]) Refused(instance int) {
	if !d.before() {
		d.Drawer.Refused(instance)
	}
}

func (d *prefixedDrawer[T]) Lesson() any {
	l := prefixedLesson{prefix: len(d.prefix)}
	if x, ok := d.Drawer.(Learner); ok && !d.before() {
		l.lesson = x.Lesson()
	}
	return l
}

func (d *prefixedDrawer[T]) Notes() any {
	n := PrefixedNotes{Prefix: len(d.prefix)}
	if x, ok := d.Drawer.(Noter); ok && !d.before() {
		n.Notes = x.Notes()
	}
	return n
}

func (d *prefixedDrawer[T]) Skips() bool {
	x, ok := d.Drawer.(Skipper)
	return !d.before() && ok && x.Skips()
}

func (d *prefixedDrawer[T]) Planned() int { return d.Drawer.(Skipper).Planned() }
