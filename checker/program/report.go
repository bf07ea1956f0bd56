package program

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/wire"
)

func report[T any](spec *checker.Spec[T], r *checker.Result[T]) *wire.Report {
	var node T
	out := &wire.Report{
		Verdict: string(r.Verdict), Reason: r.Reason, Distinct: r.Distinct, Generated: r.Generated, Depth: r.Depth,
		Levels: r.Levels, Seconds: r.Duration.Seconds(), Workers: r.Workers, Digest: fmt.Sprintf("%016x", r.Digest),
		Collision: collision(r.Distinct), Memory: r.Memory, NodeBytes: int(unsafe.Sizeof(node)), Masked: r.Masked,
		Actions: []wire.Action{}, Violations: []wire.Violation{}, Invariants: []string{},
	}
	for _, v := range spec.Invariants {
		out.Invariants = append(out.Invariants, v.Name())
	}
	for k, a := range spec.Actions {
		c := r.Actions[k]
		out.Actions = append(out.Actions, wire.Action{
			Name: a.Name, Module: a.Module, Environment: a.Environment, Spent: a.Spent,
			Enabled: c.Enabled, Fired: c.Fired, Distinct: c.Distinct,
		})
	}
	for k, g := range spec.Goals {
		if r.Goals>>k&1 == 0 {
			out.GoalsMissed = append(out.GoalsMissed, g.Name())
		}
	}
	for k := range r.Violations {
		out.Violations = append(out.Violations, violation(spec, &r.Violations[k]))
	}
	return out
}

// collision is the expected number of nodes missed because two had the same 64-bit fingerprint, n²/2⁶⁵, as a probability.
func collision(n int64) float64 {
	return -math.Expm1(-float64(n) * float64(n) / 0x1p65)
}

func violation[T any](spec *checker.Spec[T], v *checker.Violation[T]) wire.Violation {
	out := wire.Violation{Kind: v.Kind, Depth: v.Depth, At: v.At, Count: v.Count, Trace: trace(spec, &v.Trace)}
	if v.Invariant >= 0 {
		p := spec.Invariants[v.Invariant]
		out.Invariant, out.Instance, out.Doc = p.ID, p.Instance, p.Doc
	}
	return out
}

func trace[T any](spec *checker.Spec[T], t *checker.Trace[T]) *wire.Trace {
	out := &wire.Trace{Init: spec.Describe(&t.Init), Steps: []wire.Step{}}
	for k := range t.Steps {
		s := &t.Steps[k]
		in := spec.Instances[s.Instance]
		a := spec.Actions[in.Action]
		out.Steps = append(out.Steps, wire.Step{
			Action: a.Name, Module: a.Module, Server: in.Server, Params: in.Params, State: spec.Describe(&s.Node),
		})
	}
	return out
}
