package result

import (
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// Ranking is the result of ranking the configurations of a grid.
type Ranking struct {
	Verdict string `json:"verdict" enum:"ranked undecided"`
	Reason  string `json:"reason,omitempty"`
	Grid    []Axis `json:"grid"`
	Depth   int    `json:"depth"` // steps of a walk, at most
	// Number is how many walks are taken in each configuration; 0: as many as fit into its share
	// of the time.
	Number  int64   `json:"number"`
	Seed    uint64  `json:"seed"`
	Workers int     `json:"workers"`
	Seconds float64 `json:"seconds"` // of all walks
	// Configurations are in the order in which to search them. Those without walks come last.
	Configurations []Configuration `json:"configurations"`
}

// Axis is a name of the grid with its values.
type Axis struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind" enum:"variable bound option"`
	Values []string `json:"values"`
}

// Configuration is a point of the grid with what walks covered there.
type Configuration struct {
	Rank   int      `json:"rank"`   // from 1; 0 where not all walks were taken
	Values []string `json:"values"` // in the order of the grid
	// Manifest is the path of the manifest that was written for the configuration.
	Manifest string `json:"manifest,omitempty"`
	Walks    int64  `json:"walks"`
	Steps    int64  `json:"steps"`
	Distinct int64  `json:"distinct"` // states that walks visited
	// Branches are those of guards, effects and rules. Missing ones are not listed.
	Branches BranchCount `json:"branches"`
	// Events are the kinds of steps that walks took, as actions and as their instances.
	Events  EventCount `json:"events"`
	Depth   int        `json:"depth"` // steps of the longest walk
	Seconds float64    `json:"seconds"`
	Ends    wire.Ends  `json:"ends"`
}

// BranchCount counts branches.
type BranchCount struct {
	Taken int `json:"taken"`
	Of    int `json:"of"`
}

// EventCount counts actions that were taken at least once, and their instances.
type EventCount struct {
	Actions   int `json:"actions"`
	Instances int `json:"instances"`
}

// Plan lists compositions of a manifest's modules under test with the other modules at each of
// their grains, and says which of them can be explored within a budget.
type Plan struct {
	Verdict verdicts.Word `json:"verdict" enum:"planned undecided"`
	Reason  string        `json:"reason,omitempty"`
	Budget  float64       `json:"budget"` // seconds of one exploration
	Targets []string      `json:"targets"`
	// Bounds are the manifest's own of budgets that were made smaller.
	Bounds []Setting `json:"bounds,omitempty"`
	// Covers are the compositions that level L0 and the lock file allow, the finest first.
	Covers   []Cover    `json:"covers"`
	Rejected []Rejected `json:"rejected"`
	// Omitted counts further compositions, which were not examined.
	Omitted int `json:"omitted,omitempty"`
	// Manifest is the text that chooses the finest cover that fits, and Written the path of the
	// file with it.
	Manifest string `json:"manifest,omitempty"`
	Written  string `json:"written,omitempty"`
}

// Best returns the composition that a plan chooses: the finest one that fits with the manifest's
// own bounds. If there is none, it is the one with the most states of those with smaller bounds. It
// is nil if none fits.
func (p *Plan) Best() (best *Cover) {
	for k := range p.Covers {
		c := &p.Covers[k]
		switch {
		case !c.Fits:
		case len(c.Bounds) == 0:
			return c
		case best == nil || c.States > best.States:
			best = c
		}
	}
	return best
}

// Cover is a composition with what an exploration of all its states is expected to take.
type Cover struct {
	Grains []string `json:"grains"` // as module/grain
	// Bounds are those that are smaller than in the manifest.
	Bounds []Setting `json:"bounds,omitempty"`
	// States is the predicted number, and Low and High its range. High is -1 where no end was
	// seen.
	States int64 `json:"states"`
	Low    int64 `json:"low"`
	High   int64 `json:"high"`
	// Share is the part of States that was explored; 0: nothing is predicted.
	Share float64 `json:"share"`
	// Error is the factor between States and either end of the range. It holds nine of ten
	// predictions of docs/results/plan.md from such a share, and Median half of them. 1: the number
	// is exact; 0: nothing is predicted.
	Error   float64 `json:"error"`
	Median  float64 `json:"median_error"`
	Seconds float64 `json:"seconds"` // predicted, -1 where nothing is; with Exact measured
	Exact   bool    `json:"exact"`   // all states were explored
	Fits    bool    `json:"fits"`    // Seconds is within the budget
	// Explored and Depth are those of the short exploration.
	Explored int64 `json:"explored"`
	Depth    int   `json:"depth"`
	// Level is the result of the lock file for the composition; "" where it has none.
	Level string `json:"level,omitempty"`
	// Reason says why nothing could be predicted.
	Reason string `json:"reason,omitempty"`
	// Others are predictions of other estimators, with -estimators.
	Others []Estimated `json:"others,omitempty"`
}

// Estimated is the prediction of an estimator that is not the default.
type Estimated struct {
	Estimator string  `json:"estimator"`
	States    float64 `json:"states"` // 0: it predicts nothing
}
