package conform

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/modules"
)

// Symptom describes a bug as a user of the implementation sees it. The word is one of the adapter's
// vocabulary, and the settings say more, as the vocabulary lists them.
type Symptom struct {
	Word     string
	Settings map[string]string
}

// Sighting says whether a symptom was seen.
type Sighting struct {
	Word string
	Seen bool
	// Judged is false where the symptom could not be looked for. Text says why, or what was seen.
	Judged bool
	Text   string
}

// Witness is an adapter that looks for symptoms.
type Witness interface {
	// Watch says which symptoms Look will look for. It is called before Start.
	Watch([]Symptom) error
	// Look looks for the symptoms after the last step, in their order. It may let the
	// implementation run freely. Only Start and Stop may follow.
	Look() []Sighting
}

// SpoiltError is an error of Start: the implementation did not come into the initial state, for a
// reason that has nothing to do with the behaviour. Starting again can help.
type SpoiltError struct{ Message string }

func (e *SpoiltError) Error() string { return e.Message }

// Unwrap makes the error one of what could not be driven.
func (e *SpoiltError) Unwrap() error { return &UndrivenError{e.Message} }

// Outcome says how an attempt ended.
type Outcome string

// Outcomes of attempts.
const (
	Shown    Outcome = "shown"    // driven to the end, and all symptoms were seen
	Absent   Outcome = "absent"   // driven to the end, and a symptom was not seen
	Unjudged Outcome = "unjudged" // driven to the end, and a symptom could not be looked for
	Departed Outcome = "departed" // the implementation does not do what the specification does
	Undriven Outcome = "undriven" // a step could not be driven to its end
	Spoilt   Outcome = "spoilt"   // the implementation did not come into the initial state
	halted   Outcome = "halted"   // a limit or an interrupt came before the end: no attempt
)

// Attempt is one attempt to do a behaviour and to see its symptoms.
type Attempt struct {
	Control bool // the behaviour without its fault
	Outcome Outcome
	// Steps were done. Step is the one that departed or could not be driven, from 1, and Action
	// its text; 0 is the start.
	Steps, Step int
	Action      string
	Message     string // why it departed, could not be driven, or was spoilt
	Log         []string
	Sightings   []Sighting
	Duration    time.Duration
}

// Confirming says how often a behaviour is done, and what is looked for.
type Confirming struct {
	// Trace and Control are the behaviours with the fault and without it, as instances. Steps of
	// Control that are not possible are left out.
	Trace, Control []int
	// Runs and Controls count the attempts that are not spoilt.
	Runs, Controls int
	Symptoms       []Symptom
}

// maxSpoilt bounds how often in a row an attempt is repeated because it was spoilt.
const maxSpoilt = 5

// Confirm does a behaviour on an implementation and looks for symptoms after it, several times. An
// attempt that is spoilt is repeated. Of the options it takes Setup, Timeout, Context and Progress.
// An attempt that a limit or an interrupt ends is none. The version is the implementation's. The
// error says that nothing could be tried, or is a *StuckError.
func Confirm[S any, U checker.Counters](c Composition[S, U], impl Implementation[S], what Confirming, opt Options) (all []Attempt, version string, err error) {
	opt.complete()
	if version, err = impl.Check(opt.Setup.Version); err != nil {
		return nil, version, err
	}
	t, err := newTester(c, impl, opt.Setup)
	if err != nil {
		return nil, version, err
	}
	stuck := false
	defer func() {
		if !stuck {
			t.adapter.Stop()
		}
	}()
	version = t.version(version)
	w, ok := offered[Witness](t.adapter)
	if !ok {
		return nil, version, fmt.Errorf("the adapter of %s looks for no symptoms", impl.Name)
	}
	if err := w.Watch(what.Symptoms); err != nil {
		return nil, version, err
	}
	var init checker.Node[S, U]
	c.Bound.Init(func(n *checker.Node[S, U]) bool {
		init = *n
		return false
	})
	t.journal = journalIn(opt.Journal, 0)
	r := attending(c, opt)
	start, steps := r.start, int64(0)
	several := func(instances []int, times int, control bool) {
		for done, spoilt := 0, 0; done < times && spoilt < maxSpoilt && !stuck && !r.Halted(); {
			var a Attempt
			if err = r.attended(t, func() { a = t.confirm(w, &init, instances) }); err != nil {
				stuck = true
				return
			}
			if a.Outcome == halted {
				return
			}
			a.Control = control
			all = append(all, a)
			if a.Outcome == Spoilt {
				spoilt++
			} else {
				done, spoilt = done+1, 0
			}
			if steps += int64(a.Steps); opt.Progress != nil {
				opt.Progress(Progress{int64(len(all)), steps, host.Since(start)})
			}
		}
	}
	several(what.Trace, what.Runs, false)
	// A control says something only of a bug that was seen.
	if slices.ContainsFunc(all, func(a Attempt) bool { return a.Outcome == Shown }) && len(what.Control) > 0 {
		several(what.Control, what.Controls, true)
	}
	return all, version, cmp.Or(t.broken(), err)
}

// confirm does a behaviour once and looks for the symptoms after it.
func (t *tester[S, U]) confirm(w Witness, init *checker.Node[S, U], instances []int) (a Attempt) {
	start := host.Now()
	defer func() { a.Duration = host.Since(start) }()
	steps := make([]int32, len(instances))
	for k, n := range instances {
		steps[k] = int32(n)
	}
	var done []checker.Step[checker.Node[S, U]]
	d := t.replay(init, steps, &done)
	a.Steps = len(done)
	if d == nil {
		a.Sightings = w.Look()
		a.Outcome = Shown
		for _, s := range a.Sightings {
			switch {
			case !s.Judged:
				a.Outcome = Unjudged
			case !s.Seen && a.Outcome == Shown:
				a.Outcome = Absent
			}
		}
		return a
	}
	a.Step, a.Steps, a.Message, a.Log = len(done), max(len(done)-1, 0), d.message, d.log
	a.Action = t.doing(calling | uint64(lastOf(done)))
	switch {
	case d.kind == cut:
		a.Outcome = halted
	case d.spoilt:
		a.Outcome = Spoilt
	case d.kind == undriven:
		a.Outcome = Undriven
	default:
		a.Outcome = Departed
		if len(d.values) > 0 {
			a.Message = d.values[0].line()
		}
	}
	return a
}

// line describes the values of both sides.
func (v *Value) line() string {
	side := func(of string, x *modules.View) string {
		if x == nil {
			return of + " has none"
		}
		return of + " " + viewText(x)
	}
	return fmt.Sprintf("%s: %s, %s", v.Path, side("specification", v.Specification), side("implementation", v.Implementation))
}
