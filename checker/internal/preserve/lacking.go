package preserve

import (
	"bytes"
	"time"

	"github.com/multigrain/multigrain/checker/internal/inclusion"
)

// What it computes. The coarse action to blame for a missed behaviour, and whether its guard or its
// effect is wrong.
//
// Why it is right. Take the witness f0 .. fn of the fine composition. Up to some state fk the
// coarse composition keeps up: after the same observations it can be in a state c with the same
// values of the kept variables, or with nearly the same. After fk come silent steps, for which one
// coarse action stands. So the effect of each silent action of the coarse grain is applied to c,
// whether its guard holds or not. The action to blame brings c nearest to one of the states after
// fk. Nearest is a heuristic: the result is a hint for people, and no verdict depends on it.
//
// What it costs. For each of at most lackTries coarse states one application of every silent
// instance, and for each result one comparison with each state after fk. The search ends after
// lackTime, since an effect may not return from a state that its guard refuses.
//
// Example. The observed step needs a server that has joined:
//
//	fine     fk ---> fk+1 ---> fk+2 --observed-->
//	         =                  ~
//	coarse   c  --- Join ----> n
//
// If the guard of Join is false in c, it is too strong. Else its effect is wrong.

// lackTries bounds the coarse states from which actions start, and lackTime the whole search: an
// effect may not return from a state that its guard refuses.
const (
	lackTries = 64
	lackTime  = 20 * time.Second
)

// lacking returns the name of the coarse action that should have led to a missed behaviour, and
// whether its guard refused it; "" if none is known.
func (r *run[T]) lacking(d *Difference[T], x *inclusion.Sets) (name string, refused bool) {
	type found struct {
		name    string
		refused bool
	}
	done := make(chan found, 1)
	go func() {
		var f found
		try(func() { f.name, f.refused = (&lack[T]{run: r, sets: x}).find(d) })
		done <- f
	}()
	select {
	case f := <-done:
		return f.name, f.refused
	case <-time.After(lackTime):
		return "", false
	}
}

type lack[T any] struct {
	*run[T]
	sets *inclusion.Sets
}

// find looks for the action.
func (l *lack[T]) find(d *Difference[T]) (name string, refused bool) {
	states, after := l.along(d)
	last, from := l.kept(states, after)
	if last < 0 {
		return "", false
	}
	base := l.values(states[last], l.c.Kept)
	var targets [][][]byte // the states after it, as long as nothing is observed
	for k := last + 1; k < len(states) && after[k] == after[last]; k++ {
		v := l.values(states[k], l.c.Kept)
		if !same(base, v) {
			targets = append(targets, v)
		}
	}
	if len(targets) == 0 {
		return "", false
	}
	return l.nearest(from, targets)
}

// along returns the states of the witness before its last step, and after each the set of coarse
// states with the same observations.
func (l *lack[T]) along(d *Difference[T]) (states []*T, after []uint32) {
	set := l.sets.Begin()
	states, after = []*T{&d.Trace.Init}, []uint32{set}
	for k := range d.Trace.Steps[:len(d.Trace.Steps)-1] {
		s := &d.Trace.Steps[k]
		if l.c.Sides[Fine].Step[s.Instance] >= 0 {
			label, ok := l.labelOf(Fine, states[k], &s.Node, s.Instance)
			if !ok {
				break
			}
			if label != silent {
				if set, ok = l.sets.After(set, label); !ok {
					break
				}
			}
		}
		states, after = append(states, &s.Node), append(after, set)
	}
	return states, after
}

// kept returns the number of the last state that has a counterpart, and the counterparts. If none
// has one, it is the last of those with the nearest.
func (l *lack[T]) kept(states []*T, after []uint32) (last int, from []*T) {
	last = -1
	best := 0
	for k := len(states) - 1; k >= 0; k-- {
		values := l.values(states[k], l.c.Kept)
		least := -1
		var nearest []*T
		for _, at := range l.sets.States(after[k]) {
			if at >= l.graphs[Coarse].Nodes() {
				continue
			}
			node := l.graphs[Coarse].node(at)
			switch far := distance(values, l.values(node, l.c.Kept)); {
			case least < 0 || far < least:
				least, nearest = far, []*T{node}
			case far == least && len(nearest) < lackTries:
				nearest = append(nearest, node)
			}
		}
		if least >= 0 && (last < 0 || least < best) {
			last, from, best = k, nearest, least
		}
		if best == 0 && last >= 0 {
			break
		}
	}
	return last, from
}

// nearest returns the coarse action whose effect brings one of some states nearest to a target. One
// that reaches a target precedes one that comes near. Actions that both compositions have are left
// out. Refused says that the guard of the action is false there.
func (l *lack[T]) nearest(from []*T, targets [][][]byte) (name string, refused bool) {
	spec := l.c.Sides[Coarse].Spec
	shared := map[string]bool{}
	for _, a := range l.c.Sides[Fine].Spec.Actions {
		shared[a.Name] = true
	}
	most := 0
	for _, c := range from {
		before := l.values(c, l.c.Kept)
		far := make([]int, len(targets))
		for t, target := range targets {
			far[t] = distance(before, target)
		}
		for k, in := range spec.Instances {
			action := spec.Actions[in.Action].Name
			if l.c.Sides[Coarse].Step[k] >= 0 || shared[action] {
				continue
			}
			n := *c
			if v, _ := try(func() { spec.Apply(c, &n, k) }); v != nil {
				continue
			}
			values := l.values(&n, l.c.Kept)
			for t, target := range targets {
				left := distance(values, target)
				gain := far[t] - left
				if left == 0 {
					gain += len(target)
				}
				if gain > most {
					most, name, refused = gain, action, !spec.Enabled(c, k)
				}
			}
		}
	}
	return name, refused
}

// distance returns the number of cells with different values.
func distance(a, b [][]byte) (n int) {
	for k := range a {
		if !bytes.Equal(a[k], b[k]) {
			n++
		}
	}
	return n
}

func same(a, b [][]byte) bool { return distance(a, b) == 0 }
