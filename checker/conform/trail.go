package conform

import (
	"slices"

	"github.com/multigrain/multigrain/checker"
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
			if d.kind != Variable || len(known) == 0 && !opt.Follow.shared(action, d) {
				return d
			}
			t.vars.take(&after.State, &t.have)
		}
		before = *after
	}
	return nil
}
