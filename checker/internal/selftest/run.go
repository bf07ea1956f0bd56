package selftest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/checker/internal/refine"
	"github.com/multigrain/multigrain/modules"
)

// Options say what is tested.
type Options struct {
	// Seed is that of the first behaviour. Behaviour n has seed Seed+n, so that it can be repeated
	// alone. First and Stride choose every Stride-th behaviour from First on.
	Seed          uint64
	Number        int64
	First, Stride int64
	// Steps is the length of a behaviour, in steps of all nodes together.
	Steps int
	// Orders is how many orders of a projected behaviour are tested: all where there are no more.
	Orders int
	// Mutants is how many mutated streams of each node are tested.
	Mutants int
	// Laws says of how many behaviours one has the declarations tried at all states; 0: none.
	Laws int64
	// Budget is how many states the naive judge meets for a stream.
	Budget int
	// Refine are the options of the runtime.
	Refine refine.Options
}

// Report is the result of a self-test.
type Report struct {
	Behaviours int64 `json:"behaviours"`
	Steps      int64 `json:"steps"`
	// Traces are streams of projected behaviours, in each order that was tried. Exhaustive counts
	// projected behaviours with all their orders, Sampled the others.
	Traces     int64 `json:"traces"`
	Exhaustive int64 `json:"exhaustive"`
	Sampled    int64 `json:"sampled"`
	Events     int64 `json:"events"`
	Sent       int64 `json:"sent"`
	Undecided  int64 `json:"undecided"` // traces for which the runtime gave up
	Mutants    int64 `json:"mutants"`
	Noticed    int64 `json:"noticed"` // mutants with an alarm
	Legal      int64 `json:"legal"`   // mutants without an alarm that have a legal behaviour
	// Unjudged are mutants for which the naive judge met too many states, or for which the
	// specification has no step. Undecided mutants are among them.
	Unjudged int64 `json:"unjudged"`
	Judged   int64 `json:"judged"` // states of the naive judge
	// Explored counts the states that the runtime explored, Largest those of its largest search.
	Explored  int64 `json:"explored"`
	Largest   int   `json:"largest"`
	SumStates int64 `json:"sum_states"`
	Decided   int64 `json:"decided"`
	// Lazy to Waits count what was tried of the laws: refine.Verification.
	Lazy   int64 `json:"lazy"`
	Eager  int64 `json:"eager"`
	Hidden int64 `json:"hidden"`
	Says   int64 `json:"says"`
	Sends  int64 `json:"sends"`
	Merge  int64 `json:"merge"`
	Waits  int64 `json:"waits"`
	// Taken counts how often each action of a node was taken.
	Taken map[string]int64 `json:"taken"`
	// Failed counts failures, Failures are the first of them.
	Failed   int64     `json:"failed"`
	Failures []Failure `json:"failures,omitempty"`
	// Reasons are why traces are undecided, the first ones.
	Reasons []string `json:"reasons,omitempty"`
}

// Failure is a stream about which the runtime is wrong, or a law that does not hold.
type Failure struct {
	Kind FailureKind `json:"kind"`
	// Seed repeats the behaviour, which is the first one with this seed.
	Seed     uint64   `json:"seed"`
	Node     int      `json:"node"`
	Mutation string   `json:"mutation,omitempty"`
	Stream   []string `json:"stream"`
	Detail   string   `json:"detail"`
	// Law, Declared and Action are set in failures of kind Law: the number of the law, and the
	// declaration and its action.
	Law      int    `json:"law,omitempty"`
	Declared string `json:"declared,omitempty"`
	Action   string `json:"action,omitempty"`
}

// FailureKind says what is wrong.
type FailureKind string

// Kinds of failures.
const (
	FalseAlarm FailureKind = "false-alarm" // the runtime alarms, and a legal behaviour exists
	Unsound    FailureKind = "missed"      // no alarm, and no legal behaviour exists
	Law        FailureKind = "law"         // what a specification declares does not hold
	Judge      FailureKind = "judge"       // the naive judge rejects what the composition does
)

// maxFailures is how many failures of a kind are reported.
const maxFailures = 4

// runner runs a self-test.
type runner[S any] struct {
	opt      Options
	model    *model[S]
	enc      *encoder[S]
	checkers []*refine.Checker[S] // by node
	laws     []*refine.Checker[S]
	leaves   [][]leaf  // by network
	far      []weights // with which behaviours come far
	courses  []course
	report   Report
}

// Run tries behaviours until all are done or ctx ends. progress is called after each one; it may be
// nil.
func Run[S any](ctx context.Context, spec *refine.Spec[S], opt Options, progress func(*Report)) (*Report, error) {
	opt.Refine.Complete = true // a behaviour has all of its messages, however few these are
	r := &runner[S]{opt: opt}
	if err := r.prepare(spec); err != nil {
		return nil, err
	}
	for n := opt.First; n < opt.Number && ctx.Err() == nil; n += max(opt.Stride, 1) {
		if err := r.behaviour(opt.Seed + uint64(n)); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(&r.report)
		}
	}
	return &r.report, nil
}

func (r *runner[S]) prepare(spec *refine.Spec[S]) error {
	r.report.Taken = map[string]int64{}
	first, err := refine.New(spec, 0, r.opt.Refine)
	if err != nil {
		return err
	}
	if r.model, err = newModel(spec, r.opt.Refine, first.Plan()); err != nil {
		return err
	}
	r.enc = &encoder[S]{r.model}
	for _, w := range r.model.nets {
		r.leaves = append(r.leaves, leavesOf(nil, "", w.Message, 0))
	}
	verify := r.opt.Refine
	verify.Verify = 1
	for me := range r.model.servers {
		c, err := refine.New(spec, me, r.opt.Refine)
		if err != nil {
			return err
		}
		v, err := refine.New(spec, me, verify)
		if err != nil {
			return err
		}
		r.checkers, r.laws = append(r.checkers, c), append(r.laws, v)
	}
	r.far = r.model.search(r.enc, r.opt.Steps)
	r.courses = r.model.courses(r.enc, r.far, r.opt.Steps)
	return nil
}

// behaviour tries one random behaviour.
func (r *runner[S]) behaviour(seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 0x6d756c7469))
	defer modules.UseArena(modules.UseArena(modules.NewArena()))
	r.model.forget()
	swarm := r.model.randomWeights(random)
	if random.IntN(2) == 0 {
		swarm = r.far[random.IntN(len(r.far))].perturbed(random)
	}
	w := newWorld(r.model, r.enc, random, swarm)
	var begun course
	if len(r.courses) > 0 && random.IntN(3) > 0 {
		begun = r.courses[random.IntN(len(r.courses))]
	}
	seen := w.walk(begun, r.opt.Steps)
	r.report.Behaviours++
	for _, n := range w.steps {
		r.report.Steps += int64(n)
	}
	for name, n := range w.taken {
		r.report.Taken[name] += n
	}
	for me := range r.model.servers {
		if err := r.node(seed, me, seen[me], random); err != nil {
			return err
		}
	}
	return nil
}

// node tries what one node sees.
func (r *runner[S]) node(seed uint64, me int, seen []segment[S], random *rand.Rand) error {
	orders, all := r.model.posetOf(seen).orders(r.opt.Orders, random)
	if len(orders) == 0 || len(orders[0]) == 1 {
		return nil
	}
	if all {
		r.report.Exhaustive++
	} else {
		r.report.Sampled++
	}
	for k, events := range orders {
		r.rests(events, random)
		r.report.Traces++
		r.report.Events += int64(len(events))
		v, err := r.check(r.checkers, me, events)
		if err != nil {
			return err
		}
		switch {
		case v.alarm:
			r.fail(Failure{Kind: FalseAlarm, Seed: seed, Node: me, Detail: v.detail}, events, func(e []event[S]) (bool, string) {
				v, err := r.check(r.checkers, me, e)
				j, _, _ := r.model.naive(me, e, r.opt.Budget)
				return err == nil && v.alarm && j == legal, v.detail
			})
		case v.undecided == "" && k == 0 && me == int(seed%uint64(r.model.servers)) && r.rejects(me, events):
			r.fail(Failure{Kind: Judge, Seed: seed, Node: me, Detail: "the exhaustive search finds no behaviour"}, events, nil)
		case v.undecided != "":
			r.report.Undecided++
			if len(r.report.Reasons) < 5 && !slices.Contains(r.report.Reasons, v.undecided) {
				r.report.Reasons = append(r.report.Reasons, v.undecided)
			}
		}
		r.tally(v)
	}
	if r.opt.Laws > 0 && int64(seed)%r.opt.Laws == 0 {
		if err := r.try(seed, me, orders[0]); err != nil {
			return err
		}
	}
	for range r.opt.Mutants {
		if err := r.mutant(seed, me, orders[random.IntN(len(orders))], random); err != nil {
			return err
		}
	}
	return nil
}

// rests lets half of the streams rest once. In a total order a stream rests only where all that the
// node has sent is in it, which a behaviour does not say.
func (r *runner[S]) rests(events []event[S], random *rand.Rand) {
	for k := range events {
		events[k].rest = false
	}
	if !r.opt.Refine.Total && random.IntN(2) == 0 {
		events[random.IntN(len(events))].rest = true
	}
}

// rejects reports whether the naive judge finds no behaviour of a stream that is one. It judges the
// first order only.
func (r *runner[S]) rejects(me int, events []event[S]) bool {
	j, _, states := r.model.naive(me, events, r.opt.Budget)
	r.report.Judged += int64(states)
	return j == illegal
}

// mutant tries one mutated stream.
func (r *runner[S]) mutant(seed uint64, me int, events []event[S], random *rand.Rand) error {
	mutated, said := r.mutate(me, events, random)
	if mutated == nil {
		return nil
	}
	v, err := r.check(r.checkers, me, mutated)
	if err != nil {
		return nil // the change makes no message
	}
	r.report.Mutants++
	j, at, states := r.model.naive(me, mutated, r.opt.Budget)
	r.report.Judged += int64(states)
	switch {
	case v.undecided != "" || j == unjudged:
		r.report.Unjudged++
	case v.alarm && j == illegal:
		r.report.Noticed++
	case !v.alarm && j == legal:
		r.report.Legal++
	case v.alarm:
		r.fail(Failure{Kind: FalseAlarm, Seed: seed, Node: me, Mutation: said, Detail: v.detail}, mutated, func(e []event[S]) (bool, string) {
			v, err := r.check(r.checkers, me, e)
			j, _, _ := r.model.naive(me, e, r.opt.Budget)
			return err == nil && v.alarm && j == legal, v.detail
		})
	default:
		r.fail(Failure{Kind: Unsound, Seed: seed, Node: me, Mutation: said, Detail: nothing(at)}, mutated, func(e []event[S]) (bool, string) {
			v, err := r.check(r.checkers, me, e)
			j, at, _ := r.model.naive(me, e, r.opt.Budget)
			return err == nil && !v.alarm && v.undecided == "" && j == illegal, nothing(at)
		})
	}
	return nil
}

func nothing(at int) string { return fmt.Sprintf("no behaviour explains event %d", at+1) }

// answer is that of the runtime about a stream.
type answer struct {
	alarm     bool
	detail    string
	undecided string
	stats     refine.Stats
}

// check has the runtime judge a stream.
func (r *runner[S]) check(checkers []*refine.Checker[S], me int, events []event[S]) (v answer, err error) {
	c := checkers[me].Fresh()
	checkers[me] = c
	for k := range events {
		e, err := c.Decoder.Decode(events[k].line)
		if err != nil {
			return v, fmt.Errorf("the line %s cannot be read: %w", events[k].line, err)
		}
		c.Add(e)
		if events[k].rest {
			c.Run(true)
		}
	}
	a := c.Run(true)
	v.stats = c.Finish()
	switch {
	case a != nil:
		v.alarm, v.detail = true, fmt.Sprintf("alarm at event %d: %s", a.Position, a.Why)
	case v.stats.Undecided > 0 || c.Cause() != "":
		v.undecided = c.Cause()
		if v.undecided == "" && len(v.stats.Causes) > 0 {
			v.undecided = v.stats.Causes[0].Cause
		}
	}
	return v, nil
}

func (r *runner[S]) tally(v answer) {
	r.report.Sent += v.stats.Out
	r.report.Decided += v.stats.Decided
	r.report.Explored += v.stats.Explored
	r.report.SumStates += v.stats.SumStates
	r.report.Largest = max(r.report.Largest, v.stats.Largest)
}

// try tries the laws at all states that a stream leads through.
func (r *runner[S]) try(seed uint64, me int, events []event[S]) error {
	if _, err := r.check(r.laws, me, events); err != nil {
		return err
	}
	v := &r.laws[me].Verified
	p := &r.report
	for _, x := range []struct {
		to   *int64
		more int64
	}{{&p.Lazy, v.Lazy}, {&p.Eager, v.Eager}, {&p.Hidden, v.Hidden}, {&p.Says, v.Says}, {&p.Sends, v.Sends}, {&p.Merge, v.Merge}, {&p.Waits, v.Waits}} {
		*x.to += x.more
	}
	if err := v.Err(); err != nil {
		f := Failure{Kind: Law, Seed: seed, Node: me, Detail: err.Error()}
		if broken := v.Condition(); broken != nil {
			f.Law, f.Declared, f.Action = broken.Law, broken.Declared, broken.Action
			if broken.Action == "Says" {
				f.Declared = "Says"
			}
		}
		r.fail(f, events, nil)
	}
	return nil
}

// fail reports a failure with a stream that still shows it and from which no event can be removed.
func (r *runner[S]) fail(f Failure, events []event[S], still func([]event[S]) (bool, string)) {
	r.report.Failed++
	n := 0
	for k := range r.report.Failures {
		if r.report.Failures[k].Kind == f.Kind {
			n++
		}
	}
	if n >= maxFailures {
		return
	}
	if still != nil {
		if ok, _ := still(events); ok {
			events, f.Detail = shrink(events, f.Detail, still)
		}
	}
	for k := range events {
		f.Stream = append(f.Stream, string(events[k].line))
		if events[k].rest {
			f.Stream = append(f.Stream, "(the stream rests)")
		}
	}
	r.report.Failures = append(r.report.Failures, f)
}

// shrink leaves out events as long as still holds.
func shrink[S any](events []event[S], detail string, still func([]event[S]) (bool, string)) ([]event[S], string) {
	for again := true; again; {
		again = false
		for k := len(events) - 2; k >= 0; k-- { // the last one is the end
			less := slices.Delete(slices.Clone(events), k, k+1)
			if ok, text := still(less); ok {
				events, detail, again = less, text, true
			}
		}
	}
	return events, detail
}
