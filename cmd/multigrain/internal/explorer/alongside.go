package explorer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/modules"
)

// What it computes. Whether a second composition, which may have other grains, does the same as a
// path: a behaviour that takes the steps of the path whose actions both compositions have, in their
// order. Steps of actions that only one has are its own: a coarse step and the fine ones that it
// stands for. The second composition may take its own steps anywhere.
//
// Why it is right. All behaviours of that form are searched, so "parts" means that none continues,
// unless the search reached its limit, which is stated. Then a state of the second composition is
// shown that differs least from the one here, after as many steps as possible.
//
// What it costs. As many states as the own actions of the second composition reach between the
// steps of the path, and at most mostFollowed.

// mostFollowed bounds the states that are visited in the second composition.
const mostFollowed = 200_000

// longestFollowed is the time of one such search in seconds: less than an answer may take.
const longestFollowed = 4

// parted says how far a second composition follows a path.
type parted struct {
	Title string `json:"title"`
	// Says is the answer in words. Steps that both have can be possible while the states differ.
	Says    string   `json:"says"`
	Taken   []string `json:"taken"`   // the steps of the second composition
	Bridged []string `json:"bridged"` // those of them that are its own
	Alone   []string `json:"alone"`   // steps of the path whose actions it does not have
	// Step is the step of the path at which the two part, from 1; 0 where they do not.
	Step int    `json:"step"`
	Call string `json:"call,omitempty"`
	// Limited says that not all behaviours of the second composition were tried.
	Limited bool      `json:"limited,omitempty"`
	Why     []refusal `json:"why,omitempty"`
	// Differs are the parts of variables of both that have other values at the end.
	Differs []change `json:"differs"`
}

// alongside answers how far the second composition follows a path.
func (x *explorer) alongside(ctx context.Context, q *asked) (any, error) {
	if x.beside == nil {
		return nil, errors.New("there is no second composition: name its manifest with -beside")
	}
	return x.parted(ctx, q.place)
}

// parted takes the steps of a path in the second composition, as far as they are possible there.
func (x *explorer) parted(ctx context.Context, p place) (*parted, error) {
	o := x.beside
	if err := o.wait(ctx); err != nil {
		return nil, err
	}
	a, own, err := x.at(p)
	if err != nil {
		return nil, err
	}
	b, _, err := o.at(place{Path: []string{}})
	if err != nil {
		return nil, err
	}
	here, there := x.actions(a), o.actions(b)
	out := &parted{Title: o.title(), Bridged: []string{}, Alone: []string{}, Differs: []change{}}
	f := &wire.FollowSteps{Most: mostFollowed, Seconds: longestFollowed}
	var at []int // positions in the path of the calls that both have
	for k := range own.Steps {
		call := itf.Call(own.Steps[k].Action, own.Steps[k].Params)
		if slices.Contains(there, own.Steps[k].Action) {
			f.Calls = append(f.Calls, call)
			at = append(at, k)
		} else {
			out.Alone = append(out.Alone, call)
		}
	}
	for _, action := range there {
		if !slices.Contains(here, action) {
			f.Own = append(f.Own, action)
		}
	}
	found, err := o.steps.ask(&wire.Question{Init: p.Init, Follow: f})
	if err != nil {
		return nil, err
	}
	end := len(own.Steps)
	if n := found.Followed.Taken; n < len(f.Calls) {
		end = at[n]
		here := stateAt(own, end)
		f.Near = &here
		if found, err = o.steps.ask(&wire.Question{Init: p.Init, Follow: f}); err != nil {
			return nil, err
		}
	}
	out.Taken = found.Followed.Path
	_, other, err := o.at(place{p.Init, out.Taken})
	if err != nil {
		return nil, err
	}
	for k := range other.Steps {
		if slices.Contains(f.Own, other.Steps[k].Action) {
			out.Bridged = append(out.Bridged, out.Taken[k])
		}
	}
	if n := found.Followed.Taken; n < len(f.Calls) {
		out.Step, out.Call, out.Limited = end+1, f.Calls[n], !found.Followed.Whole
		why, err := o.why(ctx, place{p.Init, out.Taken}, out.Call)
		if err != nil {
			return nil, err
		}
		out.Why = refusals(why)
	}
	for _, c := range itf.Shared(stateAt(own, end), stateAt(other, len(other.Steps))) {
		out.Differs = append(out.Differs, x.change(c))
	}
	switch n := int64(len(out.Differs)); {
	case out.Step > 0:
		out.Says = fmt.Sprintf("parts at step %d, %s, which is not possible there", out.Step, out.Call)
	case n > 0:
		out.Says = "takes the steps that both have, and has other values at the end: " + words.Plural(n, "difference")
	default:
		out.Says = "does the same"
	}
	return out, nil
}

// stateAt returns the state after so many steps of a trace.
func stateAt(t *wire.Trace, steps int) modules.View {
	if steps == 0 {
		return t.Init
	}
	return t.Steps[steps-1].State
}
