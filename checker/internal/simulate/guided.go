package simulate

import (
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/guide"
)

// Guided is a strategy that keeps walks which reach new coverage and changes them: see package
// guide.
// Goals that a walk reaches for the first time are coverage, too.
type Guided[T any] struct {
	*guide.Corpus
	// Waypoint reports whether a node meets the waypoint with a number, from 0. It is nil where
	// there are none.
	Waypoint func(n *T, number int) bool
	Of       int // how many waypoints there are
	// Aims are the actions that walks are guided to, by number: to take one is coverage. Nil: none.
	Aims []bool
	// First are the first of the walks with odd numbers. Nil: none.
	First []guide.Plan
	// UseBranches says that branches are coverage, where the program notes them.
	UseBranches bool
	spec        *checker.Spec[T]
	actions     []int // by instance
	weights     []float64
}

// NewGuided returns a guided strategy with Options.Weights. Fresh is the share of walks that are
// random from the start, from 0 to 1. The error is a *WeightError.
func NewGuided[T any](spec *checker.Spec[T], weights map[string]float64, fresh float64) (*Guided[T], error) {
	byAction, err := weightsOf(spec.Actions, weights)
	if err != nil {
		return nil, err
	}
	g := &Guided[T]{Corpus: guide.New(fresh), spec: spec, weights: byAction}
	for _, in := range spec.Instances {
		g.actions = append(g.actions, in.Action)
	}
	return g, nil
}

// Drawer returns what draws the steps of one worker's walks.
func (g *Guided[T]) Drawer() Drawer[T] {
	return &guidedDrawer[T]{guided: g, spec: g.spec, w: guide.NewWalker(g.Corpus, g.actions, g.weights)}
}

// Round returns how many walks are taken with the same corpus.
func (g *Guided[T]) Round() int64 { return guide.Round }

// Learn adds a walk to the corpus if it reached new coverage.
func (g *Guided[T]) Learn(start int, steps []int32, lesson any) {
	features, _ := lesson.([]guide.Feature)
	g.Corpus.Learn(start, steps, features)
}

// LearnsBranches reports whether branches are coverage.
func (g *Guided[T]) LearnsBranches() bool { return g.UseBranches }

// Branch adds a branch to a lesson.
func (g *Guided[T]) Branch(lesson any, branch, step int) any {
	features, _ := lesson.([]guide.Feature)
	return guide.Branch(features, branch, step)
}

// guidedDrawer draws the steps of guided walks.
type guidedDrawer[T any] struct {
	guided *Guided[T]
	spec   *checker.Spec[T]
	w      *guide.Walker
	goals  uint64 // that the walk reached
	met    int    // waypoints
}

func (d *guidedDrawer[T]) Start(number int64, rng *rand.Rand) int {
	if p := d.guided.first(number); p != nil {
		return d.w.BeginWith(*p, rng)
	}
	return d.w.Begin(rng)
}

// first returns the walk that is taken with a number, from 1, nil for none.
func (g *Guided[T]) first(number int64) *guide.Plan {
	if number%2 == 0 || number/2 >= int64(len(g.First)) {
		return nil
	}
	return &g.First[number/2]
}

func (d *guidedDrawer[T]) Begin(int64, *rand.Rand, *T) { d.goals, d.met = 0, 0 }

func (d *guidedDrawer[T]) Draw(_ *T, enabled []int32) int { return d.w.Draw(enabled) }

func (d *guidedDrawer[T]) Took(instance int, _, n *T) {
	if a := d.guided.actions[instance]; d.guided.Aims != nil && d.guided.Aims[a] {
		d.w.Aim(a)
	}
	d.w.Took(instance)
	for d.met < d.guided.Of && d.guided.Waypoint(n, d.met) {
		d.met++
		d.w.Waypoint(d.met)
	}
	if d.spec.Reached == nil {
		return
	}
	if goals := d.spec.Reached(n); goals&^d.goals != 0 {
		d.goals |= goals
		d.w.Goal(d.goals)
	}
}

func (d *guidedDrawer[T]) Refused(int) {}

func (d *guidedDrawer[T]) Skips() bool { return d.w.Skips() }

func (d *guidedDrawer[T]) Planned() int { return d.w.Planned() }

func (d *guidedDrawer[T]) Lesson() any { return slices.Clone(d.w.Features()) }
