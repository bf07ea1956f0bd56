package simulate

import (
	"math/rand/v2"

	"github.com/multigrain/multigrain/checker"
)

// Strategy decides which steps walks take, instead of weights. Everything
// else stays with the run: judging, counting, merging in the order of the walks, shrinking, and
// the form of the result.
type Strategy[T any] interface {
	// Drawer returns what draws the steps of one worker's walks.
	Drawer() Drawer[T]
}

// Drawer draws the steps of walks, one walk after another. What it draws in a walk must be a
// function of the specification, the strategy and the numbers of rng. So a seed gives the same
// walks with any number of workers.
type Drawer[T any] interface {
	// Begin begins a walk in node s. The drawer may keep rng until the next walk.
	Begin(number int64, rng *rand.Rand, s *T)
	// Draw returns the instance to take at s, one of enabled, or -1: the strategy ends the walk.
	// The instances of enabled are in ascending order. Those that were refused at s are not among
	// them.
	Draw(s *T, enabled []int32) int
	// Took says that the walk took an instance from s to n.
	Took(instance int, s, n *T)
	// Refused says that the drawn instance raises a masked assertion and is not taken. Draw is
	// asked again.
	Refused(instance int)
}

// Learning is a Strategy that changes with what walks found. It changes between rounds only, so
// that a seed gives the same walks with any number of workers.
type Learning interface {
	// Round returns how many walks are taken before the strategy learns from them.
	Round() int64
	// Learn takes a walk of the round, in the order of the walks. A walk is the number of its
	// initial node, its steps, which must not be kept, and the lesson of its drawer.
	Learn(start int, steps []int32, lesson any)
}

// BranchLearning is a Learning strategy that can also learn which branches a walk was the first to
// take. Branches belong to a program and not to a walk, so walks of a round that took new ones are
// taken once more.
type BranchLearning interface {
	Learning
	// LearnsBranches reports whether the strategy asks for branches.
	LearnsBranches() bool
	// Branch adds to a lesson that the walk was the first to take a branch, by its number, after so
	// many steps.
	Branch(lesson any, branch, step int) any
}

// NewBranches calls Branch for the branches that a walk is the first to take. Known are those that
// were taken before. It is called after each step of the walk.
func NewBranches(taken, known []uint32, by BranchLearning, lesson any, step int) any {
	for k, x := range taken {
		if x != 0 && known[k] == 0 {
			known[k] = 1
			lesson = by.Branch(lesson, k, step)
		}
	}
	return lesson
}

// Learner is a Drawer of a Learning strategy.
type Learner interface {
	// Lesson returns what the strategy should learn from the walk that has just ended. It must not
	// change later.
	Lesson() any
}

// Starter is a Drawer that chooses the initial node.
type Starter interface {
	// Start begins the walk with a number, before Begin. It returns the number of its initial
	// node, -1 for any.
	Start(number int64, rng *rand.Rand) int
}

// Skipper is a Drawer that can do without the enabled instances at some nodes. A Stepper, which
// asks guards only of the actions that it draws, is faster there. Run has the enabled instances
// at every node.
type Skipper interface {
	// Skips reports whether the drawer can do without the enabled instances at this node. Draw is
	// not called then, but Took is.
	Skips() bool
	// Planned returns the next instance to attempt at such a node, -1 if the step is drawn by
	// weight.
	Planned() int
}

// Noter is a Drawer that explains its walks.
type Noter interface {
	// Notes returns an explanation of the walk that has just ended in a violation, step by step.
	// It must not change later.
	Notes() any
}

// RunWith is Run with the steps drawn by a strategy. Options.Weights count only as far as the
// strategy takes them into account, and Options.Learned must be false.
func RunWith[T any](spec *checker.Spec[T], opt Options, by Strategy[T]) (Result[T], error) {
	return runWith(spec, opt, by)
}

// drawStep returns the next step of a walk, drawn by weight or by the strategy; -1 if there is
// none.
func (w *worker[T]) drawStep() int {
	if w.drawer == nil {
		return w.draw(w.rng)
	}
	if len(w.enabled) == 0 { // all were refused
		return -1
	}
	return w.drawer.Draw(w.s, w.enabled)
}

// refuse takes a drawn instance out of the enabled ones.
func (w *worker[T]) refuse(instance int) {
	if w.drawer == nil {
		w.discard()
		return
	}
	for k, have := range w.enabled {
		if int(have) == instance {
			w.enabled = append(w.enabled[:k], w.enabled[k+1:]...)
			break
		}
	}
	w.drawer.Refused(instance)
}
