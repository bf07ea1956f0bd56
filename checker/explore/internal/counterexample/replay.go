package counterexample

import (
	"bytes"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/modules"
)

const (
	causeFaces    = checker.CauseFaces
	causeGuard    = "A guard must not write the state."
	causeEffect   = "An effect must write the state after only."
	causePadding  = "Most likely the state has bytes that do not belong to its value: padding, or an unused slot that is not zero."
	causeInit     = "Most likely Init does not yield the same states each time."
	causeProperty = "Most likely the property is not a function of the state."
)

// Replayer replays traces from the trace log.
type Replayer[T any] struct {
	Spec  *checker.Spec[T]
	Log   *store.TraceLog
	Table *store.Table
	// Far, if not nil, knows paths and nodes in the place of Log and Table: those of a search in
	// parts.
	Far Far
}

// Far knows how nodes were reached in a search whose parts are other processes. Path is as
// store.TraceLog.Path, and Knows as store.Table.Knows.
type Far interface {
	Path(node int64, depth int) (initial int64, instances []int, err error)
	Knows(e store.Entry) bool
}

func (r *Replayer[T]) path(node int64, depth int) (initial int64, instances []int, err error) {
	if r.Far != nil {
		return r.Far.Path(node, depth)
	}
	return r.Log.Path(node, depth)
}

// knows reports whether the search visited a node, given its representative.
func (r *Replayer[T]) knows(rep *T) bool {
	e := store.EntryOf(r.Table, rep)
	if r.Far != nil {
		return r.Far.Knows(e)
	}
	return r.Table.Knows(e)
}

// represent returns the node that stands for n.
func (r *Replayer[T]) represent(n T) *T { return r.Spec.Representative(&n, new(T)) }

// counterexample replays how a group's example was reached, and checks every step and that the
// trace shows the violation. It then exchanges the trace for one that is as short and has fewer
// switches of the acting server. Where the backward reachable sets are known it chooses among all
// shortest ones, otherwise among those with the same steps.
func (r *Record[T]) counterexample(key Key, lead *BackwardSets[T]) (t checker.Trace[T], err error) {
	g := r.Groups[key]
	switch {
	case g.Level == 0:
		if t, err = r.replay(g.Parent, nil); err != nil {
			return t, err
		}
	case g.Instance < 0:
		if t, err = r.TraceTo(g.Parent, g.Level-1); err != nil {
			return t, err
		}
	default:
		if t, err = r.TraceTo(g.Parent, g.Level-1); err != nil {
			return t, err
		}
		n, err := r.step(&t, g.Instance)
		if err != nil {
			return t, err
		}
		t.Steps = append(t.Steps, checker.Step[T]{Instance: g.Instance, Node: n})
	}
	if !bytes.Equal(checker.Bytes(last(&t)), checker.Bytes(&g.Node)) {
		return t, r.disagree(&t, "it ends in another state than it was found in", causeFaces)
	}
	if t, err = r.fewestSwitches(t, key, lead); err != nil {
		return t, err
	}
	if !r.shows(&t, key.Invariant) {
		return t, r.disagree(&t, "the property is not broken at its end", causeProperty)
	}
	return t, nil
}

// fewestSwitches returns a counterexample as short as a trace, with the fewest changes of the
// acting server that were found.
func (r *Record[T]) fewestSwitches(t checker.Trace[T], key Key, lead *BackwardSets[T]) (checker.Trace[T], error) {
	out, order := checker.Trace[T]{Init: t.Init}, []int(nil)
	if lead != nil {
		if init, instances, ok := lead.fewestSwitches(key, r.costOf(&t)+1); ok {
			out.Init, order = init, instances
		}
	}
	if order == nil {
		order = r.reorder(&t)
	}
	if order == nil {
		return t, nil
	}
	stored := len(order)
	if key.Invariant >= 0 {
		stored-- // the last one need not be
	}
	out, err := r.follow(out, order[:stored])
	if err != nil && r.Far != nil {
		return t, nil // reorder did not ask for nodes of other parts
	}
	if err != nil || stored == len(order) {
		return out, err
	}
	n, err := r.step(&out, order[stored])
	out.Steps = append(out.Steps, checker.Step[T]{Instance: order[stored], Node: n})
	return out, err
}

// costOf returns the cost of a trace.
func (r *Record[T]) costOf(t *checker.Trace[T]) int {
	var servers []int
	for _, s := range t.Steps {
		servers = append(servers, r.Spec.Instances[s.Instance].Server)
	}
	return cost(servers)
}

// TraceTo returns the trace by which the search reached a node. The node is given by its number in
// the log, from 0, and by its distance from the initial nodes, in steps. The error is one of
// reading the log, or a *checker.ReplayError if the specification does not repeat the steps.
func (r *Replayer[T]) TraceTo(node int64, depth int) (checker.Trace[T], error) {
	initial, instances, err := r.path(node, depth)
	if err != nil {
		return checker.Trace[T]{}, err
	}
	return r.replay(initial, instances)
}

func (r *Replayer[T]) replay(initial int64, instances []int) (t checker.Trace[T], err error) {
	at, found := int64(0), false
	r.Spec.Init(func(n *T) bool {
		if found = at == initial; found {
			t.Init = *n
		}
		at++
		return !found
	})
	if !found {
		return t, r.disagree(&t, "it is not yielded again", causeInit)
	}
	return r.follow(t, instances)
}

// follow continues from a trace's end by instances, to nodes that were visited.
func (r *Replayer[T]) follow(t checker.Trace[T], instances []int) (checker.Trace[T], error) {
	for _, k := range instances {
		n, err := r.step(&t, k)
		if err != nil {
			return t, err
		}
		t.Steps = append(t.Steps, checker.Step[T]{Instance: k, Node: n})
		if rep := r.represent(n); !r.knows(rep) {
			return t, r.disagree(&t, "it leads to a state that was not visited", causeFaces)
		}
	}
	return t, nil
}

// step makes the successor of a trace's end by an instance, twice, and checks that nothing else was
// written.
func (r *Replayer[T]) step(t *checker.Trace[T], instance int) (T, error) {
	s := *last(t)
	n := s
	wrong := func(what, cause string) (T, error) {
		longer := *t
		longer.Steps = append(longer.Steps[:len(t.Steps):len(t.Steps)], checker.Step[T]{Instance: instance, Node: n})
		return n, r.disagree(&longer, what, cause)
	}
	differs := func() bool { return !bytes.Equal(checker.Bytes(&s), checker.Bytes(last(t))) }
	enabled := r.Spec.Enabled(&s, instance)
	if differs() {
		return wrong("the guard wrote the state", causeGuard)
	}
	if !enabled {
		return wrong("the action is not enabled", causeFaces)
	}
	r.Spec.Apply(&s, &n, instance)
	if differs() {
		return wrong("the effect wrote the state before", causeEffect)
	}
	again := s
	r.Spec.Apply(&s, &again, instance)
	if !bytes.Equal(checker.Bytes(&n), checker.Bytes(&again)) {
		return wrong("the effect gave two different states", checker.CauseFunction+" "+causePadding)
	}
	return n, nil
}

// shows reports whether a trace ends in a breach of the invariant, or in a deadlock if that is -1.
func (r *Record[T]) shows(t *checker.Trace[T], invariant int) bool {
	end := last(t)
	if invariant < 0 {
		for k := range r.Spec.Instances {
			if r.Spec.Enabled(end, k) {
				return false
			}
		}
		return true
	}
	switch mask := uint64(1) << invariant; r.Spec.Invariants[invariant].Kind {
	case modules.KindAssert:
		_, broken := r.Spec.Raised(end)
		return broken&mask != 0
	case modules.KindStep:
		k := len(t.Steps) - 1
		before := t.Init
		if k > 0 {
			before = t.Steps[k-1].Node
		}
		return k >= 0 && r.Spec.Steps(&before, end, t.Steps[k].Instance)&mask != 0
	default:
		return r.Spec.State(end)&mask != 0
	}
}

func (r *Replayer[T]) disagree(t *checker.Trace[T], what, cause string) error {
	e := &checker.ReplayError{Step: len(t.Steps), Found: what, Cause: cause}
	if len(t.Steps) > 0 {
		e.Action = r.Spec.Actions[r.Spec.Instances[t.Steps[len(t.Steps)-1].Instance].Action].Name
	}
	return e
}

func last[T any](t *checker.Trace[T]) *T {
	if len(t.Steps) == 0 {
		return &t.Init
	}
	return &t.Steps[len(t.Steps)-1].Node
}
