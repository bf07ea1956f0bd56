package trace

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/modules"
)

// What it computes. A behaviour of the specification that matches a log of events, or the longest
// prefix of the log that has one. With OrderNodes, the log may have any order that keeps the order
// of each node, and the behaviour matches one of them. With OrderClocks, it is an order that the
// vector clocks of the events allow, too.
//
// Why it is right. The log is lanes of events, each in order: one lane, or one for each node. A
// position says how many events of each lane are matched. A path holds a state for each matched
// position. logged and unlogged give all
// steps that the mapping allows for the next event. The search is depth first and remembers which
// pairs of position and state it has visited (with the use of unlogged actions). A visited pair
// failed before or is on the path, so it need not be tried again. The search visits all pairs
// before it says that no behaviour matches.
//
// What it costs. A visited pair takes a fingerprint of 8 bytes. Without non-determinism the search
// is linear in the log. Old states of the path are dropped and computed again when the search comes
// back.
//
// Example. Events e1 e2; a step may match e1 in two ways:
//
//	s --> s1 --e2?--> no step     back to s
//	s --> s2 --e2---> s3          matched

// context returns the context of the options.
func (o *Options) context() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}

// Options are the limits and the names of a validation.
type Options struct {
	// Names and Enum are the constants of the specification's enumerations.
	Names modules.Names
	Enum  modules.Enum
	// Probe says why guards refuse; nil where the program is not instrumented.
	Probe *checker.Probe
	// MaxStates bounds the pairs of position and state that are visited; 0: no limit. Timeout
	// bounds the time; 0: no limit.
	MaxStates int64
	Timeout   time.Duration
	Context   context.Context
	// Progress is called now and then with the longest matched prefix.
	Progress func(matched int, visited int64, elapsed time.Duration)
}

// Step is an action of a match.
type Step struct {
	Action int // number of the action
	Param  any
	// number of the event that it was treated as, from 0; of an unlogged action, of the one that it
	// precedes
	Event int
	// Unlogged says that the event does not name it.
	Unlogged bool
}

// window is how many of the newest states of a path are kept, and how far apart the older ones are.
// The rest are made again.
const window = 128

// maxShown bounds the states at the longest prefix that are kept for the report.
const maxShown = 4

// maxTail is of how many states on a path the actions are remembered for the report.
const maxTail = 16

// validator searches.
type validator[S any] struct {
	spec    *modules.Spec[S]
	m       *Mapping
	events  []Event
	lanes   [][]int   // numbers of events
	needs   [][]int32 // by event: how many of each lane come before it; nil: that is not known
	opt     Options
	binders []*binder
	number  map[string]int // of actions by name
	rules   map[string][]int
	asked   []bool  // per formula: whether it was evaluated
	decided []int64 // per formula: how often the event had what it asks for
	begun   time.Time

	path    []frame[S]
	visited map[uint64]struct{}
	free    []*S
	best    int
	at      []*S  // states at the longest prefix, at most kept
	stuck   []int // of each of them, the first event that is not matched
	kept    int
	count   int                   // how many there are
	tail    []Step                // the last actions before the longest prefix ended, newest last
	starts  [len(begins)]frame[S] // see begin
	fired   []int64
	forced  bool                          // guards are ignored
	matched func(event int, steps []Step) // called when an event is matched first; may be nil
	problem *Problem
	full    string // the first capacity that was exceeded, "" if none: other behaviours may exist
}

// frame is a state on the path.
type frame[S any] struct {
	state *S // nil where it has to be made again
	position
	steps []Step // from the frame before it
	next  []alternative[S]
	stage int // 0: nothing tried; 1: the event; 2: unlogged actions too
}

// alternative is a way on from a frame.
type alternative[S any] struct {
	state *S
	position
	steps []Step
}

// position is how far a log is matched.
type position struct {
	pos  int     // events in all
	cut  []int32 // events of each lane
	due  int     // the lane whose event comes next, since an unlogged action precedes it; -1: any
	used []uint8 // per unlogged action, since the last event
}

// after returns the position after the next event of a lane.
func (p *position) after(lane int) position {
	cut := slices.Clone(p.cut)
	cut[lane]++
	return position{pos: p.pos + 1, cut: cut, due: -1, used: make([]uint8, len(p.used))}
}

// Validate searches for a behaviour that matches the events. The problems say what is wrong with
// the mapping; with any of them there is no result.
func Validate[S any](spec *modules.Spec[S], m *Mapping, events []Event, opt Options) (*Result[S], []Problem) {
	if bad := check(m, spec); len(bad) > 0 {
		return nil, bad
	}
	if bad := unknown(m, spec, events, &opt); len(bad) > 0 {
		return nil, bad
	}
	v := newValidator(spec, m, events, opt)
	reason := ""
	if m.Order == OrderClocks {
		reason = v.clocks()
	}
	if reason == "" {
		reason = v.search()
	}
	if v.problem != nil {
		return nil, []Problem{*v.problem}
	}
	return v.result(reason), nil
}

func newValidator[S any](spec *modules.Spec[S], m *Mapping, events []Event, opt Options) *validator[S] {
	v := &validator[S]{spec: spec, m: m, events: events, opt: opt, number: map[string]int{}, rules: map[string][]int{},
		visited: map[uint64]struct{}{}, best: -1, kept: maxShown, begun: host.Now(), fired: make([]int64, len(spec.Actions))}
	for k := range spec.Actions {
		a := &spec.Actions[k]
		v.number[a.Name] = k
		v.binders = append(v.binders, &binder{param: a.Param, domain: a.Params, enum: opt.Enum})
	}
	v.lanes = lanesOf(m, events)
	for k, r := range m.Rules {
		v.rules[r.Event] = append(v.rules[r.Event], k)
	}
	v.asked, v.decided = make([]bool, m.formulas()), make([]int64, m.formulas())
	return v
}

// lanesOf returns the numbers of events whose order is known, those of each node or all. Events
// without a node are one more node.
func lanesOf(m *Mapping, events []Event) (lanes [][]int) {
	lane := map[string]int{}
	for k := range events {
		node := ""
		if m.Partial() {
			node = events[k].Node
		}
		if _, ok := lane[node]; !ok {
			lane[node] = len(lanes)
			lanes = append(lanes, nil)
		}
		lanes[lane[node]] = append(lanes[lane[node]], k)
	}
	return lanes
}

// heads returns the lanes of the events that may come next, the first event of the log first.
func (v *validator[S]) heads(p *position) (lanes []int) {
	for k := range v.lanes {
		if int(p.cut[k]) < len(v.lanes[k]) && (p.due < 0 || p.due == k) && v.ready(p, k) {
			lanes = append(lanes, k)
		}
	}
	slices.SortFunc(lanes, func(a, b int) int { return v.lanes[a][p.cut[a]] - v.lanes[b][p.cut[b]] })
	return lanes
}

// ready reports whether all events are matched that come before the next one of a lane.
func (v *validator[S]) ready(p *position, lane int) bool {
	if v.needs == nil {
		return true
	}
	for l, n := range v.needs[v.lanes[lane][p.cut[lane]]] {
		if p.cut[l] < n {
			return false
		}
	}
	return true
}

// formulas is one more than the greatest number of a formula.
func (m *Mapping) formulas() (n int) {
	m.each(func(_ int, f *Formula) { n = max(n, f.ID+1) })
	return n
}

// each calls do for every formula, with the number of its rule.
func (m *Mapping) each(do func(rule int, f *Formula)) {
	all := func(rule int, where []Binding, fs ...*Formula) {
		for _, w := range where {
			fs = append(fs, w.Value)
		}
		for _, f := range fs {
			if f != nil {
				do(rule, f)
			}
		}
	}
	for k, r := range m.Rules {
		all(k, r.Where, slices.Concat([]*Formula{r.When}, r.Before, r.Check)...)
	}
	for k, u := range m.Unlogged {
		all(len(m.Rules)+k, u.Where, slices.Concat([]*Formula{u.When}, u.Check)...)
	}
}

// search returns why it ended early, or "" when it found a match or that there is none.
func (v *validator[S]) search() string {
	for init := range v.spec.Init {
		s := v.fresh()
		*s = init
		if reason, done := v.from(s, 0); done {
			return reason
		}
	}
	return ""
}

// from searches from a state before the event at pos.
func (v *validator[S]) from(s *S, pos int) (reason string, done bool) {
	v.path = v.path[:0]
	start := position{pos: pos, cut: make([]int32, len(v.lanes)), due: -1, used: make([]uint8, len(v.m.Unlogged))}
	if pos > 0 { // of a window: there is one lane
		start.cut[0] = int32(pos)
	}
	v.push(alternative[S]{state: s, position: start})
	for ticks := 0; len(v.path) > 0; ticks++ {
		f := &v.path[len(v.path)-1]
		if f.pos == len(v.events) {
			return "", true
		}
		if n := v.opt.MaxStates; n > 0 && int64(len(v.visited)) >= n {
			return fmt.Sprintf("%d states were visited", len(v.visited)), true
		}
		if ticks%64 == 0 {
			if reason := v.limit(); reason != "" {
				return reason, true
			}
		}
		switch {
		case len(f.next) > 0:
			a := f.next[0]
			f.next = f.next[1:]
			v.push(a)
		case f.stage == 0:
			f.stage = 1
			f.next = v.logged(f)
		case f.stage == 1:
			f.stage = 2
			v.rebuild(len(v.path) - 1)
			f.next = v.unlogged(f)
		default:
			if f.state != nil {
				v.free = append(v.free, f.state)
			}
			v.path = v.path[:len(v.path)-1]
		}
		if v.problem != nil {
			return "", true
		}
	}
	return "", false
}

func (v *validator[S]) limit() string {
	if t := v.opt.Timeout; t > 0 && host.Since(v.begun) >= t {
		return fmt.Sprintf("the time of %s is over", t)
	}
	if v.opt.context().Err() != nil {
		return "interrupted"
	}
	if v.opt.Progress != nil {
		v.opt.Progress(v.best, int64(len(v.visited)), host.Since(v.begun))
	}
	return ""
}

func (v *validator[S]) fresh() *S {
	if n := len(v.free); n > 0 {
		s := v.free[n-1]
		v.free = v.free[:n-1]
		return s
	}
	return new(S)
}

// push continues to a state, unless that was tried before.
func (v *validator[S]) push(a alternative[S]) {
	key := v.key(a.state, &a.position)
	if _, seen := v.visited[key]; seen {
		v.free = append(v.free, a.state)
		return
	}
	v.visited[key] = struct{}{}
	if a.pos > v.best {
		v.best, v.at, v.stuck, v.count = a.pos, nil, nil, 0
		if v.matched != nil && len(v.path) > 0 {
			v.matched(a.pos-1, a.steps)
		}
	}
	if a.pos == v.best {
		if v.count++; len(v.at) < v.kept {
			c := *a.state
			v.at = append(v.at, &c)
			if heads := v.heads(&a.position); len(heads) > 0 {
				v.stuck = append(v.stuck, v.lanes[heads[0]][a.cut[heads[0]]])
			}
		}
	}
	v.path = append(v.path, frame[S]{state: a.state, position: a.position, steps: a.steps})
	if a.pos == v.best && v.count == 1 {
		v.tail = v.tail[:0]
		for k := max(0, len(v.path)-maxTail); k < len(v.path); k++ {
			v.tail = append(v.tail, v.path[k].steps...)
		}
		if v.matched == nil && len(v.lanes) == 1 {
			v.begin()
		}
	}
	if old := len(v.path) - 1 - window; old > 0 && old%window != 0 && v.path[old].state != nil {
		v.free = append(v.free, v.path[old].state)
		v.path[old].state = nil
	}
}

// key tells apart the points of the search: a state at a position.
func (v *validator[S]) key(s *S, p *position) uint64 {
	key := fingerprint.Of(s)
	for k, n := range p.cut {
		key = bits.RotateLeft64(key, k) ^ uint64(n+1)*0x9e3779b97f4a7c15
	}
	if p.due >= 0 {
		key = (key ^ uint64(p.due+1)) * 0xff51afd7ed558ccd
	}
	for k, n := range p.used {
		key = (key ^ uint64(n)<<(k%8*8)) * 0xd1342543de82ef95
	}
	return key
}

// rebuild makes the states up to frame k again that were given up.
func (v *validator[S]) rebuild(k int) {
	from := k
	for v.path[from].state == nil {
		from--
	}
	for ; from < k; from++ {
		n := v.fresh()
		*n = *v.path[from].state
		for _, s := range v.path[from+1].steps {
			before := *n
			v.spec.Actions[s.Action].ApplyWith(&before, n, s.Param)
		}
		v.path[from+1].state = n
	}
}

// logged returns the ways in which an event can have happened that may come next.
func (v *validator[S]) logged(f *frame[S]) (out []alternative[S]) {
	for _, lane := range v.heads(&f.position) {
		event := v.lanes[lane][f.cut[lane]]
		e := &v.events[event]
		for _, k := range v.rules[e.Name] {
			r := &v.m.Rules[k]
			v.rule(r, f.state, e, func(a attempt[S]) {
				if a.refused == nil {
					out = append(out, alternative[S]{state: a.state, position: f.after(lane), steps: v.steps(a.steps, event)})
				} else if a.state != nil {
					v.free = append(v.free, a.state)
				}
			}, nil)
		}
	}
	return out
}

func (v *validator[S]) steps(taken []Step, pos int) []Step {
	for k := range taken {
		taken[k].Event = pos
	}
	return slices.Clone(taken)
}

// unlogged returns the steps that may have happened before an event that may come next. Where there
// are several such events, the one that a step precedes comes next.
func (v *validator[S]) unlogged(f *frame[S]) (out []alternative[S]) {
	for _, lane := range v.heads(&f.position) {
		event, due := v.lanes[lane][f.cut[lane]], -1
		if len(v.lanes) > 1 {
			due = lane
		}
		e := &v.events[event]
		for k := range v.m.Unlogged {
			u := &v.m.Unlogged[k]
			if int(f.used[k]) >= u.Max || len(u.Events) > 0 && !slices.Contains(u.Events, e.Name) {
				continue
			}
			r := Rule{Event: e.Name, When: u.When, Actions: []string{u.Action}, Where: u.Where, Check: u.Check}
			v.rule(&r, f.state, e, func(a attempt[S]) {
				switch {
				case a.refused == nil:
					used := slices.Clone(f.used)
					used[k]++
					steps := v.steps(a.steps, event)
					steps[0].Unlogged = true
					out = append(out, alternative[S]{state: a.state, position: position{f.pos, f.cut, due, used}, steps: steps})
				case a.state != nil:
					v.free = append(v.free, a.state)
				}
			}, nil)
		}
	}
	return out
}
