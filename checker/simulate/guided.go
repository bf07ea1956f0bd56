package simulate

import (
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/guide"
)

// Guided is a strategy that keeps walks which reach new coverage and changes them: see package
// guide.
// Goals that a walk reaches for the first time are coverage, too.
type Guided[T any] struct {
	*guide.Corpus
	spec    *checker.Spec[T]
	actions []int // by instance
	weights []float64
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
	return &guidedDrawer[T]{spec: g.spec, w: guide.NewWalker(g.Corpus, g.actions, g.weights)}
}

// Round returns how many walks are taken with the same corpus.
func (g *Guided[T]) Round() int64 { return guide.Round }

// Learn adds a walk to the corpus if it reached new coverage.
func (g *Guided[T]) Learn(start int, steps []int32, lesson any) {
	features, _ := lesson.([]guide.Feature)
	g.Corpus.Learn(start, steps, features)
}

// guidedDrawer draws the steps of guided walks.
type guidedDrawer[T any] struct {
	spec  *checker.Spec[T]
	w     *guide.Walker
	goals uint64 // that the walk reached
}

func (d *guidedDrawer[T]) Start(rng *rand.Rand) int { return d.w.Begin(rng) }

func (d *guidedDrawer[T]) Begin(int64, *rand.Rand, *T) { d.goals = 0 }

func (d *guidedDrawer[T]) Draw(_ *T, enabled []int32) int { return d.w.Draw(enabled) }

func (d *guidedDrawer[T]) Took(instance int, _, n *T) {
	d.w.Took(instance)
	if d.spec.Reached == nil {
		return
	}
	if goals := d.spec.Reached(n); goals&^d.goals != 0 {
		d.goals |= goals
		d.w.Goal(d.goals)
	}
}

func (d *guidedDrawer[T]) Refused(int) {}

func (d *guidedDrawer[T]) Lesson() any { return slices.Clone(d.w.Features()) }
