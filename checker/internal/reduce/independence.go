package reduce

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/multigrain/multigrain/checker/internal/bitset"
	"github.com/multigrain/multigrain/modules"
)

// What it computes. Which instances of actions are independent, for sleep sets and stubborn sets:
// taken in either order they lead to the same node, and neither disables the other.
//
// Why it is right. A footprint lists every variable that a step may read or write, for all states.
// Let no instance of two write a place that the other reads or writes, and let them share no
// limited budget. Then each computes the same from the same values, before the other or after it.
// Symbolic indices get the values of the parameters. An index that is not known stands for all
// elements, so the answer errs on one side only: two instances may be called dependent though they
// are not.
//
// What it costs. It is computed once: for each pair of kinds of instances a few intersections of
// bit sets, whose length is the number of places that some instance names. Instances of one kind
// touch the same places.
//
// Example. With three servers:
//
//	Recv(i: 0)   reads and writes Log[0]
//	Recv(i: 1)   reads and writes Log[1]      independent of Recv(i: 0)
//	Elect(i: 2)  reads Log[*]                 depends on both: it reads what they write

// Footprints are those of a composition's actions, with the rules that ride on them, and of the
// properties that see states.
type Footprints struct {
	Actions []modules.Footprint `json:"actions"`
	Seen    []modules.Footprint `json:"seen"` // of invariants, constraints and goals
}

// Independence says of instances, actions with their parameters, which may be taken in either
// order. It is computed from footprints, with symbolic indices put to their values, and errs on one
// side only.
type Independence struct {
	// Sets of instances. Those of one kind share them, so none is changed.
	//
	// dependent instances may disable one another or lead, in the two orders, to different nodes.
	// One writes what the other reads or writes, or they spend one budget that is limited.
	dependent []bitset.Set
	// enablers write what an instance's guard reads.
	enablers []bitset.Set
	// visible instances write what a property reads, or raise assertions.
	visible bitset.Set
	budgets [][]int // limited ones, by instance
	limits  []int
	// raising instances may raise assertions; writers are, by property, those that write what it
	// reads.
	raising bitset.Set
	writers map[string]bitset.Set
}

// NewIndependence computes the independence of a composed specification's instances. It returns an
// error if the footprints do not fit the specification.
func NewIndependence[S any](spec *modules.Spec[S], f Footprints) (*Independence, error) {
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
	d := &Independence{writers: map[string]bitset.Set{}}
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
	var kinds []kind
	var kindOf []int // by instance
	number := map[string]int{}
	for k := range all {
		own := kind{guard: known.of(all[k].guard), reads: known.of(all[k].reads), writes: known.of(all[k].writes), budgets: d.budgets[k]}
		name := fmt.Sprint(own)
		at, ok := number[name]
		if !ok {
			at = len(kinds)
			number[name] = at
			own.members = bitset.New(n)
			kinds = append(kinds, own)
		}
		kinds[at].members.Add(k)
		kindOf = append(kindOf, at)
	}
	raise := known.of([]touch{{variable: raised, key: -1}})
	var read []bitset.Set
	for k := range seen {
		read = append(read, known.of(seenBy(&seen[k])))
	}
	known.hits(kinds)
	dependent, enablers := make([]bitset.Set, len(kinds)), make([]bitset.Set, len(kinds))
	for k := range kinds {
		dependent[k], enablers[k] = bitset.New(n), bitset.New(n)
		for x := range kinds {
			if k == x || kinds[k].dependsOn(&kinds[x]) { // each instance depends on itself
				dependent[k].AddAll(kinds[x].members)
			}
			if kinds[x].hits.Meets(kinds[k].guard) {
				enablers[k].AddAll(kinds[x].members)
			}
		}
	}
	for _, of := range kindOf {
		d.dependent, d.enablers = append(d.dependent, dependent[of]), append(d.enablers, enablers[of])
	}
	writersOf := func(p bitset.Set) bitset.Set {
		out := bitset.New(n)
		for k := range kinds {
			if kinds[k].hits.Meets(p) {
				out.AddAll(kinds[k].members)
			}
		}
		return out
	}
	d.raising = writersOf(raise)
	d.visible = writersOf(raise)
	for k := range seen {
		w := writersOf(read[k])
		d.writers[seen[k].Name] = w
		d.visible.AddAll(w)
	}
}

// kind has the instances that touch the same places and spend the same limited budgets. Instances
// of large domains are many, and their kinds are few.
type kind struct {
	guard, reads, writes bitset.Set // places
	hits                 bitset.Set // places that meet one of writes
	budgets              []int
	members              bitset.Set
}

// dependsOn reports whether instances of the kinds may disable each other, or whether their order
// may matter.
func (k *kind) dependsOn(x *kind) bool {
	return slices.ContainsFunc(k.budgets, func(b int) bool { return slices.Contains(x.budgets, b) }) ||
		k.hits.Meets(x.reads) || x.hits.Meets(k.reads) || k.hits.Meets(x.writes)
}

// Share returns the part of pairs of different instances that are independent, 0 to 1.
func (d *Independence) Share() float64 {
	n, pairs := len(d.dependent), 0
	for k := range d.dependent {
		d.dependent[k].Each(func(x int) bool {
			pairs++
			return true
		})
	}
	if n < 2 {
		return 0
	}
	return 1 - float64(pairs-n)/float64(n*(n-1))
}
