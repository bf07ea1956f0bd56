package footprint

import (
	"slices"
	"testing"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// outcomeOf is the analysis of an effect from an abstract state: the state after, and the rest of
// interp.
type outcomeOf struct {
	in     *interp
	writes []Write
}

// from interprets an effect whose state before holds the values, and whose parameters are the
// values.
func (x *generated) from(before, params []*value) outcomeOf {
	fn := x.code.Effects[0].Fn
	in := x.a.newInterp(fn, false)
	states := in.states()
	m := &memory{epoch: in.newEpoch()}
	copy(in.own(m, states[0]).leaves, before)
	_, out := in.start(&initial.Func{Fn: fn}, []*value{pointerTo(states[0]), pointerTo(states[1]), {leaves: params}}, m)
	return outcomeOf{in, in.result(out, states[1])}
}

// input generates a value for a leaf of the state before: sometimes what the leaf holds, else
// something with sources, constants and elements.
func (g *values) input(l leaf, k int) *value {
	v := &value{frame: g.sets.one(g.names.source(k, 0))}
	if g.r.Intn(3) > 0 {
		v = g.plain(l.dims)
	}
	if l.dims == 1 {
		for range g.r.Intn(3) {
			at := location{obj: g.objects[1], start: k, at: g.names.extend(0, g.terms[g.r.Intn(len(g.terms))])}
			v = g.setElement(v, g.plain(0), at, k)
		}
	}
	return v
}

// plain generates a number, or an array of that many dimensions with such elements.
func (g *values) plain(dims int) *value {
	v := &value{}
	if g.r.Intn(2) == 0 {
		v = &value{frame: g.elements(dims), data: g.elements(0), control: g.elements(0), idx: g.elements(0), top: g.r.Intn(3) == 0}
	}
	for range 1 + g.r.Intn(2) {
		v = g.join(v, g.literal([]string{"0", "1", "2"}[g.r.Intn(3)]))
	}
	return v
}

// elements generates sources that are arrays of that many dimensions.
func (g *values) elements(dims int) (s Set) {
	for g.r.Intn(2) == 0 {
		k := g.r.Intn(len(g.Variables))
		x := index(0)
		for range g.Variables[k].Dims - dims {
			x = g.names.extend(x, g.terms[g.r.Intn(len(g.terms))])
		}
		if g.Variables[k].Dims >= dims {
			s = g.sets.union(s, g.sets.one(g.names.source(k, x)))
		}
	}
	return s
}

// TestTransferMonotone: from a larger state before, the effects of random programs have larger
// footprints. All that is listed as written, as source and as constant is still listed. Constants
// may become something computed, and elements may be named less exactly. The same holds for
// parameters that are not known any more, except for the sources: see doc.go.
func TestTransferMonotone(t *testing.T) {
	t.Parallel()
	grew := 0
	for seed := range int64(300) {
		x := generate(t, seed)
		g := newValuesOf(x.a, seed)
		for trial := range 4 {
			small, large := g.states2()
			less, more := g.parameters2(trial%2 == 0)
			a, b := x.from(small, less), x.from(large, more)
			for _, w := range a.writes {
				covered(t, x, w, b.writes, trial%2 == 1)
			}
			if len(b.in.reads) > len(a.in.reads) || len(b.writes) > len(a.writes) {
				grew++
			}
			if !t.Failed() {
				continue
			}
			for k := range small {
				t.Logf("%s: %s -> %s", x.a.Variables[k].Name, g.write(small[k]), g.write(large[k]))
			}
			for k := range less {
				t.Logf("parameter: %s -> %s", g.write(less[k]), g.write(more[k]))
			}
			t.Fatalf("program %d:\n%s\nfrom %s\nto %s", seed, x.text, x.a.lines(&Result{Writes: a.writes, Issues: a.in.issues}),
				x.a.lines(&Result{Writes: b.writes, Issues: b.in.issues}))
		}
	}
	if grew < 150 {
		t.Errorf("only %d footprints grew: too few to say anything", grew)
	}
}

// states2 generates two states. The second one is larger.
func (g *values) states2() (small, large []*value) {
	for k, l := range g.state.leaves {
		v := g.input(l, k)
		small = append(small, v)
		if g.r.Intn(2) == 0 {
			v = g.join(v, g.input(l, k))
		}
		large = append(large, v)
	}
	return small, large
}

// parameters2 generates the parameters twice. With grow, some are not known the second time.
func (g *values) parameters2(grow bool) (less, more []*value) {
	for _, name := range []string{"p.I", "p.J", "p.K"} {
		v := &value{top: true, sym: g.names.term(name, true)}
		if name != "p.K" && g.r.Intn(3) == 0 {
			v = g.literal("1")
		}
		less = append(less, v)
		if grow && g.r.Intn(3) == 0 {
			v = g.join(v, &value{top: true, data: g.elements(0)})
		}
		more = append(more, v)
	}
	return less, more
}

// covered checks that a list of writes has all that a write has; if sources, its sources, too.
func covered(t *testing.T, x *generated, w Write, in []Write, sources bool) {
	t.Helper()
	name := x.a.Variables[w.Variable].Name
	k := slices.IndexFunc(in, func(v Write) bool { return v.Variable == w.Variable })
	if k < 0 {
		t.Errorf("%s is not written from the larger state", name)
		return
	}
	v := in[k]
	for _, e := range w.Elements {
		if !slices.ContainsFunc(v.Elements, func(f Element) bool { return within(e.Index, f.Index) }) {
			t.Errorf("%s%v is not written from the larger state, which lists %v", name, e.Index, v.Elements)
		}
	}
	if w.Computed && !v.Computed {
		t.Errorf("%s is not computed from the larger state", name)
	}
	for _, c := range w.Constants {
		if !v.Computed && !slices.Contains(v.Constants, c) {
			t.Errorf("%s is not %s from the larger state", name, c)
		}
	}
	for _, kind := range []struct {
		name     string
		less, of []Read
	}{{"data", w.Data, v.Data}, {"control", w.Control, v.Control}, {"index", w.Indices, v.Indices}} {
		for _, r := range kind.less {
			if sources && !slices.ContainsFunc(kind.of, func(q Read) bool { return q.Variable == r.Variable && within(r.Index, q.Index) }) {
				t.Errorf("%s has no source %s%v (%s) from the larger state", name, x.a.Variables[r.Variable].Name, r.Index, kind.name)
			}
		}
	}
}

// within reports whether all that index x names is named by y.
func within(x, y []string) bool {
	for k, term := range y {
		if k >= len(x) || term != "*" && term != x[k] {
			return false
		}
	}
	return true
}
