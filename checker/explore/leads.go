package explore

import (
	"math/bits"
	"sync"
	"time"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// leads holds, of the nodes at each distance, those from which violations are reached by as many steps as a shortest counterexample has
// left. They are found backwards: of the nodes of a level, made again from the trace log, those that break something in a step, or have a
// successor among those of the next level. A counterexample that is as short as any goes through nodes that lead to its violation, each at
// its own distance, since it would be shorter otherwise: so all of them are found.
type leads[T any] struct {
	run   *run[T]
	bits  map[groupKey]uint64 // for each group one
	depth map[groupKey]int    // how many steps are before the last one
	sets  []leadSet[T]        // by distance
	hands []*hand[T]
	held  int
}

const (
	// mostLeads bounds how many nodes may lead to violations. Where nearly all do, counterexamples have little to choose from.
	mostLeads = 1 << 22
	// groupsAtOnce is how many groups have a bit each.
	groupsAtOnce = 64
)

// leadsTo is what leads to violations of up to groupsAtOnce groups; nil where it is not found: the run is to end, memory or disk do not
// allow it, too many nodes do, or distances are not the shortest ones.
func (r *run[T]) leadsTo(keys []groupKey) *leads[T] {
	l := &leads[T]{run: r, bits: map[groupKey]uint64{}, depth: map[groupKey]int{}}
	deepest := -1
	for k, key := range keys {
		depth := r.broken[key].level - 1
		l.bits[key], l.depth[key] = 1<<k, depth
		if r.cut(key) && r.broken[key].lost {
			return nil
		}
		deepest = max(deepest, depth)
	}
	if deepest < 0 || r.spec.Partial || r.opt.logged || r.late() {
		return nil
	}
	a := newAgain(r)
	defer a.close()
	if err := a.upTo(deepest); err != nil {
		return nil
	}
	l.sets = make([]leadSet[T], deepest+2)
	causes := r.spec.Spared.Causes()
	for level := deepest; level >= 0; level-- {
		if err := l.broken(a, level); err != nil {
			return nil
		}
		if err := l.sweep(a, level, causes); err != nil {
			return nil
		}
	}
	return l
}

// late reports whether there is no time left to look for a better counterexample.
func (r *run[T]) late() bool {
	return r.opt.Context != nil && r.opt.Context.Err() != nil || r.opt.Timeout > 0 && time.Since(r.start) > r.opt.Timeout
}

// told reports whether nodes tell of themselves that they break an invariant. Steps to others are known by the nodes that they start from.
func (r *run[T]) told(invariant int) bool {
	return invariant >= 0 && r.spec.Invariants[invariant].Kind == modules.KindState
}

// cut reports whether a group may have violations that no stored node tells of.
func (r *run[T]) cut(key groupKey) bool { return !r.told(key.invariant) || r.spec.Within != nil }

// broken finds the nodes that break invariants, of the groups whose last step is one from a level.
func (l *leads[T]) broken(a *again[T], level int) error {
	masks := map[uint64]uint64{} // by invariant's bit: of groups
	invariants := uint64(0)
	for key, depth := range l.depth {
		if depth == level && l.run.told(key.invariant) {
			masks[1<<key.invariant] |= l.bits[key]
			invariants |= 1 << key.invariant
		}
	}
	if invariants == 0 {
		return nil
	}
	chunks, err := a.level(level + 1)
	if err != nil {
		return err
	}
	state := l.run.spec.State
	if x := l.run.spec.Spared; x != nil {
		state = func(n *T) uint64 { return x.Judge(n, invariants) }
	}
	return l.each(a, chunks, level+1, func(_ *hand[T], n *T, _ int64) (mask uint64) {
		for broken := state(n) & invariants; broken != 0; broken &= broken - 1 {
			mask |= masks[broken&-broken]
		}
		return mask
	})
}

// sweep finds what leads to violations in a level.
func (l *leads[T]) sweep(a *again[T], level int, causes *checker.Causes[T]) error {
	chunks, err := a.level(level)
	if err != nil {
		return err
	}
	ends := map[int64]uint64{} // by number: of groups of which a node was found to end it
	for key, depth := range l.depth {
		if depth == level && l.run.cut(key) {
			for _, n := range l.run.broken[key].parents {
				ends[n] |= l.bits[key]
			}
		}
	}
	leading := l.sets[level+1].used > 0
	var screen *screen[T]
	if leading {
		if screen, err = l.screen(a, chunks, level, causes); err != nil {
			return err
		}
	}
	return l.each(a, chunks, level, func(h *hand[T], n *T, number int64) (mask uint64) {
		if len(ends) > 0 {
			mask = ends[number]
		}
		switch {
		case screen != nil:
			mask |= l.by(h, n, level, screen.causesOf(h, n))
		case leading:
			h.each(n, false, func(n *T, _ int, _ uint64) { mask |= l.sets[level+1].of(l.hash(h, n)) })
		}
		return mask
	})
}

func (l *leads[T]) hash(h *hand[T], n *T) uint64 {
	return checker.Hash(l.run.spec.Representative(n, &h.rep))
}

// by is the mask of groups to whose violations a step by some instances leads from a node of a level.
func (l *leads[T]) by(h *hand[T], s *T, level int, set []uint64) (mask uint64) {
	spec := l.run.spec
	asked := -1 // actions have their instances behind each other
	for w, left := range set {
		for ; left != 0; left &= left - 1 {
			k := 64*w + bits.TrailingZeros64(left)
			action := spec.Instances[k].Action
			if action == asked {
				continue
			}
			asked = action
			h.enabled = spec.EnabledBy(s, action, h.enabled[:0])
			for _, k := range h.enabled {
				if set[k/64]>>(k%64)&1 == 0 {
					continue
				}
				h.n = *s
				spec.Apply(s, &h.n, int(k))
				mask |= l.sets[level+1].of(l.hash(h, &h.n))
			}
		}
	}
	return mask
}

// each shows the nodes of a level and takes those to which a mask is given.
func (l *leads[T]) each(a *again[T], chunks []*chunk, level int, mask func(h *hand[T], n *T, number int64) uint64) error {
	var mu sync.Mutex
	return a.each(len(chunks), func(k int) error {
		h := l.hand(&mu)
		s := seeker[T]{arena: a.arena}
		if err := s.enter(chunks[k]); err != nil {
			return err
		}
		defer s.leave()
		var found []lead[T]
		for x := range chunks[k].nodes {
			n, err := s.to(chunks[k].first + int64(x))
			if err != nil {
				return err
			}
			if mask := mask(h, n, chunks[k].first+int64(x)); mask != 0 {
				found = append(found, lead[T]{l.hash(h, n), mask, s.read.cur})
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for k := range found {
			l.sets[level].add(&found[k])
		}
		l.held += len(found)
		l.hands = append(l.hands, h)
		if l.held > mostLeads {
			return errAgain
		}
		return nil
	})
}

// hand is what a worker makes successors with.
func (l *leads[T]) hand(mu *sync.Mutex) *hand[T] {
	mu.Lock()
	defer mu.Unlock()
	if n := len(l.hands); n > 0 {
		h := l.hands[n-1]
		l.hands = l.hands[:n-1]
		return h
	}
	return newHand(l.run.spec)
}

// breaks reports whether a step to n breaks the group's invariant, as it was found: in a node that was not there before, or in none that is
// stored.
func (l *leads[T]) breaks(h *hand[T], n *T, stepped uint64, key groupKey) bool {
	spec, mask := l.run.spec, uint64(1)<<key.invariant
	if spec.Raised != nil {
		if raised, broken := spec.Raised(n); raised {
			return broken&mask != 0
		}
	}
	switch {
	case !l.run.told(key.invariant):
		return stepped&mask != 0
	case spec.Within != nil && !spec.Within(n):
		return spec.State(n)&mask != 0
	}
	return l.sets[l.depth[key]+1].of(l.hash(h, n))&l.bits[key] != 0
}

// hand is what successors are made in.
type hand[T any] struct {
	n, rep T
	spec   *checker.Spec[T]
	out    checker.Successors[T]

	all, alike, one, some []uint64 // sets of classes of instances
	causes                []uint64 // a set of instances
	enabled               []int32
}

func newHand[T any](spec *checker.Spec[T]) *hand[T] {
	h := &hand[T]{spec: spec}
	h.out.Skipped = make([]int64, len(spec.Actions))
	return h
}

// each shows the successors of s with the instances that lead to them, and the properties of steps that these break, if they are asked.
func (h *hand[T]) each(s *T, steps bool, show func(n *T, instance int, stepped uint64)) {
	h.out.N = 0
	h.out.Steps = nil
	if steps {
		h.out.Steps = h.spec.Steps
	}
	h.out.Full = func() {
		for k := range h.out.N {
			stepped := uint64(0)
			if h.out.Steps != nil {
				stepped = h.out.Broken[k]
			}
			show(&h.out.Node[k], int(h.out.Instance[k]), stepped)
		}
		h.out.N = 0
	}
	h.spec.Next(s, &h.out)
	h.out.Full()
}

// lead is a node that leads to violations.
type lead[T any] struct {
	hash, mask uint64
	node       padded[T]
}

// leadSet is a set of fingerprints with a mask each.
type leadSet[T any] struct {
	slots []leadSlot // a power of two, at most half of them in use
	used  int
	nodes []padded[T] // as long as there are few
}

type leadSlot struct{ hash, mask uint64 }

func (s *leadSet[T]) add(l *lead[T]) {
	if 2*s.used >= len(s.slots) {
		old := s.slots
		s.slots = make([]leadSlot, max(64, 2*len(old)))
		for _, x := range old {
			if x.mask != 0 {
				*s.at(x.hash) = x
			}
		}
	}
	x := s.at(l.hash)
	if x.mask == 0 {
		s.used++
		if s.used <= screened {
			s.nodes = append(s.nodes, l.node)
		}
	}
	x.hash, x.mask = l.hash, x.mask|l.mask
}

// of is the mask of a fingerprint, 0 where it is not in the set.
func (s *leadSet[T]) of(hash uint64) uint64 {
	if len(s.slots) == 0 {
		return 0
	}
	return s.at(hash).mask
}

// at is the place of a fingerprint.
func (s *leadSet[T]) at(hash uint64) *leadSlot {
	last := uint64(len(s.slots) - 1)
	for k := hash & last; ; k = (k + 1) & last {
		if x := &s.slots[k]; x.mask == 0 || x.hash == hash {
			return x
		}
	}
}

// screened is how many nodes are compared with those of the level before. More take as long as the steps that they spare.
const screened = 48

// screen tells of the nodes of a level by which instances a step may lead from them to one of a few others.
type screen[T any] struct {
	causes *checker.Causes[T]
	to     []padded[T]
	// Words in which these do not differ from each other, and in which they do.
	alike, apart *checker.Order
}

// sampled is how many nodes of a level say in which words nodes differ.
const sampled = 64

// screen is for the steps from a level; nil where there is none.
func (l *leads[T]) screen(a *again[T], chunks []*chunk, level int, causes *checker.Causes[T]) (*screen[T], error) {
	to := &l.sets[level+1]
	if causes == nil || to.used > screened {
		return nil, nil
	}
	x := &screen[T]{causes: causes, to: to.nodes}
	first := nodeWords(&x.to[0].node)
	alike, apart := make([]int, len(first)), make([]int, len(first))
	for w := range first {
		weight := alike
		for k := range x.to {
			if nodeWords(&x.to[k].node)[w] != first[w] {
				weight = apart
			}
		}
		weight[w] = 1
	}
	s := seeker[T]{arena: a.arena}
	defer s.leave()
	c := chunks[len(chunks)/2]
	if err := s.enter(c); err != nil {
		return nil, err
	}
	for k := range min(c.nodes, sampled) {
		n, err := s.to(c.first + int64(k))
		if err != nil {
			return nil, err
		}
		for w, x := range nodeWords(n) {
			if x != first[w] {
				alike[w] += min(alike[w], 1)
				apart[w] += min(apart[w], 1)
			}
		}
	}
	x.alike, x.apart = causes.Order(alike), causes.Order(apart)
	return x, nil
}

// nodeWords is a node of a padded, in words: behind it are zeros.
func nodeWords[T any](n *T) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(n)), (unsafe.Sizeof(*n)+7)/8)
}

// causesOf are the instances that may lead from n on.
func (x *screen[T]) causesOf(h *hand[T], n *T) []uint64 {
	if h.causes == nil {
		h.alike, h.one, h.some = x.causes.All(), x.causes.All(), x.causes.All()
		h.causes = make([]uint64, (len(h.spec.Instances)+63)/64)
		h.all = x.causes.All()
	}
	words := nodeWords(n)
	copy(h.alike, h.all)
	x.causes.Narrow(h.alike, words, nodeWords(&x.to[0].node), x.alike)
	clear(h.some)
	for k := range x.to {
		for w := range h.one {
			h.one[w] = h.alike[w] &^ h.some[w]
		}
		x.causes.Narrow(h.one, words, nodeWords(&x.to[k].node), x.apart)
		for w := range h.one {
			h.some[w] |= h.one[w]
		}
	}
	clear(h.causes)
	x.causes.Instances(h.some, h.causes)
	return h.causes
}

// leading goes through what leads to the violations of a group.
type leading[T any] struct {
	*leads[T]
	key groupKey
}

// layerBytes is what the nodes of a layer of what leads to a violation may take.
const layerBytes = 256 << 20

// fewest is a shortest counterexample of a group, by its first node and instances, with the fewest changes of the acting server; below is
// what it has to cost less than. It is found is false where there is none.
func (l *leads[T]) fewest(key groupKey, below int) (init T, instances []int, found bool) {
	bit := l.bits[key]
	if l.depth[key] < 0 {
		return init, nil, false
	}
	defer func() {
		if recover() != nil { // a step that was never taken before
			found = false
		}
	}()
	s := &search[T]{run: l.run, by: &leading[T]{l, key}, length: l.depth[key], below: below}
	for k, in := range l.run.spec.Instances {
		s.instances, s.servers = append(s.instances, k), append(s.servers, in.Server)
	}
	l.run.spec.Init(func(n *T) bool {
		if l.sets[0].of(checker.Hash(l.run.represent(*n)))&bit != 0 {
			s.roots = append(s.roots, *n)
		}
		return true
	})
	widest := max(wayLimit, min(1<<20, layerBytes/int(unsafe.Sizeof(init))))
	for _, s.width = range [...]int{wayTrial, widest} {
		s.cut = false
		if root, better, ok := s.find(); ok {
			init, instances, found = s.roots[root], better, true
		}
		if !s.cut {
			break
		}
	}
	return init, instances, found
}

// moves are the steps that lead on.
func (l *leading[T]) moves(s *search[T], at int, now *layer[T]) {
	found := make([][]try, len(now.places))
	next, bit := &l.sets[at+1], l.bits[l.key]
	s.share(len(now.places), func(x int, h *hand[T]) {
		h.each(&now.nodes[x], false, func(n *T, instance int, _ uint64) {
			if next.of(l.hash(h, n))&bit != 0 {
				found[x] = append(found[x], try{origin: origin{x, instance}, place: place{hash: checker.Hash(n)}})
			}
		})
	})
	for _, f := range found {
		s.tries = append(s.tries, f...)
	}
}

// ends are the steps that break the group's invariant.
func (l *leading[T]) ends(s *search[T], now *layer[T]) [][]int {
	found := make([][]int, len(now.places))
	if l.key.invariant < 0 {
		for x := range found {
			found[x] = []int{endHere}
		}
		return found
	}
	s.share(len(now.places), func(x int, h *hand[T]) {
		h.each(&now.nodes[x], true, func(n *T, instance int, stepped uint64) {
			if l.run.spec.Instances[instance].Action == l.key.action && l.breaks(h, n, stepped, l.key) {
				found[x] = append(found[x], instance)
			}
		})
	})
	return found
}

func (l *leading[T]) left(*taken) servers { return 0 }
