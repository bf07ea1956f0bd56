package counterexample

import (
	"maps"
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/checker/explore/internal/store"
)

// byEdges fills the backward reachable sets by the edges that the search kept: a node with an edge
// to a node of the next set belongs to its own. Few nodes are regenerated, each from the one that
// it was first reached from.
//
// Steps pruned by sleep sets have no recorded edge. Suppose step b from t to v was pruned because
// of label a, and v is in a set. Then some s leads to t by a and to u by b, and a leads from u to
// v:
//
//	s --a--> t
//	|        |
//	b        b (pruned)
//	v        v
//	u --a--> v
//
// If the step from u was pruned, too, that was because of a label that precedes a, and so on. The
// chain ends in a node whose step to v has an edge, by which this node is found. By induction over
// the levels, so are all nodes before it, among them one with a step to the chain's last node but
// one; and so on, back to t. So the successors of found nodes are examined, too, until that finds
// no more.
type byEdges[T any] struct {
	*BackwardSets[T]
	expand, other *expander[T]
	by            []edgeLevel[T]
	made, asked   int // nodes that are kept, and how often it was asked whether to continue
	parts         store.Parts
}

// edgeLevel holds the edges and nodes of one level.
type edgeLevel[T any] struct {
	nodes map[int64]*T // that were regenerated, by number
	// nodes from which a step breaks an invariant, by number: masks of groups
	ends  map[int64]uint64
	found map[uint64]*T // nodes of the set, by fingerprint
	news  []reaching    // nodes whose predecessors were not looked for since their masks changed
	retry bool          // successors of the previous level's set must be examined
}

// reaching is a node of a set. Its number is unknown where it was found as a successor.
type reaching struct {
	hash   uint64
	number int64
}

// unknown is no number.
const unknown = -1

// maxNodes bounds how many nodes byEdges keeps, and maxBytes what they take. For many more, it is
// faster to regenerate all nodes by several workers.
const (
	maxNodes = 1 << 15
	maxBytes = 256 << 20
)

// ByEdges fills the sets by edges. It reports whether it did.
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

// start adds the nodes and steps that break invariants. It reports whether all are known.
func (x *byEdges[T]) start() bool {
	type told struct{ invariant, level int }
	masks, numbers := map[told]uint64{}, map[told][]int64{}
	for key, depth := range x.depth {
		if depth < 0 { // an initial node
			continue
		}
		g := x.rec.Groups[key]
		if x.rec.onNode(key.Invariant) {
			if g.nodesLost {
				return false
			}
			at := told{key.Invariant, depth + 1}
			masks[at] |= x.bits[key]
			numbers[at] = g.nodes
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

// take adds a node to the set of a level.
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
			x.by[near].retry = x.rec.Spec.Pruning.Sleeps()
		}
	}
}

// level extends the set of a level by what is new in the next level's set. It reports whether
// anything was new.
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
	if next.retry {
		did, next.retry = true, false
		err = x.following(level + 1)
	}
	return did, err
}

// edgesTo returns the numbers of the nodes that may have an edge to some of a level.
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

// before adds those of some nodes of a level that belong to its set.
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

// following adds those successors of the previous level's set that belong to the set of a level.
func (x *byEdges[T]) following(level int) (err error) {
	tried := map[uint64]bool{}
	for _, s := range x.by[level-1].found {
		x.expand.each(s, false, func(n *T, _ int, _ uint64) {
			if hash := x.hash(x.expand, n); err == nil && !tried[hash] && x.stored(n) {
				tried[hash] = true
				err = x.judge(level, n, hash)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// judge adds a node of a level, a successor of the previous level's set, if it belongs to the
// level's set.
func (x *byEdges[T]) judge(level int, n *T, hash uint64) error {
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

// more counts nodes that are kept. It fails where they are too many, or no time is left.
func (x *byEdges[T]) more(nodes int) error {
	var n T
	x.made += nodes
	x.asked++
	if x.made > maxNodes || x.made*int(unsafe.Sizeof(n)) > maxBytes || x.asked%256 == 0 && x.rec.late() {
		return errGivenUp
	}
	return nil
}

// regenerate makes nodes of a level from the trace log. Their numbers are in order.
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
