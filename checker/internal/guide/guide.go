// Package guide keeps the walks that reach new coverage and makes new walks from them, as a
// fuzzer does with inputs (Zalewski, AFL). Packages simulate and conform take the walks.
//
// # Coverage
//
// A walk has features: numbers that stand for what it came across. Two kinds come from every
// state of a walk. The first is the set of enabled instances, a view of the state that an
// observer of guards has. The second is a step from one set of enabled actions to another, with
// its action. Goals that a walk reaches are features, too, and so are
// waypoints, which it meets one after the other. A walk that has a feature that no
// earlier walk had is kept, up to the step that reached the last new feature. So are actions that
// walks are guided to, and branches of the specification and of an implementation.
//
// # New walks
//
// A part of the walks is random from the start. Any other walk takes one of the kept ones,
// changes it, does its steps, and is random from there on. Of three kept walks that are drawn,
// the one is taken whose rarest feature was met least often. Where there are waypoints, every
// second time the three are drawn among those that met the most of them. Every fourth time one of
// these is not changed, and ends where it met the last waypoint. Others are changed in one of three
// forms. A walk ends at a random place, a run of its steps is left out, or the end of another
// kept walk follows its start. Steps that are not enabled any more are left out.
//
// # The same seed, the same walks
//
// A corpus changes only in Learn. Callers take walks in rounds of Round walks with a frozen
// corpus, and let it learn from them in the order of their numbers. Then what is kept does not
// depend on the number of workers.
package guide

import (
	"math/rand/v2"
	"slices"
)

// What it computes. A corpus of walks that reached new coverage, and from it the plans of new
// walks.
//
// Why it is right. Every walk that follows a plan is a behaviour: steps that are not enabled are
// left out, and the rest is drawn at random. So whatever a walk finds is true. Guidance only
// changes which behaviours come first, and promises nothing about what is not found.
//
// What it costs. A feature costs one look-up in a map. A kept walk costs four bytes for each step.
// Drawing a plan compares three kept walks.
//
// Example. Walk 1 reaches the new feature f in step 3 of 50. The corpus keeps its first three
// steps:
//
//	kept     a b c
//	plans    a b           then random: a shorter start
//	         a c           then random: a run left out
//	         a b c d e     the end of another kept walk follows

// Round is how many walks are taken with the same corpus.
const Round = 64

// Limits of a corpus.
const (
	mostKept     = 1 << 14
	mostFeatures = 1 << 22
)

// Feature is something that a walk came across after a number of its steps.
type Feature struct {
	Hash uint64
	At   int
	// Waypoints is how many waypoints the walk has met with this one; 0 for another feature.
	Waypoints int
}

// Corpus holds the walks that are kept.
type Corpus struct {
	fresh float64
	kept  []kept
	// far are the kept walks that met the most waypoints: most of them.
	far  []far
	most int
	met  map[uint64]uint32 // features, with how many walks had each
}

// kept is a walk that reached new features.
type kept struct {
	start int
	steps []int32
	rare  []uint64 // the features that were new
}

// far is a kept walk, by number, and its steps up to the last waypoint that it met.
type far struct{ kept, steps int }

// New returns an empty corpus. Fresh is the share of walks that are random from the start, from
// 0 to 1.
func New(fresh float64) *Corpus { return &Corpus{fresh: fresh, met: map[uint64]uint32{}} }

// Kept returns how many walks are kept.
func (c *Corpus) Kept() int { return len(c.kept) }

// Met returns the most waypoints that a walk met.
func (c *Corpus) Met() int { return c.most }

// Features returns how many features walks had.
func (c *Corpus) Features() int { return len(c.met) }

// Plan is how a walk begins.
type Plan struct {
	Start int     // number of the initial state; -1: any
	Steps []int32 // instances to do where they are enabled
}

// Plan draws how a walk begins. It does not change the corpus.
func (c *Corpus) Plan(rng *rand.Rand) Plan {
	if len(c.kept) == 0 || rng.Float64() < c.fresh {
		return Plan{Start: -1}
	}
	if c.most > 0 && rng.IntN(4) == 0 { // on from the last waypoint
		f := c.far[rng.IntN(len(c.far))]
		return Plan{c.kept[f.kept].start, c.kept[f.kept].steps[:f.steps]}
	}
	k := c.pick(rng)
	steps := k.steps
	if len(steps) == 0 {
		return Plan{Start: k.start}
	}
	switch rng.IntN(3) {
	case 0: // another continuation
		steps = steps[:1+rng.IntN(len(steps))]
	case 1: // without a run of steps
		from := rng.IntN(len(steps))
		to := min(len(steps), from+1+rng.IntN(4))
		steps = join(steps[:from], steps[to:])
	default: // with the end of another walk
		end := c.pick(rng).steps
		steps = join(steps[:rng.IntN(len(steps)+1)], end[rng.IntN(len(end)+1):])
	}
	return Plan{k.start, steps}
}

// join returns the elements of two slices in new memory.
func join(a, b []int32) []int32 { return append(append(make([]int32, 0, len(a)+len(b)), a...), b...) }

// pick draws three kept walks and returns the one with the rarest feature.
func (c *Corpus) pick(rng *rand.Rand) (best *kept) {
	least := uint32(0)
	far := c.most > 0 && rng.IntN(2) == 0
	for range 3 {
		var k *kept
		if far {
			k = &c.kept[c.far[rng.IntN(len(c.far))].kept]
		} else {
			k = &c.kept[rng.IntN(len(c.kept))]
		}
		if n := c.rarity(k); best == nil || n < least {
			best, least = k, n
		}
	}
	return best
}

// rarity returns how many walks had the rarest of the features for which a walk is kept.
func (c *Corpus) rarity(k *kept) uint32 {
	least := ^uint32(0)
	for _, f := range k.rare {
		least = min(least, c.met[f])
	}
	return least
}

// Learn takes a walk with its features, each once. It reports whether the walk is kept.
func (c *Corpus) Learn(start int, steps []int32, features []Feature) bool {
	var rare []uint64
	last, met, at := 0, 0, 0
	for _, f := range features {
		if f.Waypoints > met {
			met, at = f.Waypoints, min(f.At, len(steps))
		}
		n, known := c.met[f.Hash]
		switch {
		case known:
			c.met[f.Hash] = n + min(1, ^uint32(0)-n)
		case len(c.met) < mostFeatures:
			c.met[f.Hash] = 1
			rare, last = append(rare, f.Hash), max(last, f.At)
		}
	}
	if len(rare) == 0 || len(c.kept) == mostKept {
		return false
	}
	if met > c.most {
		c.far, c.most = nil, met
	}
	if met == c.most && met > 0 {
		c.far = append(c.far, far{len(c.kept), at})
		last = max(last, at)
	}
	c.kept = append(c.kept, kept{start, append([]int32(nil), steps[:min(last, len(steps))]...), rare})
	return true
}

// Observer collects the features of a walk, one state after another.
type Observer struct {
	instances []instance
	features  []Feature
	seen      map[uint64]bool
	before    uint64 // the set of enabled actions at the last state that was observed
	passed    uint64 // the actions since then
	step      int
}

// instance holds what an observer knows of an instance.
type instance struct {
	action      int32
	key, summed uint64
}

// NewObserver returns an observer for instances of these actions, by number of the instance.
func NewObserver(actions []int) *Observer {
	o := &Observer{seen: map[uint64]bool{}}
	for k, a := range actions {
		o.instances = append(o.instances, instance{int32(a), scramble(uint64(k)<<1 | 1), scramble(uint64(a+1) << 1)})
	}
	return o
}

// Begin begins a walk.
func (o *Observer) Begin() {
	clear(o.seen)
	o.features, o.before, o.passed, o.step = o.features[:0], 0, 0, 0
}

// Passed notes a step to a state that is not observed.
func (o *Observer) Passed(by int) {
	o.step++
	o.passed = scramble(o.passed ^ o.instances[by].summed)
}

// At observes a state by its enabled instances, in ascending order, and the step that led to it,
// -1 at the start. Instances of one action stand together.
func (o *Observer) At(enabled []int32, by int) {
	var view, set uint64
	last := int32(-1)
	for _, k := range enabled {
		x := &o.instances[k]
		view += x.key
		if x.action != last {
			last = x.action
			set += x.summed
		}
	}
	if by >= 0 {
		o.Passed(by)
		o.add(scramble(o.before ^ scramble(set+o.passed*3)))
	}
	o.add(scramble(view))
	o.before, o.passed = set, 0
}

// Goal notes that the walk has reached a set of goals with its last step, as a mask.
func (o *Observer) Goal(reached uint64) {
	hash := scramble(^scramble(reached))
	if !o.seen[hash] {
		o.seen[hash] = true
		o.features = append(o.features, Feature{Hash: hash, At: o.step + 1})
	}
}

// Waypoint notes that the walk has met a waypoint with its last step, after which it has met so
// many.
func (o *Observer) Waypoint(met int) {
	hash := scramble(scramble(uint64(met)) + 1)
	o.seen[hash] = true
	o.features = append(o.features, Feature{hash, o.step + 1, met})
}

// Branch adds a branch that a walk took, by its number, with a step. Branches are not known before
// a walk has ended.
func Branch(features []Feature, branch, step int) []Feature {
	return append(features, Feature{Hash: scramble(scramble(uint64(branch)) + 2), At: step})
}

// Aim notes that the walk takes an action, by its number, that walks are guided to.
func (o *Observer) Aim(action int) {
	hash := scramble(scramble(uint64(action)) + 3)
	if !o.seen[hash] {
		o.seen[hash] = true
		o.features = append(o.features, Feature{Hash: hash, At: o.step + 1})
	}
}

// add adds a feature at the current step.
func (o *Observer) add(hash uint64) {
	if !o.seen[hash] {
		o.seen[hash] = true
		o.features = append(o.features, Feature{Hash: hash, At: o.step})
	}
}

// Features returns the features of the walk, which are valid until the next one begins.
func (o *Observer) Features() []Feature { return o.features }

// scramble spreads a number over 64 bits (Steele, Lea and Flood, OOPSLA 2014: splitmix64).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Walker draws the steps of walks: planned ones first, then random ones. It may not be used by
// several goroutines at once.
type Walker struct {
	*Observer
	corpus   *Corpus
	weights  []float64 // by action
	rng      *rand.Rand
	planned  []int32
	last     int
	steps    int
	observed bool // the state where the walk stands
}

// NewWalker returns a walker for a composition, given the actions of its instances by number and
// the weights of its actions. No action has a negative weight.
func NewWalker(c *Corpus, actions []int, weights []float64) *Walker {
	return &Walker{Observer: NewObserver(actions), corpus: c, weights: weights}
}

// Begin begins a walk and returns the number of the initial state, -1 for any.
func (w *Walker) Begin(rng *rand.Rand) (start int) { return w.BeginWith(w.corpus.Plan(rng), rng) }

// BeginWith is Begin with a plan.
func (w *Walker) BeginWith(plan Plan, rng *rand.Rand) (start int) {
	w.Observer.Begin()
	w.rng, w.planned, w.last, w.steps, w.observed = rng, plan.Steps, -1, 0, false
	return plan.Start
}

// Draw returns one of the enabled instances, which are in ascending order, or -1 if all have
// weight 0. It may be asked again at the same state if the instance is refused.
func (w *Walker) Draw(enabled []int32) int {
	if !w.observed {
		w.At(enabled, w.last)
		w.observed = true
	}
	for len(w.planned) > 0 {
		k := w.planned[0]
		w.planned = w.planned[1:]
		if _, ok := slices.BinarySearch(enabled, k); ok {
			return int(k)
		}
	}
	total := 0.0
	for from := 0; from < len(enabled); from = w.end(enabled, from) {
		total += w.weights[w.instances[enabled[from]].action]
	}
	if total == 0 {
		return -1
	}
	x, drawn := float64(w.rng.Float64()*total), -1
	for from := 0; from < len(enabled); from = w.end(enabled, from) {
		weight := w.weights[w.instances[enabled[from]].action]
		if weight == 0 {
			continue
		}
		drawn = from // the last one, if the sum was rounded upwards
		if x < weight {
			break
		}
		x -= weight
	}
	return int(enabled[drawn+w.rng.IntN(w.end(enabled, drawn)-drawn)])
}

// end returns the place after the enabled instances of the action that begins at a place.
func (w *Walker) end(enabled []int32, from int) int {
	to := from + 1
	for to < len(enabled) && w.instances[enabled[to]].action == w.instances[enabled[from]].action {
		to++
	}
	return to
}

// Took says that the walk took a drawn instance.
func (w *Walker) Took(instance int) {
	if !w.observed && w.last >= 0 {
		w.Passed(w.last)
	}
	w.last, w.observed = instance, false
	w.steps++
}

// stride is the distance of states that are observed, where others can be skipped. Conformance
// asks all guards at these only, which keeps it fast.
const stride = 3

// Skips reports whether the walk must not compute the set of enabled instances at this state, to
// save time. That is so at two of three states. The caller then attempts the steps that Planned
// returns, and draws by weights if none of them is enabled.
func (w *Walker) Skips() bool { return w.steps%stride != 0 }

// Planned returns the next planned step, -1 if there is none.
func (w *Walker) Planned() int {
	if len(w.planned) == 0 {
		return -1
	}
	k := w.planned[0]
	w.planned = w.planned[1:]
	return int(k)
}
