package session

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/gaps"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/locks"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
)

// Levels are the levels of interaction preservation, in order.
var Levels = []string{"L0", "L1", "L2", "L3"}

// Comparing says how compositions are compared for levels L1 and L2.
type Comparing struct {
	Limits
	Again  bool   // though a result is stored
	Traces Traces // witnesses
	Faults Traces // traces to states at which the specification fails
}

// Deepen compares the composition with its fine one up to a level, L1 or L2. It changes the verdict
// and the level of the interaction part of the document.
//
// Without bounds in the manifest's interaction block it finds them: see package growth.
func (r *Run) Deepen(level string, how Comparing) {
	r.Diagnostics = slices.DeleteFunc(r.Diagnostics, ofLock)
	x, diags := r.Composition.Compare()
	r.Add(diags...)
	if x == nil || diags.HasErrors() {
		return
	}
	rep, found, varied := r.kept(level, how)
	kept := rep != nil
	switch {
	case kept && found != nil:
		if x, diags = r.Composition.CompareWithin(boundSettings(found)); x == nil || diags.HasErrors() {
			return
		}
	case kept:
	case findsBounds(r.Manifest):
		x, rep, found, varied = r.grow(level, how)
	default:
		rep = r.compareGrains(x, level, how)
	}
	if rep == nil {
		r.uncompared(level, found)
		return
	}
	if rep.Level != "L0" && nothingSeen(rep) {
		rep = undecided(rep, "neither composition takes a step that the modules under test or an invariant could see")
	}
	d := r.comparison(x, rep, how.Traces)
	d.Reused, d.Found, d.Varied = kept, found, varied
	r.Interaction.Comparison = d
	takeComparison(r.Interaction, d)
	r.Interaction.Coverage = gaps.Coverage(r.Analysis, r.Composition.Endings(), comparedIn(d))
	if d.Level != "L0" && !kept {
		plain := *d
		plain.Witnesses = nil // computed again where the result is reused
		if b, err := json.Marshal(plain); err == nil && better(d, recall(r.Manifest, r.Composition, how)) {
			r.Composition.Store(foundWithin(r.Manifest, how), b)
		}
	}
	if d.Level < level && d.Verdict != verdicts.Broken {
		r.below(level, d.Level, d.Reason, found)
	}
}

// comparedIn returns the part of a comparison that coverage needs.
func comparedIn(d *result.Comparison) (c gaps.Compared) {
	c.Looks = d.Looks
	for _, u := range d.Unasked {
		c.Unasked = append(c.Unasked, locks.TextOf(u))
	}
	for _, e := range d.Endings {
		c.Endings = append(c.Endings, e.Name)
	}
	return c
}

// uncompared says that a limit or an interrupt came before the first comparison, unless errors say
// why there is none.
func (r *Run) uncompared(level string, found []result.Bound) {
	switch {
	case r.Stopped != "" || r.Diagnostics.HasErrors():
	case r.Env.Soft.Err() != nil:
		r.Stopped = fmt.Sprintf("level %s was asked and nothing was compared: an interrupt came first", level)
	default:
		r.below(level, "L0", "nothing was compared, since a limit came before the first comparison", found)
	}
}

// below says why a level that was asked is not reached, and what to do about it.
func (r *Run) below(level, reached, reason string, found []result.Bound) {
	r.Stopped = fmt.Sprintf("level %s was asked and level %s reached: %s", level, reached, reason)
	advice := r.undecidedAdvice(found)
	if strings.HasPrefix(reason, "the memory ") /* as package preserve names that limit */ {
		advice = "raise -mem, lower a bound in the manifest's interaction block, or choose finer grains"
	}
	if r.Env.Soft.Err() == nil {
		r.Stopped += "; " + advice
	}
}

// undecidedAdvice says what to do about a level that is not decided.
func (r *Run) undecidedAdvice(found []result.Bound) string {
	if findsBounds(r.Manifest) && found == nil {
		return "small bounds have too many states; raise -max-states or -timeout, state bounds in an interaction block, or choose finer grains"
	}
	return "lower a bound in the manifest's interaction block, or raise -max-states or -timeout"
}

// kept returns the report of an earlier comparison of the same sources, choice and bounds, if
// that decided the level that is asked: it would come out again.
func (r *Run) kept(level string, how Comparing) (rep *wire.Preservation, found []result.Bound, varied []string) {
	if how.Again {
		return nil, nil, nil
	}
	d := recall(r.Manifest, r.Composition, how)
	if d == nil || d.Level < level || level == "L2" && !locks.Covers(d, r.Composition.Endings()) {
		return nil, nil, nil
	}
	return &d.Preservation, d.Found, d.Varied
}

// takeComparison makes the verdict of a comparison that of the composition.
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

// Adopt writes the sequences of the comparison's gaps into the accept blocks that lack them, and
// accepts these gaps in the result. It returns how many blocks it changed.
func (r *Run) Adopt() int {
	d := r.Interaction.Comparison
	changed, diags := gaps.Adopt(r.Manifest, d)
	if r.Add(diags...); !diags.HasErrors() { // what was refused is written now
		r.Diagnostics = slices.DeleteFunc(r.Diagnostics, func(d *hcl.Diagnostic) bool { return configs.CodeOf(d) == codes.Unsequenced })
		all := r.Interaction.Findings
		copy(all[len(all)-len(d.Findings):], d.Findings) // see takeComparison
	}
	return changed
}

// better reports whether a result says at least as much as the one that is stored.
func better(d, old *result.Comparison) bool { return old == nil || d.Level >= old.Level }

// recall returns the stored result of levels L1 and L2 with what the manifest accepts of it, nil
// where there is none. It is one that this comparison would come to again.
func recall(m *configs.Manifest, comp *compose.Composition, how Comparing) *result.Comparison {
	b := comp.Stored(foundWithin(m, how))
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
	rep, _ := r.compareOnce(x, level, how)
	return rep
}

// compareOnce is compareGrains. If the specification failed, it returns how.
func (r *Run) compareOnce(x *compose.Comparison, level string, how Comparing) (*wire.Preservation, *wire.Error) {
	program := r.assembled(x.Assemble)
	if program == "" {
		return nil, nil
	}
	rep, err := r.Env.ask(program, r.preserving(x, level, how), nil)
	if err != nil {
		known := len(r.Diagnostics)
		r.compared = x.Mixed
		r.Failed(err, how.Faults)
		r.compared = nil
		gaps.PlaceFault(x, err, r.Diagnostics[known:])
		var fault *wire.Error
		errors.As(err, &fault)
		return nil, fault
	}
	return rep.Preservation, nil
}

// FollowMutant follows a behaviour of one composition with a mutant in the other one. Number is the
// mutant's place in the list, from 1. The error says why that is not known.
func (r *Run) FollowMutant(m *compose.Mutants, number int, what *wire.PreserveFollow, how Comparing) (*wire.PreserveFollowed, error) {
	program, _, diags := r.Env.Assemble(m.AssembleComparison)
	if program == "" || diags.HasErrors() {
		return nil, errors.New("the program of both compositions cannot be built")
	}
	req := r.preserving(m.Comparison, "L2", how)
	req.Options.Mutant, req.Options.Preserve.Follow = number, what
	rep, err := r.Env.ask(program, req, nil)
	if err != nil {
		return nil, err
	}
	f := rep.Preservation.Followed
	if !f.Complete {
		return nil, fmt.Errorf("the composition that follows it has more than %s within the limits", words.Plural(f.States, "state"))
	}
	return f, nil
}

// Within says which fine composition a counterexample is followed in.
type Within struct {
	Unchanged []string     // modules whose coarse grains stay
	Against   []grains.Ref // grains that stand for coarse ones instead of the finest ones
	// Room multiplies the capacity of channels that the coarse grains do not use: see
	// compose.Composition.Room. 0 and 1 change none.
	Room int
}

// CompareHere is the comparison with a fine composition within the bounds of the composition
// itself. It is nil if no coarse grain is chosen, or with errors.
func (r *Run) CompareHere(w Within) (*compose.Comparison, hcl.Diagnostics) {
	var bounds []result.Bound
	larger := map[string]int{}
	if w.Room > 1 {
		larger = r.Composition.Room(w.Room)
	}
	for _, b := range r.Composition.Catalog.Bounds {
		if n, ok := larger[b.Name]; ok {
			bounds = append(bounds, result.Bound{Name: b.Name, Value: n})
		} else if n, budget := r.Composition.Choice.Budgets[b.Name]; budget {
			bounds = append(bounds, result.Bound{Name: b.Name, Value: n})
		}
	}
	return r.Composition.Comparing(w.Unchanged, w.Against).CompareWithin(boundSettings(bounds))
}

// Pursue follows a counterexample of the composition in its fine one. The error says why the answer
// is not known.
func (r *Run) Pursue(x *compose.Comparison, property string, t *wire.Trace, how Comparing) (*wire.PreserveFollowed, error) {
	f, err := r.followIn(x, &wire.PreserveFollow{Trace: t, Property: property}, how)
	if err == nil && !f.Complete {
		return nil, fmt.Errorf("the fine composition has more than %s with its observations within the limits", words.Plural(f.States, "state"))
	}
	return f, err
}

// Search looks for violations of the fine composition after one of its behaviours, or from its
// initial states without one. The error says why nothing was searched.
func (r *Run) Search(x *compose.Comparison, t *wire.Trace, how Comparing) (*wire.PreserveFollowed, error) {
	return r.followIn(x, &wire.PreserveFollow{Trace: t, Search: true}, how)
}

// ExploreFine explores the fine composition from its initial states, as check does: it keeps
// fingerprints, so there is room for more states than Search has. It judges the invariants of the
// composition that the fine one offers. The error says why nothing was explored.
func (r *Run) ExploreFine(x *compose.Comparison, how Comparing) (*wire.Report, error) {
	fine, of := *r, *x.Fine
	of.Choice.Properties, of.Choice.Except, of.Choice.Invariants = nil, nil, []string{}
	offered, _ := of.Offered()
	for _, p := range x.Mixed.Selected() {
		if slices.ContainsFunc(offered, func(o grains.PropertyDecl) bool { return o.ID == p.ID && o.Instance == p.Instance }) {
			of.Choice.Invariants = append(of.Choice.Invariants, strings.TrimSuffix(p.ID+"."+p.Instance, "."))
		}
	}
	fine.Composition = &of
	program, interrupted, diags := r.Env.Assemble(of.Assembling(compose.Check))
	switch {
	case interrupted:
		return nil, errors.New(InterruptedBuild)
	case program == "" || diags.HasErrors():
		return nil, errors.New("the program of the fine composition cannot be built")
	}
	l := how.Limits
	l.Timeout, l.Stop = cmp.Or(l.Timeout, pursuitTime), new(int)
	*l.Stop = 1
	req := fine.Exploration(l, false)
	req.Options.Sliced = nil // the analysis is that of the coarse composition
	ran, err := r.Env.Explore(program, req, false)
	if err != nil {
		return nil, err
	}
	return ran.Report, nil
}

// followIn asks the program of both compositions.
func (r *Run) followIn(x *compose.Comparison, what *wire.PreserveFollow, how Comparing) (*wire.PreserveFollowed, error) {
	program, interrupted, diags := r.Env.Assemble(x.Assemble)
	switch {
	case interrupted:
		return nil, errors.New(InterruptedBuild)
	case program == "" || diags.HasErrors():
		return nil, errors.New("the program of both compositions cannot be built")
	}
	req := r.preserving(x, "L2", how)
	req.Options.MaxStates, req.Options.Timeout = cmp.Or(how.MaxStates, mostPursued), cmp.Or(how.Timeout, pursuitTime)
	req.Options.Preserve.Follow = what
	rep, err := r.Env.ask(program, req, nil)
	if err != nil {
		return nil, err
	}
	return rep.Preservation.Followed, nil
}

// Accepted returns the blocks by which the manifest accepts gaps, in a line each.
func (r *Run) Accepted() []string { return gaps.Texts(gaps.Of(r.Manifest)) }

// Missed returns the behaviours that the composition misses, with the comparison that has them. The
// error says why they are not known, or not all of them.
func (r *Run) Missed(how Comparing) (*compose.Comparison, []wire.Difference, error) {
	q, of := *r, *r.Interaction
	q.Interaction, q.Diagnostics, q.Stopped = &of, nil, ""
	how.Traces, how.Faults = NoTraces, NoTraces
	q.Deepen("L2", how)
	d := of.Comparison
	switch {
	case d == nil && q.Stopped != "":
		return nil, nil, errors.New(q.Stopped)
	case d == nil:
		return nil, nil, errors.New("the grains cannot be compared")
	}
	x, diags := r.Composition.CompareWithin(boundSettings(d.Found))
	if len(d.Found) == 0 {
		x, diags = r.Composition.Compare()
	}
	if x == nil || diags.HasErrors() {
		return nil, nil, errors.New("the grains cannot be compared")
	}
	missed := slices.DeleteFunc(slices.Clone(d.Differences), func(w wire.Difference) bool { return !w.Missed || w.Trace == nil || w.Ending != "" })
	if d.Level == "L0" {
		return x, missed, errors.New("the comparison was not decided: " + cmp.Or(d.Reason, q.Stopped, "a limit came first"))
	}
	return x, missed, nil
}

// Violate makes a behaviour of the fine composition the result of the run: it violates a property.
func (r *Run) Violate(x *compose.Comparison, v *wire.Violation, traces Traces) {
	r.Report.Verdict, r.Report.Reason, r.Report.Violations = string(verdicts.Violated), "", []wire.Violation{*v}
	r.completed = false
	r.traces = []string{r.KeepFine(x, v, traces)}
}

// KeepFine writes a counterexample of the fine composition, and returns its path.
func (r *Run) KeepFine(x *compose.Comparison, v *wire.Violation, traces Traces) string {
	fine := *r
	fine.Composition = x.Fine
	meta := metaOf(&fine)
	meta.Invariant, meta.Instance, meta.Kind, meta.Doc = v.Invariant, v.Instance, v.Kind, v.Doc
	path := fine.keepTrace(traces, propertyName(v)+"-finer", meta, v.Trace)
	r.Diagnostics = fine.Diagnostics
	return path
}

// Bounds of a counterexample in the fine composition without other limits. Its states are held in
// memory.
const (
	mostPursued = 300_000
	pursuitTime = 2 * time.Minute
)

// TracePath returns the path of the counterexample of the k-th violation; "" if there is none.
func (r *Run) TracePath(k int) string {
	if k < len(r.traces) {
		return r.traces[k]
	}
	return ""
}

// PropertyName returns the name of the property that is violated, or the kind of the violation.
func PropertyName(v *wire.Violation) string { return propertyName(v) }

// preserving returns the request that compares both compositions.
func (r *Run) preserving(x *compose.Comparison, level string, how Comparing) wire.Request {
	ask := wire.Preserve{Level: level, Fine: x.Fine.EncodedChoice(), Steps: []wire.PreserveStep{}, Looks: []wire.PreserveLook{}}
	for _, s := range x.Views.Steps {
		ask.Steps = append(ask.Steps, wire.PreserveStep{Action: s.Action, Environment: s.Environment, Reads: s.Reads,
			Picks: s.Picks, Hidden: s.Hidden, Quiet: s.Quiet})
	}
	ask.Reads = x.Views.Weakest.Reads
	ask.Rest, ask.Looked, ask.Lacks = x.Views.Weakest.Rest, x.Views.Weakest.Looks, x.Views.Weakest.Lacks
	for _, l := range x.Views.Looks {
		ask.Looks = append(ask.Looks, wire.PreserveLook(l))
	}
	ask.Kept, ask.Written = x.Views.Kept, x.Views.Written
	ask.Deadlock = r.Manifest.Check.Deadlock.Value
	states, timeout := comparisonLimits(r.Manifest, how, defaultCompared)
	return wire.Request{Verb: "preserve", Choice: x.Mixed.EncodedChoice(), Options: wire.Options{
		MaxStates: states, Timeout: timeout, Memory: how.Memory, Preserve: &ask,
	}}
}

// LimitsOf returns the limits of states and time of a comparison: those of flags, or else those of
// the manifest, or else a default number of states.
func (r *Run) LimitsOf(how Comparing) (states int64, timeout time.Duration) {
	return comparisonLimits(r.Manifest, how, defaultCompared)
}

// BoundsOf returns the bounds of a comparison, as servers=3 crashes=1.
func BoundsOf(x *compose.Comparison) string { return boundsOf(x.Mixed) }

// comparisonLimits returns the limits of states and time: those of flags, or else those of the
// manifest, or else a default number of states.
func comparisonLimits(m *configs.Manifest, how Comparing, otherwise int64) (states int64, timeout time.Duration) {
	states, timeout = how.MaxStates, how.Timeout
	if x := m.Interaction; x != nil {
		states, timeout = cmp.Or(states, int64(x.MaxStates.Value)), cmp.Or(timeout, x.Timeout.Value)
	}
	return cmp.Or(states, otherwise), timeout
}

// defaultCompared bounds the states of each composition without another limit: they are held
// in memory whole.
const defaultCompared = 2_000_000

// comparison judges what a program reported.
func (r *Run) comparison(x *compose.Comparison, rep *wire.Preservation, traces Traces) *result.Comparison {
	d := &result.Comparison{Preservation: *rep, Bounds: boundsOf(x.Mixed), Against: againstOf(x.Mixed), Findings: []result.Finding{}}
	for _, s := range x.Views.Steps {
		d.Observers = append(d.Observers, s.Action)
	}
	for _, l := range x.Views.Looks {
		d.Observers = append(d.Observers, l.Name)
	}
	d.Observers = append(d.Observers, r.Composition.Endings()...)
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
		d.Witnesses = append(d.Witnesses, narrate.BehaviourOf(w.Trace, narrate.KnownOf(r.Composition.Catalog), false))
		switch {
		case !w.Missed:
			d.Verdict = verdicts.Broken
		case d.Verdict != verdicts.Broken:
			d.Verdict = verdicts.Gap
		}
	}
	changed := gaps.AcceptGaps(d, gaps.Of(r.Manifest))
	r.Add(gaps.Report(x, d, found, changed)...)
	r.Add(gaps.Unsequenced(r.Manifest, d)...)
	return d
}

// keepWitness writes the witness of a difference, if witnesses are kept, and returns its path.
func (r *Run) keepWitness(d *wire.Difference, k int, traces Traces) string {
	if traces == NoTraces || d.Trace == nil {
		return ""
	}
	meta := metaOf(r)
	meta.Kind, meta.Doc = "witness", gaps.Text(d, narrate.KnownOf(r.Composition.Catalog))
	return r.keepTrace(traces, fmt.Sprintf("%s-%d", map[bool]string{true: "missed", false: "false"}[d.Missed], k+1), meta, d.Trace)
}

// boundsOf returns the bounds that the manifest sets, and those of the comparison, in the order of
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
	if against := againstOf(comp); len(against) > 0 {
		out = append(out, "against "+strings.Join(against, " "))
	}
	return strings.Join(out, " ")
}

// againstOf returns the grains that the interaction block puts in the place of coarse ones, as
// module/grain.
func againstOf(comp *compose.Composition) (out []string) {
	for _, g := range comp.Against() {
		out = append(out, g.Module+"/"+g.Grain)
	}
	return out
}

// Comparable reports whether levels above L0 can be examined: a coarse grain is chosen and
// nothing is wrong with it so far.
func (r *Run) Comparable() bool {
	wrong := func(d *hcl.Diagnostic) bool { return d.Severity == hcl.DiagError && !ofLock(d) }
	return r.Analysis != nil && r.Interaction.Verdict == verdicts.Preserved && !slices.ContainsFunc(r.Diagnostics, wrong)
}

// ofLock reports whether a diagnostic repeats what the lock file says. A comparison finds out anew.
func ofLock(d *hcl.Diagnostic) bool {
	return configs.CodeOf(d) == codes.Locked || configs.CodeOf(d) == codes.Unsequenced
}
