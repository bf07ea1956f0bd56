package session

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// ExploreSeeds is Explore for n seeds, from that of the request on. The run has the result of the
// first seed that violates a property; or else of the first that is undecided, or of the first.
func (r *Run) ExploreSeeds(req wire.Request, n int, how Exploring) (all []result.Seeded) {
	request := func(k int) wire.Request {
		one := req
		one.Options.Seed += uint64(k)
		return one
	}
	r.ExploreSeries(n, request, how, func(k int, rep *wire.Report) bool {
		all = append(all, seeded(req.Options.Seed+uint64(k), rep))
		return decides(all)
	})
	r.unfinished(len(all), n)
	return all
}

// decides reports whether the last of some seeds is the result of all of them.
func decides(all []result.Seeded) bool {
	weight := map[string]int{verdicts.Violated: 2, verdicts.Undecided: 1}
	last := len(all) - 1
	return !slices.ContainsFunc(all[:last], func(s result.Seeded) bool { return weight[s.Verdict] >= weight[all[last].Verdict] })
}

// unfinished makes a result undecided that violates nothing and lacks some of n seeds.
func (r *Run) unfinished(ended, n int) {
	if r.Report != nil && ended < n && r.Report.Verdict != verdicts.Violated {
		r.Report.Verdict, r.Report.Reason = verdicts.Undecided, fmt.Sprintf("interrupted after %d of %d seeds", ended, n)
	}
}

// seeded returns the result of a seed. A seed that took no step is undecided.
func seeded(seed uint64, rep *wire.Report) result.Seeded {
	s := result.Seeded{Seed: seed, Verdict: rep.Verdict, Reason: rep.Reason, Seconds: rep.Seconds, Processor: rep.Processor}
	if w := rep.Simulation; w != nil {
		s.Walks, s.Steps = w.Walks, w.Steps
	}
	if len(rep.Violations) > 0 {
		s.Found = propertyName(&rep.Violations[0])
	}
	if c := rep.Conformance; c != nil {
		if s.Walks, s.Steps = c.Traces, c.Steps; len(c.Found) > 0 {
			if s.Found = c.Found[0].Kind; len(c.Found[0].Values) > 0 {
				s.Found = c.Found[0].Values[0].Path
			}
		}
	}
	switch {
	case s.Verdict == verdicts.Holds && s.Steps == 0:
		s.Verdict, s.Reason = verdicts.Undecided, "no step was taken"
	case s.Verdict == verdicts.Holds && rep.Simulation != nil:
		s.Verdict = verdicts.NothingFound
	}
	return s
}
