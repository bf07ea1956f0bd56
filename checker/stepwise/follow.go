package stepwise

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/modules"
)

// Follow asks for a behaviour that takes some steps in their order. In between it may take steps of
// its own actions. So it asks whether a composition does the same as another one, on the actions
// that both have.
type Follow struct {
	Calls []string `json:"calls"`
	Own   []string `json:"own"`  // actions
	Most  int      `json:"most"` // pairs of a state and a number of steps that are visited, at most
	// Seconds bounds the time of the search. 0 is no bound.
	Seconds float64 `json:"seconds,omitempty"`
	// Near chooses among the states after as many steps as possible: the one that differs least
	// from it. Nil: a state with a shortest behaviour.
	Near *modules.View `json:"near,omitempty"`
}

// Followed is the answer. The behaviour takes as many of the steps as any does, and among such
// behaviours it is one of the shortest.
type Followed struct {
	Path  []string `json:"path"`
	Taken int      `json:"taken"` // of Follow.Calls
	// Whole says that all behaviours were tried: none takes more. Otherwise the limit was reached.
	Whole bool `json:"whole"`
}

// reached is a node of the search, with the step that led there.
type reached[T any] struct {
	node     T
	from     int // the node before; -1 for the first
	instance int
	taken    int
}

// followed searches breadth first over pairs of a node and how many of the steps were taken. A pair
// is visited once, so the first one that has taken all, or most, has a shortest behaviour.
func (w *Walker[T]) followed(n *T, f *Follow) (*Followed, error) {
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
	for at := 0; at < len(all) && all[best].taken < len(calls); at++ {
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
		take(calls[all[at].taken], all[at].taken+1)
		for _, i := range own {
			take(i, all[at].taken)
		}
	}
	if f.Near != nil {
		best = w.nearest(all, best, f.Near)
	}
	out := &Followed{Path: []string{}, Taken: all[best].taken, Whole: whole}
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
		if n := len(Differences(*near, w.Spec.Describe(&all[at].node))); least < 0 || n < least {
			best, least = at, n
		}
	}
	return best
}

// Differences returns the changes from a to b of parts that both have. A composition has no room in
// an array that it does not use, so an empty one is none.
func Differences(a, b modules.View) (out []itf.Change) {
	empty := func(v *modules.View) bool { return v.Shape == modules.Function && len(v.Elems) == 0 }
	for _, c := range itf.Changes(a, b) {
		if c.Old != nil && c.New != nil && !empty(c.Old) && !empty(c.New) {
			out = append(out, c)
		}
	}
	return out
}

// pair identifies a node with the number of steps that were taken.
func (w *Walker[T]) pair(x *reached[T]) string {
	return fmt.Sprint(x.taken, " ") + string(checker.Bytes(&x.node))
}
