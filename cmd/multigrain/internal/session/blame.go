package session

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
)

// findingOf is a difference as a finding, and the name of the coarse action to which it belongs. Its
// place is in the coarse grain: at the coarse action without a counterpart, or at the coarse action
// that should have led to what is missed. The finer steps are related.
func findingOf(x *compose.Comparison, d *wire.Difference) (f interaction.Finding, guilty string) {
	f = interaction.Finding{Severity: interaction.Error, Kind: interaction.FalseBehaviour, Variable: d.Variable, Action: d.Observer,
		Message: differenceText(d), Remedy: "choose the finer grain, or let the coarse one do as the finer one does"}
	if d.Missed {
		f.Kind = interaction.MissedBehaviour
		f.Remedy = "let the coarse grain do so, choose the finer one, or accept the gap in the manifest:\n\n" + acceptBlock(d)
	}
	f.Code = interaction.CodeOfKind(f.Kind)
	b := blamedAction(x, d)
	if b == nil {
		if len(x.Views.Coarse) > 0 {
			f.Place = x.Views.Coarse[0].GrainAt
		}
		return f, ""
	}
	f.Place, f.Grain = b.At, b.Grain
	if at, ok := written(x, b.Action, d.Variable); ok {
		f.Place = at
	}
	if step := guiltyStep(d); d.Missed && step != "" {
		f = relatedTo(f, x, step, d.Variable, "%s is the step of the finer grain")
	}
	if !d.Missed {
		for _, name := range b.Contained {
			f = relatedTo(f, x, name, d.Variable, "%s is a step of the finer grain that %s stands for", b.Action)
		}
	}
	if d.Writer > 0 && d.Writer <= len(d.Trace.Steps) {
		f = relatedTo(f, x, d.Trace.Steps[d.Writer-1].Action, d.Variable, "%s writes "+d.Variable+" last")
	}
	return f, b.Action
}

// relatedTo adds the place where an action writes a variable, or else the place of the action.
func relatedTo(f interaction.Finding, x *compose.Comparison, action, variable, format string, args ...any) interaction.Finding {
	at, ok := written(x, action, variable)
	if !ok {
		for _, a := range x.Mixed.Catalog.Actions {
			if a.Name == action {
				at, ok = a.Place, true
			}
		}
	}
	if known := func(r interaction.Related) bool { return r.Place == at }; ok && at != f.Place && !slices.ContainsFunc(f.Related, known) {
		f.Related = append(f.Related, interaction.Related{Message: fmt.Sprintf(format, append([]any{action}, args...)...), Place: at})
	}
	return f
}

// written is where an action writes a variable.
func written(x *compose.Comparison, action, variable string) (grains.Place, bool) {
	for _, w := range x.Views.Writers {
		if w.Action == action && w.Variable == variable && len(w.At) > 0 {
			return grains.Place(w.At[0]), true
		}
	}
	return grains.Place{}, false
}

// guiltyStep is the action of the guilty step of a witness; "" if none is known.
func guiltyStep(d *wire.Difference) string {
	if d.Guilty < 1 || d.Trace == nil || d.Guilty > len(d.Trace.Steps) {
		return d.Cause
	}
	return d.Trace.Steps[d.Guilty-1].Action
}

// blamedAction is the coarse action that is to blame for a difference: of a false behaviour that of the
// guilty step, or the last coarse one before it; of a missed one the action that contains the finer
// step, one that both grains have, or one that may contain it.
func blamedAction(x *compose.Comparison, d *wire.Difference) *interaction.CoarseAction {
	name := guiltyStep(d)
	if !d.Missed {
		for k := d.Guilty; k >= 1 && k <= len(d.Trace.Steps); k-- {
			if b := coarseAction(x, d.Trace.Steps[k-1].Action); b != nil {
				return b
			}
		}
		return coarseAction(x, d.Cause)
	}
	if b := coarseAction(x, name); b != nil {
		return b
	}
	var best *interaction.CoarseAction
	for k := range x.Views.Coarse {
		b := &x.Views.Coarse[k]
		switch _, writes := written(x, b.Action, d.Variable); {
		case slices.Contains(b.Contained, name):
			return b
		case slices.Contains(b.Allowed, name) && (best == nil || writes):
			best = b
		}
	}
	return best
}

func coarseAction(x *compose.Comparison, name string) *interaction.CoarseAction {
	for k := range x.Views.Coarse {
		if x.Views.Coarse[k].Action == name {
			return &x.Views.Coarse[k]
		}
	}
	return nil
}

// reportGroups reports the differences that are not accepted, one for each coarse action to blame: one
// fault shows to many observers, and often makes one behaviour false and misses another. False
// behaviours come first, with the shortest witness. What is missed beside a false behaviour may
// follow from the same fault, and is not reported on its own.
func (r *Run) reportGroups(x *compose.Comparison, d *result.Comparison, found []interaction.Finding, blamed []string, changed map[int]*configs.Acceptance) {
	var order []int
	for k := range found {
		if !d.Findings[k].Accepted {
			order = append(order, k)
		}
	}
	weight := func(k int) int {
		w := len(d.Differences[k].Trace.Steps)
		if d.Differences[k].Missed {
			w += 1 << 20
		}
		return w
	}
	slices.SortStableFunc(order, func(a, b int) int { return weight(a) - weight(b) })
	isFalse := len(order) > 0 && !d.Differences[order[0]].Missed
	groups, members := []int{}, map[string]int{}
	for _, k := range order {
		key := blamed[k]
		if changed[k] != nil {
			key = fmt.Sprintf("%p", changed[k])
		}
		if isFalse && d.Differences[k].Missed {
			key = blamed[order[0]]
		}
		if members[key]++; members[key] == 1 {
			groups = append(groups, k)
		}
	}
	for _, k := range groups {
		f, at := found[k], changed[k]
		key := blamed[k]
		if at != nil {
			key = fmt.Sprintf("%p", at)
			f.Kind, f.Code = interaction.ChangedGap, interaction.CodeOfKind(interaction.ChangedGap)
			f.Message, f.Remedy = changeText(at, &d.Differences[k])
			d.Findings[k].Kind, d.Findings[k].Code, d.Findings[k].Message = string(f.Kind), f.Code, f.Message
		}
		if n := members[key] - 1; n > 0 {
			f.Message += fmt.Sprintf(" (and %s that may follow from it)", words.Plural(int64(n), "difference"))
		}
		for _, diag := range x.Diagnostics([]interaction.Finding{f}) {
			if at != nil {
				configs.WithRelated(diag, at.DeclRange, "the gap is accepted here")
			}
			r.Add(diag)
		}
	}
}
