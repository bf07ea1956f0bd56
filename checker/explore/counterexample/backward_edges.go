package counterexample

import (
	"maps"
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/checker/explore/store"
)

// byEdges finds what leads to violations by the edges that were kept: a node that has one to a node that leads on does, too. Few nodes are
// made again, each from the one that it was reached from first.
//
// A step that was left out, see checker.Spared, has no edge. Let it be one by b from t to v, where v leads on, and let a be the label of t that it was left out for:
// some s leads to t by a and to u by b, and u leads to v by a. If the step from u was left out, too, it was for a label before a, and so on;
// at the end of this chain of nodes is one from which the step to v has an edge, by which it is found. So are, by induction over the levels,
// all nodes before it, among them one from which a step leads to the chain's last but one; and so on, back to t. So the nodes behind those that
// are found are tried, too, until that finds no more.
type byEdges[T any] struct {
	*BackwardSets[T]
	expand, other *expander[T]
	by            []edgeLevel[T]
	made, asked   int // nodes that are kept, and how often it was asked whether to go on
	parts         store.Parts
}

// edgeLevel is what is known of a level.
type edgeLevel[T any] struct {
	nodes map[int64]*T     // that were made again, by number
	ends  map[int64]uint64 // nodes from which a step breaks an invariant, by number: masks of groups
	found map[uint64]*T    // nodes that lead on, by fingerprint
	news  []reaching       // nodes before which none were looked for since their masks are what they are
	again bool             // nodes behind those that were found in the level before are to be tried
}

// reaching is a node that leads on; the number is unknown where it was found behind another one.
type reaching struct {
	hash   uint64
	number int64
}

// unknown is no number.
const unknown = -1

// nearNodes bounds how many nodes are kept, and nearBytes what they take. For many more all are made again sooner, by several workers.
const (
	maxNodes = 1 << 15
	maxBytes = 256 << 20
)

// ByEdges finds what leads to violations by edges. It reports whether it did.
func (l *BackwardSets[T]) ByEdges() (ok bool) {
	deepest := len(l.sets) - 2
	if !l.rec.Edges.Kept() || l.rec.Partly {
		return false
	}
	defer func() {
		if recover() != nil { // a step that was left out, and fails
			ok = false
		}
	}()
	x := &byEdges[T]{BackwardSets: l, expand: newExpander(l.rec.Spec), other: newExpander(l.rec.Spec), by: make([]edgeLevel[T], deepest+2)}
	for k := range x.by {
		x.by[k] = edgeLevel[T]{nodes: map[int64]*T{}, ends: map[int64]uint64{}, found: map[uint64]*T{}}
	}
	if !x.start() {
		return false
	}
	for more := true; more; {
		more = false
		for level := deepest; level >= 0; level-- {
			did, err := x.level(level)
			if err != nil {
				return false
			}
			more = more || did
		}
	}
	return true
}

// start takes the nodes and steps that break invariants. It reports whether all are known.
func (x *byEdges[T]) start() bool {
	type told struct{ invariant, level int }
	masks, numbers := map[told]uint64{}, map[told][]int64{}
	for key, depth := range x.depth {
		if depth < 0 { // an initial node
			continue
		}
		g := x.rec.Groups[key]
		if x.rec.told(key.Invariant) {
			if g.untold {
				return false
			}
			at := told{key.Invariant, depth + 1}
			masks[at] |= x.bits[key]
			numbers[at] = g.told
		}
		if x.rec.hidden(key) {
			for _, n := range g.parents {
				x.by[depth].ends[n] |= x.bits[key]
			}
		}
	}
	for at, mask := range masks {
		if x.regenerate(at.level, numbers[at]) != nil {
			return false
		}
		for _, number := range numbers[at] {
			x.take(at.level, number, x.by[at.level].nodes[number], mask)
		}
	}
	for level := range x.by {
		if x.before(level, slices.Sorted(maps.Keys(x.by[level].ends))) != nil {
			return false
		}
	}
	return true
}

// take takes a node of a level for what it leads to.
func (x *byEdges[T]) take(level int, number int64, n *T, mask uint64) {
	hash := x.hash(x.other, n)
	set, at := &x.sets[level], &x.by[level]
	if set.of(hash)&mask == mask {
		return
	}
	set.add(maskSlot{hash, mask})
	at.found[hash] = n
	at.news = append(at.news, reaching{hash, number})
	for _, near := range [...]int{level - 1, level + 1} {
		if 0 < near && near < len(x.by)-1 && x.rec.Levels[near] >= x.rec.PruneFrom {
			x.by[near].again = x.rec.Spec.Pruning.Sleeps()
		}
	}
}

// level finds the nodes of a level that lead on, as far as is known what does in the next one. It reports whether there was anything to do.
func (x *byEdges[T]) level(level int) (did bool, err error) {
	if x.rec.late() {
		return false, errGivenUp
	}
	next := &x.by[level+1]
	if len(next.news) > 0 {
		did = true
		numbers, err := x.edgesTo(level+1, next.news)
		if next.news = nil; err == nil {
			err = x.before(level, numbers)
		}
		if err != nil {
			return did, err
		}
	}
	if next.again {
		did, next.again = true, false
		err = x.following(level + 1)
	}
	return did, err
}

// edgesTo is the numbers of the nodes that may have an edge to some of a level.
func (x *byEdges[T]) edgesTo(level int, to []reaching) (numbers []int64, err error) {
	clear(x.parts[:])
	var known []int64
	for _, l := range to {
		x.parts.Add(l.hash)
		if l.number != unknown {
			known = append(known, l.number)
		}
	}
	slices.Sort(known)
	if err := x.rec.Log.Each(slices.Compact(known), func(parent int64, _ uint32) { numbers = append(numbers, parent) }); err != nil {
		return nil, err
	}
	first, behind := x.rec.numbersOf(level - 1)
	x.rec.Edges.From(first, behind, &x.parts, func(number int64) { numbers = append(numbers, number) })
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// before takes those nodes of a level, of some that may, that lead on.
func (x *byEdges[T]) before(level int, numbers []int64) error {
	if err := x.regenerate(level, numbers); err != nil {
		return err
	}
	for _, number := range numbers {
		if err := x.more(0); err != nil {
			return err
		}
		n := x.by[level].nodes[number]
		x.take(level, number, n, x.successors(x.expand, level, n)|x.by[level].ends[number])
	}
	return nil
}

// following takes those nodes of a level, of all to which steps lead from what was found in the level before, that lead on.
func (x *byEdges[T]) following(level int) (err error) {
	tried := map[uint64]bool{}
	for _, s := range x.by[level-1].found {
		x.expand.each(s, false, func(n *T, _ int, _ uint64) {
			if hash := x.hash(x.expand, n); err == nil && !tried[hash] && x.stored(n) {
				tried[hash] = true
				err = x.try(level, n, hash)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// try takes a node of a level, to which a step leads from the level before, if it leads on.
func (x *byEdges[T]) try(level int, n *T, hash uint64) error {
	mask := x.successors(x.other, level, n)
	if x.sets[level].of(hash)&mask == mask {
		return x.more(0)
	}
	if !x.rec.Noted[level-1] { // the edge in the trace log is not found without its number
		return errGivenUp
	}
	own := *n
	x.take(level, unknown, &own, mask)
	return x.more(1)
}

// stored reports whether a node to which a step leads is one of the run's.
func (x *byEdges[T]) stored(n *T) bool {
	if spec := x.rec.Spec; spec.Raised != nil {
		if raised, _ := spec.Raised(n); raised {
			return false
		}
	}
	return x.rec.Spec.Within == nil || x.rec.Spec.Within(n)
}

// more counts nodes that are kept. It fails where these are too many, or there is no time left.
func (x *byEdges[T]) more(nodes int) error {
	var n T
	x.made += nodes
	x.asked++
	if x.made > maxNodes || x.made*int(unsafe.Sizeof(n)) > maxBytes || x.asked%256 == 0 && x.rec.late() {
		return errGivenUp
	}
	return nil
}

// regenerate makes nodes of a level again. Their numbers are in order.
func (x *byEdges[T]) regenerate(level int, numbers []int64) error {
	nodes := x.by[level].nodes
	numbers = slices.DeleteFunc(slices.Clone(numbers), func(number int64) bool { return nodes[number] != nil })
	if len(numbers) == 0 {
		return nil
	}
	if err := x.more(len(numbers)); err != nil {
		return err
	}
	var parents []int64
	var by []uint32
	err := x.rec.Log.Each(numbers, func(parent int64, instance uint32) {
		parents, by = append(parents, parent), append(by, instance)
	})
	if err != nil {
		return err
	}
	if level == 0 {
		x.initial(numbers, by)
		return nil
	}
	sorted := slices.Clone(parents)
	slices.Sort(sorted)
	if err := x.regenerate(level-1, slices.Compact(sorted)); err != nil {
		return err
	}
	for k, number := range numbers {
		s := x.by[level-1].nodes[parents[k]]
		n := *s
		x.rec.Spec.Apply(s, &n, int(by[k]))
		nodes[number] = &n
	}
	return nil
}

// initial makes the initial nodes at some positions.
func (x *byEdges[T]) initial(numbers []int64, positions []uint32) {
	at := map[uint32]int64{}
	for k, position := range positions {
		at[position] = numbers[k]
	}
	position := uint32(0)
	x.rec.Spec.Init(func(n *T) bool {
		if number, ok := at[position]; ok {
			n := *n
			x.by[0].nodes[number] = &n
		}
		position++
		return true
	})
}
