package footprint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// stateSource declares the State over which the laws are tested.
const stateSource = `package p

type Pair struct{ X, Y int }

type State struct {
	A, B int
	F    bool
	R    [3]int
	G    [2][2]int
	D    Pair
	E    [3]Pair
}

type P struct{ I, J, K int }
`

// domain builds an analyzer over stateSource and further source text without imports.
func domain(t *testing.T, more string) (*Analyzer, *ssa.Package) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", stateSource+more, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v\n%s", err, more)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{}, fset, types.NewPackage("p", "p"), []*ast.File{file},
		ssa.InstantiateGenerics)
	if err != nil {
		t.Fatalf("%v\n%s", err, more)
	}
	return New(pkg.Prog, pkg.Type("State").Type(), nil, []*ssa.Package{pkg}), pkg
}

// values generates abstract values.
type values struct {
	*interp
	r       *rand.Rand
	terms   []term
	objects []*object
	funcs   []*ssa.Function
	layouts []*layout
}

func newValues(t *testing.T, seed int64) *values {
	t.Helper()
	a, pkg := domain(t, "func f() {}\nfunc g() {}\n")
	g := newValuesOf(a, seed)
	g.funcs = []*ssa.Function{pkg.Func("f"), pkg.Func("g")}
	g.layouts = []*layout{a.layouts.of(types.Typ[types.Int]), a.layouts.of(types.Typ[types.Bool])}
	return g
}

func newValuesOf(a *Analyzer, seed int64) *values {
	g := &values{interp: a.newInterp(nil, false), r: rand.New(rand.NewSource(seed))}
	for _, s := range []string{"0", "1", "2"} {
		g.terms = append(g.terms, a.names.term(s, false))
	}
	g.terms = append(g.terms, a.names.term("p.I", true), a.names.term("p.J", true))
	states := g.states()
	g.objects = append(states[:], g.newObject("x", a.layouts.of(types.Typ[types.Int]), local))
	return g
}

// set generates a set of sources: a variable at an index of at most two terms.
func (g *values) set() (s Set) {
	for g.r.Intn(3) == 0 {
		x := index(0)
		for range g.r.Intn(3) {
			x = g.names.extend(x, append(g.terms, anywhere)[g.r.Intn(len(g.terms)+1)])
		}
		s = g.sets.union(s, g.sets.one(g.names.source(g.r.Intn(len(g.Variables)), x)))
	}
	return s
}

// scalar generates a value without leaves and elements; depth bounds what closures capture and
// interfaces hold.
func (g *values) scalar(depth int) *value {
	v := &value{frame: g.set(), data: g.set(), control: g.set(), idx: g.set(), top: g.r.Intn(3) == 0}
	if g.r.Intn(2) == 0 {
		v.sym = g.terms[g.r.Intn(len(g.terms))]
	}
	many := g.r.Intn(3)
	if g.r.Intn(10) == 0 {
		many = 50 // so that some joins have more constants than any enumeration
	}
	for range many {
		v.consts = union(v.consts, []int32{g.names.text(fmt.Sprint(g.r.Intn(200)))})
	}
	if g.r.Intn(4) == 0 {
		v.lost = string(rune('a' + g.r.Intn(3)))
	}
	for g.r.Intn(3) == 0 {
		o := g.objects[g.r.Intn(len(g.objects))]
		l := location{obj: o, lay: o.lay, moved: g.r.Intn(2) == 0}
		if !slices.Contains(v.ptrs, l) {
			v.ptrs = append(v.ptrs, l)
		}
	}
	for k := range g.r.Perm(2) {
		if depth > 0 && g.r.Intn(4) == 0 {
			v.funcs = append(v.funcs, &closure{g.funcs[k], []*value{g.scalar(depth - 1)}})
		}
		if depth > 0 && g.r.Intn(4) == 0 {
			v.dynamic = append(v.dynamic, dynamic{g.layouts[k], g.scalar(depth - 1)})
		}
	}
	return v
}

// array generates an array of three elements: what a store at a known index makes of a value, a few
// times.
func (g *values) array() *value {
	r := a3(g)
	v := g.scalar(1)
	for range g.r.Intn(4) {
		l := location{obj: g.objects[1], start: r, at: g.names.extend(0, g.terms[g.r.Intn(len(g.terms))])}
		v = g.setElement(v, g.scalar(1), l, r)
	}
	if g.r.Intn(3) == 0 { // all elements are known apart
		for k := range 3 {
			l := location{obj: g.objects[1], start: r, at: g.names.extend(0, g.terms[k])}
			v = g.setElement(v, g.scalar(1), l, r)
		}
	}
	return v
}

// a3 returns the number of variable R, an array of three elements.
func a3(g *values) int {
	return slices.IndexFunc(g.Variables, func(v Variable) bool { return v.Name == "R" })
}

// kindOfValue is the kind of a value: only values of one kind are ever joined.
type kindOfValue int

const (
	numbers kindOfValue = iota
	arrays
	structs
)

// value generates any value of a kind: nil, a scalar, elements known apart or not, leaves known
// apart or not, or a join.
func (g *values) value(kind kindOfValue) *value {
	switch n := g.r.Intn(8); {
	case n == 0:
		return nil
	case n == 1:
		return g.join(g.value(kind), g.value(kind))
	case n < 4 || kind == numbers:
		return g.scalar(2)
	case kind == arrays:
		return g.array()
	}
	v := &value{leaves: []*value{}}
	for range 2 {
		v.leaves = append(v.leaves, []*value{nil, g.scalar(1), g.array()}[g.r.Intn(3)])
	}
	return v
}

// write prints a value for a failed test.
func (g *values) write(v *value) string {
	if v == nil {
		return "nil"
	}
	var b strings.Builder
	b.WriteString("{")
	for _, s := range []struct {
		name string
		set  Set
	}{{"frame", v.frame}, {"data", v.data}, {"control", v.control}, {"idx", v.idx}} {
		for _, x := range g.sets.members[s.set] {
			n := g.names.sources[x]
			fmt.Fprintf(&b, " %s:%s%v", s.name, g.Variables[n.variable%len(g.Variables)].Name, g.element(n.index).Index)
		}
	}
	fmt.Fprintf(&b, " consts:%v top:%v sym:%s lost:%q full:%v ptrs:%d", v.consts, v.top, g.names.terms[v.sym], v.lost, v.full, len(v.ptrs))
	for _, c := range v.funcs {
		fmt.Fprintf(&b, " %s:", c.fn.Name())
		for _, x := range c.bind {
			b.WriteString(g.write(x))
		}
	}
	for _, d := range v.dynamic {
		fmt.Fprintf(&b, " %s:%s", d.typ.typ, g.write(d.val))
	}
	for k, x := range v.leaves {
		fmt.Fprintf(&b, " .%d:%s", k, g.write(x))
	}
	for _, e := range v.elems {
		fmt.Fprintf(&b, " %v:%s rest:%s", g.element(e.at).Index, g.write(e.own), g.write(e.rest))
	}
	return b.String() + "}"
}

const trials = 4000

// TestJoin: join is idempotent, commutative and associative, and nil is its neutral element. So it
// has an order, a <= b where join(a, b) = b, in which it is the least upper bound and monotone.
func TestJoin(t *testing.T) {
	t.Parallel()
	g := newValues(t, 1)
	failed := map[string]bool{}
	law := func(name string, a, b *value, in ...*value) {
		if equal(a, b) || failed[name] {
			return
		}
		failed[name] = true
		t.Errorf("%s:\n%s\nand\n%s", name, g.write(a), g.write(b))
		for _, x := range in {
			t.Logf("of %s", g.write(x))
		}
	}
	apart := 0
	for k := range trials {
		kind := kindOfValue(k % 3)
		a, b, c := g.value(kind), g.value(kind), g.value(kind)
		ab := g.join(a, b)
		law("a join a is a", g.join(a, g.copied(a)), a, a)
		law("a join b is b join a", ab, g.join(b, a), a, b)
		law("join is associative", g.join(ab, c), g.join(a, g.join(b, c)), a, b, c)
		law("nil is neutral on the left", g.join(nil, a), a, a)
		law("nil is neutral on the right", g.join(a, nil), a, a)
		law("a <= a join b", g.join(a, ab), ab, a, b)
		abc := g.join(ab, c)
		law("a <= b implies a join c <= b join c", g.join(g.join(a, c), abc), abc, a, b, c)
		law("join is the least upper bound", g.join(ab, abc), abc, a, b, c)
		if !equal(a, b) && !equal(ab, a) && !equal(ab, b) {
			apart++
		}
	}
	if apart < trials/2 {
		t.Errorf("only %d of %d pairs are incomparable: too few to say anything", apart, trials)
	}
}

// copied returns a deep copy, so that join cannot take two values for one by their address.
func (g *values) copied(v *value) *value {
	if v == nil {
		return nil
	}
	r := *v
	r.leaves = nil
	for _, x := range v.leaves {
		r.leaves = append(r.leaves, g.copied(x))
	}
	r.elems = slices.Clone(v.elems)
	for k := range r.elems {
		r.elems[k].own, r.elems[k].rest = g.copied(r.elems[k].own), g.copied(r.elems[k].rest)
	}
	r.funcs = nil
	for _, c := range v.funcs {
		d := &closure{fn: c.fn}
		for _, x := range c.bind {
			d.bind = append(d.bind, g.copied(x))
		}
		r.funcs = append(r.funcs, d)
	}
	r.dynamic = slices.Clone(v.dynamic)
	for k := range r.dynamic {
		r.dynamic[k].val = g.copied(r.dynamic[k].val)
	}
	return &r
}

// memory generates a memory: contents of some of the objects.
func (g *values) memory() *memory {
	m := &memory{epoch: g.newEpoch()}
	for _, o := range g.objects {
		if g.r.Intn(3) == 0 {
			continue
		}
		leaves := g.own(m, o).leaves
		for k, l := range o.lay.leaves {
			if leaves[k] = g.scalar(1); l.dims == 1 && l.size == 3 {
				leaves[k] = g.array()
			}
		}
	}
	return m
}

// TestJoinMemory: memories have the laws of values. A local object that only one of two has is not
// reached in the other; a state that has no content yet holds what it held at first.
func TestJoinMemory(t *testing.T) {
	t.Parallel()
	g := newValues(t, 2)
	join := func(a, b *memory) *memory {
		if a != nil {
			a = g.clone(a)
		}
		return g.joinMemory(a, b)
	}
	law := func(name string, a, b *memory) {
		for _, m := range []*memory{a, b} { // contents that were made on demand are no difference
			for _, o := range g.objects[:2] {
				g.at(m, o)
			}
		}
		if !equalMemory(a, b) {
			t.Errorf("%s does not hold", name)
		}
	}
	for range trials / 20 {
		a, b, c := g.memory(), g.memory(), g.memory()
		ab := join(a, b)
		law("a join a is a", join(a, g.clone(a)), a)
		law("a join b is b join a", ab, join(b, a))
		law("join is associative", join(ab, c), join(a, join(b, c)))
		law("nil is neutral on the left", join(nil, a), a)
		law("nil is neutral on the right", join(a, nil), a)
		law("a <= a join b", join(a, ab), ab)
		if equalMemory(a, b) {
			t.Error("two generated memories are equal: the laws say nothing of them")
		}
	}
}
