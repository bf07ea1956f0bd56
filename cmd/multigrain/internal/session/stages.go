package session

import (
	"cmp"
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/gaps"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/modules"
)

// The stages of a run, in their order. Each returns a value and diagnostics, and changes nothing
// that an earlier stage returned:
//
//	configs.Load -> resolve -> Preserve -> Reduce -> Assemble -> Explore

// resolve compares a manifest with the catalog of its system. The composition is nil where that
// finds errors. Diagnostics are in the order of the manifest's lines.
func resolve(m *configs.Manifest, env compose.Env) (*compose.Composition, hcl.Diagnostics) {
	comp, diags := compose.Resolve(m, env)
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int { return cmp.Compare(line(m, a), line(m, b)) })
	if diags.HasErrors() {
		return nil, diags
	}
	return comp, diags
}

// Examined is the value of stage Preserve.
type Examined struct {
	Interaction *result.Interaction // nil where the composition was not examined
	// what Interaction is made of; nil where the sources could not be loaded
	Analysis *interaction.Report
}

// Preserve examines whether the coarse grains of a composition preserve the interactions with
// the modules under test. The findings of a composition that does not are errors, or warnings
// where it is allowed.
func Preserve(m *configs.Manifest, comp *compose.Composition, allowBroken bool) (Examined, hcl.Diagnostics) {
	rep, diags := comp.Interaction()
	known, more := locked(m, comp, rep)
	if diags = append(diags, more...); allowBroken {
		tolerate(diags)
	}
	d := &result.Interaction{Verdict: string(interaction.Skipped), Findings: []result.Finding{}}
	if rep != nil {
		fillInteraction(d, rep)
	}
	d.Locked = known
	if rep != nil {
		c := gaps.Compared{}
		if known != nil && known.Status == result.Decided {
			c = gaps.Compared{Looks: known.Looks, Unasked: known.Unasked, Endings: known.Endings}
		}
		d.Coverage = gaps.Coverage(rep, comp.Endings(), c)
	}
	if old := recall(m, comp, Comparing{}); old != nil {
		d.Stored = &result.Stored{Verdict: old.Verdict, Level: old.Level, Bounds: old.Bounds, Accepted: old.Accepted,
			Complete: old.Sides[0].Complete && old.Sides[1].Complete}
	} else if known == nil || known.Verdict == "" {
		d.Accepts = gaps.Texts(gaps.Of(m))
	}
	return Examined{Interaction: d, Analysis: rep}, diags
}

// Reduced are the reductions of an exploration, as a request has them. Nil is none.
type Reduced struct {
	Symmetry        *modules.Identities
	POR, Footprints *wire.Footprints
}

// Reduce returns the reductions that the manifest or a flag switches on, where they are sound.
// What forbids one is an error: a result without a reduction that was asked for could be
// mistaken for one with it.
func Reduce(m *configs.Manifest, comp *compose.Composition, on Reductions) (out Reduced, diags hcl.Diagnostics) {
	if at := m.Check.Symmetry; on.Symmetry || at.Value.On {
		ids, more := comp.Symmetry(at.Value.Roles)
		for _, d := range more {
			if at.Value.On {
				configs.WithRelated(d, at.Range, "symmetry is switched on here")
			}
		}
		out.Symmetry = ids
		diags = append(diags, more...)
	}
	actions, seen, more := comp.Footprints()
	found := &wire.Footprints{Actions: actions, Seen: seen}
	if on.Por || m.Check.POR.Or(false) {
		out.POR = found
		diags = append(diags, more...)
	}
	if !more.HasErrors() { // else every step is made
		out.Footprints = found
	}
	return out, diags
}

// Build builds a program, or finds one that was built before.
type Build func(context.Context) (string, hcl.Diagnostics)

// Assemble returns the path of a program; "" where it is interrupted, or cannot be built.
func (e *Env) Assemble(build Build) (program string, interrupted bool, diags hcl.Diagnostics) {
	program, diags = build(e.Soft)
	switch {
	case e.Soft.Err() != nil:
		return "", true, nil
	case diags.HasErrors():
		return "", false, diags
	}
	return program, false, diags
}

// Explored is the value of stage Explore.
type Explored struct {
	request  wire.Request
	Report   *wire.Report    // nil where nothing was explored
	progress []wire.Progress // samples, where they are asked for
}

// Explore runs a program until it has answered. With sampled, samples of its progress are kept;
// the last one is the end.
func (e *Env) Explore(program string, req wire.Request, sampled bool) (Explored, error) {
	s := &samples{every: 1}
	var sample func(wire.Progress)
	if sampled {
		sample = s.take
	}
	report, err := e.ask(program, req, sample)
	if err != nil {
		return Explored{progress: s.kept}, err
	}
	if len(s.kept) > 0 {
		s.kept = append(s.kept, wire.Progress{Depth: report.Depth, Distinct: report.Distinct, Generated: report.Generated,
			Seconds: report.Seconds, Memory: report.Memory})
	}
	return Explored{request: req, Report: report, progress: s.kept}, nil
}

// manySamples bounds how many samples of a run are kept: where there are more, every second one
// is dropped.
const manySamples = 1000

// samples keeps samples of the progress of a run: one of so many.
type samples struct {
	kept        []wire.Progress
	every, seen int
}

func (s *samples) take(at wire.Progress) {
	if s.seen++; s.seen%s.every == 0 {
		s.kept = append(s.kept, at)
	}
	if len(s.kept) == manySamples {
		for k := range manySamples / 2 {
			s.kept[k] = s.kept[2*k]
		}
		s.kept, s.every = s.kept[:manySamples/2], 2*s.every
	}
}
