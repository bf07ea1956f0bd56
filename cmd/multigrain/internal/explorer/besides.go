package explorer

import (
	"context"
	"errors"

	"github.com/multigrain/multigrain/checker/itf"
)

// parted is what a second composition does with the steps of a path.
type parted struct {
	Title string   `json:"title"`
	Taken []string `json:"taken"` // its own steps
	// Step is the step of the path at which the two part, from 1; 0 where they do not.
	Step int    `json:"step"`
	Call string `json:"call,omitempty"`
	// Unknown says that it has no such action: another grain stands in its place.
	Unknown bool      `json:"unknown,omitempty"`
	Why     []refusal `json:"why,omitempty"`
	// Differs are the variables of both that have other values at the end.
	Differs []change `json:"differs"`
}

// besides answers with what the second composition does.
func (x *explorer) besides(ctx context.Context, q *asked) (any, error) {
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
	_, own, err := x.at(p)
	if err != nil {
		return nil, err
	}
	a, other, err := o.at(p)
	if err != nil {
		return nil, err
	}
	out := &parted{Title: o.run.Manifest.Name(), Taken: append([]string{}, callsOf(other)...), Differs: []change{}}
	if h := a.Halted; h != nil {
		out.Step, out.Call, out.Unknown = h.Step, h.Call, h.Unknown
		if !h.Unknown {
			why, err := o.why(ctx, place{p.Init, p.Path[:h.Step-1]}, h.Call)
			if err != nil {
				return nil, err
			}
			out.Why = refusals(why)
		}
	}
	here, there := own.Init, other.Init
	if n := len(other.Steps); n > 0 {
		here, there = own.Steps[n-1].State, other.Steps[n-1].State
	}
	for _, c := range itf.Changes(here, there) {
		if c.Old != nil && c.New != nil {
			out.Differs = append(out.Differs, x.change(c))
		}
	}
	return out, nil
}
