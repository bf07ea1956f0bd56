package checker

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// Footprints are those of a composition's actions, with the rules that ride on them, and of the properties that see states.
type Footprints struct {
	Actions []modules.Footprint `json:"actions"`
	Seen    []modules.Footprint `json:"seen"` // of invariants, constraints and goals
}

// bitset is a set of instances.
type bitset []uint64

func newBitset(n int) bitset    { return make(bitset, (n+63)/64) }
func (b bitset) add(k int)      { b[k/64] |= 1 << (k % 64) }
func (b bitset) has(k int) bool { return b[k/64]>>(k%64)&1 != 0 }
func (b bitset) each(do func(k int) bool) bool {
	for w, x := range b {
		for k := 0; x != 0; k, x = k+1, x>>1 {
			if x&1 != 0 && !do(w*64+k) {
				return false
			}
		}
	}
	return true
}

func (b bitset) meets(x bitset) bool {
	for w := range min(len(b), len(x)) {
		if b[w]&x[w] != 0 {
			return true
		}
	}
	return false
}

func (b bitset) addAll(x bitset) {
	for w := range x {
		b[w] |= x[w]
	}
}

func (b bitset) remove(k int) { b[k/64] &^= 1 << (k % 64) }

func (b bitset) empty() bool { return !slices.ContainsFunc(b, func(w uint64) bool { return w != 0 }) }

// Independence says of instances, actions with their parameters, which may be taken in either order. It is computed from
// footprints, with symbolic indices put to their values, and errs on one side only.
type Independence struct {
	// dependent instances may disable one another or lead, in the two orders, to different nodes: one writes what the other reads
	// or writes, or they spend one budget that is limited.
	dependent []bitset
	// enablers write what an instance's guard reads.
	enablers []bitset
	// visible instances write what a property reads, or raise assertions.
	visible bitset
	budgets [][]int // limited ones, by instance
	limits  []int
	// raising instances may raise assertions; writers are, by property, those that write what it reads.
	raising bitset
	writers map[string]bitset
}

// touch is a place of the state: an element of a variable. An index of -1 is not known.
type touch struct {
	variable string
	index    []int
	key      int
}

func (a *touch) meets(b *touch) bool {
	if a.variable != b.variable {
		return false
	}
	for k := range min(len(a.index), len(b.index)) {
		if a.index[k] >= 0 && b.index[k] >= 0 && a.index[k] != b.index[k] {
			return false
		}
	}
	return len(a.index) != len(b.index) || a.key < 0 || b.key < 0 || a.key == b.key
}

// variableOf takes all messages of a network, and which of its connections are cut, for one variable: what is sent stands behind, or
// before, what is received.
func variableOf(name string) string {
	name, _, _ = strings.Cut(name, "#")
	return strings.TrimSuffix(name, ".cut")
}

type touches struct{ guard, reads, writes []touch }

// Independent computes the independence of a composed specification's instances.
func Independent[S any](spec *modules.Spec[S], f Footprints) (*Independence, error) {
	byName := map[string]*modules.Footprint{}
	for k := range f.Actions {
		byName[f.Actions[k].Name] = &f.Actions[k]
	}
	var raised string
	if at, ok := modules.RaisedOffset(reflect.TypeFor[S]()); ok {
		for f := range reflect.TypeFor[S]().Fields() {
			if f.Offset == at {
				raised = f.Name
			}
		}
	}
	d := &Independence{writers: map[string]bitset{}}
	var all []touches
	for _, b := range spec.Budgets {
		d.limits = append(d.limits, b.Max)
	}
	for k := range spec.Actions {
		a := &spec.Actions[k]
		print := byName[a.Name]
		if print == nil {
			return nil, fmt.Errorf("action %s has no footprint", a.Name)
		}
		var limited []int
		for _, b := range a.Budgets {
			if spec.Budgets[b].Max >= 0 {
				limited = append(limited, b)
			}
		}
		for _, p := range a.Params {
			t, err := touchesOf(print, p)
			if err != nil {
				return nil, fmt.Errorf("action %s: %w", a.Name, err)
			}
			for _, list := range []*[]touch{&t.guard, &t.reads, &t.writes} {
				*list = slices.DeleteFunc(*list, func(x touch) bool { return !exists(reflect.TypeFor[S](), x.variable) })
			}
			all = append(all, t)
			d.budgets = append(d.budgets, limited)
		}
	}
	d.relate(all, raised, f.Seen)
	return d, nil
}

// seenBy is what a property reads.
func seenBy(f *modules.Footprint) (out []touch) {
	for _, a := range f.Reads() {
		t := touch{variable: variableOf(a.Variable), key: -1}
		for _, term := range a.Index {
			x, err := strconv.Atoi(term)
			if err != nil {
				x = -1 // a property has no parameters that matter here
			}
			t.index = append(t.index, x)
		}
		out = append(out, t)
	}
	return out
}

// exists reports whether a variable takes room in the State: arrays of which the composition needs no element have none.
func exists(t reflect.Type, variable string) bool {
	for name := range strings.SplitSeq(variable, ".") {
		for t.Kind() == reflect.Array {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return true
		}
		f, ok := t.FieldByName(name)
		if !ok {
			return true
		}
		if f.Type.Size() == 0 {
			return false
		}
		t = f.Type
	}
	return true
}

func (d *Independence) relate(all []touches, raised string, seen []modules.Footprint) {
	n := len(all)
	var known places
	var guards, reads, writes []bitset
	for k := range all {
		guards = append(guards, known.of(all[k].guard))
		reads = append(reads, known.of(all[k].reads))
		writes = append(writes, known.of(all[k].writes))
	}
	raise := known.of([]touch{{variable: raised, key: -1}})
	var read []bitset
	for k := range seen {
		read = append(read, known.of(seenBy(&seen[k])))
	}
	hits := known.hits(writes)
	for k := range all {
		dependent, enablers := newBitset(n), newBitset(n)
		for x := range all {
			shared := slices.ContainsFunc(d.budgets[k], func(b int) bool { return slices.Contains(d.budgets[x], b) })
			if k == x || shared || hits[k].meets(reads[x]) || hits[x].meets(reads[k]) || hits[k].meets(writes[x]) {
				dependent.add(x)
			}
			if hits[x].meets(guards[k]) {
				enablers.add(x)
			}
		}
		d.dependent, d.enablers = append(d.dependent, dependent), append(d.enablers, enablers)
	}
	writersOf := func(p bitset) bitset {
		out := newBitset(n)
		for k := range hits {
			if hits[k].meets(p) {
				out.add(k)
			}
		}
		return out
	}
	d.raising = writersOf(raise)
	d.visible = writersOf(raise)
	for k := range seen {
		w := writersOf(read[k])
		d.writers[seen[k].Name] = w
		d.visible.addAll(w)
	}
}

// places numbers places of the state.
type places struct {
	list   []touch
	number map[string]int
}

// of is the set of the numbers of places.
func (p *places) of(list []touch) (out bitset) {
	if p.number == nil {
		p.number = map[string]int{}
	}
	for _, t := range list {
		name := fmt.Sprint(t.variable, t.index, t.key)
		k, ok := p.number[name]
		if !ok {
			k = len(p.list)
			p.number[name] = k
			p.list = append(p.list, t)
		}
		for len(out) <= k/64 {
			out = append(out, 0)
		}
		out.add(k)
	}
	return out
}

// hits is for each set of places that are written the set of those that meet one of them.
func (p *places) hits(writes []bitset) (out []bitset) {
	byVariable := map[string][]int{}
	for k := range p.list {
		byVariable[p.list[k].variable] = append(byVariable[p.list[k].variable], k)
	}
	meets := make([]bitset, len(p.list))
	for k := range p.list {
		meets[k] = newBitset(len(p.list))
		for _, x := range byVariable[p.list[k].variable] {
			if p.list[k].meets(&p.list[x]) {
				meets[k].add(x)
			}
		}
	}
	for _, w := range writes {
		hit := newBitset(len(p.list))
		w.each(func(k int) bool {
			hit.addAll(meets[k])
			return true
		})
		out = append(out, hit)
	}
	return out
}

func touchesOf(f *modules.Footprint, param any) (t touches, err error) {
	p := reflect.ValueOf(param)
	if t.guard, err = placesOf(f.Guard, p); err != nil {
		return t, err
	}
	if t.reads, err = placesOf(f.Reads(), p); err != nil {
		return t, err
	}
	for k := range f.Writes {
		w := &f.Writes[k]
		elements := w.Elements
		if len(elements) == 0 {
			elements = []modules.Element{{}}
		}
		for _, e := range elements {
			x, err := placesOf([]modules.Access{{Variable: w.Variable, Index: e.Index, Key: e.Key}}, p)
			if err != nil {
				return t, err
			}
			t.writes = append(t.writes, x...)
		}
	}
	return t, nil
}

func placesOf(accesses []modules.Access, p reflect.Value) (out []touch, err error) {
	for _, a := range accesses {
		t := touch{variable: variableOf(a.Variable), key: -1}
		for _, term := range a.Index {
			x, err := termOf(term, p)
			if err != nil {
				return nil, err
			}
			t.index = append(t.index, x)
		}
		if a.Key != "" {
			if t.key, err = termOf(a.Key, p); err != nil {
				return nil, err
			}
		}
		out = append(out, t)
	}
	return out, nil
}

// termOf is the value of a symbolic index, see modules.Access; -1 where it is not known.
func termOf(term string, p reflect.Value) (int, error) {
	if term == "*" {
		return -1, nil
	}
	if n, err := strconv.Atoi(term); err == nil {
		return n, nil
	}
	for k, name := range strings.Split(term, ".") {
		if k == 0 {
			continue // p
		}
		if p.Kind() != reflect.Struct || !p.FieldByName(name).IsValid() {
			return 0, fmt.Errorf("parameter %s has no field %s", p.Type(), name)
		}
		p = p.FieldByName(name)
	}
	switch {
	case p.CanInt():
		return int(p.Int()), nil
	case p.CanUint():
		return int(p.Uint()), nil
	}
	return 0, fmt.Errorf("the index %s is no number", term)
}

// Share is the part of pairs of different instances that are independent, 0 to 1.
func (d *Independence) Share() float64 {
	n, pairs := len(d.dependent), 0
	for k := range d.dependent {
		d.dependent[k].each(func(x int) bool {
			pairs++
			return true
		})
	}
	if n < 2 {
		return 0
	}
	return 1 - float64(pairs-n)/float64(n*(n-1))
}

// DependenceError is a pair of instances that footprints call independent and that are not: a fault of the analysis.
type DependenceError struct{ First, Second, Text string }

func (e *DependenceError) Error() string {
	return fmt.Sprintf("internal error: %s and %s were taken to be independent: %s", e.First, e.Second, e.Text)
}

// Validate tries independence in nodes on random walks: of each two enabled instances that are called independent, whether both orders can be
// taken and lead to one node; of each step, whether it enables another instance that it is said not to enable, or changes what invisible steps
// must not. It returns how many pairs it has tried; the error is a *DependenceError. The same seed samples the same nodes.
func Validate[T any](spec *Spec[T], d *Independence, pairs int, seed uint64) (tried int, err error) {
	r := rand.New(rand.NewPCG(seed, 6))
	var inits []T
	spec.Init(func(n *T) bool {
		inits = append(inits, *n)
		return true
	})
	for walks := 0; tried < pairs && walks < pairs && len(inits) > 0; walks++ {
		n := inits[r.IntN(len(inits))]
		for range walkLength {
			next, k, err := validateAt(spec, d, &n, r)
			if tried += k; err != nil {
				return tried, err
			}
			if next == nil {
				break
			}
			n = *next
		}
	}
	return tried, nil
}

// validateAt tries all pairs in one node and returns a successor to go on from; nil where there is none, or a step panics.
func validateAt[T any](spec *Spec[T], d *Independence, s *T, r *rand.Rand) (next *T, tried int, err error) {
	defer func() {
		if x := recover(); x != nil {
			next, err = nil, nil // the exploration says so, if it comes here
		}
	}()
	after := map[int]*T{}
	var enabled, open []int
	for k := range spec.Instances {
		if !spec.Enabled(s, k) {
			continue
		}
		n := *s
		spec.Apply(s, &n, k)
		after[k], enabled = &n, append(enabled, k)
		if !ends(spec, &n) {
			open = append(open, k)
		}
	}
	fails := func(a, b int, text string) error {
		return &DependenceError{InstanceName(spec, a), InstanceName(spec, b), text}
	}
	for _, a := range open {
		if !d.visible.has(a) && (spec.State(s) != spec.State(after[a]) || spec.Within != nil && spec.Within(s) != spec.Within(after[a])) {
			return nil, tried, fails(a, a, "the step changes a property that it does not touch")
		}
		for b := range spec.Instances {
			if was := after[b] != nil; was && d.dependent[a].has(b) || !was && d.enablers[b].has(a) {
				continue
			}
			tried++
			now := spec.Enabled(after[a], b)
			switch {
			case now && after[b] == nil:
				return nil, tried, fails(a, b, "the first enables the second")
			case !now && after[b] != nil:
				return nil, tried, fails(a, b, "the first disables the second")
			case !now || b < a || !slices.Contains(open, b):
				continue
			}
			ab, ba := *after[a], *after[b]
			spec.Apply(after[a], &ab, b)
			spec.Apply(after[b], &ba, a)
			if !bytes.Equal(Bytes(&ab), Bytes(&ba)) {
				return nil, tried, fails(a, b, "their two orders lead to different states")
			}
		}
	}
	if len(open) == 0 {
		return nil, tried, nil
	}
	return after[open[r.IntN(len(open))]], tried, nil
}

// ends reports whether nothing is explored from n.
func ends[T any](spec *Spec[T], n *T) bool {
	if spec.Raised != nil {
		if raised, _ := spec.Raised(n); raised {
			return true
		}
	}
	return spec.Within != nil && !spec.Within(n)
}

// InstanceName is an instance as messages name it: the action with its parameters.
func InstanceName[T any](spec *Spec[T], k int) string {
	in := spec.Instances[k]
	var params []string
	for x, name := range in.Params.Names {
		params = append(params, name+": "+in.Params.Elems[x].Text)
	}
	return spec.Actions[in.Action].Name + "(" + strings.Join(params, ", ") + ")"
}
