// Package likely estimates at which step of a trace its violation became likely: from each step it
// takes random walks, and counts those that meet the violation.
package likely

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/configs"
)

// Walks is how many walks are taken from each step where nothing else is asked for.
const Walks = 1000

// Run takes the walks of a request from each step of a trace. The request is one of simulate
// without beginnings of walks. The result is nil if errors among the diagnostics of r say why there
// is none. R has the verdict over all walks.
func Run(r *session.Run, path string, req wire.Request, how session.Exploring) *result.Likely {
	meta, trace, err := session.ReadTrace(path)
	if err != nil {
		r.Add(configs.Errorf(codes.Trace, "Trace cannot be read", hcl.Range{Filename: path}, "%v.", err))
		return nil
	}
	if !slices.Contains([]string{"state", "step", "assert", "deadlock"}, meta.Kind) || len(trace.Steps) == 0 {
		r.Add(configs.Errorf(codes.Trace, "Trace of no violation", hcl.Range{Filename: path},
			"Walks are counted that meet the violation of a trace. %s has none that walks see: an invariant, a property of steps, an assertion or a deadlock.", path))
		return nil
	}
	out := &result.Likely{Trace: path, Property: meta.Kind, Steps: []result.LikelyStep{}, Behaviour: narrate.BehaviourOf(trace, narrate.KnownOf(r.Composition.Catalog), false)}
	if meta.Invariant != "" {
		if out.Property = meta.Invariant; meta.Instance != "" {
			out.Property += "." + meta.Instance
		}
		if !only(r, meta.Invariant, meta.Instance) {
			r.Add(configs.Errorf(codes.Trace, "Property of the trace not found", hcl.Range{Filename: path},
				"The composition does not check %s, which the trace violates. Name it in the check block.", out.Property))
			return nil
		}
		req.Choice = r.Composition.EncodedChoice()
	}
	req.Options.Stop, req.Options.Deadlock = 0, meta.Kind == "deadlock"
	out.Walks = req.Options.Simulate.Number
	begin, limit, processor, used := host.Now(), req.Options.Timeout, req.Options.Processor, 0.0
	request := func(k int) wire.Request {
		one, walks := req, *req.Options.Simulate
		walks.From = []wire.From{{Trace: trace, Steps: k}}
		one.Options.Simulate = &walks
		if limit > 0 {
			one.Options.Timeout = max(limit-host.Since(begin), time.Nanosecond)
		}
		if processor > 0 {
			one.Options.Processor = max(processor-time.Duration(used*float64(time.Second)), time.Nanosecond)
		}
		return one
	}
	kept := ""
	r.ExploreSeries(len(trace.Steps), request, how, func(k int, rep *wire.Report) bool {
		used += rep.Processor
		out.Steps = append(out.Steps, step(trace, k, walksOf(rep), met(rep)))
		keep := kept == "" || session.Outweighs(rep.Verdict, kept)
		if keep {
			kept = rep.Verdict
		}
		return keep
	})
	if r.Diagnostics.HasErrors() {
		return nil
	}
	if len(out.Steps) == len(trace.Steps) {
		out.Steps = append(out.Steps, result.LikelyStep{Step: len(trace.Steps), Action: actionAt(trace, len(trace.Steps)), Probability: 1, Low: 1, High: 1})
	}
	jumps(out.Steps)
	return out
}

// only lets the composition of r check one of its properties, and reports whether it has it.
func only(r *session.Run, id, instance string) bool {
	selected := r.Composition.Selected()
	for _, p := range selected {
		if p.ID == id && p.Instance == instance {
			one := *r.Composition
			name := id
			if instance != "" {
				name += "." + instance
			}
			one.Choice.Invariants, one.Choice.Except = []string{name}, nil
			r.Composition = &one
			return true
		}
	}
	return false
}

func walksOf(rep *wire.Report) int64 {
	if rep.Simulation == nil {
		return 0
	}
	return rep.Simulation.Walks
}

// met counts the walks that met the violation. A walk ends where it does.
func met(rep *wire.Report) (n int64) {
	for k := range rep.Violations {
		n += rep.Violations[k].Count
	}
	return n
}

// actionAt returns the step of a trace by its number from 1, as text.
func actionAt(t *wire.Trace, k int) string {
	if k == 0 {
		return ""
	}
	s := &t.Steps[k-1]
	return fmt.Sprintf("%s%s", s.Action, narrate.ParamsText(s.Params))
}

func step(t *wire.Trace, k int, walks, met int64) result.LikelyStep {
	s := result.LikelyStep{Step: k, Action: actionAt(t, k), Walks: walks, Met: met}
	if walks > 0 {
		s.Probability = float64(met) / float64(walks)
	}
	s.Low, s.High = Interval(met, walks)
	return s
}

// Interval returns the interval of Wilson for the probability of an event that happened in so many
// of n attempts, n >= 0. With 95 % it contains that probability. Both ends are between 0 and 1.
func Interval(met, n int64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964 // 97.5 % of the normal distribution lie below
	p, count := float64(met)/float64(n), float64(n)
	middle := (p + z*z/(2*count)) / (1 + z*z/count)
	half := z / (1 + z*z/count) * math.Sqrt(p*(1-p)/count+z*z/(4*count*count))
	low, high = max(middle-half, 0), min(middle+half, 1)
	if met == 0 {
		low = 0 // what rounding leaves
	}
	if met == n {
		high = 1
	}
	return low, high
}

// jumps marks the steps whose interval has nothing in common with that of the step before.
func jumps(all []result.LikelyStep) {
	for k := range all {
		if k == 0 || all[k-1].Walks == 0 || all[k].Walks == 0 && all[k].Probability < 1 {
			continue
		}
		switch {
		case all[k].Low > all[k-1].High:
			all[k].Jump = "up"
		case all[k].High < all[k-1].Low:
			all[k].Jump = "down"
		}
	}
}
