package conform

import (
	"errors"
	"fmt"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/cover"
)

// Covered says what walks were planned to cover, and what they did.
type Covered struct {
	Kind          cover.Kind
	States, Edges int // of the graph
	Targets       int // edges, or pairs of edges
	Beyond        int // targets that no walk of the allowed depth has
	Walks, Least  int // planned walks, and a lower bound of their number
	Steps         int // of these walks
	// Done is how many targets were done and compared. A walk that ends in a difference covers
	// those before its last step.
	Done int
}

// errHalted says that the run is to end before walks were found.
var errHalted = errors.New("halted")

// plan explores the graph of the walks that could be taken, and finds few walks that cover it. It
// returns why that was not possible within the limits, or "".
func (r *run[S, U]) plan() (why string, err error) {
	first := r.workers[0]
	walk := first.walk
	first.left = map[LeftOut]int64{}
	defer func() {
		for left, count := range first.left {
			r.leftOut(left, count)
		}
		first.left = nil
	}()
	halted := func() error {
		if r.Halted() {
			return errHalted
		}
		return nil
	}
	doing := "the graph was explored"
	g, err := cover.Explore(walk.Starts(), func(s *checker.Node[S, U], yield func(int, *checker.Node[S, U])) error {
		if err := halted(); err != nil {
			return err
		}
		return walk.Each(s, yield)
	}, r.opt.MaxStates)
	var c *cover.Cover
	if err == nil {
		doing = "walks were planned"
		c, err = g.Find(r.opt.Cover, r.opt.Depth, halted)
	}
	var large *cover.SizeError
	switch {
	case errors.Is(err, errHalted):
		return r.Why() + " while " + doing, nil
	case errors.As(err, &large):
		return large.Error() + ": lower the bounds of the implementation block, or raise -max-states", nil
	case err != nil:
		return "", err
	case len(c.Walks) == 0:
		return "no step can be taken from the initial states", nil
	}
	r.cover, r.Number, r.opt.Number = c, int64(len(c.Walks)), int64(len(c.Walks))
	r.res.Refused, r.res.Exceeded = walk.Refused, walk.Exceeded
	r.res.Covered = &Covered{Kind: c.Kind, States: c.States, Edges: c.Edges, Targets: c.Targets, Beyond: c.Beyond, Walks: len(c.Walks), Least: c.Least, Steps: c.Steps}
	return "", nil
}

// planned begins a walk of the cover and returns what takes its steps.
func (w *worker[S, U]) planned(number int64, rec *record) (next func() (int, error)) {
	plan := &w.run.cover.Walks[number-1]
	rec.init = plan.Start
	w.walk.StartAt(plan.Start)
	return func() (int, error) {
		if len(rec.steps) == len(plan.Instances) {
			return -1, nil
		}
		k := int(plan.Instances[len(rec.steps)])
		switch ok, err := w.walk.Do(k); {
		case err != nil:
			return -1, err
		case !ok:
			return -1, fmt.Errorf("step %d of walk %d, %s, was possible when the graph was explored and is not now: the specification or the adapter is not a function of state and parameters",
				len(rec.steps)+1, number, w.test.doing(calling|uint64(k)))
		}
		return k, nil
	}
}

// covered counts what a walk was the first to cover.
func (r *run[S, U]) covered(number int64, rec *record) {
	done := len(rec.steps)
	if rec.deviation != nil || len(rec.accepted) > 0 {
		done-- // the last step differs
	}
	for _, x := range r.cover.Walks[number-1].New {
		if x.Step < done {
			r.res.Covered.Done++
		}
	}
}
