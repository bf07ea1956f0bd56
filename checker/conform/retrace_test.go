package conform_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker/conform"
)

// stepsOf returns the steps of a violation's trace.
func stepsOf(t *testing.T, v conform.Violation[liftNode]) (steps []int) {
	t.Helper()
	for _, s := range v.Trace.Steps {
		steps = append(steps, s.Instance)
	}
	return steps
}

// TestRetrace does the traces of violations once more: the first difference is at the same step,
// and the same invariant is broken at the end. A cabin without the mistake does other steps, or
// breaks nothing.
func TestRetrace(t *testing.T) {
	for _, fault := range []string{"drifts", "drifts and falls"} {
		follow := func() *conform.Follow {
			return &conform.Follow{Least: 50, Judges: func(_, _ []string) uint64 { return 1<<0 | 1<<2 }}
		}
		found, err := conform.Run(withInvariants(t), cabins(fault, nil), conform.Options{Depth: 40, Number: 2000, Workers: 1, Seed: 7, Follow: follow()})
		if err != nil || len(found.Violations) == 0 {
			t.Fatalf("%s: %d violations, %v", fault, len(found.Violations), err)
		}
		v := found.Violations[0]
		steps := stepsOf(t, v)
		res, err := conform.Replay(withInvariants(t), cabins(fault, nil), steps, conform.Options{Follow: follow()})
		if err != nil {
			t.Fatalf("%s: %v", fault, err)
		}
		if len(res.Found) != 1 || len(res.Found[0].Trace.Steps) != v.Departed || res.Found[0].Name() != "Floor" || res.Departed != 1 {
			t.Errorf("%s: %d differences, %+v", fault, len(res.Found), res.Found)
		}
		d := res.Found[0]
		spec := d.Trace.Steps[v.Departed-1].Node.State
		if got := d.Values[0].Specification.Text; got != string('0'+byte(spec.Floor)) {
			t.Errorf("%s: the difference says %s of the specification, and its trace %d", fault, got, spec.Floor)
		}
		if len(res.Violations) != 1 || res.Violations[0].Invariant != v.Invariant || res.Violations[0].Departed != v.Departed || res.Violations[0].Message != v.Message {
			t.Errorf("%s: %+v, want %+v", fault, res.Violations, v)
		}
		other, err := conform.Replay(withInvariants(t), cabins("", nil), steps, conform.Options{Follow: follow()})
		if err == nil && len(other.Found)+len(other.Violations) > 0 {
			t.Errorf("%s: without the mistake %d differences and %d violations", fault, len(other.Found), len(other.Violations))
		}
	}
}
