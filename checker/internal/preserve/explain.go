package preserve

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"maps"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/layout"
)

// differenceKey identifies a difference.
type differenceKey struct {
	side               int
	observer, variable string
}

// explain says in which cell of a step's view a state of one side differs from the nearest of some
// states of the other. The nearest has the fewest cells that differ. The first of these cells,
// guards before effects, is reported.
func (r *run[T]) explain(side int, level string, step int, state uint32, there []uint32) Difference[T] {
	return r.explainNode(side, level, step, r.graphs[side].node(state), there)
}

func (r *run[T]) explainNode(side int, level string, step int, node *T, there []uint32) Difference[T] {
	nodes := make([]*T, len(there))
	for k, n := range there {
		nodes[k] = r.graphs[1-side].node(n)
	}
	return r.explainAmong(side, level, step, node, nodes)
}

// explainAmong is explain for nodes of the other side.
func (r *run[T]) explainAmong(side int, level string, step int, node *T, there []*T) Difference[T] {
	v := &r.c.Steps[step]
	d := Difference[T]{Side: side, Level: level, Observer: v.Action, Environment: v.Environment, Ending: v.ending, Doc: r.endingDoc(step)}
	here := r.values(node, v.Cells)
	best, first := len(v.Cells)+1, -1
	var nearest *T
	for _, other := range there {
		differ, at := 0, -1
		for c, value := range r.values(other, v.Cells) {
			if !bytes.Equal(value, here[c]) {
				if differ++; at < 0 {
					at = c
				}
			}
			if differ >= best {
				break
			}
		}
		if differ > 0 && differ < best {
			best, first, nearest = differ, at, other
		}
	}
	if first < 0 {
		return d
	}
	if k := r.written(v.Cells, here, nearest); k >= 0 {
		first = k
	}
	cell := &v.Cells[first]
	d.Cell, d.Variable = cell.Name, cell.Variable
	d.Here = cell.View(r.c.State(node), r.c.Names)
	d.There = cell.View(r.c.State(nearest), r.c.Names)
	return d
}

// written returns the first cell of a variable that a coarsened module writes and whose value
// differs from that in another state; -1: there is none.
func (r *run[T]) written(cells []layout.Cell, here [][]byte, other *T) int {
	for c, value := range r.values(other, cells) {
		if r.c.Written[cells[c].Variable] && !bytes.Equal(value, here[c]) {
			return c
		}
	}
	return -1
}

func (r *run[T]) values(n *T, cells []layout.Cell) [][]byte {
	out := make([][]byte, len(cells))
	p := r.c.State(n)
	for k := range cells {
		out[k] = cells[k].Append(nil, p)
	}
	return out
}

// note counts a difference and reports whether it is the first of its kind.
func (r *run[T]) note(d *Difference[T]) bool {
	if r.found == nil {
		r.found = map[differenceKey]int{}
	}
	if k, ok := r.found[d.key()]; ok {
		old := &r.res.Differences[k]
		old.Count++
		old.Missed = joinMissed(old.Missed, d.Missed)
		d.Missed = old.Missed
		return false
	}
	return true
}

// joinMissed adds observations to others.
func joinMissed(to, from map[uint64]Observation) map[uint64]Observation {
	if to == nil {
		return from
	}
	maps.Copy(to, from)
	return to
}

// missed returns the observation of a label in a state of a side, by its fingerprint. The
// fingerprint covers the action's name, the names and values of the cells and of the messages that
// positions name, and whether an assertion is raised.
func (r *run[T]) missed(side int, state, label uint32) map[uint64]Observation {
	node := r.graphs[side].node(state)
	v := &r.c.Steps[r.labels.step[label]]
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %t", v.Action, r.labels.raised[label])
	o := Observation{Observer: v.Action}
	for _, c := range r.picksOf(side, node, label) {
		fmt.Fprintf(h, "|%s", c.Name)
		h.Write(c.Append(nil, r.c.State(node)))
		o.Names = append(o.Names, c.Name)
		o.Cells = append(o.Cells, c.View(r.c.State(node), r.c.Names))
	}
	for k := range v.Cells {
		fmt.Fprintf(h, "|%s", v.Cells[k].Name)
		if !v.Environment {
			h.Write(v.Cells[k].Append(nil, r.c.State(node)))
			o.Names = append(o.Names, v.Cells[k].Name)
			o.Cells = append(o.Cells, v.Cells[k].View(r.c.State(node), r.c.Names))
		}
	}
	return map[uint64]Observation{h.Sum64(): o}
}

// picksOf returns the cells of the messages that a step with a label names in a state.
func (r *run[T]) picksOf(side int, s *T, label uint32) []layout.Cell {
	from := &r.c.Sides[side]
	if from.Picks == nil {
		return nil
	}
	for k, picks := range from.Picks {
		if int32(from.Step[k]) != r.labels.step[label] || picks == nil || !from.Spec.Enabled(s, k) {
			continue
		}
		n := *s
		from.Spec.Apply(s, &n, k)
		if l, known := r.labelOf(side, s, &n, k); known && l == label {
			return picks
		}
	}
	return nil
}

// keep adds a difference that is the first of its kind.
func (r *run[T]) keep(d Difference[T]) {
	d.Count = 1
	r.found[d.key()] = len(r.res.Differences)
	r.res.Differences = append(r.res.Differences, d)
}

// nearer reports whether a way of some steps is shorter than the witness that is known of the same
// difference.
func (r *run[T]) nearer(d *Difference[T], steps int) bool {
	return steps < len(r.res.Differences[r.found[d.key()]].Trace.Steps)
}

// replace gives a difference that level L1 found a shorter witness: an observation can be lacking
// before a view is.
func (r *run[T]) replace(d Difference[T]) {
	old := &r.res.Differences[r.found[d.key()]]
	d.Level, d.Count, d.Missed = old.Level, old.Count, old.Missed
	*old = d
}

func (d *Difference[T]) key() differenceKey { return differenceKey{d.Side, d.Observer, d.Variable} }

// lastWriter finds the step of d's trace after which the cell has the value with which the trace's
// last step begins.
func (r *run[T]) lastWriter(d *Difference[T], step int) {
	cells := r.c.Steps[step].Cells
	for k := range cells {
		if cells[k].Name != d.Cell || len(d.Trace.Steps) == 0 {
			continue
		}
		before := cells[k].Append(nil, r.c.State(&d.Trace.Init))
		for s := range d.Trace.Steps[:len(d.Trace.Steps)-1] {
			now := cells[k].Append(nil, r.c.State(&d.Trace.Steps[s].Node))
			if !bytes.Equal(before, now) {
				d.Writer = s + 1
			}
			before = now
		}
	}
}

// trace returns the behaviour through states of a graph; labels are those of the steps between, or
// nil where any will do.
func (r *run[T]) trace(side int, g *stateGraph[T], states, labels []uint32) checker.Trace[T] {
	t := checker.Trace[T]{Init: *g.node(states[0])}
	for k := 1; k < len(states); k++ {
		want := int64(-1)
		if labels != nil {
			want = int64(labels[k-1])
		}
		t.Steps = append(t.Steps, r.step(side, g, last(&t), states[k], want))
	}
	return t
}

// last returns the last node of a trace.
func last[T any](t *checker.Trace[T]) *T {
	if n := len(t.Steps); n > 0 {
		return &t.Steps[n-1].Node
	}
	return &t.Init
}

// traceTo returns the behaviour through states and on by an edge from the last.
func (r *run[T]) traceTo(side int, states, labels []uint32, e edge) checker.Trace[T] {
	g := r.graphs[side]
	t := r.trace(side, g, states, labels)
	if r.isEnding(e.Label) {
		return t
	}
	if e.To >= g.Nodes() {
		e.To = end
	}
	t.Steps = append(t.Steps, r.step(side, g, last(&t), e.To, int64(e.Label)))
	return t
}

// step finds a step from a node to a state, with a label if that is not negative.
func (r *run[T]) step(side int, g *stateGraph[T], s *T, to uint32, label int64) checker.Step[T] {
	for k := range g.spec.Instances {
		if !g.spec.Enabled(s, k) {
			continue
		}
		n := *s
		g.spec.Apply(s, &n, k)
		if to != end && fingerprint.Of(&n) != g.Hash(to) {
			continue
		}
		if to == end && !r.ends(side, &n) {
			continue
		}
		if label >= 0 {
			if l, known := r.labelOf(side, s, &n, k); !known || int64(l) != label {
				continue
			}
		}
		return checker.Step[T]{Instance: k, Node: n}
	}
	panic("preserve: a step of the graph is not one of the specification")
}

// ends reports whether nothing follows a successor.
func (r *run[T]) ends(side int, n *T) bool {
	spec := r.c.Sides[side].Spec
	if spec.Raised != nil {
		if raised, _ := spec.Raised(n); raised {
			return true
		}
	}
	return spec.Within != nil && !spec.Within(n)
}
