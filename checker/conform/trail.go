package conform

import (
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/ahead"
	"github.com/multigrain/multigrain/checker/internal/simulate"
)

// trail keeps the states of a walk that is not done again, since an Explainer says what happened
// there. After a difference they are the implementation's.
type trail[S any, U checker.Counters] struct {
	kept  bool
	steps []checker.Step[checker.Node[S, U]]
}

// begin says for which adapters and runs the states are kept.
func (t *trail[S, U]) begin(a Adapter[S], f *Follow) {
	_, explains := a.(Explainer)
	t.kept = explains && f != nil
}

// add keeps the specification's state after a step.
func (t *trail[S, U]) add(instance int, n *checker.Node[S, U]) {
	if t.kept {
		t.steps = append(t.steps, checker.Step[checker.Node[S, U]]{Instance: instance, Node: *n})
	}
}

// correct replaces the last state by the implementation's.
func (t *trail[S, U]) correct(n *checker.Node[S, U]) {
	if t.kept {
		t.steps[len(t.steps)-1].Node = *n
	}
}

// held returns a copy of the steps; nil where they are not kept.
func (t *trail[S, U]) held() any {
	if !t.kept {
		return nil
	}
	return slices.Clone(t.steps)
}

// upToDeparture does a behaviour from its start with the implementation as the model. It passes
// what is accepted or shared, and returns the first other deviation. A step that is not possible in
// the implementation's state ends it as one that could not be driven.
func (t *tester[S, U]) upToDeparture(opt *Options, init *checker.Node[S, U], steps []int32, done *[]checker.Step[checker.Node[S, U]]) *deviation {
	t.journal.begin(0, bytesOf(init))
	if d := t.start(&init.State); d != nil {
		return d
	}
	before := *init
	for _, k := range steps {
		if t.halted != nil && t.halted() {
			return &deviation{kind: cut, message: "interrupted"}
		}
		*done = append(*done, checker.Step[checker.Node[S, U]]{Instance: int(k), Node: before})
		after := &(*done)[len(*done)-1].Node
		if !t.spec.Enabled(&before, int(k)) {
			return &deviation{kind: undriven, message: "it is not enabled in the state of the implementation"}
		}
		if t.spec.Apply(&before, after, int(k)); t.leaves(after) {
			return &deviation{kind: undriven, message: "it leaves what walks explore, from the state of the implementation"}
		}
		if d := t.step(int(k), &before.State, &after.State); d != nil {
			known, err := t.accepted(opt.Accepted, int(k), &before.State, &after.State, d)
			if err != nil {
				return &deviation{kind: undriven, message: err.Error()}
			}
			action := t.spec.Actions[t.spec.Instances[k].Action].Name
			if !d.followed() || len(known) == 0 && !opt.Follow.shared(action, d) {
				return d
			}
			t.vars.take(&after.State, &t.have)
		}
		before = *after
	}
	return nil
}

// Bounds of a search for a violation that lies ahead.
const (
	outlookTime  = 8 * time.Second
	outlookPaths = 3 // for each invariant
	mostOutlooks = 2 // of a walk
	between      = 6 // steps that weights draw, if a search has found nothing
)

// outlook says where a walk goes that has departed: along the shortest steps of the specification
// to a state in which an invariant is broken. If the implementation does not break it there, it
// searches again from the state in which the implementation is.
type outlook[S any, U checker.Counters] struct {
	w      *worker[S, U]
	search *simulate.Stepper[checker.Node[S, U]] // nil: it says nothing
	number int64
	twin   checker.Node[S, U] // where the specification would be
	gone   bool               // the walk has departed
	fresh  bool               // with its last step
	plan   []int32
	left   int // searches
	wait   int // steps until the next one
}

// open prepares a search with the weights of the run.
func (o *outlook[S, U]) open(w *worker[S, U]) (err error) {
	o.w = w
	if f := w.run.opt.Follow; f != nil && f.Ahead > 0 {
		o.search, err = w.scout(w.run.opt.Weights)
	}
	return err
}

// scout returns what takes steps of the specification alone that the adapter can drive.
func (w *worker[S, U]) scout(weights map[string]float64) (*simulate.Stepper[checker.Node[S, U]], error) {
	walk, err := simulate.NewStepper(w.run.c.Bound, weights)
	if x, ok := offered[Limited[S]](w.test.adapter); ok && err == nil {
		walk.LeavesOut = func(k int, before, after *checker.Node[S, U]) bool {
			return x.LeavesOut(w.test.stepOf(k, &before.State, &after.State)) != ""
		}
	}
	return walk, err
}

func (o *outlook[S, U]) begin(number int64) {
	o.number, o.gone, o.plan, o.left, o.wait = number, false, nil, mostOutlooks, 0
}

// departed notes where the specification is after a step whose outcome differs. Departs says that
// the difference is the first one of the change.
func (o *outlook[S, U]) departed(spec *checker.Node[S, U], departs bool) {
	if departs && !o.gone {
		o.twin, o.gone, o.fresh = *spec, true, true
	}
}

// took lets the specification do a step that a departed walk has done.
func (o *outlook[S, U]) took(instance int) {
	if o.gone && !o.fresh && o.search != nil {
		ahead.Advance(o.w.test.spec, &o.twin, instance)
	}
	o.fresh = false
}

// ends reports whether a departed walk has shown what was searched for, or all searches have found
// nothing more.
func (o *outlook[S, U]) ends(rec *record) bool {
	return o.search != nil && (len(rec.broken) > 0 || o.gone && o.left == 0 && len(o.plan) == 0 && o.wait == 0)
}

// next takes the next step of a walk: as planned after a departure, else as drawn.
func (o *outlook[S, U]) next(rec *record, drawn func() (int, error)) (int, error) {
	if o.search == nil || rec.departure == nil {
		return drawn()
	}
	walk := o.w.walk
	if o.wait > 0 {
		o.wait--
		return drawn()
	}
	if len(o.plan) == 0 && o.left > 0 {
		o.left--
		paths := ahead.Search(o.search, o.w.test.spec, o.w.run.opt.Follow.mask, walk.Node(), &o.twin, ahead.Limits{States: o.w.run.opt.Follow.Ahead, Time: outlookTime, Paths: outlookPaths})
		if len(paths) > 0 {
			o.plan = paths[(int(o.number-1)+mostOutlooks-1-o.left)%len(paths)].Steps
		} else {
			o.wait = between
		}
	}
	for len(o.plan) > 0 {
		k := int(o.plan[0])
		o.plan = o.plan[1:]
		if ok, err := walk.Do(k); err != nil || ok {
			return k, err
		}
	}
	return drawn()
}
