package explorer

import (
	"context"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/configs"
)

// goal is the aim of a search: a formula, an action, or a violation where both are "".
type goal struct {
	Formula string `json:"formula,omitempty"`
	Action  string `json:"action,omitempty"`
}

// finding is the result of a search.
type finding struct {
	Found bool     `json:"found"`
	Path  []string `json:"path,omitempty"` // from the initial state to what was found
	What  string   `json:"what,omitempty"` // the name of the property that is violated
	// Whole says that all states from the place on were explored.
	Whole    bool    `json:"whole"`
	Reason   string  `json:"reason,omitempty"` // why the search ended early
	Distinct int64   `json:"distinct"`
	Depth    int     `json:"depth"`
	Seconds  float64 `json:"seconds"`
}

// find searches from a place, until ctx is done. What is found is at the end of a shortest path
// from there.
func (e *engine) find(ctx context.Context, p place, g goal, progress func(wire.Progress)) (*finding, error) {
	s := &wire.Search{Init: p.Init, Path: p.Path, Action: g.Action}
	if g.Formula != "" {
		var err error
		if s.Formula, err = configs.ParseFormula(g.Formula); err != nil {
			return nil, err
		}
	}
	hard, kill := context.WithCancel(context.Background())
	defer kill()
	// A program that does not answer the request to stop is in a call that does not return.
	context.AfterFunc(ctx, func() { time.AfterFunc(longest, kill) })
	program := wire.Program{Path: e.program, Progress: progress, Stop: ctx.Done()}
	r, err := program.Run(hard, wire.Request{Verb: "find", Choice: e.run.Composition.EncodedChoice(), Options: wire.Options{
		Workers: e.limits.Workers, Memory: e.limits.Memory, MaxStates: e.limits.MaxStates, Timeout: e.limits.Timeout, Stop: 1, Search: s}})
	if err != nil {
		return nil, err
	}
	f := &finding{Whole: r.Verdict == verdicts.Holds, Reason: r.Reason, Distinct: r.Distinct, Depth: r.Depth, Seconds: r.Seconds}
	if len(r.Violations) > 0 && r.Violations[0].Trace != nil {
		v := &r.Violations[0]
		f.Found, f.Path = true, append(append([]string{}, p.Path...), callsOf(v.Trace)...)
		if g == (goal{}) {
			f.What = v.Invariant
			if v.Instance != "" {
				f.What += "." + v.Instance
			}
		}
	}
	return f, nil
}

// value evaluates a formula at a place.
func (e *engine) value(p place, formula string) (string, error) {
	encoded, err := configs.ParseFormula(formula)
	if err != nil {
		return "", err
	}
	a, err := e.steps.ask(questionAt(p, encoded))
	if err != nil {
		return "", err
	}
	return a.Value, nil
}
