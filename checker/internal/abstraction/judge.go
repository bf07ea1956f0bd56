package abstraction

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/graph"
	"github.com/multigrain/multigrain/checker/internal/inclusion"
)

// compare searches for a step that the abstract composition cannot match, and judges.
func (r *run[C, A]) compare() {
	var found *failure
	complete := r.search.Included(func(at int32, e graph.Edge) bool {
		p := r.search.Pairs[at]
		if r.limit != "" { // the edges of the set may be missing
			return false
		}
		if bound := r.stopping(p.Set, e.Label); bound != "" {
			if r.bounded == "" {
				r.bounded = bound
			}
			return true
		}
		found = &failure{at, e}
		return false
	}, func(int) bool { return r.exhausted() })
	r.res.Complete = complete && r.limit == ""
	r.count()
	switch {
	case found != nil:
		r.res.Difference = r.difference(found)
	case !r.res.Complete && r.limit != interrupted:
		r.walks()
	}
	r.verdict()
	r.res.Duration = host.Since(r.start)
}

// failure is a step that the abstract composition cannot match: an edge after a pair.
type failure struct {
	pair int32
	edge graph.Edge
}

// count fills in what was explored.
func (r *run[C, A]) count() {
	res := &r.res
	res.Sides[Concrete] = SideResult{r.concrete.states(), int64(len(r.concrete.edges)), r.concrete.deepest()}
	res.Sides[Abstract] = SideResult{r.abstract.states(), int64(len(r.abstract.edges)), r.abstract.deepest()}
	res.Pairs, res.Largest, res.Raised = len(r.search.Pairs), r.search.Largest, r.concrete.raised
	seen := map[uint32]bool{}
	for _, v := range r.concrete.values {
		seen[v] = true
	}
	res.Values = len(seen)
	used := map[uint32]bool{}
	for _, e := range r.concrete.edges {
		a := r.known[e.Label].action
		switch {
		case e.Label == inclusion.Silent:
			res.Silent++
			continue
		case a == initially:
			continue
		case a > 0:
			res.Taken[a-1]++
		}
		res.Visible++
		used[e.Label] = true
	}
	if r.limit == "" {
		res.Refused = r.refuses(used)
	}
}

// mostRefusals bounds the search for a step that the abstract composition refuses.
const mostRefusals = 1 << 24

// refuses reports whether after some observation the abstract composition cannot take some of the
// visible steps of the concrete one.
func (r *run[C, A]) refuses(used map[uint32]bool) bool {
	tried := 0
	done := map[uint32]bool{}
	for k := range r.search.Pairs {
		p := r.search.Pairs[k]
		if p.State == 0 || done[p.Set] {
			continue
		}
		done[p.Set] = true
		now, ok := r.valueOf(p.Set)
		for label := range used {
			if l := r.known[label]; ok && l.action == 0 && l.value == now {
				continue // such a step is silent here
			}
			if !r.search.Sets.Has(p.Set, label) {
				return true
			}
			if tried++; tried > mostRefusals {
				return false
			}
		}
	}
	return false
}

// valueOf returns the values of the abstract states of a set, which are the same for all of them.
// It reports false for the set of the state before the initial ones.
func (r *run[C, A]) valueOf(set uint32) (value uint32, ok bool) {
	for _, k := range r.search.Sets.States(set) {
		if k != 0 {
			return r.abstract.values[k-1], true
		}
	}
	return 0, false
}

// stopping returns what may alone keep the abstract composition from a step with a label: a bound
// or a state constraint; "" if nothing does.
func (r *run[C, A]) stopping(set, label uint32) string {
	for _, k := range r.search.Sets.States(set) {
		if k == 0 {
			continue
		}
		if r.abstract.outside[k-1] {
			return "its state constraints"
		}
		if r.c.Stopped == nil {
			continue
		}
		s := r.abstract.nodes[k-1]
		for instance := range r.c.Abstract.Instances {
			bound := r.c.Stopped(s, instance)
			if bound == "" {
				continue
			}
			n := *s
			r.c.Abstract.Apply(s, &n, instance)
			next := r.label(r.abstract.action(instance), r.abstract.values[k-1], r.value(nil, nil, &n))
			if next == label || next == inclusion.Silent {
				return "its bound " + bound
			}
		}
	}
	return ""
}

// verdict judges what was found.
func (r *run[C, A]) verdict() {
	res := &r.res
	res.Verdict = checker.Undecided
	switch {
	case res.Difference != nil:
		res.Verdict = checker.Violated
	case !res.Complete:
		res.Reason = r.limit
	case r.bounded != "":
		res.Reason = fmt.Sprintf("the abstract composition cannot match a step, and %s may be the only reason: raise it in the abstract manifest", r.bounded)
	case r.c.Variables > 0 && res.Values < 2:
		res.Reason = "the mapping gives every concrete state the same values, so nothing was compared"
	case len(r.c.Names) > 0 && !slices.ContainsFunc(res.Taken, func(n int64) bool { return n > 0 }):
		res.Reason = "the concrete composition takes none of the observed actions"
	case res.Visible == 0:
		res.Reason = "no step of the concrete composition can be observed"
	case !res.Refused:
		res.Reason = "the abstract composition allows every observed step after every observation, so it excludes nothing"
	default:
		res.Verdict = checker.Holds
	}
}

// difference explains a step that cannot be matched.
func (r *run[C, A]) difference(f *failure) *Difference[C, A] {
	states, labels := r.search.Way(f.pair)
	states, labels = append(states, f.edge.To), append(labels, f.edge.Label)
	return r.explain(r.concrete.trace(states[1:], labels[1:]), labels)
}

// explain returns the difference that a concrete behaviour shows. The first of the labels is that
// of its initial state.
func (r *run[C, A]) explain(t checker.Trace[C], labels []uint32) *Difference[C, A] {
	d := &Difference[C, A]{Concrete: t}
	set, at := r.search.Sets.Begin(), 0
	for at < len(labels)-1 {
		if labels[at] != inclusion.Silent {
			set, _ = r.search.Sets.After(set, labels[at])
		}
		d.Sets = append(d.Sets, len(r.search.Sets.States(set)))
		at++
	}
	d.Sets = append(d.Sets, 0)
	for _, l := range labels[1:] {
		d.Silent = append(d.Silent, l == inclusion.Silent)
	}
	seen := map[string]bool{}
	for _, k := range r.search.Sets.States(set) {
		if k == 0 {
			continue
		}
		s := r.abstract.nodes[k-1]
		for instance := range r.c.Abstract.Instances {
			name := checker.InstanceName(r.c.Abstract, instance)
			if seen[name] || !r.c.Abstract.Enabled(s, instance) {
				continue
			}
			n := *s
			r.c.Abstract.Apply(s, &n, instance)
			if r.label(r.abstract.action(instance), r.abstract.values[k-1], r.value(nil, nil, &n)) != inclusion.Silent {
				seen[name] = true
				d.Could = append(d.Could, instance)
			}
		}
	}
	slices.Sort(d.Could)
	r.behaviour(d, labels[:len(labels)-1])
	return d
}

// behaviour finds a shortest abstract behaviour with the observations of some labels.
func (r *run[C, A]) behaviour(d *Difference[C, A], labels []uint32) {
	type place struct {
		state uint32
		seen  int // labels before it, silent ones included
	}
	type reached struct {
		place
		parent int
		label  uint32
	}
	skip := func(seen int) int {
		for seen < len(labels) && labels[seen] == inclusion.Silent {
			seen++
		}
		return seen
	}
	all, known := []reached{{place{0, skip(0)}, -1, 0}}, map[place]bool{}
	last := -1
	for at := 0; at < len(all) && last < 0; at++ {
		p := all[at].place
		if p.seen == len(labels) {
			last = at
			break
		}
		for _, e := range r.abstract.Of(p.state) {
			next := place{e.To, p.seen}
			if e.Label == labels[p.seen] {
				next.seen = skip(p.seen + 1)
			} else if e.Label != inclusion.Silent {
				continue
			}
			if !known[next] {
				known[next] = true
				all = append(all, reached{next, at, e.Label})
			}
		}
	}
	if last <= 0 {
		return
	}
	var states, steps []uint32
	var matched []int
	for k := last; k > 0; k = all[k].parent {
		states, steps, matched = append(states, all[k].state), append(steps, all[k].label), append(matched, all[all[k].parent].seen)
	}
	slices.Reverse(states)
	slices.Reverse(steps)
	slices.Reverse(matched)
	t := r.abstract.trace(states, steps[1:])
	d.Abstract = &t
	for k, l := range steps[1:] {
		if l == inclusion.Silent {
			d.Matches = append(d.Matches, 0)
		} else {
			d.Matches = append(d.Matches, matched[k+1])
		}
	}
}
