package conform

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/cover"
	"github.com/multigrain/multigrain/checker/internal/held"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/checker/internal/walks"
)

// What it computes. Random walks of the specification, each done step by step on the
// implementation. The result has the differences, grouped by name, with the shortest walk of each
// group, and what the walks covered.
//
// Why it is right. A walk takes enabled steps only, so it is a behaviour of the specification.
// After each step all observed variables are compared as bytes. So a difference is a step after
// which the two sides disagree, and a walk without one agrees at every step. A step that could not
// be driven is no agreement: its walk is repeated once, and then the result is undecided. Walk n
// draws from a generator of its own, and records are merged by number. So the result does not
// depend on the number of workers if the implementation is deterministic.
//
// What it costs. A walk costs one start of the implementation, its steps on both sides, and one
// observation after each step. A round's records are in memory. Each difference costs up to
// shrinkSteps more steps, at most one difference for each group.
//
// Example. Two workers, Stop is 1. Walk 3 differs after its step 7.
//
//	worker 1   walk 1 ok    walk 3 differs
//	worker 2   walk 2 ok    walk 4 ok
//	merged     1, 2, 3      the run ends here: walk 4 does not count

// run is one conformance run. Walks are taken in rounds; between two, their records are merged in
// the order of the walks.
type run[S any, U checker.Counters] struct {
	walks.Runner
	c       Composition[S, U]
	opt     Options
	start   time.Time
	watch   *host.Stopwatch
	workers []*worker[S, U]
	records []record
	starts  []checker.Node[S, U]

	res       Result[checker.Node[S, U]]
	groups    []*group
	branches  branches
	following following
	cover     *cover.Cover                          // nil where walks are random
	by        simulate.Strategy[checker.Node[S, U]] // nil: weights draw the steps
	learning  simulate.Learning                     // nil where the strategy does not learn
	pending   []pending                             // walks of the round from which it will learn
	nextPoint int64
	elapsed   time.Duration // when the last of the merged walks ended

	traces, steps atomic.Int64 // for those who watch
}

// worker takes walks with an adapter of its own.
type worker[S any, U checker.Counters] struct {
	run    *run[S, U]
	walk   *simulate.Stepper[checker.Node[S, U]]
	drawer simulate.Drawer[checker.Node[S, U]] // nil: weights draw the steps
	test   *tester[S, U]
	left   map[LeftOut]int64 // in the walk that it takes; Count is 0 in the keys
	trail  trail[S, U]
	// outlook says where a walk that has departed goes.
	outlook outlook[S, U]
}

// mostUndriven limits Result.UndrivenNext.
const mostUndriven = 20

// record is the outcome of a walk.
type record struct {
	taken, cut        bool
	init              int
	steps             []int32
	refused, exceeded int64
	short             bool
	deviation         *deviation
	accepted          []int // the acceptances of the difference in which it ended
	undriven          *UndrivenError
	unstarted         bool // the next walk would not start either
	repeated          bool // done once more after a step that could not be driven
	left              map[LeftOut]int64
	err               error
	elapsed           time.Duration
	lesson            any  // for the strategy, where it learns
	ended             bool // no further step was drawn
	// Of a run that follows: the first difference, the number of the step that shows it, and the
	// invariants that later steps break.
	departure  *deviation
	departed   int
	broken     []brokenAt
	brokenMask uint64
	begun      int   // steps of an earlier walk with which it begins
	strange    bool  // no invariant can be judged in its last state
	plain      bool  // weights drew its steps, not the strategy
	held       any   // the states up to the departure, a trail; nil where it can be done again
	ran, equal []int // what ran in the walk, and before its first difference; see Follow.Equal
	unequal    bool  // it has a difference
	noted      []notedAt
	sums       held.Sums
}

// group is the walks that ended in deviations of one name, with the shortest of them.
type group struct {
	name      string
	walk      int64
	init      int
	steps     []int32
	deviation *deviation
	count     int64
	held      any // as of a record
}

// Run takes random walks of a composition and does them on an implementation. A limit or an
// interrupt makes the result undecided and is no error. The error is a *VersionError, a
// *simulate.WeightError, an *checker.SpecError of the specification, an *UnstableError, a
// *StuckError, or says why the adapter cannot be opened.
func Run[S any, U checker.Counters](c Composition[S, U], impl Implementation[S], opt Options) (Result[checker.Node[S, U]], error) {
	return RunWith(c, impl, opt, nil)
}

// RunWith is Run with the steps drawn by a strategy of package simulate, or by weight if it is nil.
// Options.Weights count as far as the strategy takes them into account; actions of weight 0 are
// never drawn. A strategy and Options.Cover exclude each other.
func RunWith[S any, U checker.Counters](c Composition[S, U], impl Implementation[S], opt Options, by simulate.Strategy[checker.Node[S, U]]) (Result[checker.Node[S, U]], error) {
	opt.complete()
	r := &run[S, U]{
		Runner: walks.Runner{Workers: opt.Workers, Number: opt.Number, Timeout: opt.Timeout, Context: opt.Context},
		c:      c, opt: opt, start: host.Now(), watch: host.NewStopwatch(min(opt.Workers, runtime.GOMAXPROCS(0))), nextPoint: 1, records: make([]record, roundTraces), by: by,
	}
	if opt.Most > 0 {
		r.Clock, r.Most = r.watch.Worked, opt.Most
	}
	r.learning, _ = by.(simulate.Learning)
	if opt.Progress != nil {
		r.Progress = func() { opt.Progress(Progress{r.traces.Load(), r.steps.Load(), host.Since(r.start)}) }
	}
	r.res.Verdict, r.res.Workers = checker.Undecided, opt.Workers
	r.res.Fired = make([]int64, len(c.Bound.Actions))
	r.res.Instances = make([]int64, len(c.Bound.Instances))
	var err error
	if r.res.Version, err = impl.Check(opt.Setup.Version); err != nil {
		return r.res, err
	}
	stuck := false
	defer func() {
		for _, w := range r.workers {
			if !stuck {
				w.test.adapter.Stop()
			}
		}
	}()
	for range opt.Workers {
		w, err := r.worker(impl)
		if err != nil {
			return r.res, err
		}
		r.workers = append(r.workers, w)
	}
	r.res.observe(r.workers[0].test.vars)
	if _, ok := r.workers[0].test.adapter.(Holder); ok && opt.Held && impl.Module != "" {
		r.res.Held = held.Sums{}
		for _, w := range r.workers {
			w.test.held = held.New(impl.Module)
		}
	}
	if f := opt.Follow; f != nil {
		var borrowed []string
		if x, ok := offered[Borrower](r.workers[0].test.adapter); ok {
			borrowed = x.Borrowed()
		}
		if noted, err := r.workers[0].test.coded(opt.Setup.Code); err != nil {
			return r.res, err
		} else if noted != nil {
			f.Changed = noted
		}
		f.begin(r.res.Observed, borrowed)
		if f.Begin != nil {
			r.following.prefixes = []prefix{{steps: f.Begin}}
		}
	}
	if x, ok := offered[Patient](r.workers[0].test.adapter); ok {
		r.opt.patience = max(r.opt.patience, x.Patience())
	}
	r.res.Version = r.workers[0].test.version(r.res.Version)
	if r.opt.Accepted, err = r.workers[0].test.acceptances(opt.Accepted, r.res.Version); err != nil {
		return r.res, err
	}
	for _, a := range r.opt.Accepted {
		r.res.Accepted = append(r.res.Accepted, AcceptedDifference{Name: a.Name})
	}
	stop := sync.OnceFunc(r.Watch())
	defer stop()
	why := ""
	if opt.Cover != "" {
		why, err = r.plan()
	}
	r.branches.start(opt.Branches) // no walk took what a plan has noted
	if err != nil || why != "" {
		r.res.Reason, r.res.Missing, r.res.Duration = why, r.branches.missing(), host.Since(r.start)
		return r.res, err
	}
	if err := r.rehearse(); err != nil {
		return r.res, err
	}
	complete, err := r.await(r.walk)
	stop()
	if stuck = errors.As(err, new(*StuckError)); stuck {
		// r is in use
		return Result[checker.Node[S, U]]{Verdict: checker.Undecided, Version: r.res.Version, Workers: opt.Workers}, err
	}
	r.finish(complete)
	if err == nil {
		err = r.found()
	}
	for _, w := range r.workers {
		err = cmp.Or(w.test.broken(), err)
	}
	r.res.Duration = host.Since(r.start)
	_, waited := r.watch.Read()
	r.res.Waited = r.watch.Before() + waited
	return r.res, err
}

func (r *Result[T]) observe(v interface{ lists() (a, b []string) }) {
	r.Observed, r.Unobserved = v.lists()
}

func (v *variables[S]) lists() (observed, unobserved []string) {
	for _, f := range v.fields {
		observed = append(observed, f.Name)
	}
	return observed, v.unobserved
}

func (r *run[S, U]) worker(impl Implementation[S]) (*worker[S, U], error) {
	walk, err := simulate.NewStepper(r.c.Bound, r.opt.Weights)
	if err != nil {
		return nil, err
	}
	r.starts = walk.Starts()
	test, err := newTester(r.c, impl, r.opt.Setup)
	if err != nil {
		return nil, err
	}
	test.journal = journalIn(r.opt.Journal, len(r.workers))
	w := &worker[S, U]{run: r, walk: walk, test: test}
	w.trail.begin(test.adapter, r.opt.Follow)
	if err := w.outlook.open(w); err != nil {
		return nil, err
	}
	if r.by != nil {
		w.drawer = r.by.Drawer()
		walk.By(w.drawer)
	}
	if x, ok := offered[Limited[S]](test.adapter); ok {
		walk.LeavesOut = func(instance int, before, after *checker.Node[S, U]) bool {
			return w.leavesOut(x, instance, before, after)
		}
	}
	return w, nil
}

// leavesOut reports whether the adapter cannot drive a step, and counts it.
func (w *worker[S, U]) leavesOut(x Limited[S], instance int, before, after *checker.Node[S, U]) bool {
	step := w.test.stepOf(instance, &before.State, &after.State)
	reason := x.LeavesOut(step)
	if reason != "" && w.left != nil {
		w.left[LeftOut{Action: step.Action, Reason: reason}]++
	}
	return reason != ""
}

// A StuckError says that the implementation does not come back from a step, or that the process
// has too much memory during a step. No adapter is stopped then.
type StuckError struct {
	Step   string        // with its parameters
	Since  time.Duration // for which it was waited
	Ending bool          // the walks are to end
	Memory uint64        // bytes of the process, if these are too many; else 0
}

func (e *StuckError) Error() string {
	switch {
	case e.Memory > 0:
		return fmt.Sprintf("the process has %d MiB at %s: the implementation, or the adapter, keeps too much", e.Memory>>20, e.Step)
	case !e.Ending:
		return fmt.Sprintf("the implementation does not come back from %s within %s: it blocks or runs without end, or the adapter waits for what does not happen; give it a deadline",
			e.Step, e.Since.Round(time.Second))
	}
	return fmt.Sprintf("the implementation does not come back from %s, for which it was given %s after the run was to end: it blocks, or the adapter waits for what does not happen; give it a deadline",
		e.Step, e.Since.Round(time.Second))
}

// await is do, or a *StuckError where the run is halted and a step does not return.
func (r *run[S, U]) await(do func() (bool, error)) (bool, error) {
	var complete bool
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		complete, err = do()
	}()
	if ended, stuck := r.attend(done); ended {
		return complete, err
	} else if stuck != nil {
		return false, stuck
	}
	halted := host.Now()
	calls := make([]uint64, len(r.workers))
	for k, w := range r.workers {
		calls[k] = w.test.call.Load()
	}
	for {
		select {
		case <-done:
			return complete, err
		case <-time.After(r.opt.patience):
			for k, w := range r.workers {
				call := w.test.call.Load()
				if call == calls[k] && call&calling != 0 {
					return false, &StuckError{Step: w.test.doing(call), Since: host.Since(halted), Ending: true}
				}
				calls[k] = call
			}
		}
	}
}

// attend waits until the walks are over, or must end. A step that takes too long, or a process that
// takes too much memory, is an error also without limits of the user's.
func (r *run[S, U]) attend(done <-chan struct{}) (ended bool, err error) {
	tick := time.NewTicker(min(time.Second, r.opt.patience))
	defer tick.Stop()
	calls, since := make([]uint64, len(r.workers)), make([]time.Time, len(r.workers))
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for {
		select {
		case <-done:
			return true, nil
		case <-r.Halting():
			return false, nil
		case <-tick.C:
			metrics.Read(sample)
			used := sample[0].Value.Uint64()
			for k, w := range r.workers {
				call := w.test.call.Load()
				if call != calls[k] {
					calls[k], since[k] = call, host.Now()
				}
				if call&calling == 0 {
					continue
				}
				if used > r.opt.memory {
					return false, &StuckError{Step: w.test.doing(call), Memory: used}
				}
				if waited := host.Since(since[k]); waited > Hangs*r.opt.patience {
					return false, &StuckError{Step: w.test.doing(call), Since: waited}
				}
			}
		}
	}
}

// walk reports whether everything that was asked for was done.
func (r *run[S, U]) walk() (complete bool, err error) {
	if stopped, err := r.Run(r, r.size); r.following.enough {
		return true, err
	} else if stopped || err != nil {
		r.unlook()
		return false, err
	}
	if r.opt.Number == 0 {
		return r.InTime(), nil
	}
	return r.res.Traces == r.opt.Number, nil
}

// size makes a round end where coverage is noted.
func (r *run[S, U]) size(first int64) int64 {
	r.learn()
	r.branches.round(first)
	r.roundChanged()
	most := int64(roundTraces)
	if r.opt.Setup.Code != nil { // walks of programs of their own take seconds
		most = int64(len(r.workers))
	}
	if r.learning != nil {
		most = min(most, r.learning.Round())
	}
	return min(most, max(r.nextPoint-first+1, 1))
}

// Skip notes that a walk is not taken.
func (r *run[S, U]) Skip(place int) { r.records[place].taken = false }

// Take takes a walk.
func (r *run[S, U]) Take(worker, place int, number int64) (last bool) {
	rec := &r.records[place]
	r.workers[worker].take(number, rec)
	r.notice(number, rec)
	r.traces.Add(1)
	r.steps.Add(int64(len(rec.steps)))
	return rec.err != nil || rec.unstarted || rec.deviation != nil && r.opt.Stop == 1
}

// notice reports how a walk ended that the implementation did not follow to its end.
func (r *run[S, U]) notice(number int64, rec *record) {
	if r.opt.Noticed == nil || rec.cut {
		return
	}
	switch d := rec.deviation; {
	case rec.undriven != nil:
		r.opt.Noticed(number, rec.undriven.Message)
	case d != nil:
		at := starting
		if n := len(rec.steps); n > 0 {
			at = int(rec.steps[n-1])
		}
		r.opt.Noticed(number, fmt.Sprintf("step %d, %s, differs: %s", len(rec.steps), r.workers[0].test.doing(calling|uint64(at)), d))
	}
}

// Merge takes what a walk found.
func (r *run[S, U]) Merge(place int, number int64) (done bool, err error) {
	if err := r.merge(number, &r.records[place]); err != nil {
		return false, err
	}
	return r.records[place].unstarted || r.opt.Stop > 0 && r.res.Differences >= int64(r.opt.Stop) || r.followEnough(), nil
}

// take takes a walk and does it on the implementation. A walk with a step that could not be driven,
// or that must show again, is done once more: the cause may be a machine with too much load. The
// same choices are made.
func (w *worker[S, U]) take(number int64, rec *record) {
	w.takeOnce(number, rec)
	ended := rec.deviation != nil && rec.deviation.kind == Exit
	again := rec.deviation != nil && rec.deviation.again
	if rec.undriven == nil && !ended && !again || rec.unstarted || rec.cut || w.run.Halted() {
		return
	}
	first, at := rec.deviation, rec.last()
	w.takeOnce(number, rec)
	if rec.repeated = !ended; rec.repeated || rec.err != nil || rec.cut || rec.deviation != nil && rec.deviation.kind == Exit {
		return
	}
	rec.undriven = w.test.undrivenIn(endedOnce(first), len(rec.steps), at)
	rec.deviation, rec.accepted, rec.lesson = nil, nil, nil
}

// last returns the instance of the last step, that of the start where there is none.
func (r *record) last() int {
	if len(r.steps) == 0 {
		return starting
	}
	return int(r.steps[len(r.steps)-1])
}

// takeOnce takes a walk and does it on the implementation.
func (w *worker[S, U]) takeOnce(number int64, rec *record) {
	*rec = record{taken: true, steps: rec.steps[:0], left: map[LeftOut]int64{}}
	w.left, w.trail.steps = rec.left, w.trail.steps[:0]
	w.outlook.begin(number)
	refused, exceeded := w.walk.Refused, w.walk.Exceeded
	next := w.drawn(number, rec)
	if w.run.cover != nil {
		next = w.planned(number, rec)
	}
	if rec.err != nil {
		return
	}
	if w.test.journal.begin(number, bytesOf(w.walk.Node())); w.test.held != nil {
		w.test.held.Begin()
	}
	rec.deviation = w.test.start(&w.walk.Node().State)
	rec.undriven = w.test.undrivenIn(rec.deviation, 0, starting)
	rec.unstarted = rec.undriven != nil
	for rec.deviation == nil && (w.run.opt.Depth == 0 || len(rec.steps) < w.run.opt.Depth+rec.begun) {
		if rec.cut = w.run.Halted(); rec.cut {
			break
		}
		var k int
		if k, rec.err = w.outlook.next(rec, next); k < 0 {
			if rec.departure != nil { // the specification fails in a state that it does not have
				rec.err, rec.ended = nil, true
				break
			}
			rec.ended = rec.err == nil
			rec.short = rec.err == nil && w.run.cover == nil && w.drawer == nil
			break
		}
		rec.steps = append(rec.steps, int32(k))
		rec.deviation = w.test.step(k, &w.walk.Before().State, &w.walk.Node().State)
		w.trail.add(k, w.walk.Node())
		w.noteEqual(rec)
		rec.undriven = w.test.undrivenIn(rec.deviation, len(rec.steps), k)
		if rec.undriven != nil {
			continue
		}
		if rec.deviation != nil && !w.passes(k, rec) {
			break
		}
		if rec.err != nil {
			break
		}
		if w.judge(rec); rec.strange || w.outlook.ends(rec) {
			break
		}
	}
	if rec.undriven != nil { // its last step was not compared
		rec.deviation, rec.steps = nil, rec.steps[:max(len(rec.steps)-1, 0)]
	}
	if w.test.held != nil {
		rec.sums = w.test.held.Sums()
	}
	if w.left = nil; w.run.opt.Follow != nil && rec.undriven == nil {
		rec.ran = w.test.ran()
	}
	if x, ok := w.drawer.(simulate.Learner); ok && rec.err == nil && !rec.cut && !rec.plain {
		rec.lesson = x.Lesson()
	}
	rec.refused, rec.exceeded = w.walk.Refused-refused, w.walk.Exceeded-exceeded
	rec.elapsed = host.Since(w.run.start)
	if err := w.test.broken(); err != nil {
		rec.err = err
	}
}

// passes reports whether a walk continues after the deviation of its last step.
func (w *worker[S, U]) passes(instance int, rec *record) bool {
	var known []int
	known, rec.err = w.test.accepted(w.run.opt.Accepted, instance, &w.walk.Before().State, &w.walk.Node().State, rec.deviation)
	rec.accepted = append(rec.accepted, known...)
	if len(known) > 0 && rec.departure == nil && w.run.opt.Setup.Code != nil {
		// nothing is known of what follows it
		rec.deviation = nil
		return false
	}
	if w.run.opt.Follow != nil && (rec.departure != nil || rec.deviation.followed()) {
		return w.departs(rec, len(known) > 0)
	}
	if len(known) > 0 {
		rec.deviation = nil
	}
	return false
}

// drawn begins a random walk and returns what takes its steps.
func (w *worker[S, U]) drawn(number int64, rec *record) (next func() (int, error)) {
	rng := simulate.Source(w.run.opt.Seed, number)
	if w.drawer != nil {
		w.walk.By(w.drawer)
	}
	if next := w.begun(number, rec, rng); next != nil {
		return next
	}
	rec.init, rec.err = w.walk.StartWalk(number, rng)
	return func() (int, error) { return w.walk.Step(rng) }
}

func (r *run[S, U]) merge(number int64, rec *record) error {
	if !rec.taken || rec.err != nil {
		return rec.err
	}
	res := &r.res
	res.Steps += int64(len(rec.steps))
	res.Refused += rec.refused
	res.Exceeded += rec.exceeded
	res.Longest = max(res.Longest, len(rec.steps))
	for _, k := range rec.steps {
		res.Instances[k]++
		res.Fired[r.c.Bound.Instances[k].Action]++
	}
	r.elapsed = max(r.elapsed, rec.elapsed)
	for left, count := range rec.left {
		r.leftOut(left, count)
	}
	if rec.undriven != nil {
		at := fmt.Sprintf("walk %d, %s", number, rec.undriven.Message)
		if res.Undriven++; res.Undriven == 1 {
			res.UndrivenAt = at
		} else if len(res.UndrivenNext) < mostUndriven {
			first, _, _ := strings.Cut(at, "\n")
			res.UndrivenNext = append(res.UndrivenNext, first)
		}
	}
	if rec.repeated {
		res.Repeated++
	}
	if rec.cut || rec.undriven != nil {
		return nil
	}
	r.opt.Follow.take(rec)
	if res.Held != nil {
		res.Held.Then(rec.sums)
	}
	if rec.short {
		res.Short++
	}
	if 2*len(rec.steps) >= r.opt.Depth { // of an odd depth the greater half
		res.Half++
	}
	if r.learning != nil {
		r.pending = append(r.pending, pending{rec, number})
	}
	for k, a := range rec.accepted {
		res.Accepted[a].Walks++
		if k == 0 {
			res.Ended++
		}
	}
	if rec.deviation != nil {
		r.deviates(number, rec)
	}
	if rec.departure != nil {
		r.followed(number, rec)
	}
	if r.cover != nil {
		r.covered(number, rec)
	}
	if res.Traces++; res.Traces == r.nextPoint {
		r.point()
		r.nextPoint = walks.After(r.nextPoint)
	}
	return nil
}

// leftOut counts steps that a walk did without.
func (r *run[S, U]) leftOut(left LeftOut, count int64) {
	all := &r.res.LeftOut
	k := slices.IndexFunc(*all, func(x LeftOut) bool { return x.Action == left.Action && x.Reason == left.Reason })
	if k < 0 {
		k = len(*all)
		*all = append(*all, left)
	}
	(*all)[k].Count += count
}

func (r *run[S, U]) deviates(number int64, rec *record) {
	r.res.Differences++
	name := rec.deviation.name()
	k := slices.IndexFunc(r.groups, func(g *group) bool { return g.name == name })
	if k < 0 {
		k = len(r.groups)
		r.groups = append(r.groups, &group{name: name})
	}
	g := r.groups[k]
	if g.count++; g.count == 1 || len(rec.steps) < len(g.steps) {
		g.walk, g.init, g.steps, g.deviation, g.held = number, rec.init, slices.Clone(rec.steps), rec.deviation, rec.held
	}
}

// point notes the coverage as it is.
func (r *run[S, U]) point() {
	positive := func(all []int64) (n int) {
		for _, x := range all {
			if x > 0 {
				n++
			}
		}
		return n
	}
	r.res.Coverage = append(r.res.Coverage, Coverage{
		Traces: r.res.Traces, Steps: r.res.Steps, Actions: positive(r.res.Fired), Instances: positive(r.res.Instances),
		Branches: r.branches.count(), Elapsed: r.elapsed,
	})
}

// finish fills in what is known at the end: all but the differences themselves.
func (r *run[S, U]) finish(complete bool) {
	res := &r.res
	res.Missing = r.branches.missing()
	if n := len(res.Coverage); n == 0 || res.Coverage[n-1].Steps != res.Steps {
		r.point()
	}
	slices.SortFunc(res.LeftOut, func(a, b LeftOut) int {
		return cmp.Or(cmp.Compare(a.Action, b.Action), cmp.Compare(a.Reason, b.Reason))
	})
	switch {
	case res.Differences > 0:
		res.Verdict = checker.Violated
	case res.Undriven > 0:
		res.Reason = res.UndrivenAt
	case complete && res.Traces == 0:
		res.Reason = "no walk came to its end"
	case complete && res.Steps == 0 && len(res.LeftOut) > 0:
		res.Reason = "no walk took a step: the adapter cannot drive the first ones"
	case complete:
		res.Verdict = checker.Holds
	default:
		res.Reason = r.Reason(res.Traces)
	}
}

// UnstableError says that a difference did not show again when its walk was done once more.
type UnstableError struct {
	Walk int64
	Name string
}

func (e *UnstableError) Error() string {
	return fmt.Sprintf("the difference of %s on walk %d does not show again: the implementation or its adapter is not deterministic", e.Name, e.Walk)
}

// found shrinks what was found.
func (r *run[S, U]) found() error {
	t := r.workers[0].test
	halted := func() bool { return r.opt.Context.Err() != nil }
	for _, g := range r.groups {
		if _, explains := offered[Explainer](t.adapter); explains && g.deviation.kind != Exit {
			steps, ok := g.held.([]checker.Step[checker.Node[S, U]])
			if !ok {
				steps = t.unshrunk(&r.starts[g.init], g.steps)
			}
			found := t.difference(&r.starts[g.init], steps, g.deviation)
			found.Walk, found.Length, found.Count = g.walk, len(g.steps), g.count
			r.res.Found = append(r.res.Found, found)
			continue
		}
		best, d, minimal := t.shrink(&r.starts[g.init], g.steps, halted)
		if d == nil {
			return &UnstableError{g.walk, g.name}
		}
		found := t.difference(&r.starts[g.init], best, d)
		found.Walk, found.Length, found.Minimal, found.Count = g.walk, len(g.steps), minimal, g.count
		r.res.Found = append(r.res.Found, found)
		if r.opt.Stop == 1 {
			break
		}
	}
	return r.violations()
}

// unshrunk returns a walk as it was taken.
func (t *tester[S, U]) unshrunk(init *checker.Node[S, U], steps []int32) (out []checker.Step[checker.Node[S, U]]) {
	before := *init
	for _, k := range steps {
		out = append(out, checker.Step[checker.Node[S, U]]{Instance: int(k), Node: before})
		t.spec.Apply(&before, &out[len(out)-1].Node, int(k))
		before = out[len(out)-1].Node
	}
	return out
}

// difference returns a deviation with its trace and log.
func (t *tester[S, U]) difference(init *checker.Node[S, U], steps []checker.Step[checker.Node[S, U]], d *deviation) Difference[checker.Node[S, U]] {
	log, explained := d.log, d.log != nil && d.kind != Exit
	if log == nil {
		log = t.logged(init, steps)
	}
	return Difference[checker.Node[S, U]]{
		Kind: d.kind, Values: d.values, Message: d.message, Frames: d.frames,
		Trace: checker.Trace[checker.Node[S, U]]{Init: *init, Steps: slices.Clone(steps)}, Log: log, Explained: explained,
	}
}
