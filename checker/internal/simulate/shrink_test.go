package simulate_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/modules"
)

// how says how a sequence of instances ends from an initial node, where the steps are done as they
// are: none may be left out.
type how struct {
	possible bool   // every step is enabled, and all but the last lead to a node and break nothing
	broken   uint64 // by the last step
	stuck    bool   // nothing is enabled at its end
	end      []byte
}

func redo[T any](spec *checker.Spec[T], init T, instances []int) how {
	s, n, h := init, init, how{}
	if len(instances) == 0 {
		h.broken = spec.State(&s)
	}
	for k, instance := range instances {
		if s = n; !spec.Enabled(&s, instance) {
			return how{}
		}
		spec.Apply(&s, &n, instance)
		last := k == len(instances)-1
		if spec.Raised != nil {
			if any, mask := spec.Raised(&n); any {
				return how{possible: last && mask != 0, broken: mask, end: checker.Bytes(&n)}
			}
		}
		if spec.Steps != nil {
			h.broken |= spec.Steps(&s, &n, instance)
		}
		h.broken |= spec.State(&n)
		if !last && (h.broken != 0 || spec.Within != nil && !spec.Within(&n)) {
			return how{}
		}
	}
	h.possible, h.end = true, bytes.Clone(checker.Bytes(&n))
	h.stuck = !slices.ContainsFunc(slices.Collect(func(yield func(int) bool) {
		for k := range spec.Instances {
			if !yield(k) {
				return
			}
		}
	}), func(k int) bool { return spec.Enabled(&n, k) })
	return h
}

func (h how) shows(invariant int) bool {
	if invariant < 0 {
		return h.possible && h.stuck
	}
	return h.possible && h.broken>>invariant&1 != 0
}

// minimal does a counterexample again, and then without each of its steps.
func minimal[T any](t *testing.T, spec *checker.Spec[T], v *checker.Violation[T], from simulate.Origin) {
	t.Helper()
	var instances []int
	for _, s := range v.Trace.Steps {
		instances = append(instances, s.Instance)
	}
	h := redo(spec, v.Trace.Init, instances)
	if !h.shows(v.Invariant) || v.Depth != len(instances) || v.Depth > from.Length || v.Count < 1 {
		t.Fatalf("%s: %d steps from %+v, %d found, which show %+v", v.Kind, v.Depth, from, v.Count, h)
	}
	if len(instances) > 0 && !bytes.Equal(h.end, checker.Bytes(&v.Trace.Steps[len(instances)-1].Node)) {
		t.Errorf("%s: the trace ends elsewhere", v.Kind)
	}
	initial := false
	spec.Init(func(n *T) bool {
		initial = initial || bytes.Equal(checker.Bytes(n), checker.Bytes(&v.Trace.Init))
		return true
	})
	if !initial {
		t.Errorf("%s: the trace does not start in an initial state", v.Kind)
	}
	if !from.Minimal {
		t.Errorf("%s: shrinking was given up", v.Kind)
	}
	for k := range instances {
		if redo(spec, v.Trace.Init, slices.Delete(slices.Clone(instances), k, k+1)).shows(v.Invariant) {
			t.Errorf("%s: step %d of %d can be left out", v.Kind, k+1, len(instances))
		}
	}
}

// locks is a state with a combination lock and noise around it.
type locks struct{ Stage, Noise, Steps uint8 }

type lockNode = checker.Node[locks, [0]uint8]

// lockSpec opens by steps 0, 1, 2, ... of an action in this order, among others that change nothing
// of it. What stays of it is the shortest counterexample: every one of its steps is needed.
func lockSpec(t *testing.T, stages uint8) *checker.Spec[lockNode] {
	t.Helper()
	type one = modules.One[uint8]
	dial := &modules.Action[locks, one]{Name: "Dial", Params: modules.Each[uint8](int(stages)),
		Guard:  func(s *locks, p one) bool { return s.Stage == p.I },
		Effect: func(s, n *locks, p one) { n.Stage++ }}
	noise := &modules.Action[locks, one]{Name: "Noise", Params: modules.Each[uint8](7),
		Guard:  func(s *locks, p one) bool { return true },
		Effect: func(s, n *locks, p one) { n.Noise = (s.Noise + p.I) % 50 }}
	count := &modules.Action[locks, modules.None]{Name: "Count", Params: modules.Once,
		Guard:  func(s *locks, _ modules.None) bool { return s.Steps < 255 },
		Effect: func(s, n *locks, _ modules.None) { n.Steps++ }}
	invs := []*modules.Invariant[locks]{{ID: "Closed", State: func(s *locks) bool { return s.Stage < stages }}}
	spec := &modules.Spec[locks]{System: "lock", Invariants: invs, Init: func(yield func(locks) bool) { yield(locks{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[locks]{dial, noise, count}, nil, invs) {
		spec.Actions = append(spec.Actions, modules.SpecAction[locks]{Bound: b})
	}
	out, err := checker.Of[locks, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestShrinking(t *testing.T) {
	t.Parallel()
	spec := lockSpec(t, 12)
	res := run(t, spec, simulate.Options{Depth: 400, Number: 1000, Stop: 1, Seed: 5, Weights: map[string]float64{"Dial": 0.2}})
	if res.Verdict != checker.Violated || len(res.Violations) != 1 {
		t.Fatalf("it %s, %d violations", res.Verdict, len(res.Violations))
	}
	v, from := &res.Violations[0], res.Origins[0]
	minimal(t, spec, v, from)
	if v.Depth != 12 || from.Length < 60 || from.Walk < 1 {
		t.Errorf("%d steps, from %+v", v.Depth, from)
	}
	trace, err := simulate.Walk(spec, simulate.Source(5, from.Walk), from.Length, map[string]float64{"Dial": 0.2})
	if err != nil {
		t.Fatal(err)
	}
	if end := trace.Steps[len(trace.Steps)-1].Node; spec.State(&end) == 0 {
		t.Error("the walk that is said to have found it does not")
	}
}

// TestShrinkingStaysInside: no step is left out if the other steps would then leave the constraints
// or break another property.
func TestShrinkingStaysInside(t *testing.T) {
	t.Parallel()
	const opened, noisy = 4, 7
	for name, forbid := range map[string]func(spec *checker.Spec[lockNode], bad func(n *lockNode) bool){
		"constraint": func(spec *checker.Spec[lockNode], bad func(n *lockNode) bool) {
			spec.Within = func(n *lockNode) bool { return !bad(n) }
		},
		"invariant": func(spec *checker.Spec[lockNode], bad func(n *lockNode) bool) {
			spec.Invariants = append(spec.Invariants, checker.Property{ID: "Quiet", Kind: modules.KindState})
			closed := spec.State
			spec.State = func(n *lockNode) uint64 {
				if bad(n) {
					return closed(n) | 2
				}
				return closed(n)
			}
		},
	} {
		spec := lockSpec(t, opened)
		forbid(spec, func(n *lockNode) bool { return n.State.Stage == 2 && n.State.Steps < noisy })
		res := run(t, spec, simulate.Options{Depth: 60, Number: 3000, Weights: map[string]float64{"Dial": 0.3}})
		found := false
		for k, v := range res.Violations {
			minimal(t, spec, &v, res.Origins[k])
			found = found || v.Invariant == 0
			if v.Invariant == 0 && v.Depth != opened+noisy {
				t.Errorf("%s: %d steps", name, v.Depth)
			}
		}
		if !found {
			t.Errorf("%s: it is not found", name)
		}
	}
}
