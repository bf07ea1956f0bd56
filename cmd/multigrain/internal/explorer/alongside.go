package explorer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker/host"
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
// shown that differs least from the one here, after as many steps as possible. Where all steps are
// possible and no behaviour has the values of the path at its end, the two part after the longest
// prefix of the path whose values some behaviour has.
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
	// Step is the step of the path at which the two part, from 1; 0 where they do not, or where
	// their initial states differ.
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
	end, refused := len(own.Steps), found.Followed.Taken < len(f.Calls)
	if refused {
		end = at[found.Followed.Taken]
	}
	nearest, differs, err := o.nearest(p.Init, f, stateAt(own, end))
	if err != nil {
		return nil, err
	}
	out.Taken, out.Limited = nearest.Path, !nearest.Whole && (refused || len(differs) > 0)
	_, other, err := o.at(place{p.Init, out.Taken})
	if err != nil {
		return nil, err
	}
	for k := range other.Steps {
		if slices.Contains(f.Own, other.Steps[k].Action) {
			out.Bridged = append(out.Bridged, out.Taken[k])
		}
	}
	for _, c := range differs {
		out.Differs = append(out.Differs, x.change(c))
	}
	switch n := words.Plural(int64(len(differs)), "difference"); {
	case refused:
		out.Step, out.Call = end+1, f.Calls[nearest.Taken]
		why, err := o.why(ctx, place{p.Init, out.Taken}, out.Call)
		if err != nil {
			return nil, err
		}
		out.Why = refusals(why)
		out.Says = fmt.Sprintf("parts at step %d, %s, which is not possible there", out.Step, out.Call)
	case len(differs) == 0:
		out.Says = "does the same"
	default:
		k, whole, err := o.lastAlike(p.Init, f, own, at)
		if err != nil {
			return nil, err
		}
		out.Limited = out.Limited || !whole
		switch {
		case k == unknown:
			out.Says = "takes the steps that both have, and has other values at the end: " + n
		case k < 0:
			out.Says = "begins with other values: " + n + " at the end"
		default:
			out.Step, out.Call = k+1, itf.Call(own.Steps[k].Action, own.Steps[k].Params)
			out.Says = fmt.Sprintf("takes the steps that both have, and parts at step %d, %s: %s has the values from there on, %s at the end",
				out.Step, out.Call, map[bool]string{false: "no behaviour", true: "no behaviour that was found"}[out.Limited], n)
		}
	}
	return out, nil
}

// nearest returns the behaviour that takes as many of the steps as possible and ends nearest to a
// state, and in what its end differs from that.
func (e *engine) nearest(init int, f *wire.FollowSteps, near modules.View) (*wire.FollowedSteps, []itf.Change, error) {
	g := *f
	g.Near = &near
	found, err := e.steps.ask(&wire.Question{Init: init, Follow: &g})
	if err != nil {
		return nil, nil, err
	}
	_, other, err := e.at(place{init, found.Followed.Path})
	if err != nil {
		return nil, nil, err
	}
	return found.Followed, itf.Shared(near, stateAt(other, len(other.Steps))), nil
}

// unknown is the answer of lastAlike when its time is over.
const unknown = -2

// lastAlike returns the length of the longest prefix of a path after which some behaviour has the
// path's values; -1 if there is none. No behaviour has those at the end of the whole path. At are
// the positions in the path of the steps to follow. Whole says that all behaviours were compared.
// It takes longestFollowed in all, and one search more.
func (e *engine) lastAlike(init int, f *wire.FollowSteps, own *wire.Trace, at []int) (length int, whole bool, err error) {
	whole = true
	began := host.Now()
	for k := len(own.Steps) - 1; k >= 0; k-- {
		if host.Since(began).Seconds() > longestFollowed {
			return unknown, false, nil
		}
		g := *f
		n, _ := slices.BinarySearch(at, k)
		g.Calls = f.Calls[:n]
		nearest, differs, err := e.nearest(init, &g, stateAt(own, k))
		if err != nil || len(differs) == 0 {
			return k, whole, err
		}
		whole = whole && nearest.Whole
	}
	return -1, whole, nil
}

// stateAt returns the state after so many steps of a trace.
func stateAt(t *wire.Trace, steps int) modules.View {
	if steps == 0 {
		return t.Init
	}
	return t.Steps[steps-1].State
}
