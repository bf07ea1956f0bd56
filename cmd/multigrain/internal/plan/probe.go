package plan

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
)

// Probing says how a composition is explored in part, and what it has to fit into.
type Probing struct {
	Budget time.Duration // that exploring all states may take
	// Probe is the time that the short exploration takes, at most; 0: see ProbeOf.
	Probe time.Duration
	// Workers is the number of threads of both explorations; 0: one for each processor. Memory is
	// how many bytes the short one may use; 0: no limit.
	Workers int
	Memory  int64
	// Others asks for the predictions of other estimators, too.
	Others bool
}

// Most is how many compositions are examined, the coarsest first.
const Most = 12

// Defaults of the time of a short exploration.
const (
	leastProbe = 5 * time.Second
	probeShare = 100
)

// ProbeOf returns the time of the short exploration for a budget: a hundredth of it, and at least
// five seconds. So about 1 % of the states are explored of a composition that takes just the
// budget, and a larger part of each one that takes less.
func ProbeOf(budget time.Duration) time.Duration { return max(leastProbe, budget/probeShare) }

// Predict explores a part of a run's composition, predicts the rest, and fills in what a cover has
// of that. It returns the number of initial states that were explored. If nothing can be predicted,
// the cover has the reason.
func (p Probing) Predict(r *session.Run, c *result.Cover) (initial int64) {
	req := r.Exploration(session.Limits{Workers: p.Workers, Memory: p.Memory, Timeout: cmp.Or(p.Probe, ProbeOf(p.Budget)), Stop: new(int)}, false)
	program, interrupted, diags := r.Env.Assemble(r.Composition.Assembling(compose.Check))
	if interrupted {
		c.Reason = session.InterruptedBuild
		return 0
	}
	if diags.HasErrors() {
		c.Reason = firstError(diags)
		return 0
	}
	ran, err := r.Env.Explore(program, req, false)
	if err != nil {
		c.Reason = strings.TrimSuffix(r.Because(err), ".")
		return 0
	}
	longest := 0
	if !ended(ran.Report) || p.Others {
		longest = p.longest(r, c)
	}
	p.fill(c, ran.Report, longest)
	if len(ran.Report.Levels) > 0 {
		initial = ran.Report.Levels[0]
	}
	return initial
}

// ended reports whether an exploration ended by itself. One that has met a violation has that
// verdict also if a limit ended it.
func ended(rep *wire.Report) bool { return rep.Verdict != verdicts.Undecided && rep.Reason == "" }

// Names of other estimators.
const (
	Knuth = "Knuth's probing"
	Chen  = "Chen's probing"
)

// Random walks whose length says how deep a search goes.
const (
	walks     = 300
	walkDepth = 2000
	walkTime  = 2 * time.Second
)

// longest returns the length of the longest walk that ended by itself; 0 for none. It adds the
// estimates of probing.
func (p Probing) longest(r *session.Run, c *result.Cover) int {
	number := int64(walks)
	req, diags := r.Simulation(session.Walks{Depth: walkDepth, Number: &number}, session.Limits{Workers: p.Workers, Timeout: walkTime}, false)
	if diags.HasErrors() {
		return 0
	}
	req.Options.Stop, req.Options.Deadlock, req.Options.Simulate.Tree = 0, false, p.Others
	program, interrupted, diags := r.Env.Assemble(r.Composition.Assembling(compose.Simulate))
	if interrupted || diags.HasErrors() {
		return 0
	}
	ran, err := r.Env.Explore(program, req, false)
	if err == nil && ran.Report.Simulation != nil && ran.Report.Simulation.Tree != nil {
		t := ran.Report.Simulation.Tree
		c.Others = []result.Estimated{{Estimator: Knuth, States: t.Knuth}, {Estimator: Chen, States: t.Chen}}
	}
	if err != nil || ran.Report.Depth >= walkDepth {
		return 0
	}
	return ran.Report.Depth
}

// fill fills in what an exploration shows.
func (p Probing) fill(c *result.Cover, rep *wire.Report, longest int) {
	c.Explored, c.Depth = rep.Distinct, len(rep.Levels)
	e := Of(rep.Levels, ended(rep), longest)
	c.States, c.Low, c.High, c.Exact = e.States, e.Low, e.High, e.Exact
	c.Error, c.Median, c.Share = e.Factor, e.Median, e.Share
	seconds := max(rep.Seconds, 0.001)
	c.Seconds = seconds
	switch {
	case e.Unknown:
		c.High, c.Reason = -1, fmt.Sprintf("no end is in sight after %s in %s", words.Plural(rep.Distinct, "state"), words.Elapsed(seconds))
		c.Seconds = math.Inf(1)
	case !e.Exact:
		c.Seconds = float64(e.States) / (float64(rep.Distinct) / seconds)
	}
	if math.IsInf(c.Seconds, 1) {
		c.Seconds = -1
		return
	}
	c.Fits = c.Seconds <= p.Budget.Seconds()
}
