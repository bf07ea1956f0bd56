package session

import (
	"fmt"

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
		return k == 0 || worse(rep, r.Report)
	})
	r.unfinished(len(all), n)
	return all
}

// worse reports whether the report of a seed takes the place of that of an earlier one.
func worse(rep, than *wire.Report) bool {
	return than.Verdict != verdicts.Violated && rep.Verdict != than.Verdict && (rep.Verdict == verdicts.Violated || rep.Verdict == verdicts.Undecided)
}

// unfinished makes a result undecided that violates nothing and lacks some of n seeds.
func (r *Run) unfinished(ended, n int) {
	if r.Report != nil && ended < n && r.Report.Verdict != verdicts.Violated {
		r.Report.Verdict, r.Report.Reason = verdicts.Undecided, fmt.Sprintf("interrupted after %d of %d seeds", ended, n)
	}
}

// seeded returns the result of a seed.
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
	return s
}
