package preserve

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/graph"
	"github.com/multigrain/multigrain/checker/internal/inclusion"
	"github.com/multigrain/multigrain/checker/internal/layout"
)

// What it computes. Whether the coarse grains have the same observations as the finer ones in an
// environment that may do more than the rest of the composition: everything but the compared
// modules. It is used where the fine composition is too large to be explored, and the coarse one is
// explored whole.
//
// Why it is right. The rest has fields that the compared modules do not use. The environment
// forgets them: before each step it has any values that the rest has in some state of the coarse
// composition. A label is a step of the rest with all that it reads, so with the values that were
// chosen. A behaviour of the coarse composition is one in this environment. If all its labels are
// possible with the finer grains, take these, and let the rest do its own steps: each has the same
// guard and effect as in the coarse composition, since it reads the same. So the fine composition
// has that behaviour: it is not false. For a behaviour of the fine composition this holds step by
// step: the fields of the rest after some steps are those of a behaviour of the coarse composition,
// which can follow so far, so the environment can choose them for the next step. The properties are
// evaluated with all chosen values. If none is violated with the finer grains, none is in the fine
// composition either.
//
// The converse does not hold. The environment can do what the rest never does, and a difference
// after that means nothing. So this only ever proves that there is none.
//
// What it costs. States are those of the compared modules and of the fields that they share with
// the rest. For each, every step of the rest is attempted once for each of the values that it reads
// of its own fields.
//
// Example. The rest counts its jobs and stops after two. The environment forgets the counter:
//
//	composition   Ready=0,Jobs=0  Prepare  Ready=1,Jobs=0  Work  Ready=0,Jobs=1 ...
//	environment   Ready=0         Prepare  Ready=1         Work  Ready=0          again the first one

// Span is a part of the State.
type Span struct{ Offset, Size uintptr }

// Weakest describes the environment.
type Weakest struct {
	// Rest are the parts of the State that the compared modules do not use, of either grain.
	Rest []Span
	// Step is, by side and instance, the number of a step of the rest: an action with one value of
	// its parameters, the same on both sides. It is -1 for a step of the compared modules.
	Step [2][]int
	// Reads are, by step, the parts of Rest that it reads, and Whole all cells that it reads, with
	// bookkeeping.
	Reads [][]Span
	Whole [][]layout.Cell
	// Looks are the parts of Rest that invariants read.
	Looks []Span
	// Lacks says why the environment is not known; "" if it is.
	Lacks string
}

// WeakestResult is the outcome of a comparison in the weakest environment.
type WeakestResult struct {
	// NoFalse and NoMissed say that the inclusion is proved for the whole compositions.
	NoFalse, NoMissed bool
	Reason            string // why one of them is not
	States            [2]int64
}

// weakest compares in the weakest environment, where the fine composition is not exhausted. It
// turns open answers into Yes, and nothing else.
func (r *run[T]) weakest() {
	res := &r.res
	if r.c.Weakest == nil || res.Sides[Fine].Complete || !res.Sides[Coarse].Complete || r.late() ||
		res.L2.NoFalse != Open && res.L2.NoMissed != Open {
		return
	}
	out := &WeakestResult{}
	res.Weakest = out
	w := &weak[T]{run: r, of: r.c.Weakest, labels: newLabels()}
	if *out = w.await(); out.NoFalse && res.L2.NoFalse == Open {
		res.L1.NoFalse, res.L2.NoFalse = r.looked[Coarse], Yes
	}
	if out.NoMissed && res.L2.NoMissed == Open {
		res.L1.NoMissed, res.L2.NoMissed, r.looked[Fine] = Yes, Yes, Yes
	}
}

type weak[T any] struct {
	*run[T]
	of     *Weakest
	labels *labels
	base   T
	// values are, by step of the rest, states of the coarse composition with all different values
	// of what the step and invariants read of Rest. Those of invariants alone come last.
	values [][]T
	buf    []byte
	// broken says that a property is violated with the finer grains: in the environment, and
	// perhaps not in the composition.
	broken bool
	calls  atomic.Int64 // of the specification so far; 0 while none is made
}

// await compares and waits for the end. In the environment the specification can fail, or not
// return: then nothing is decided.
func (w *weak[T]) await() WeakestResult {
	done := make(chan WeakestResult, 1)
	go func() {
		var out WeakestResult
		if v, _ := try(func() { out.Reason = w.compare(&out) }); v != nil {
			out.NoFalse, out.NoMissed = false, false
			out.Reason = "the specification fails in it, which the rest of the composition may not allow"
		}
		done <- out
	}()
	patience := cmp.Or(w.opt.patience, defaultPatience)
	look := time.NewTicker(patience)
	defer look.Stop()
	for last := int64(-1); ; {
		select {
		case out := <-done:
			return out
		case <-look.C:
		}
		now := w.calls.Load()
		if now == last && now > 0 {
			return WeakestResult{Reason: "a step does not return in it, or takes long"}
		}
		last = now
	}
}

// compare returns why an inclusion is not proved; "" if both are.
func (w *weak[T]) compare(out *WeakestResult) string {
	if w.of.Lacks != "" {
		return w.of.Lacks
	}
	if w.endings > 0 || w.c.Deadlock || len(w.c.Sides[Fine].Spec.Liveness)+len(w.c.Sides[Coarse].Spec.Liveness) > 0 {
		return "deadlocks and liveness properties are not compared in it"
	}
	if !w.collect() {
		return "the time is over"
	}
	var systems [2]*lts
	for _, side := range []int{Coarse, Fine} {
		l, why := w.explore(side)
		w.calls.Store(0)
		if out.States[side] = int64(l.states()); why != "" {
			return why
		}
		reduced, _ := l.reduce(w.late)
		if systems[side] = reduced; reduced == nil {
			return "the time is over"
		}
	}
	for _, side := range []int{Coarse, Fine} {
		ok := true
		x := &inclusion.Search{A: systems[side], Sets: inclusion.NewSets(systems[1-side])}
		complete := x.Included(func(int32, edge) bool { ok = false; return false }, w.tooMany)
		if side == Coarse {
			out.NoFalse = ok && complete
		} else {
			out.NoMissed = ok && complete && !w.broken
		}
	}
	switch {
	case out.NoFalse && out.NoMissed:
		return ""
	case w.late():
		return "the time is over"
	case w.broken:
		return "a property is violated in it, which the rest of the composition may not allow"
	}
	return "the grains differ in it, which the rest of the composition may not allow"
}

// collect fills in the values of what the rest reads of its own fields, from all states of the
// coarse composition. It reports whether the time allowed that.
func (w *weak[T]) collect() bool {
	groups := append(slices.Clone(w.of.Reads), nil)
	known := make([]map[string]bool, len(groups))
	w.values = make([][]T, len(groups))
	for k := range groups {
		groups[k] = append(slices.Clone(groups[k]), w.of.Looks...)
		known[k] = map[string]bool{}
	}
	g := w.graphs[Coarse]
	w.base = *g.node(0)
	w.seeing = func(n *T) {
		p := w.c.State(n)
		for k, spans := range groups {
			w.buf = w.buf[:0]
			for _, s := range spans {
				w.buf = append(w.buf, unsafe.Slice((*byte)(unsafe.Add(p, s.Offset)), s.Size)...)
			}
			if !known[k][string(w.buf)] {
				known[k][string(w.buf)] = true
				w.values[k] = append(w.values[k], *n)
			}
		}
	}
	defer func() { w.seeing = nil }()
	before := w.res.Sides[Coarse]
	_, err := w.run.explore(Coarse)
	complete := w.res.Sides[Coarse].Complete
	w.res.Sides[Coarse] = before
	return err == nil && complete
}

// with returns a node with the fields of the rest of another one.
func (w *weak[T]) with(n, rest *T) T {
	out := *n
	to, from := w.c.State(&out), w.c.State(rest)
	for _, s := range w.of.Rest {
		copy(unsafe.Slice((*byte)(unsafe.Add(to, s.Offset)), s.Size), unsafe.Slice((*byte)(unsafe.Add(from, s.Offset)), s.Size))
	}
	return out
}

// weakStates are the states of one side in the environment.
type weakStates[T any] struct {
	l      *lts
	number map[uint64]uint32
	nodes  []T
}

func (x *weakStates[T]) add(n *T) uint32 {
	h := fingerprint.Of(n)
	k, known := x.number[h]
	if !known {
		k = uint32(len(x.nodes))
		x.number[h] = k
		x.nodes = append(x.nodes, *n)
	}
	return k
}

// explore explores one side in the environment. The second result says why that ended early; ""
// if it did not.
func (w *weak[T]) explore(side int) (*lts, string) {
	spec := w.c.Sides[side].Spec
	x := &weakStates[T]{l: &lts{}, number: map[uint64]uint32{}}
	spec.Init(func(n *T) bool {
		first := w.with(n, &w.base)
		x.add(&first)
		return true
	})
	for k := range x.nodes {
		x.l.inits = append(x.l.inits, uint32(k))
	}
	for at := 0; at < len(x.nodes); at++ {
		s, from := x.nodes[at], len(x.l.List)
		if w.over("states in the weakest environment", int64(at)) || w.opt.MaxStates > 0 && int64(len(x.nodes)) > w.opt.MaxStates {
			return x.l, "there are too many states in it"
		}
		w.broken = w.broken || side == Fine && w.violates(side, &s)
		for i := range spec.Instances {
			w.calls.Add(1)
			why := ""
			if step := w.of.Step[side][i]; step < 0 {
				why = w.own(side, x, &s, i)
			} else {
				w.rest(side, x, &s, i, step)
			}
			if why != "" {
				return x.l, why
			}
		}
		x.l.close(from)
	}
	for k := range x.l.List { // the end is the last state
		if x.l.List[k].To == end {
			x.l.List[k].To = uint32(len(x.nodes))
		}
	}
	x.l.Edges.Close()
	return x.l, ""
}

// violates reports whether a state invariant is false in a state with some values of the rest.
func (w *weak[T]) violates(side int, s *T) bool {
	return slices.ContainsFunc(w.values[len(w.values)-1], func(rest T) bool {
		n := w.with(s, &rest)
		return w.c.Sides[side].Spec.State(&n) != 0
	})
}

// own takes a step of the compared modules, which is silent.
func (w *weak[T]) own(side int, x *weakStates[T], s *T, instance int) string {
	spec := w.c.Sides[side].Spec
	if !spec.Enabled(s, instance) {
		return ""
	}
	n := *s
	spec.Apply(s, &n, instance)
	if w.ends(side, &n) {
		return "a step of the compared modules raises an assertion in it"
	}
	w.broken = w.broken || side == Fine && spec.Steps != nil && slices.ContainsFunc(w.values[len(w.values)-1], func(rest T) bool {
		before, after := w.with(s, &rest), w.with(&n, &rest)
		return spec.Steps(&before, &after, instance) != 0
	})
	if n = w.with(&n, &w.base); x.add(&n) != x.add(s) {
		x.l.Add(edge{Label: silent, To: x.add(&n)})
	}
	return ""
}

// rest takes a step of the environment once for each value that the forgotten fields may have.
func (w *weak[T]) rest(side int, x *weakStates[T], s *T, instance, step int) {
	spec := w.c.Sides[side].Spec
	for k := range w.values[step] {
		before := w.with(s, &w.values[step][k])
		if !spec.Enabled(&before, instance) {
			continue
		}
		n := before
		spec.Apply(&before, &n, instance)
		raised, broken := false, uint64(0)
		if spec.Raised != nil {
			raised, broken = spec.Raised(&n)
		}
		if !raised && spec.Steps != nil {
			broken = spec.Steps(&before, &n, instance)
		}
		w.broken = w.broken || side == Fine && broken != 0
		to := uint32(graph.None)
		if !raised {
			n = w.with(&n, &w.base)
			if w.c.Spent != nil {
				copy(w.c.Spent(&n), w.c.Spent(s))
			}
			to = x.add(&n)
		}
		x.l.Add(edge{Label: w.labelOf(side, &before, step, raised), To: to})
	}
}

// labelOf returns the label of a step of the environment: the step with all that it reads.
func (w *weak[T]) labelOf(side int, s *T, step int, raised bool) uint32 {
	mark := uint64(0)
	if raised {
		mark = 1
	}
	key, p := w.labels.begin(step, mark), w.c.State(s)
	for k := range w.of.Whole[step] {
		key = w.of.Whole[step][k].Append(key, p)
	}
	return w.labels.number(key, side, 0)
}
