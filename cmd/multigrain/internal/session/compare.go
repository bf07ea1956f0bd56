package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/gaps"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
)

// Levels are the levels of interaction preservation, in order.
var Levels = []string{"L0", "L1", "L2"}

// Comparing says how compositions are compared for levels L1 and L2.
type Comparing struct {
	Limits
	Again  bool   // though a result is stored
	Traces Traces // witnesses
	Faults Traces // traces to states at which the specification fails
}

// Deepen compares the composition with its fine one up to a level. It changes the verdict and the
// level of o.static.
func (r *Run) Deepen(level string, how Comparing) {
	x, diags := r.Composition.Compare()
	r.Add(diags...)
	if x == nil || diags.HasErrors() {
		return
	}
	rep, kept := r.kept(level, how.Again)
	if !kept {
		if rep = r.compareGrains(x, level, how); rep == nil {
			return
		}
	}
	d := r.comparison(x, rep, how.Traces)
	d.Reused = kept
	r.Interaction.Comparison = d
	takeComparison(r.Interaction, d)
	if d.Level != "L0" && !kept {
		plain := *d
		plain.Witnesses = nil // computed again where the result is reused
		if b, err := json.Marshal(plain); err == nil && better(d, Recalled(r)) {
			r.Composition.Store(b)
		}
	}
	if d.Level < level && d.Verdict != verdicts.Broken {
		r.Stopped = fmt.Sprintf("level %s was asked and level %s reached: %s", level, d.Level, d.Reason)
	}
}

// kept returns the report of an earlier comparison of the same sources, choice and bounds, if
// that decided the level that is asked: it would come out again.
func (r *Run) kept(level string, again bool) (*wire.Preservation, bool) {
	if again {
		return nil, false
	}
	d := Recalled(r)
	if d == nil || d.Level < level {
		return nil, false
	}
	return &d.Preservation, true
}

// take makes the verdict of a comparison that of the composition.
func takeComparison(d *result.Interaction, x *result.Comparison) {
	d.Findings = append(d.Findings, x.Findings...)
	switch {
	case x.Verdict == verdicts.Broken || x.Verdict == verdicts.Gap:
		d.Verdict = x.Verdict
	case x.Level != "L0":
		d.Verdict = x.Verdict
	}
	d.Level = x.Level
}

// better reports whether a result says at least as much as the one that is stored.
func better(d, old *result.Comparison) bool { return old == nil || d.Level >= old.Level }

// Recalled is the stored result of levels L1 and L2 with what the manifest accepts of it, nil
// where there is none.
func Recalled(r *Run) *result.Comparison { return recall(r.Manifest, r.Composition) }

func recall(m *configs.Manifest, comp *compose.Composition) *result.Comparison {
	b := comp.Stored()
	if b == nil {
		return nil
	}
	d := new(result.Comparison)
	if json.Unmarshal(b, d) != nil || len(d.Findings) != len(d.Differences) {
		return nil
	}
	gaps.AcceptGaps(d, gaps.Of(m)) // another manifest may have the same composition
	return d
}

// compareGrains runs the program that compares; nil where there is no result.
func (r *Run) compareGrains(x *compose.Comparison, level string, how Comparing) *wire.Preservation {
	program := r.assembled(x.Assemble)
	if program == "" {
		return nil
	}
	ask := wire.Preserve{Level: level, Fine: x.Fine.EncodedChoice(), Steps: []wire.PreserveStep{}, Looks: []wire.PreserveLook{}}
	for _, s := range x.Views.Steps {
		ask.Steps = append(ask.Steps, wire.PreserveStep{Action: s.Action, Environment: s.Environment, Reads: s.Reads})
	}
	for _, l := range x.Views.Looks {
		ask.Looks = append(ask.Looks, wire.PreserveLook(l))
	}
	ask.Kept, ask.Written = x.Views.Kept, x.Views.Written
	req := wire.Request{Verb: "preserve", Choice: x.Mixed.EncodedChoice(), Options: wire.Options{
		MaxStates: how.MaxStates, Timeout: how.Timeout, Memory: how.Memory, Preserve: &ask,
	}}
	if m := r.Manifest.Interaction; m != nil {
		req.Options.MaxStates = cmp.Or(req.Options.MaxStates, int64(m.MaxStates.Value))
		req.Options.Timeout = cmp.Or(req.Options.Timeout, m.Timeout.Value)
	}
	req.Options.MaxStates = cmp.Or(req.Options.MaxStates, defaultCompared)
	rep, err := r.Env.ask(program, req, nil)
	if err != nil {
		known := len(r.Diagnostics)
		r.Failed(err, how.Faults)
		gaps.PlaceFault(x, err, r.Diagnostics[known:])
		return nil
	}
	return rep.Preservation
}

// defaultCompared bounds the states of each composition without another limit: they are held
// in memory whole.
const defaultCompared = 2_000_000

// comparison judges what a program reported.
func (r *Run) comparison(x *compose.Comparison, rep *wire.Preservation, traces Traces) *result.Comparison {
	d := &result.Comparison{Preservation: *rep, Bounds: boundsOf(x.Mixed), Findings: []result.Finding{}}
	for _, s := range x.Views.Steps {
		d.Observers = append(d.Observers, s.Action)
	}
	for _, l := range x.Views.Looks {
		d.Observers = append(d.Observers, l.Name)
	}
	d.Verdict = verdicts.Preserved
	if rep.Level == "L0" {
		d.Verdict = verdicts.Undecided
	}
	var found []interaction.Finding
	for k := range rep.Differences {
		w := &rep.Differences[k]
		f := gaps.FindingOf(x, w)
		found = append(found, f)
		d.Findings = append(d.Findings, result.Finding{Kind: string(f.Kind), Variable: f.Variable, Action: f.Action, File: f.File, Line: f.Line,
			Code: f.Code, Message: f.Message})
		d.Traces = append(d.Traces, r.keepWitness(w, k, traces))
		d.Witnesses = append(d.Witnesses, narrate.BehaviourOf(w.Trace, false))
		switch {
		case !w.Missed:
			d.Verdict = verdicts.Broken
		case d.Verdict != verdicts.Broken:
			d.Verdict = verdicts.Gap
		}
	}
	changed := gaps.AcceptGaps(d, gaps.Of(r.Manifest))
	r.Add(gaps.Report(x, d, found, changed)...)
	return d
}

// keepWitness writes the witness of a difference, if witnesses are kept, and returns its path.
func (r *Run) keepWitness(d *wire.Difference, k int, traces Traces) string {
	if traces == NoTraces || d.Trace == nil {
		return ""
	}
	meta := metaOf(r)
	meta.Kind, meta.Doc = "witness", gaps.Text(d)
	return r.keepTrace(traces, fmt.Sprintf("%s-%d", map[bool]string{true: "missed", false: "false"}[d.Missed], k+1), meta, d.Trace)
}

// boundsOf are the bounds that the manifest sets, and those of the comparison, in the order of
// the catalog.
func boundsOf(comp *compose.Composition) string {
	var out []string
	for _, b := range comp.Catalog.Bounds {
		if _, set := comp.Manifest.Bounds.Get(b.Name); set {
			out = append(out, fmt.Sprintf("%s=%d", b.Name, comp.Choice.Budgets[b.Name]))
		}
	}
	if same := comp.Unchanged(); len(same) > 0 {
		out = append(out, "on both sides "+strings.Join(same, " "))
	}
	return strings.Join(out, " ")
}

// Comparable reports whether levels above L0 can be examined: a coarse grain is chosen and
// nothing is wrong with it so far.
func (r *Run) Comparable() bool {
	return r.Analysis != nil && r.Interaction.Verdict == verdicts.Preserved && !r.Diagnostics.HasErrors()
}
