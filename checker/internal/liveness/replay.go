package liveness

import (
	"bytes"
	"fmt"

	"github.com/multigrain/multigrain/checker"
)

// replay does a lasso again with Enabled and Apply and checks that it breaks the property: it is
// asked for, does not come, and the loop closes and is fair.
func replay[T any](spec *checker.Spec[T], property int, l *lasso) (v Violation[T], err error) {
	v = Violation[T]{Property: property, Loop: l.loop, From: l.from}
	p := &spec.Liveness[property]
	at, found := uint32(0), false
	spec.Init(func(n *T) bool {
		if found = at == l.initial; found {
			v.Trace.Init = *n
		}
		at++
		return !found
	})
	wrong := func(step int, what string) (Violation[T], error) {
		return v, fmt.Errorf("a lasso of %s does not replay at step %d: %s. %s", p.Name(), step, what, checker.CauseFaces)
	}
	if !found {
		return wrong(0, "its initial state is not yielded again")
	}
	owed := map[int]bool{}
	s := v.Trace.Init
	for k := 0; ; k++ {
		if k == l.from && p.From != nil && !p.From(&s) {
			return wrong(k, "nothing is asked for")
		}
		if k >= l.from && p.To(&s) {
			return wrong(k, "what was asked for has come")
		}
		if k == l.loop {
			for x := range spec.Instances {
				owed[x] = p.Fair[x]
			}
		}
		for x := range owed {
			owed[x] = owed[x] && changes(spec, &s, x)
		}
		if k == len(l.instances) {
			break
		}
		x := l.instances[k]
		if !spec.Enabled(&s, x) {
			return wrong(k+1, "the action is not enabled")
		}
		n := s
		spec.Apply(&s, &n, x)
		owed[x] = false
		v.Trace.Steps = append(v.Trace.Steps, checker.Step[T]{Instance: x, Node: n})
		s = n
	}
	start := &v.Trace.Init
	if l.loop > 0 {
		start = &v.Trace.Steps[l.loop-1].Node
	}
	if !bytes.Equal(checker.Bytes(start), checker.Bytes(&s)) {
		return wrong(len(l.instances), "the loop does not close")
	}
	for _, x := range owed {
		if x {
			return wrong(len(l.instances), "the loop is not fair")
		}
	}
	return v, nil
}

// changes reports whether an instance is enabled in s and changes it.
func changes[T any](spec *checker.Spec[T], s *T, instance int) bool {
	if !spec.Enabled(s, instance) {
		return false
	}
	n := *s
	spec.Apply(s, &n, instance)
	return !bytes.Equal(checker.Bytes(s), checker.Bytes(&n))
}
