package checker

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// Footprints are those of a composition's actions, with the rules that ride on them, and of the properties that see states.
type Footprints struct {
	Actions []modules.Footprint `json:"actions"`
	Seen    []modules.Footprint `json:"seen"` // of invariants, constraints and goals
}

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

// Independent computes the independence of a composed specification's instances.
func Independent[S any](spec *modules.Spec[S], f Footprints) (*Independence, error) {
	all, err := allTouches(spec, f)
	if err != nil {
		return nil, err
	}
	return independent(spec, f, all), nil
}

func independent[S any](spec *modules.Spec[S], f Footprints, all []touches) *Independence {
	var raised string
	if at, ok := modules.RaisedOffset(reflect.TypeFor[S]()); ok {
		for f := range reflect.TypeFor[S]().Fields() {
			if f.Offset == at {
				raised = f.Name
			}
		}
	}
	d := &Independence{writers: map[string]bitset{}}
	for _, b := range spec.Budgets {
		d.limits = append(d.limits, b.Max)
	}
	for k := range spec.Actions {
		a := &spec.Actions[k]
		var limited []int
		for _, b := range a.Budgets {
			if spec.Budgets[b].Max >= 0 {
				limited = append(limited, b)
			}
		}
		for range a.Params {
			d.budgets = append(d.budgets, limited)
		}
	}
	d.relate(all, raised, f.Seen)
	return d
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
	var open []int
	for k := range spec.Instances {
		if !spec.Enabled(s, k) {
			continue
		}
		n := *s
		spec.Apply(s, &n, k)
		after[k] = &n
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
