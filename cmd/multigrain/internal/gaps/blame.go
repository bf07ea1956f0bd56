package gaps

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
)

// What it computes. The place of a difference between a fine and a coarse composition: the coarse
// action that is to blame, the line where it writes what differs, and the fine steps that are
// related.
//
// Why it is right. The witness of a false behaviour has a guilty step, so the last coarse action up
// to it is to blame. A missed behaviour has no coarse step. The action to blame is the one that
// package preserve found by trying all, or one that both grains have. Else it is the likeliest one
// that may contain the finer step: one that contains it for certain, one that contains nothing for
// certain, or one that writes the variable. Ties go to the guard that is most alike. The place is a
// hint for people: verdicts do not depend on it.
//
// What it costs. A pass over the coarse actions and the steps of one witness.
//
// Example. The coarse grain Join stands for Ask and Grant, and its guard is too strong:
//
//	missed   Ask, Grant, then the observed Lead   Join is to blame, at its guard; Grant is related
//	false    Join, then the observed Lead         Join is to blame, where it writes what Lead reads

// FindingOf returns a difference as a finding. Its place is in the coarse grain: at the coarse
// action without a counterpart, or at the coarse action that should have led to what is missed.
// The finer steps are related.
func FindingOf(x *compose.Comparison, d *wire.Difference) (f interaction.Finding) {
	f = interaction.Finding{Severity: interaction.Error, Kind: interaction.FalseBehaviour, Variable: d.Variable, Action: d.Observer,
		Message: Text(d, knownOf(x)), Remedy: "choose the finer grain, or let the coarse one do as the finer one does"}
	if d.Ending == "deadlock" {
		f.Remedy = "choose the finer grain, or guard the coarse action so that it is enabled where the finer ones are"
	}
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
		return f
	}
	f.Place, f.Grain = b.At, b.Grain
	if at, ok := written(x, b.Action, d.Variable); ok && !(d.Missed && d.Refused) {
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
	return f
}

// Blamed returns the coarse action that is to blame for a difference, and its place; "" if none is
// known.
func Blamed(x *compose.Comparison, d *wire.Difference) (action string, at grains.Place) {
	b := blamedAction(x, d)
	if b == nil {
		return "", grains.Place{}
	}
	return b.Action, b.At
}

// knownOf returns what the catalog of a comparison says of messages.
func knownOf(x *compose.Comparison) narrate.Known { return narrate.KnownOf(x.Mixed.Catalog) }

// Text says in a sentence what a difference is. Messages in its values have the fields of their
// kind only, as far as they are known.
func Text(d *wire.Difference, known narrate.Known) string {
	here, there := "the fine composition", "the coarse one"
	if !d.Missed {
		here, there = "the coarse composition", "the fine one"
	}
	steps := words.Plural(int64(len(d.Trace.Steps)), "step")
	last := func() string {
		if n := len(d.Trace.Steps); n > 0 && d.Writer > 0 {
			return fmt.Sprintf(", written by %s in step %d", d.Trace.Steps[d.Writer-1].Action, d.Writer)
		}
		return ""
	}
	switch {
	case d.Ending != "":
		return fmt.Sprintf("%s: %s can end so after %s, and %s cannot after the same observations: %s", endingName(d), here, steps, there, d.Doc)
	case d.Doc != "":
		return fmt.Sprintf("invariant %s sees in %s, after %s, what it never sees in %s: %s", d.Observer, here, steps, there, d.Doc)
	case d.Variable == "":
		return fmt.Sprintf("%s can happen in %s as the last of %s, and in %s it cannot after the same observations", d.Observer, here, steps, there)
	}
	return fmt.Sprintf("%s happens in %s, as the last of %s, with %s = %s%s; in %s it is %s after the same observations", d.Observer, here,
		steps, d.Cell, itf.Text(known.Value(*d.Here)), last(), there, itf.Text(known.Value(*d.There)))
}

// endingName names what the witness of a difference ends in.
func endingName(d *wire.Difference) string {
	if d.Ending == "deadlock" {
		return "a deadlock"
	}
	return "liveness property " + d.Observer
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

// written returns where an action writes a variable.
func written(x *compose.Comparison, action, variable string) (grains.Place, bool) {
	for _, w := range x.Views.Writers {
		if w.Action == action && w.Variable == variable && len(w.At) > 0 {
			return grains.Place(w.At[0]), true
		}
	}
	return grains.Place{}, false
}

// guiltyStep returns the action of the guilty step of a witness; "" if none is known.
func guiltyStep(d *wire.Difference) string {
	if d.Guilty < 1 || d.Trace == nil || d.Guilty > len(d.Trace.Steps) {
		return d.Cause
	}
	return d.Trace.Steps[d.Guilty-1].Action
}

// blamedAction returns the coarse action that is to blame for a difference. Of a false behaviour
// it is that of the guilty step, or the last coarse one before it. Of a missed one it is the
// action that the comparison found. Without such an action it is one that both grains have, one
// that contains the finer step, or one that may contain it.
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
	for _, known := range []string{d.Lacking, name} {
		if b := coarseAction(x, known); b != nil {
			return b
		}
	}
	best, most := (*interaction.CoarseAction)(nil), 0
	for k := range x.Views.Coarse {
		b := &x.Views.Coarse[k]
		if w := likelihood(x, b, name, d.Variable); w > most || w == most && w > 0 && b.Alike[name] > best.Alike[name] {
			best, most = b, w
		}
	}
	return best
}

// likelihood orders the coarse actions that may lack a finer step; 0 is for those that cannot
// contain it. An action that contains other steps for certain does those, and one that contains
// none for certain may have lost this one. Of equals that is to blame whose guard is most like that
// of the step.
func likelihood(x *compose.Comparison, b *interaction.CoarseAction, step, variable string) int {
	_, writes := written(x, b.Action, variable)
	switch {
	case slices.Contains(b.Contained, step):
		return 4
	case !slices.Contains(b.Allowed, step):
		return 0
	case len(b.Contained) == 0:
		return 3
	case writes:
		return 2
	}
	return 1
}

func coarseAction(x *compose.Comparison, name string) *interaction.CoarseAction {
	for k := range x.Views.Coarse {
		if x.Views.Coarse[k].Action == name {
			return &x.Views.Coarse[k]
		}
	}
	return nil
}

// Report returns diagnostics about the differences that are not accepted. One fault shows to many
// observers, often makes one behaviour false and misses another, and what follows from it differs
// as well. So only one is reported: a false behaviour before a missed one, and then that with the
// shortest witness. Accepted gaps that have changed count as missed. The number of the others is
// part of the message.
func Report(x *compose.Comparison, d *result.Comparison, found []interaction.Finding, changed map[int]*configs.Acceptance) (diags hcl.Diagnostics) {
	first, others := -1, -1
	for k := range found {
		if d.Findings[k].Accepted {
			continue
		}
		if at := changed[k]; at != nil && unsequenced(at, d.Differences[k].Extent) {
			continue // see Unsequenced
		} else if at != nil {
			found[k] = FindingOf(x, newest(&d.Differences[k], at))
			f := &found[k]
			f.Kind, f.Code = interaction.ChangedGap, interaction.CodeOfKind(interaction.ChangedGap)
			f.Message, f.Remedy = changeText(at, &d.Differences[k], knownOf(x))
			d.Findings[k].Kind, d.Findings[k].Code, d.Findings[k].Message = string(f.Kind), f.Code, f.Message
		}
		others++
		if first < 0 || before(&d.Differences[k], &d.Differences[first]) {
			first = k
		}
	}
	if first < 0 {
		return nil
	}
	f := found[first]
	if others > 0 {
		f.Message += fmt.Sprintf(" (and %s that may follow from it)", words.Plural(int64(others), "difference"))
	}
	diags = x.Diagnostics([]interaction.Finding{f})
	if at := changed[first]; at != nil {
		for _, diag := range diags {
			configs.WithRelated(diag, at.DeclRange, "the gap is accepted here")
		}
	}
	return diags
}

// newest returns a difference as the observer of what is new in it sees it, compared with the
// extent that a block accepts. Several actions can have a part in one gap.
func newest(d *wire.Difference, accepted *configs.Acceptance) *wire.Difference {
	fresh := wire.News(d.Missing, accepted.Digest.Value)
	for _, s := range d.Also { // the difference itself is about those that no other sees
		fresh = slices.DeleteFunc(fresh, func(m wire.Missing) bool { return slices.Contains(s.Missing, m.Fingerprint) })
	}
	if len(fresh) > 0 {
		return d
	}
	most, best := 0, -1
	for k, s := range d.Also {
		sees := 0
		for _, m := range wire.News(d.Missing, accepted.Digest.Value) {
			if slices.Contains(s.Missing, m.Fingerprint) {
				sees++
			}
		}
		if s.Lacking != "" && sees > most {
			most, best = sees, k
		}
	}
	if best < 0 {
		return d
	}
	x := *d
	x.Lacking, x.Refused, x.Variable = d.Also[best].Lacking, d.Also[best].Refused, d.Also[best].Variable
	return &x
}

// before reports whether a difference is reported before another one.
func before(a, b *wire.Difference) bool {
	if a.Missed != b.Missed {
		return b.Missed
	}
	return len(a.Trace.Steps) < len(b.Trace.Steps)
}

// PlaceFault places diagnostics about a failed comparison in the coarse grain: at the line of the
// coarse action, or of a rule or function next to it, that failed. If another action failed, the
// last coarse action before the failure is to blame, and the line is related.
func PlaceFault(x *compose.Comparison, err error, diags hcl.Diagnostics) {
	var fault *wire.Error
	if !errors.As(err, &fault) {
		return
	}
	b := coarseAction(x, fault.Action)
	failed := b != nil
	if fault.Trace != nil {
		for k := len(fault.Trace.Steps) - 1; k >= 0 && b == nil; k-- {
			if b = coarseAction(x, fault.Trace.Steps[k].Action); b != nil && b.Shared {
				b = nil
			}
		}
	}
	if b == nil {
		return
	}
	pos := hcl.Pos{Line: b.At.Line, Column: b.At.Column}
	for _, d := range diags {
		if d.Subject != nil && failed && d.Subject.Filename == b.At.File {
			continue
		}
		if d.Subject != nil {
			configs.WithRelated(d, *d.Subject, "it fails here")
		}
		d.Subject = &hcl.Range{Filename: b.At.File, Start: pos, End: pos}
	}
}
