package conform

import (
	"fmt"
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/walks"
)

// Replay does one behaviour of a composition, from its first initial node, on an implementation. Of
// the options it takes Setup, Timeout, Journal, Again and Context. A step that is not enabled is an
// error, and so is one that does not return: a *StuckError. The trace of a difference holds the
// steps up to it, and is not shrunk. With Follow the behaviour continues after a difference: see
// retrace. With Follow.First it ends at the first one that is neither accepted nor shared.
func Replay[S any, U checker.Counters](c Composition[S, U], impl Implementation[S], instances []int, opt Options) (Result[checker.Node[S, U]], error) {
	opt.complete()
	opt.Workers = 1
	r := attending(c, opt)
	r.res.Verdict, r.res.Workers = checker.Undecided, 1
	r.res.Fired = make([]int64, len(c.Bound.Actions))
	r.res.Instances = make([]int64, len(c.Bound.Instances))
	var err error
	if r.res.Version, err = impl.Check(opt.Setup.Version); err != nil {
		return r.res, err
	}
	t, err := newTester(c, impl, opt.Setup)
	if err != nil {
		return r.res, err
	}
	stuck := false
	defer func() {
		if !stuck {
			t.adapter.Stop()
		}
	}()
	r.res.Version = t.version(r.res.Version)
	r.res.observe(t.vars)
	var init checker.Node[S, U]
	c.Bound.Init(func(n *checker.Node[S, U]) bool {
		init = *n
		return false
	})
	rec := record{taken: true}
	for _, k := range instances {
		rec.steps = append(rec.steps, int32(k))
	}
	t.journal = journalIn(opt.Journal, 0)
	if w := opt.Again; w != nil {
		copy(bytesOf(&init), w.Init)
		rec.steps = slices.Clone(w.Instances)
	} else if opt.Follow != nil {
		if opt.Accepted, err = t.acceptances(opt.Accepted, r.res.Version); err != nil {
			return r.res, err
		}
		var borrowed []string
		if x, ok := offered[Borrower](t.adapter); ok {
			borrowed = x.Borrowed()
		}
		opt.Follow.begin(r.res.Observed, borrowed)
	} else if err := t.drives(&init, rec.steps); err != nil {
		return r.res, err
	}
	var done []checker.Step[checker.Node[S, U]]
	err = r.attended(t, func() {
		if opt.Follow != nil {
			if opt.Follow.First {
				rec.deviation = t.upToDeparture(&opt, &init, rec.steps, &done)
			} else {
				t.retrace(opt.Follow, &init, &rec, &done)
			}
			return
		}
		if rec.deviation = t.replay(&init, rec.steps, &done); opt.Again != nil {
			time.Sleep(settle)
		}
	})
	if stuck = err != nil; stuck {
		return Result[checker.Node[S, U]]{Verdict: checker.Undecided, Version: r.res.Version, Workers: 1}, err
	}
	if err := t.broken(); err != nil {
		return r.res, err
	}
	if d := rec.deviation; d != nil && d.kind == cut {
		rec.deviation, rec.cut, rec.steps = nil, true, rec.steps[:len(done)]
		if err := r.merge(1, &rec); err != nil {
			return r.res, err
		}
		r.finish(false)
		r.res.Reason = fmt.Sprintf("%s after %d of %d steps", r.Why(), len(done), len(instances))
		r.res.Duration = host.Since(r.start)
		return r.res, nil
	}
	if e := t.undrivenIn(rec.deviation, len(done), lastOf(done)); e != nil {
		rec.deviation, rec.cut = nil, true
		rec.steps = rec.steps[:max(len(done)-1, 0)]
		if err := r.merge(1, &rec); err != nil {
			return r.res, err
		}
		r.finish(false)
		r.res.Reason, r.res.Duration = e.Message, host.Since(r.start)
		return r.res, nil
	}
	if some := opt.Follow != nil && opt.Follow.Always; rec.deviation == nil && opt.Again == nil && !some && len(done) < len(instances) {
		return r.res, fmt.Errorf("only %d of the %d steps are possible", len(done), len(instances))
	}
	rec.steps = rec.steps[:len(done)]
	rec.elapsed = host.Since(r.start)
	if err := r.merge(1, &rec); err != nil {
		return r.res, err
	}
	r.finish(true)
	if rec.deviation != nil {
		d := t.difference(&init, done, rec.deviation)
		d.Length, d.Count = len(done), 1
		r.res.Found = append(r.res.Found, d)
	}
	r.retraced(t, &init, done, &rec)
	r.res.Duration = host.Since(r.start)
	return r.res, nil
}

// attending returns a run that does single behaviours.
func attending[S any, U checker.Counters](c Composition[S, U], opt Options) *run[S, U] {
	return &run[S, U]{
		Runner: walks.Runner{Workers: 1, Number: 1, Timeout: opt.Timeout, Context: opt.Context},
		c:      c, opt: opt, start: host.Now(),
	}
}

// attended lets a tester do something that ends before its next step when the run is halted. The
// error is a *StuckError. The tester is in use then.
func (r *run[S, U]) attended(t *tester[S, U], do func()) error {
	r.workers = []*worker[S, U]{{run: r, test: t}}
	if x, ok := offered[Patient](t.adapter); ok {
		r.opt.patience = max(r.opt.patience, x.Patience())
	}
	t.halted = r.Halted
	stop := r.Watch()
	defer stop()
	_, err := r.await(func() (bool, error) {
		do()
		return true, nil
	})
	return err
}

// drives refuses a behaviour with a step that the adapter cannot drive.
func (t *tester[S, U]) drives(init *checker.Node[S, U], steps []int32) error {
	x, ok := offered[Limited[S]](t.adapter)
	if !ok {
		return nil
	}
	before, after := *init, *init
	for number, k := range steps {
		if !t.spec.Enabled(&before, int(k)) {
			continue
		}
		t.spec.Apply(&before, &after, int(k))
		if reason := x.LeavesOut(t.stepOf(int(k), &before.State, &after.State)); reason != "" {
			return fmt.Errorf("step %d, %s, cannot be driven: %s", number+1, t.doing(calling|uint64(k)), reason)
		}
		before = after
	}
	return nil
}

// lastOf returns the instance of the last step, that of the start where there is none.
func lastOf[T any](done []checker.Step[T]) int {
	if len(done) == 0 {
		return starting
	}
	return done[len(done)-1].Instance
}
