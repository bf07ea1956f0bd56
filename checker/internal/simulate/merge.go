package simulate

import (
	"math/bits"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/walks"
)

// Merge takes what a walk found.
func (r *run[T]) Merge(place int, number int64) (done bool, err error) {
	if err := r.merge(number, &r.records[place]); err != nil {
		return false, err
	}
	return r.enough(), nil
}

func (r *run[T]) merge(number int64, rec *record) error {
	switch rec.end {
	case skipped:
		return nil
	case failed:
		return rec.err
	case atDepth:
		r.res.Ends.Depth++
	case deadlocked:
		r.res.Ends.Deadlock++
	case finished:
		r.res.Ends.Finished++
	case blocked:
		r.res.Ends.Blocked++
	case left:
		r.res.Ends.Outside++
	case violated:
		r.res.Ends.Violated++
	}
	r.count(rec)
	r.elapsed = max(r.elapsed, rec.elapsed)
	for _, v := range rec.fresh {
		if !r.seen.add(v.hash) {
			continue
		}
		r.res.Distinct++
		r.res.Digest += v.hash
		if v.action >= 0 {
			r.res.Actions[v.action].Distinct++
		}
	}
	r.distinct.Store(r.res.Distinct)
	for _, h := range rec.unseen {
		r.abstractions.add(h)
	}
	if r.learned != nil {
		r.learn(rec)
	}
	if r.learning != nil && rec.end != cut {
		r.pending = append(r.pending, pending{rec, number})
	}
	if rec.end == violated {
		action := -1
		if rec.broken != 0 {
			action = r.spec.Instances[rec.steps[len(rec.steps)-1]].Action
		}
		r.violation(rec.broken, action, example[T]{init: r.starts[rec.start], steps: rec.steps, walk: number, notes: rec.notes})
	}
	if rec.end == cut {
		return nil
	}
	if r.res.Walks++; r.res.Walks == r.nextPoint {
		r.point()
		r.nextPoint = walks.After(r.nextPoint)
	}
	return nil
}

// count adds up what walks have in numbers.
func (r *run[T]) count(rec *record) {
	r.res.Steps += int64(rec.length)
	r.res.Generated += 1 + int64(len(rec.steps)+len(rec.masked))
	r.res.Masked += int64(len(rec.masked))
	r.res.Goals |= rec.goals
	r.res.Depth = max(r.res.Depth, rec.length)
	for a, n := range rec.enabled {
		r.res.Actions[a].Enabled += n
	}
	for _, tried := range [][]int32{rec.steps, rec.masked} {
		for _, k := range tried {
			a := &r.res.Actions[r.spec.Instances[k].Action]
			if a.Fired++; a.Fired == 1 {
				r.actions++
			}
			if r.res.Instances[k]++; r.res.Instances[k] == 1 {
				r.instances++
			}
		}
	}
}

func (r *run[T]) learn(rec *record) {
	r.learned.meet(rec.met)
	actions := make([]int32, len(rec.steps))
	for k, instance := range rec.steps {
		actions[k] = int32(r.spec.Instances[instance].Action)
	}
	r.learned.learn(rec.nodes, actions)
}

// point notes the coverage as it is.
func (r *run[T]) point() {
	r.res.Coverage = append(r.res.Coverage, Coverage{
		Walks: r.res.Walks, Steps: r.res.Steps, Actions: r.actions, Instances: r.instances, Distinct: r.res.Distinct,
		Abstractions: r.abstractions.n, Goals: bits.OnesCount64(r.res.Goals), Elapsed: r.elapsed,
	})
}

// finish fills in what is known at the end: all but the violations.
func (r *run[T]) finish(complete bool) {
	res := &r.res
	if n := len(res.Coverage); n == 0 || res.Coverage[n-1].Walks != res.Walks || res.Coverage[n-1].Steps != res.Steps {
		r.point()
	}
	res.Abstractions, res.Full = r.abstractions.n, r.seen.full
	res.Memory = r.seen.bytes() + r.abstractions.bytes()
	res.Duration = host.Since(r.start)
	switch {
	case r.found > 0:
		res.Verdict = checker.Violated
	case complete:
		res.Verdict = checker.Holds
	default:
		res.Verdict = checker.Undecided
	}
	if complete || r.opt.Stop > 0 && r.found >= int64(r.opt.Stop) {
		return
	}
	res.Reason = r.Why()
	if len(r.starts) > 0 {
		res.Reason = r.Reason(res.Walks)
	}
}
