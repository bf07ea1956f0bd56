package spectest

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

// NaiveOptions are the options of Naive.
type NaiveOptions[T any] struct {
	// end after the level in which so many violations were found; 0: never
	Stop     int
	Deadlock bool // a node without an enabled instance is a violation
	// above so many distinct nodes the result is undecided; 0: no limit
	MaxStates int
	Each      func(n *T, depth int) // called for every distinct node, if not nil
}

// entry says how a node was reached first: from which node, by which instance. For initial nodes
// that is -1.
type entry[T any] struct {
	from     T
	instance int
}

// found is one occurrence of a broken property. The step from before by instance led to node;
// instance is -1 where node is an initial node or the deadlocked one.
type found[T any] struct {
	level        int // of the search, the one that was finished before it counts
	invariant    int
	instance     int
	node, before T
}

type search[T comparable] struct {
	spec  *checker.Spec[T]
	opt   NaiveOptions[T]
	res   checker.Result[T]
	seen  map[T]entry[T]
	next  []T // distinct nodes found in this level
	found []found[T]
	ats   []int64 // distinct nodes at the end of each level
}

// Naive is a slow, obvious breadth-first search over a map of full nodes. It is the oracle for
// every other strategy: nothing here is clever, everything is kept, and successors are made one
// instance at a time.
//
// It explores everything, or until Stop says to end. Properties are judged in TLC's order. An
// assertion that is raised ends the step. A successor outside the constraints is compared with the
// invariants and goes no further. A successor that is new is compared with the invariants and
// explored. The step properties are judged for every step.
func Naive[T comparable](spec *checker.Spec[T], opt NaiveOptions[T]) checker.Result[T] {
	start := host.Now()
	x := &search[T]{spec: spec, opt: opt, seen: map[T]entry[T]{}}
	x.res.Actions = make([]checker.ActionCount, len(spec.Actions))
	x.res.MaskedBy = make([]int64, len(spec.Masked))
	spec.Init(func(n *T) bool {
		x.judge(nil, *n, -1)
		return true
	})
	complete := false
	for {
		x.ats = append(x.ats, x.res.Distinct)
		if len(x.next) > 0 {
			x.res.Levels = append(x.res.Levels, int64(len(x.next)))
		}
		complete = len(x.next) == 0
		if complete || opt.Stop > 0 && len(x.found) >= opt.Stop {
			break
		}
		if opt.MaxStates > 0 && len(x.seen) > opt.MaxStates {
			x.res.Reason = fmt.Sprintf("more than %d distinct states", opt.MaxStates)
			break
		}
		level := x.next
		x.next = nil
		for _, s := range level {
			x.expand(s)
		}
	}
	x.res.Depth = max(len(x.res.Levels)-1, 0)
	x.report(complete)
	x.res.Duration, x.res.Workers = host.Since(start), 1
	return x.res
}

func (x *search[T]) expand(s T) {
	enabled := 0
	for k, in := range x.spec.Instances {
		if !x.spec.Enabled(&s, k) {
			continue
		}
		enabled++
		x.res.Actions[in.Action].Enabled++
		x.res.Actions[in.Action].Fired++
		n := s
		x.spec.Apply(&s, &n, k)
		x.judge(&s, n, k)
	}
	if enabled == 0 && x.opt.Deadlock {
		x.found = append(x.found, found[T]{len(x.ats), -1, -1, s, s})
	}
}

// judge takes n, the successor of s by instance, or an initial node if s is nil.
func (x *search[T]) judge(s *T, n T, instance int) {
	x.res.Generated++
	if x.spec.Raised != nil {
		if raised, broken := x.spec.Raised(&n); raised {
			x.broken(s, n, instance, broken)
			if broken == 0 {
				x.mask(&n)
			}
			return
		}
	}
	if s != nil && x.spec.Steps != nil {
		x.broken(s, n, instance, x.spec.Steps(s, &n, instance))
	}
	rep := x.rep(n)
	_, old := x.seen[rep]
	within := x.spec.Within == nil || x.spec.Within(&n)
	if !within || !old {
		x.broken(s, n, instance, x.spec.State(&n))
	}
	if !within || old {
		return
	}
	e := entry[T]{instance: instance}
	depth := 0
	if s != nil {
		e.from, depth = *s, len(x.res.Levels)
		x.res.Actions[x.spec.Instances[instance].Action].Distinct++
	}
	x.seen[rep] = e
	x.next = append(x.next, n)
	x.res.Distinct++
	x.res.Digest += fingerprint.Of(&rep)
	if x.spec.Reached != nil {
		x.res.Goals |= x.spec.Reached(&n)
	}
	if x.opt.Each != nil {
		x.opt.Each(&n, depth)
	}
}

// mask counts a node that ended in a masked assertion.
func (x *search[T]) mask(n *T) {
	x.res.Masked++
	for k := range x.spec.Masked {
		if x.spec.MaskedBy(n)>>k&1 != 0 {
			x.res.MaskedBy[k]++
		}
	}
}

// rep returns the node that stands for n.
func (x *search[T]) rep(n T) T {
	if x.spec.Represent == nil {
		return n
	}
	var rep T
	x.spec.Represent(&n, &rep)
	return rep
}

func (x *search[T]) compare(a, b T) int {
	a, b = x.rep(a), x.rep(b)
	return bytes.Compare(checker.Bytes(&a), checker.Bytes(&b))
}

func (x *search[T]) broken(s *T, n T, instance int, mask uint64) {
	for k := range x.spec.Invariants {
		if mask>>k&1 != 0 {
			f := found[T]{level: len(x.ats), invariant: k, instance: instance, node: n}
			if s != nil {
				f.before = *s
			}
			x.found = append(x.found, f)
		}
	}
}

// report groups what was found by invariant and last action. The example of a group, and the order
// of the groups, is by level, invariant, node, node before, instance.
func (x *search[T]) report(complete bool) {
	slices.SortStableFunc(x.found, func(a, b found[T]) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.invariant, b.invariant),
			x.compare(a.node, b.node), x.compare(a.before, b.before), cmp.Compare(a.instance, b.instance))
	})
	type key struct{ invariant, action int }
	group := map[key]int{}
	for _, f := range x.found {
		k := key{f.invariant, -1}
		if f.instance >= 0 {
			k.action = x.spec.Instances[f.instance].Action
		}
		if _, ok := group[k]; !ok {
			group[k] = len(x.res.Violations)
			x.res.Violations = append(x.res.Violations, x.violation(f))
		}
		x.res.Violations[group[k]].Count++
	}
	if x.opt.Stop == 1 && len(x.res.Violations) > 1 {
		x.res.Violations = x.res.Violations[:1]
	}
	switch {
	case len(x.found) > 0:
		x.res.Verdict = checker.Violated
	case complete:
		x.res.Verdict = checker.Holds
	default:
		x.res.Verdict = checker.Undecided
	}
}

func (x *search[T]) violation(f found[T]) checker.Violation[T] {
	v := checker.Violation[T]{Invariant: f.invariant, Kind: checker.KindDeadlock, At: x.ats[f.level]}
	if f.invariant >= 0 {
		v.Kind = x.spec.Invariants[f.invariant].Kind
	}
	switch {
	case f.invariant < 0:
		v.Trace = x.path(f.node)
	case f.instance < 0:
		v.Trace.Init = f.node
	default:
		v.Trace = x.path(f.before)
		v.Trace.Steps = append(v.Trace.Steps, checker.Step[T]{Instance: f.instance, Node: f.node})
	}
	v.Depth = len(v.Trace.Steps)
	return v
}

func (x *search[T]) path(n T) (t checker.Trace[T]) {
	for e := x.seen[x.rep(n)]; e.instance >= 0; e = x.seen[x.rep(n)] {
		t.Steps = append(t.Steps, checker.Step[T]{Instance: e.instance, Node: n})
		n = e.from
	}
	slices.Reverse(t.Steps)
	t.Init = n
	return t
}
