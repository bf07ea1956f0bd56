package program

import (
	"context"
	"fmt"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/liveness"
	"github.com/multigrain/multigrain/checker/wire"
)

// live checks the liveness properties, if there are any, once all states were explored, and puts
// what it found into the report. It has the time that the exploration left, and all of the memory,
// which that has given back.
func live[T any](ctx context.Context, spec *checker.Spec[T], o wire.Options, res *checker.Result[T], out *wire.Report) error {
	complete := res.Verdict == checker.Holds || res.Verdict == checker.Violated && o.Stop == 0 && res.Reason == ""
	if len(spec.Liveness) == 0 || !complete {
		return nil
	}
	if o.Timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, max(o.Timeout-res.Duration, 0))
		defer cancel()
		ctx = limited
	}
	start := host.Now()
	l, err := judged(ctx, spec, o.Memory)
	if err != nil {
		return err
	}
	out.Liveness = &wire.Liveness{Properties: []string{}, Edges: l.Edges, Memory: l.Memory, Seconds: host.Since(start).Seconds()}
	for _, p := range spec.Liveness {
		out.Liveness.Properties = append(out.Liveness.Properties, p.Name())
	}
	for _, p := range l.Premises {
		out.Liveness.Premises = append(out.Liveness.Premises, wire.Premise(p))
	}
	if l.Reason != "" {
		if context.Cause(ctx) == context.DeadlineExceeded {
			l.Reason = fmt.Sprintf("the time limit of %s is reached while liveness is checked", o.Timeout)
		}
		if out.Reason = l.Reason; out.Verdict == string(checker.Holds) {
			out.Verdict = string(checker.Undecided)
		}
	}
	for k := range l.Violations {
		v := &l.Violations[k]
		p := spec.Liveness[v.Property]
		t := trace(spec, &v.Trace)
		t.Loop = &v.Loop
		out.Verdict = string(checker.Violated)
		out.Violations = append(out.Violations, wire.Violation{
			Invariant: p.ID, Instance: p.Instance, Doc: p.Doc, Kind: p.Kind, Depth: len(v.Trace.Steps), At: res.Distinct, Count: 1, Trace: t,
		})
	}
	return nil
}

// judged is liveness.Run. The exploration has called everything but the properties in every state,
// so a panic is theirs.
func judged[T any](ctx context.Context, spec *checker.Spec[T], memory int64) (l liveness.Result[T], err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &wire.Error{Kind: wire.ErrorSpec, Message: fmt.Sprintf("a liveness property failed: %v", v)}
		}
	}()
	return liveness.Run(spec, liveness.Options{Mem: memory, Context: ctx})
}
