package explorer

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// fineSide is the value of -beside for the fine composition of the comparison.
const fineSide = "fine"

// otherSide is the other side of a comparison.
var otherSide = map[string]string{fineSide: "coarse", "coarse": fineSide}

// sides returns the run to explore and the one alongside, nil for none. The witness of a finding is
// explored in the composition that has it, next to the other side of the comparison.
func (o *options) sides(c *command.Call, in shell.Interrupts, r *session.Run, begin *beginning) (run, other *session.Run) {
	witness := begin != nil && begin.meta.Kind == "witness" && o.beside == ""
	switch {
	case r.Composition == nil || !witness && o.beside == "":
		return r, nil
	case !witness && o.beside != fineSide:
		return r, c.Env(in).Resolve(o.beside, c.Vars)
	}
	x, diags := r.Composition.Compare()
	r.Add(diags...)
	if x == nil {
		if !diags.HasErrors() {
			r.Add(configs.Errorf(codes.Trace, "Nothing to compare with", hcl.Range{},
				"%s chooses no coarse grain, so it is its own fine composition. Name another manifest with -beside.", r.Manifest.Path))
		}
		return r, nil
	}
	coarse, fine := *r, *r
	coarse.Composition, fine.Composition = x.Mixed, x.Fine
	if witness && !takes(x.Mixed, begin.trace) {
		o.side = fineSide
		return &fine, &coarse
	}
	o.side = "coarse"
	return &coarse, &fine
}

// takes reports whether a composition has all actions of a trace.
func takes(c *compose.Composition, t *wire.Trace) bool {
	var actions []string
	for _, g := range c.Chosen() {
		actions = append(actions, g.Actions...)
	}
	return !slices.ContainsFunc(t.Steps, func(s wire.Step) bool { return !slices.Contains(actions, s.Action) })
}
