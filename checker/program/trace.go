package program

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/stepwise"
	validation "github.com/multigrain/multigrain/checker/internal/trace"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// lastSteps is how many actions before an event that was not matched are reported.
const lastSteps = 10

// Step returns the verb "explore", which answers questions about single steps.
func Step[S any, U checker.Counters]() Verbs[S, U] { return Verbs[S, U]{"explore": exploring[S, U]} }

// Find returns the verb "find", which searches from the end of a path.
func Find[S any, U checker.Counters](search Searcher[checker.Node[S, U]]) Verbs[S, U] {
	return Verbs[S, U]{"find": func(ctx context.Context, a *Asked[S, U]) wire.Event { return finding(ctx, a, search) }}
}

// Explain returns the verb "explain", which evaluates a guard or an invariant.
func Explain[S any, U checker.Counters]() Verbs[S, U] {
	return Verbs[S, U]{"explain": explaining[S, U]}
}

// Trace returns the verb "trace", which validates logs.
func Trace[S any, U checker.Counters]() Verbs[S, U] { return Verbs[S, U]{"trace": tracing[S, U]} }

// tracing validates a log.
func tracing[S any, U checker.Counters](ctx context.Context, a *Asked[S, U]) wire.Event {
	o := a.req.Options
	system := func(err error) wire.Event {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
	}
	if o.Validate == nil {
		return system(errors.New("the request says nothing of a log"))
	}
	var m validation.Mapping
	if err := json.Unmarshal(o.Validate.Mapping, &m); err != nil {
		return system(fmt.Errorf("mapping: %w", err))
	}
	if len(o.Validate.Logs) > 1 && slices.Contains(validation.Alone, m.Format) {
		return eachLog(ctx, a, &m)
	}
	return oneLog(ctx, a, o, &m)
}

// eachLog validates each log by itself. The answer is that of the first one that is worst, with all
// verdicts; if all hold, it has the sums.
func eachLog[S any, U checker.Counters](ctx context.Context, a *Asked[S, U], m *validation.Mapping) (out wire.Event) {
	o := a.req.Options
	worse := map[string]int{string(checker.Holds): 1, string(checker.Undecided): 2, string(checker.Violated): 3}
	var each []wire.TraceLog
	for _, file := range o.Validate.Logs {
		own, request := o, *o.Validate
		request.Logs = []string{file}
		own.Validate = &request
		e := oneLog(ctx, a, own, m)
		if e.Report == nil || e.Report.Validation.BadLine != nil || len(e.Report.Validation.Problems) > 0 {
			return e
		}
		v := e.Report.Validation
		log := wire.TraceLog{File: file, Verdict: e.Report.Verdict, Reason: e.Report.Reason, Events: v.Events, Matched: v.Matched}
		if v.Event != nil {
			log.Line = v.Event.Line
		}
		each = append(each, log)
		switch {
		case out.Report == nil || worse[e.Report.Verdict] > worse[out.Report.Verdict]:
			out = e
		case e.Report.Verdict == string(checker.Holds) && out.Report.Verdict == e.Report.Verdict:
			sum(out.Report, e.Report)
		}
	}
	out.Report.Validation.Each = each
	return out
}

// sum adds the counts of a log that holds to those of others that do.
func sum(to, e *wire.Report) {
	v, w := to.Validation, e.Validation
	v.Events, v.Skipped, v.Matched, v.Visited, v.Steps = v.Events+w.Events, v.Skipped+w.Skipped, v.Matched+w.Matched, v.Visited+w.Visited, v.Steps+w.Steps
	to.Seconds += e.Seconds
	for name, n := range w.Actions {
		v.Actions[name] += n
	}
	for k := range to.Actions {
		to.Actions[k].Fired += e.Actions[k].Fired
	}
	v.Undecided = slices.DeleteFunc(v.Undecided, func(id int) bool { return !slices.Contains(w.Undecided, id) })
}

// oneLog validates the files of a request as one log.
func oneLog[S any, U checker.Counters](ctx context.Context, a *Asked[S, U], o wire.Options, m *validation.Mapping) wire.Event {
	p, spec, send := a.p, a.spec, a.send
	system := func(err error) wire.Event {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
	}
	began := host.Now()
	reading, cancel := reading(ctx, o.Timeout)
	defer cancel()
	log, err := validation.ReadFiles(reading, o.Validate.Logs, m.Format)
	var line *validation.LineError
	switch {
	case err != nil && reading.Err() != nil:
		v := &wire.Validation{Actions: map[string]int{}}
		return validated(v, checker.Undecided, context.Cause(reading).Error())
	case errors.As(err, &line):
		return validated(&wire.Validation{BadLine: &wire.BadLine{File: line.File, Line: line.Line, Message: line.Err.Error()}}, checker.Undecided, "")
	case err != nil:
		return system(err)
	}
	opt := validation.Options{Names: p.name, Enum: p.enum, Probe: p.Probe, MaxStates: o.MaxStates, Timeout: o.Timeout, Context: ctx}
	if o.Timeout > 0 { // it counts from the first line of the logs; 0 is no limit
		opt.Timeout = max(1, o.Timeout-host.Since(began))
	}
	if o.Progress {
		last := host.Now()
		opt.Progress = func(matched int, visited int64, elapsed time.Duration) {
			if host.Since(last) > time.Second/2 {
				last = host.Now()
				send.event(wire.Event{Progress: &wire.Progress{Doing: fmt.Sprintf("%d events matched, states visited", matched), Count: visited, Seconds: elapsed.Seconds()}})
			}
		}
	}
	res, problems := validation.Validate(spec, m, log.Events, opt)
	if len(problems) > 0 {
		v := &wire.Validation{}
		for _, x := range problems {
			v.Problems = append(v.Problems, wire.TraceProblem(x))
		}
		return validated(v, checker.Undecided, "")
	}
	missed(&log, res, !m.Partial())
	v := validationOf(p, spec, log, res)
	if o.Validate.Windows {
		if opt.Timeout > 0 {
			opt.Timeout = max(1, opt.Timeout-res.Duration)
		}
		w, reason := validation.JudgeWindows(spec, m, log.Events, opt)
		v.Windows = windowsOf(spec, log.Events, w, reason)
	}
	e := validated(v, res.Verdict, res.Reason)
	e.Report.Seconds = res.Duration.Seconds()
	for k, a := range spec.Actions {
		e.Report.Actions = append(e.Report.Actions, wire.Action{Name: a.Name, Module: a.Module, Environment: a.Environment, Fired: res.Fired[k]})
	}
	for _, inv := range spec.Invariants {
		e.Report.Invariants = append(e.Report.Invariants, inv.Name())
	}
	return e
}

// missed makes a result undecided that depends on a truncated line: its event is not known. Events
// after it, of another file, need not follow those before it. The same is true of a line that the
// specification has no counterpart of. Where the log has no order among nodes, that event may come
// before all others.
func missed[S any](log *validation.Log, r *validation.Result[S], ordered bool) {
	broken := r.Broken != nil && r.Broken.Event < log.Before
	if log.Truncated == "" && log.Unsaid == "" || ordered && (broken || r.Verdict == checker.Violated && r.Matched < log.Before) {
		return
	}
	if r.Verdict == checker.Undecided && r.Events > 0 {
		return // for a reason of its own
	}
	r.Verdict, r.Broken = checker.Undecided, nil
	if log.Unsaid != "" {
		r.Reason = fmt.Sprintf("%s; %d events before it are matched", log.Unsaid, min(r.Matched, log.Before))
		return
	}
	r.Reason = fmt.Sprintf("%s is truncated: the file ends within the line, so its event is not known; %d events before it are matched", log.Truncated, min(r.Matched, log.Before))
}

// reading returns a context that is done when ctx is, or after the time limit; 0 is no limit. Its
// cause is the reason of the verdict.
func reading(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	asked, stop := context.WithCancelCause(context.Background())
	unwatch := context.AfterFunc(ctx, func() { stop(errors.New("interrupted while the log was read")) })
	end := func() { unwatch(); stop(nil) }
	if limit <= 0 {
		return asked, end
	}
	timed, cancel := context.WithTimeoutCause(asked, limit, fmt.Errorf("the time limit of %s is reached while the log is read", limit))
	return timed, func() { cancel(); end() }
}

func validated(v *wire.Validation, verdict checker.Verdict, reason string) wire.Event {
	return wire.Event{Report: &wire.Report{Verdict: string(verdict), Reason: reason, Levels: []int64{}, Actions: []wire.Action{},
		Violations: []wire.Violation{}, Invariants: []string{}, Validation: v}}
}

func validationOf[S any, U checker.Counters](p *Program[S, U], spec *modules.Spec[S], log validation.Log, r *validation.Result[S]) *wire.Validation {
	v := &wire.Validation{Events: r.Events, Skipped: log.Skipped, Cut: log.Truncated != "", Matched: r.Matched, Visited: r.Visited, Steps: len(r.Steps),
		Actions: map[string]int{}, Reached: r.Reached, Coverage: coverage(p.Probe)}
	for k, n := range r.Fired {
		if n > 0 {
			v.Actions[spec.Actions[k].Name] = int(n)
		}
	}
	for _, f := range r.Undecided {
		v.Undecided = append(v.Undecided, f.ID)
	}
	view := func(param any) *modules.View {
		if param == nil {
			return nil
		}
		w := modules.ViewOf(param, p.name)
		return &w
	}
	if r.Matched < r.Events && r.Verdict != checker.Holds {
		v.Event = logged(log.Events, r.Next)
	}
	for k := range r.States {
		v.States = append(v.States, modules.ViewOf(r.States[k], p.name))
	}
	for _, c := range r.Candidates {
		w := wire.TraceCandidate{State: c.State, Rule: c.Rule, Kind: c.Kind, Params: view(c.Param), Formula: c.Formula, Text: c.Text, Found: c.Found, Capacity: c.Capacity,
			Why: reasonsOf(p, c.Why)}
		if c.Action >= 0 {
			w.Action = spec.Actions[c.Action].Name
		}
		v.Candidates = append(v.Candidates, w)
	}
	step := func(s validation.Step) wire.LoggedStep {
		e := &log.Events[min(s.Event, len(log.Events)-1)]
		return wire.LoggedStep{Line: e.Line, Event: e.Name, Action: spec.Actions[s.Action].Name, Params: view(s.Param), Unlogged: s.Unlogged}
	}
	if v.Event != nil {
		for _, s := range r.Before[max(0, len(r.Before)-lastSteps):] {
			v.Last = append(v.Last, step(s))
		}
	}
	if g := r.Explanations; g != nil {
		v.Explanations = &wire.TraceExplanations{From: g.From, States: g.States, Ends: g.Ends, Ways: g.Ways}
		for _, x := range g.Steps {
			e := &log.Events[x.Event]
			w := wire.ExplainedStep{From: x.From, To: x.To, Line: e.Line, Event: e.Name}
			for _, s := range x.Steps {
				w.Actions = append(w.Actions, step(s))
				w.Unlogged = s.Unlogged
			}
			v.Explanations.Steps = append(v.Explanations.Steps, w)
		}
	}
	if b := r.Broken; b != nil {
		inv := spec.Invariants[b.Invariant]
		v.Broken = &wire.TraceBroken{Invariant: inv.Name(), Kind: inv.Kind(), Doc: inv.Doc, Why: reasonsOf(p, b.Why)}
		if b.Event >= 0 {
			v.Broken.Event = logged(log.Events, b.Event)
		}
	}
	return v
}

// windowsOf reports windows, with the actions in their order in the composition.
func windowsOf[S any](spec *modules.Spec[S], events []validation.Event, w *validation.Windows, reason string) *wire.TraceWindows {
	out := &wire.TraceWindows{Passed: w.Passed, Refused: w.Refused, Unknown: w.Unknown, Reason: reason, Actions: []wire.ActionRate{}}
	for k := range spec.Actions {
		name := spec.Actions[k].Name
		if r := w.Actions[name]; r != nil {
			out.Actions = append(out.Actions, wire.ActionRate{Action: name, Passed: r.Passed, Refused: r.Refused})
		}
	}
	for _, x := range w.Refusals {
		r := wire.RefusedEvent{Event: *logged(events, x.Event), Kind: x.Kind, Text: x.Text, Found: x.Found}
		if x.Action >= 0 {
			r.Action = spec.Actions[x.Action].Name
		}
		out.Refusals = append(out.Refusals, r)
	}
	return out
}

func logged(events []validation.Event, k int) *wire.LoggedEvent {
	e := &events[k]
	fields, err := json.Marshal(e.Fields)
	if err != nil {
		fields = []byte("{}") // values of JSON can be written as such
	}
	return &wire.LoggedEvent{Number: k + 1, File: e.File, Line: e.Line, Name: e.Name, Node: e.Node, Fields: fields}
}

// longestValue bounds the text of a value in a reason, in bytes.
const longestValue = 400

// reasonsOf returns those of a probe with their values as text. Whole states are left out.
func reasonsOf[S any, U checker.Counters](p *Program[S, U], why []checker.Reason) (out []wire.Reason) {
	for _, r := range why {
		w := wire.Reason{Func: r.Func, File: r.File, Line: r.Line, Column: r.Column, Text: r.Text, Kind: r.Kind, Value: r.Value}
		for k, v := range r.Values {
			if _, whole := v.(S); whole || v == nil {
				continue
			}
			text := briefly(v, p.name)
			if len(text) > longestValue {
				text = strings.ToValidUTF8(text[:longestValue], "") + " ..."
			}
			if k < len(r.Locals) {
				if w.Locals == nil {
					w.Locals = map[string]string{}
				}
				w.Locals[r.Locals[k]] = text
				continue
			}
			w.Operands = append(w.Operands, wire.Operand{Text: r.Operands[k-len(r.Locals)], Value: text})
		}
		out = append(out, w)
	}
	return out
}

// briefly returns a value as text, without zeros that say nothing.
func briefly(v any, names modules.Names) string {
	zero, other := map[string]bool{}, map[string]bool{} // names of constants in v
	view := modules.ViewOf(v, func(t reflect.Type, value int64) (string, bool) {
		if names == nil {
			return "", false
		}
		name, ok := names(t, value)
		if ok && value == 0 {
			zero[name] = true
		} else if ok {
			other[name] = true
		}
		return name, ok
	})
	maps.DeleteFunc(zero, func(name string, _ bool) bool { return other[name] })
	return itf.Text(itf.Brief(view, func(string) bool { return false }, slices.Collect(maps.Keys(zero))))
}

// coverage returns how often each point was true and false.
func coverage(p *checker.Probe) (out []wire.PointCount) {
	if p == nil {
		return nil
	}
	for k, at := range p.Points {
		out = append(out, wire.PointCount{Func: at.Func, File: at.File, Line: at.Line, Column: at.Column, Text: at.Text, Kind: at.Kind,
			True: p.True[k], False: p.False[k]})
	}
	return out
}

// explaining follows a trace and says why a property is false at its end, or an action not enabled.
func explaining[S any, U checker.Counters](_ context.Context, a *Asked[S, U]) wire.Event {
	p, spec, bound, o := a.p, a.spec, a.bound, a.req.Options
	invalid := func(format string, args ...any) wire.Event {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: fmt.Sprintf(format, args...)}}
	}
	x := o.Explain
	if x == nil || x.Trace == nil || p.Probe == nil {
		return invalid("nothing to explain, or the program is not instrumented")
	}
	var s, before checker.Node[S, U]
	found := false
	for n := range bound.Init {
		if !found && reflect.DeepEqual(bound.Describe(n), x.Trace.Init) {
			s, found = *n, true
		}
	}
	if !found {
		return invalid("the trace does not begin with an initial state of this composition")
	}
	before = s
	for k, step := range x.Trace.Steps {
		i := instance(bound, step.Action, step.Params)
		if i < 0 || !bound.Enabled(&s, i) {
			return invalid("step %d of the trace, %s, is none of this composition", k+1, step.Action)
		}
		n := s
		bound.Apply(&s, &n, i)
		before, s = s, n
	}
	ask, err := questionOf(p, spec, x, &before, &s)
	if err != nil {
		return invalid("%v", err)
	}
	holds, why := p.Probe.Explain(ask)
	e := validated(nil, checker.Holds, "")
	e.Report.Explanation = &wire.Explanation{Holds: holds, Why: reasonsOf(p, why)}
	return e
}

// walkerOf returns what answers questions about single steps.
func walkerOf[S any, U checker.Counters](p *Program[S, U], spec *modules.Spec[S], bound *checker.Spec[checker.Node[S, U]]) *stepwise.Walker[checker.Node[S, U]] {
	w := &stepwise.Walker[checker.Node[S, U]]{Spec: bound, Names: p.name,
		State: func(n *checker.Node[S, U]) any { return &n.State },
		Spent: func(n *checker.Node[S, U], action int) (string, int) { return checker.SpentBy(spec, n, action) },
	}
	if p.Probe != nil {
		first := map[int]int{} // by action: the number of its first instance
		for k, in := range bound.Instances {
			if _, ok := first[in.Action]; !ok {
				first[in.Action] = k
			}
		}
		w.Why = func(n *checker.Node[S, U], instance int) (bool, []wire.Reason) {
			a := bound.Instances[instance].Action
			enabled, why := p.Probe.Explain(func() bool { return spec.Actions[a].Enabled(&n.State, instance-first[a]) })
			return enabled, reasonsOf(p, why)
		}
	}
	return w
}

// exploring answers questions about single steps until the command asks no more.
func exploring[S any, U checker.Counters](ctx context.Context, a *Asked[S, U]) wire.Event {
	err := walkerOf(a.p, a.spec, a.bound).Serve(ctx, a.p.questions, func(answer json.RawMessage) error { return a.send.event(wire.Event{Answer: answer}) })
	if err != nil {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
	}
	return validated(nil, checker.Undecided, "")
}

// read sends the lines of a reader to questions, until its end or the end of ctx.
func read(ctx context.Context, lines *bufio.Reader, questions chan<- []byte) {
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		select {
		case questions <- line:
		case <-ctx.Done():
			return
		}
	}
}

// finding explores from the end of a path.
func finding[S any, U checker.Counters](ctx context.Context, a *Asked[S, U], search Searcher[checker.Node[S, U]]) wire.Event {
	s := a.req.Options.Search
	if s == nil {
		return systemError(errors.New("the request does not say what to find"))
	}
	failed, err := walkerOf(a.p, a.spec, a.bound).Search(s)
	if err != nil {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}}
	}
	done := search(ctx, a.bound, a.req.Options, nil, a.late, a.send)
	if err := failed(); err != nil {
		return wire.Event{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}}
	}
	return done
}

// questionOf returns what is asked at the end of a trace.
func questionOf[S any, U checker.Counters](p *Program[S, U], spec *modules.Spec[S], x *wire.Explain, before, s *checker.Node[S, U]) (func() bool, error) {
	if x.Invariant == "" {
		for a := range spec.Actions {
			for n, param := range spec.Actions[a].Params {
				if spec.Actions[a].Name == x.Action && reflect.DeepEqual(modules.ViewOf(param, p.name), x.Params) {
					// whatever its budget
					return func() bool { return spec.Actions[a].Enabled(&s.State, n) }, nil
				}
			}
		}
		return nil, fmt.Errorf("the composition has no action %s with these parameters", x.Action)
	}
	k := slices.IndexFunc(spec.Invariants, func(v *modules.Invariant[S]) bool { return v.Name() == x.Invariant })
	if k < 0 {
		return nil, fmt.Errorf("the composition has no invariant %s", x.Invariant)
	}
	inv := spec.Invariants[k]
	switch {
	case inv.State != nil:
		return func() bool { return inv.State(&s.State) }, nil
	case inv.Step != nil:
		return func() bool { return inv.Step(&before.State, &s.State) }, nil
	}
	last := x.Trace.Steps[len(x.Trace.Steps)-1]
	for a := range spec.Actions {
		for _, on := range spec.Actions[a].Steps {
			if on.Invariant != inv || spec.Actions[a].Name != last.Action {
				continue
			}
			for n, param := range spec.Actions[a].Params {
				if reflect.DeepEqual(modules.ViewOf(param, p.name), last.Params) {
					return func() bool { return on.Holds(&before.State, &s.State, n) }, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("invariant %s is not about states or the last step", x.Invariant)
}

// instance returns the number of an action with parameters; -1 where there is none.
func instance[T any](spec *checker.Spec[T], action string, params modules.View) int {
	return slices.IndexFunc(spec.Instances, func(in checker.Instance) bool {
		return spec.Actions[in.Action].Name == action && reflect.DeepEqual(in.Params, params)
	})
}

// located finds the steps of a trace, in whatever states they are done.
func located[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], t *wire.Trace) (steps []int, err error) {
	for k := range t.Steps {
		at := instanceOf(spec, &t.Steps[k])
		if at < 0 {
			return nil, noTrace("step %d, %s%s, is no action of the composition", k+1, t.Steps[k].Action, conform.ParamsText(t.Steps[k].Params))
		}
		steps = append(steps, at)
	}
	return steps, nil
}

// beginning returns the instances with which walks begin; nil for none.
func beginning[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], t *wire.Trace) (out []int32, err error) {
	if t == nil {
		return nil, nil
	}
	steps, err := located(spec, t)
	for _, k := range steps {
		out = append(out, int32(k))
	}
	return out, err
}

// behaviour returns the behaviour of a specification that a trace shows.
func behaviour[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], t *wire.Trace) (*checker.Trace[checker.Node[S, U]], error) {
	out := new(checker.Trace[checker.Node[S, U]])
	spec.Init(func(n *checker.Node[S, U]) bool {
		out.Init = *n
		return !sameView(spec.Describe(n), t.Init)
	})
	n := out.Init
	for k := range t.Steps {
		step := &t.Steps[k]
		at := instanceOf(spec, step)
		if at < 0 || !spec.Enabled(&n, at) {
			return nil, noTrace("step %d, %s%s, is no step of the composition", k+1, step.Action, conform.ParamsText(step.Params))
		}
		before := n
		spec.Apply(&before, &n, at)
		out.Steps = append(out.Steps, checker.Step[checker.Node[S, U]]{Instance: at, Node: n})
	}
	return out, nil
}
