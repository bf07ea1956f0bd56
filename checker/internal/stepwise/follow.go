package stepwise

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// reached is a node of the search, with the step that led there.
type reached[T any] struct {
	node     T
	from     int // the node before; -1 for the first
	instance int
	taken    int
}

// followed searches breadth first over pairs of a node and how many of the steps were taken. A pair
// is visited once, so the first one that has taken all, or most, has a shortest behaviour.
func (w *Walker[T]) followed(n *T, f *wire.FollowSteps) (*wire.FollowedSteps, error) {
	var own, calls []int
	for i, in := range w.Spec.Instances {
		if slices.Contains(f.Own, w.Spec.Actions[in.Action].Name) {
			own = append(own, i)
		}
	}
	for _, call := range f.Calls {
		i, ok := w.instance(call)
		if !ok {
			return nil, fmt.Errorf("the composition has no step %s", call)
		}
		calls = append(calls, i)
	}
	all := []reached[T]{{node: *n, from: -1}}
	seen := map[string]bool{w.pair(&all[0]): true}
	best, whole, began := 0, true, host.Now()
	near, compared := false, 0 // a node after all steps is as f.Near; nodes that were compared
	for at := 0; at < len(all) && !near && (f.Near != nil || all[best].taken < len(calls)); at++ {
		late := f.Seconds > 0 && at%8 == 7 && host.Now().Sub(began).Seconds() > f.Seconds
		if len(all) > f.Most || late {
			whole = false
			break
		}
		take := func(i, taken int) {
			from := all[at].node
			if !w.Spec.Enabled(&from, i) || w.over(&from) {
				return
			}
			x := reached[T]{node: from, from: at, instance: i, taken: taken}
			w.Spec.Apply(&from, &x.node, i)
			if key := w.pair(&x); !seen[key] {
				seen[key] = true
				all = append(all, x)
				if taken > all[best].taken {
					best = len(all) - 1
				}
			}
		}
		if all[at].taken < len(calls) {
			take(calls[all[at].taken], all[at].taken+1)
		} else if compared++; compared <= mostNear {
			near = len(itf.Shared(*f.Near, w.Spec.Describe(&all[at].node))) == 0
		} else {
			whole = false
			break
		}
		for _, i := range own {
			take(i, all[at].taken)
		}
	}
	if f.Near != nil {
		best = w.nearest(all, best, f.Near)
	}
	out := &wire.FollowedSteps{Path: []string{}, Taken: all[best].taken, Whole: whole}
	for at := best; all[at].from >= 0; at = all[at].from {
		out.Path = append(out.Path, w.Call(all[at].instance))
	}
	slices.Reverse(out.Path)
	return out, nil
}

// mostNear bounds the states that are compared with Follow.Near.
const mostNear = 500

// nearest returns the position of the node that differs least from a state, among those after as
// many steps as the best one. The first one of several is taken.
func (w *Walker[T]) nearest(all []reached[T], best int, near *modules.View) int {
	compared, least := 0, -1
	taken := all[best].taken
	for at := range all {
		if all[at].taken != taken || compared == mostNear {
			continue
		}
		compared++
		if n := len(itf.Shared(*near, w.Spec.Describe(&all[at].node))); least < 0 || n < least {
			best, least = at, n
		}
	}
	return best
}

// pair identifies a node with the number of steps that were taken.
func (w *Walker[T]) pair(x *reached[T]) string {
	return fmt.Sprint(x.taken, " ") + string(checker.Bytes(&x.node))
}
