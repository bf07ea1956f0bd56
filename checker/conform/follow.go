package conform

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/walks"
	"github.com/multigrain/multigrain/modules"
)

// What it computes. What follows from a difference: invariants that the implementation breaks after
// it departed from the specification.
//
// Why it is right. After a step the walk stands in the state that the adapter observed. Variables
// that it does not observe have the values that the specification's step gives them. The next step
// is one whose guard holds in that state, so it is one that a client, the network or a server would
// take there. What the implementation does with it is observed again. So each state of such a walk
// is one that the implementation was in, and an invariant that reads observed variables alone is
// judged on the implementation and not on the specification.
//
// What it costs. A walk with equal states costs what it costs without Follow. After a difference
// each step costs an evaluation of the invariants.
//
// Example. A leader commits an entry of an older term by counting. The specification does not:
//
//	step 31   Commit[2] is 3, and 2 in the specification     the walk departs here
//	step 32   Timeout(I: 0)                                  continues with Commit[2] = 3
//	step 40   StateMachineSafety is violated                 the walk ends

// Follow says that walks continue after a difference, with what the implementation has.
type Follow struct {
	// Started are the places of Changed that ran before the first walk, such as those of functions
	// that initialise a package. They count in every run.
	Started []uint32
	// Judges returns the mask of the composition's invariants that are judged once a walk has
	// departed. They must read variables only that the adapter observes, and no part of them that
	// it borrows: see Borrower.
	Judges func(observed, borrowed []string) uint64
	// Changed are the places of the changed code, with what ran so far; nil where it is not noted.
	Changed *checker.Branches
	// Least is how many walks are taken at least. The run ends when all of Changed ran. No
	// place and no branch of the specification was new then in as many walks as were taken until
	// the last new one.
	Least int64
	// Share says that other runs follow. A run in which no walk departs ends after this time,
	// within Options.Timeout. It also ends where some of Changed did not run. 0: none follows.
	Share time.Duration
	// Shared are differences that are none of the change's. Walks continue after them as after an
	// equal step.
	Shared []Departure
	// First ends the run after the first walk that departs.
	First bool
	// Begin are the instances of a walk that departs, from the first initial node. All walks
	// begin like it. Nil: there is none.
	Begin []int32
	// Ahead lets a walk that has departed go to states in which an invariant is broken: see package
	// ahead. It is how many states of the specification a search for them expands. Such a walk ends
	// when an invariant is broken. 0: weights draw its steps.
	Ahead int
	// Rehearse is how many walks of the specification alone are taken, from which a guided strategy
	// chooses those that come first. It is for implementations whose walks take seconds. 0: none.
	Rehearse int64
	// Always lets Replay judge invariants from the first step on, whether the behaviour departs or
	// not.
	Always bool
	// Equal has what ran before the first difference of each walk, as Changed.Taken has what ran in
	// all. It is only set for a Coded adapter.
	Equal []uint32

	mask uint64 // that Judges returned
}

// Departure names a difference by the action after which it shows, and by the variable, whatever
// its index.
type Departure struct{ Action, Variable string }

// Violation is an invariant that the implementation breaks after it departed.
type Violation[T any] struct {
	// Invariant is its number, or -1 for a panic of the implementation.
	Invariant int
	// Message is the text of a panic, Frames the functions that were being called, the innermost
	// first.
	Message string
	Frames  []string
	// Trace has the states of the implementation. Departed is the number of the step after which it
	// first differs from the specification, from 1.
	Trace    checker.Trace[T]
	Departed int
	Values   []Value // that differ after it
	Beside   string  // what the implementation has there that no variable has, of a BesideError
	Walk     int64   // its number, from 1
	Length   int     // before shrinking, in steps
	Minimal  bool    // no single step can be left out
	Count    int64   // walks that broke the invariant
	Log      []string
}

// mostPrefixes bounds how many walks that depart are kept, for others to begin with.
const mostPrefixes = 256

// following holds the differences of a run and their consequences.
type following struct {
	prefixes []prefix
	broken   []*brokenGroup
	ran      int   // places of the changed code that ran
	newest   int64 // walks that were taken when the last of them was new
	departed int64 // walks that departed
	enough   bool
	branches int // of the specification that were taken
}

// prefix is the start of a walk, up to the step that departs.
type prefix struct {
	init  int
	steps []int32
}

// brokenGroup is the walks that broke an invariant, with the shortest of them.
type brokenGroup struct {
	invariant int
	walk      int64
	init      int
	steps     []int32
	count     int64
	held      any // as of a record
	departed  int
}

// shared reports whether a deviation is none of the change's.
func (f *Follow) shared(action string, d *deviation) bool {
	return slices.Contains(f.Shared, Departure{action, d.name()})
}

// departs notes the deviation of a walk's last step, unless it is known or shared, and lets the
// walk stand where the implementation does. It reports whether the walk continues.
func (w *worker[S, U]) departs(rec *record, known bool) bool {
	if !rec.deviation.followed() { // after a departure
		if rec.deviation.kind == Panic {
			rec.breaks(panics)
		}
		rec.deviation = nil
		return false
	}
	instance := w.test.spec.Instances[rec.steps[len(rec.steps)-1]]
	action := w.test.spec.Actions[instance.Action].Name
	if rec.departure == nil && !known && !w.run.opt.Follow.shared(action, rec.deviation) {
		rec.departure, rec.departed, rec.held = rec.deviation, len(rec.steps), w.trail.held()
	}
	rec.deviation, rec.unequal = nil, true
	w.outlook.departed(w.walk.Node(), rec.departure != nil)
	w.test.vars.take(&w.walk.Node().State, &w.test.have)
	w.trail.correct(w.walk.Node())
	return true
}

// judge notes the invariants that the last step of a walk breaks first, once the walk has departed.
func (w *worker[S, U]) judge(rec *record) {
	if rec.departure == nil || rec.deviation != nil {
		return
	}
	defer func() {
		if recover() != nil { // an invariant fails in a state that the specification does not have
			rec.strange = true
		}
	}()
	mask := w.test.judge(w.run.opt.Follow.mask, w.walk.Before(), w.walk.Node(), int(rec.steps[len(rec.steps)-1]))
	for mask &^= rec.brokenMask; mask != 0; mask &= mask - 1 {
		rec.breaks(bits.TrailingZeros64(mask))
		last := &rec.broken[len(rec.broken)-1]
		last.held, last.departed = w.trail.held(), rec.departed
	}
	w.outlook.took(int(rec.steps[len(rec.steps)-1]))
}

// breaks notes that the last step of a walk breaks an invariant, or panics.
func (rec *record) breaks(invariant int) {
	if invariant < noInvariant {
		rec.brokenMask |= 1 << invariant
	}
	rec.broken = append(rec.broken, brokenAt{invariant: invariant, steps: len(rec.steps)})
}

// brokenAt is an invariant and the number of the step that breaks it.
type brokenAt struct {
	invariant, steps int
	held             any // as of a record
	departed         int
}

// judge returns the mask of invariants that a step of the implementation breaks.
func (t *tester[S, U]) judge(judged uint64, before, after *checker.Node[S, U], instance int) (mask uint64) {
	if t.spec.State != nil {
		mask = t.spec.State(after)
	}
	if t.spec.Steps != nil {
		mask |= t.spec.Steps(before, after, instance)
	}
	return mask & judged
}

// begun returns what takes the steps of a walk that begins as an earlier one that departed, or nil
// for a walk that is new from its start. Three of four walks begin so once there are some, and all
// with Follow.Begin.
func (w *worker[S, U]) begun(number int64, rec *record, rng *rand.Rand) (next func() (int, error)) {
	f := &w.run.following
	if w.run.opt.Follow == nil || len(f.prefixes) == 0 || rng.IntN(4) == 0 && w.run.opt.Follow.Begin == nil {
		return nil
	}
	w.walk.By(nil)
	rec.plain = true
	p := f.prefixes[rng.IntN(len(f.prefixes))]
	for range 2 { // of three, the shortest
		if other := f.prefixes[rng.IntN(len(f.prefixes))]; len(other.steps) < len(p.steps) {
			p = other
		}
	}
	rec.init, rec.begun = p.init, len(p.steps)
	w.walk.StartAt(p.init)
	steps := p.steps
	return func() (int, error) {
		for len(steps) > 0 {
			k := int(steps[0])
			steps = steps[1:]
			if ok, err := w.walk.Do(k); err != nil || ok {
				return k, err
			}
		}
		return w.walk.Step(rng)
	}
}

// followed takes in a walk that departed.
func (r *run[S, U]) followed(number int64, rec *record) {
	f := &r.following
	f.departed++
	first := *rec
	first.steps, first.deviation = rec.steps[:rec.departed], rec.departure
	r.deviates(number, &first)
	if len(f.prefixes) < mostPrefixes {
		f.prefixes = append(f.prefixes, prefix{rec.init, slices.Clone(first.steps)})
	}
	for _, x := range rec.broken {
		k := slices.IndexFunc(f.broken, func(g *brokenGroup) bool { return g.invariant == x.invariant })
		if k < 0 {
			k = len(f.broken)
			f.broken, f.newest = append(f.broken, &brokenGroup{invariant: x.invariant}), number
		}
		g := f.broken[k]
		if g.count++; g.count == 1 || x.steps < len(g.steps) {
			g.walk, g.init, g.steps, g.held, g.departed = number, rec.init, slices.Clone(rec.steps[:x.steps]), x.held, x.departed
		}
	}
}

// Values that stand for no invariant: nothing is broken, or the implementation panics.
const (
	noInvariant = 64
	panics      = 65
)

// followEnough reports whether the walks of a run that follows say enough: an invariant is broken,
// or all of the changed code ran and walks show nothing new.
func (r *run[S, U]) followEnough() bool {
	f, opt := &r.following, r.opt.Follow
	if opt == nil {
		return false
	}
	if opt.First && f.departed > 0 {
		f.enough = true
		return true
	}
	taken := r.res.Traces + r.res.Undriven
	if opt.Changed != nil {
		if ran := opt.Changed.Count(); ran > f.ran {
			f.ran, f.newest = ran, taken
		}
	}
	if n := r.branches.count(); n > f.branches && f.departed == 0 {
		f.branches, f.newest = n, taken
	}
	switch {
	case f.departed > 0: // a broken state is searched for as long as there is time
		f.enough = r.statesBroken() && taken >= max(2*f.newest, opt.Least)
	case opt.Share > 0 && r.spent() >= opt.Share:
		f.enough = true
	case opt.Changed != nil && (f.ran == opt.Changed.Of() || opt.Share > 0):
		f.enough = taken >= opt.Least && taken >= 2*f.newest
	}
	return f.enough
}

// spent returns the time of the run, as Options.Timeout counts it.
func (r *run[S, U]) spent() time.Duration {
	if r.Clock != nil {
		return r.Clock()
	}
	return host.Since(r.start)
}

// statesBroken reports whether a walk broke an invariant of states, or panicked.
func (r *run[S, U]) statesBroken() bool {
	return slices.ContainsFunc(r.following.broken, func(g *brokenGroup) bool {
		return g.invariant == panics || r.c.Bound.Invariants[g.invariant].Kind == modules.KindState
	})
}

// follow does a behaviour from its start with the implementation as the model. Done has the states
// of the implementation. It ends at the step that breaks the invariant until. It returns the number
// of the first step that departs, 0 for none, that invariant or noInvariant, and what else ended
// the behaviour.
func (t *tester[S, U]) follow(opt *Follow, until int, init *checker.Node[S, U], steps []int32, done *[]checker.Step[checker.Node[S, U]]) (departed, broken int, end *deviation) {
	*done = (*done)[:0]
	t.journal.begin(0, bytesOf(init))
	if d := t.start(&init.State); d != nil {
		return 0, noInvariant, d
	}
	before := *init
	for _, k := range steps {
		if t.halted != nil && t.halted() {
			return departed, noInvariant, &deviation{kind: cut, message: "interrupted"}
		}
		if !t.spec.Enabled(&before, int(k)) {
			continue
		}
		*done = append(*done, checker.Step[checker.Node[S, U]]{Instance: int(k), Node: before})
		after := &(*done)[len(*done)-1].Node
		t.spec.Apply(&before, after, int(k))
		if t.leaves(after) {
			*done = (*done)[:len(*done)-1]
			continue
		}
		t.announce(len(*done), int(k))
		if d := t.step(int(k), &before.State, &after.State); d != nil {
			action := t.spec.Actions[t.spec.Instances[k].Action].Name
			if !d.followed() {
				return departed, noInvariant, d
			}
			if departed == 0 && !opt.shared(action, d) {
				departed, t.departure = len(*done), d
			}
			t.vars.take(&after.State, &t.have)
		}
		if departed > 0 && t.judge(opt.mask, &before, after, int(k))>>until&1 != 0 {
			return departed, until, nil
		}
		before = *after
	}
	return departed, noInvariant, nil
}

// departedAs notes what differs after the step that departs.
func (v *Violation[T]) departedAs(d *deviation) {
	if v.Values = d.values; d.beside {
		v.Beside = d.message
	}
}

// violations shrinks the walks that broke invariants.
func (r *run[S, U]) violations() error {
	t := r.workers[0].test
	for _, g := range r.following.broken {
		if steps, ok := g.held.([]checker.Step[checker.Node[S, U]]); ok {
			r.res.Violations = append(r.res.Violations, Violation[checker.Node[S, U]]{
				Invariant: g.invariant, Departed: g.departed, Walk: g.walk, Length: len(g.steps), Count: g.count,
				Trace: checker.Trace[checker.Node[S, U]]{Init: r.starts[g.init], Steps: steps},
			})
			continue
		}
		x := &followShrinker[S, U]{t: t, opt: r.opt.Follow, init: r.starts[g.init], invariant: g.invariant, left: shrinkSteps, halted: func() bool { return r.opt.Context.Err() != nil }}
		if !x.attempt(g.steps) {
			return &UnstableError{g.walk, r.nameOf(g.invariant)}
		}
		walks.Shorten(func() int { return len(x.best) }, x.without, func() bool { return x.left > 0 }, nil)
		v := Violation[checker.Node[S, U]]{
			Invariant: g.invariant, Departed: x.departed, Walk: g.walk, Length: len(g.steps), Minimal: x.left > 0, Count: g.count,
			Trace: checker.Trace[checker.Node[S, U]]{Init: x.init, Steps: slices.Clone(x.best)},
			Log:   t.logging(func() { t.follow(x.opt, x.invariant, &x.init, instancesOf(x.best), &x.spare) }),
		}
		if x.at != nil {
			v.departedAs(x.at)
		}
		if x.end != nil {
			v.Invariant, v.Message, v.Frames = -1, x.end.message, x.end.frames
		}
		r.res.Violations = append(r.res.Violations, v)
	}
	r.res.Departed = r.following.departed
	slices.SortStableFunc(r.res.Violations, func(a, b Violation[checker.Node[S, U]]) int { return r.rank(a.Invariant) - r.rank(b.Invariant) })
	return nil
}

// rank orders what is broken: invariants of states, then panics, then other properties.
func (r *run[S, U]) rank(invariant int) int {
	switch {
	case invariant < 0:
		return 1
	case r.c.Bound.Invariants[invariant].Kind == modules.KindState:
		return 0
	}
	return 2
}

// nameOf names what a walk breaks.
func (r *run[S, U]) nameOf(broken int) string {
	if broken == panics {
		return string(Panic)
	}
	return r.c.Bound.Invariants[broken].Name()
}

// begin says which invariants are judged, and forgets what ran.
func (f *Follow) begin(observed, borrowed []string) {
	if f.mask = 0; f.Judges != nil {
		f.mask = f.Judges(observed, borrowed)
	}
	if f.Changed != nil {
		clear(f.Changed.Taken)
		copy(f.Changed.Taken, f.Started)
	}
}

// followShrinker makes a walk that breaks an invariant shorter: see shrinker.
type followShrinker[S any, U checker.Counters] struct {
	t           *tester[S, U]
	opt         *Follow
	init        checker.Node[S, U]
	invariant   int
	best, spare []checker.Step[checker.Node[S, U]]
	departed    int
	at          *deviation // of the step that departs
	end         *deviation // a panic; nil where an invariant is broken
	left        int
	halted      func() bool
}

// attempt does steps and keeps them if they break the invariant.
func (x *followShrinker[S, U]) attempt(steps []int32) (ok bool) {
	defer func() {
		if recover() != nil { // the specification fails in a state to which no walk came
			ok = false
		}
	}()
	departed, broken, end := x.t.follow(x.opt, x.invariant, &x.init, steps, &x.spare)
	x.left -= len(x.spare) + 1
	if end != nil && end.kind == Panic && departed > 0 {
		broken = panics
	}
	if broken != x.invariant {
		return false
	}
	x.best, x.spare, x.departed, x.at, x.end = x.spare, x.best, departed, x.t.departure, end
	return true
}

func (x *followShrinker[S, U]) without(from, to int) bool {
	if x.halted() {
		x.left = 0
		return false
	}
	return x.attempt(slices.Concat(instancesOf(x.best[:from]), instancesOf(x.best[to:])))
}

func instancesOf[T any](steps []checker.Step[T]) (out []int32) {
	for k := range steps {
		out = append(out, int32(steps[k].Instance))
	}
	return out
}
