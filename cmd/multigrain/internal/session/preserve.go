package session

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/gaps"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/locks"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/variables"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
)

// fillInteraction takes over the verdict and the findings of a report.
func fillInteraction(d *result.Interaction, rep *interaction.Report) {
	d.Verdict = string(rep.Verdict)
	if rep.Verdict != interaction.None && rep.Verdict != interaction.Skipped {
		d.Level = rep.Level
	}
	for _, f := range rep.Findings {
		d.Findings = append(d.Findings, result.Finding{
			Kind: string(f.Kind), Variable: f.Variable, Action: f.Action, File: f.File, Line: f.Line, Code: f.Code,
			Severity: string(f.Severity), Grain: f.Grain, Message: f.Message,
		})
	}
}

// Detail adds what each module keeps and drops, and why, to the result of the examination.
func (r *Run) Detail() {
	if r.Analysis == nil || r.Interaction.Modules != nil {
		return
	}
	variables.Detail(r.Interaction, r.Analysis)
	r.Interaction.Uncompared = gaps.Uncompared(r.Composition)
	r.Interaction.Whole = gaps.Whole(r.Composition)
}

// tolerate turns the errors of an examination into warnings.
func tolerate(diags hcl.Diagnostics) {
	for _, d := range diags {
		if d.Severity == hcl.DiagError && result.AboutInteraction(string(configs.CodeOf(d))) {
			d.Severity = hcl.DiagWarning
		}
	}
}

// locked looks the level that a manifest states up in its lock file. It is nil for level L0, and
// where nothing is compared. What the level does not allow is an error.
func locked(m *configs.Manifest, comp *compose.Composition, rep *interaction.Report) (*result.Locked, hcl.Diagnostics) {
	x, diags := lockedComparison(m, comp, rep)
	if x == nil || comp.Stated() != "L3" {
		return x, diags
	}
	x.Level = "L3"
	return x, append(diags, lockedMutants(m, comp, x)...)
}

// lockedComparison looks up the levels that compare behaviours, up to L2.
func lockedComparison(m *configs.Manifest, comp *compose.Composition, rep *interaction.Report) (*result.Locked, hcl.Diagnostics) {
	level, ends := comp.Stated(), comp.Endings()
	if level == "" || rep == nil || rep.Verdict != interaction.Preserved {
		return nil, nil
	}
	x := &result.Locked{Level: min(level, "L2"), Endings: ends, File: locks.PathFor(m.Path), Status: result.Missing}
	f, diags := locks.Read(x.File)
	if diags.HasErrors() {
		return nil, diags
	}
	now, diags := comp.ComparisonDigest()
	if diags.HasErrors() {
		return nil, diags
	}
	remedy := "multigrain interaction -lock " + words.ShortPath(m.Path) + " compares and keeps the result"
	e, stale := f.Find(m.Name(), now.Whole)
	if all := f.With(now.Whole, ends); len(ends) > 0 && all != nil {
		e = all
	}
	switch {
	case e == nil:
		x.Reason = fmt.Sprintf("%s has no result for this composition", words.ShortPath(x.File))
	case stale: // the reason ends with what has changed
		x.Status = result.Stale
		x.Reason = fmt.Sprintf("level %s of interaction preservation is not decided (%s): %s", x.Level, remedy, staleSince(x.File, e, now))
		return x, diags
	default:
		d := e.Asked(ends).At(x.Level)
		gaps.AcceptGaps(d, gaps.Of(m))
		x.Status, x.Verdict, x.Bounds, x.Accepted = result.Open, d.Verdict, d.Bounds, d.Accepted
		diags = append(gaps.Unsequenced(m, d), refused(m, x, d)...)
		x.Refused = diags.HasErrors()
		if why, again := e.Unended(m, ends, x.File); e.Level >= x.Level && why != "" {
			x.Reason, remedy = why, again
			break
		}
		if e.Level >= x.Level {
			x.Looks, x.Unasked = e.Looks(), e.Unasked
			x.Status = result.Decided
			x.Weakest = e.Weakest
			x.Complete = !e.Weakest && !slices.ContainsFunc(d.Differences, func(w wire.Difference) bool { return w.Extent == nil || !w.Extent.Complete })
			bounded(m, comp, x)
			return x, diags
		}
		x.Reason = fmt.Sprintf("%s says why: %s", words.ShortPath(x.File), cmp.Or(e.Reason, "a lower level was asked"))
		remedy = "lower a bound in the manifest's interaction block or state a lower level, and run multigrain interaction -lock " + words.ShortPath(m.Path)
	}
	x.Reason = fmt.Sprintf("level %s of interaction preservation%s is not decided: %s; %s", x.Level, locks.NeededFor(ends), x.Reason, remedy)
	return x, diags
}

// lockedMutants adds the result of level L3 to what the lock file says. The levels below must be
// decided, too.
func lockedMutants(m *configs.Manifest, comp *compose.Composition, x *result.Locked) hcl.Diagnostics {
	f, diags := locks.Read(x.File)
	if diags.HasErrors() {
		return nil // that is reported
	}
	now, diags := comp.MutantsDigest()
	if diags.HasErrors() {
		return diags
	}
	e, stale := f.Mutants(m.Name(), now)
	status, reason := result.Missing, fmt.Sprintf("%s has no result of mutants for this composition", words.ShortPath(x.File))
	switch {
	case stale:
		status, reason = result.Stale, mutantsStale(x.File)
	case e != nil:
		if x.Mutants = e.Result(); x.Mutants.Verdict == verdicts.Preserved {
			return nil
		}
		status, reason = result.Open, fmt.Sprintf("%s says why: %s", words.ShortPath(x.File), e.Reason)
	}
	if x.Mutants != nil && x.Mutants.Verdict == verdicts.Broken {
		x.Refused = true
		at := m.Check.DeclRange
		if m.Interaction != nil {
			at = m.Interaction.Level.Range
		}
		return hcl.Diagnostics{configs.Errorf(codes.Locked, "Level is not met", at,
			"The manifest states level L3, and %s has, within %s: %s. multigrain interaction -level L3 %s shows them with counterexamples; choose a finer grain, or mend the coarse one.",
			words.ShortPath(x.File), x.Mutants.Bounds, brokenMutants(x.Mutants), words.ShortPath(m.Path))}
	}
	if x.Status == result.Decided { // else the reason of the lower level stays
		x.Status = status
		x.Reason = fmt.Sprintf("level L3 of interaction preservation is not decided (multigrain interaction -lock %s explores mutants and keeps the result): %s",
			words.ShortPath(m.Path), reason)
	}
	return nil
}

// brokenMutants names the mutants that are lost or false.
func brokenMutants(m *result.LockedMutants) string {
	var all []string
	for _, name := range m.Lost {
		all = append(all, "lost mutant "+name)
	}
	for _, name := range m.False {
		all = append(all, "false mutant "+name)
	}
	return strings.Join(all, "; ")
}

// mutantsStale says that a result of level L3 is stale.
func mutantsStale(file string) string {
	return fmt.Sprintf("the result of mutants in %s is stale, since the comparison, the search for deadlocks or the operators have changed", words.ShortPath(file))
}

// LockMutants keeps the result of level L3 of this run in the entry of the manifest. It reports
// whether the file was written.
func (r *Run) LockMutants() bool {
	digest, diags := r.Composition.MutantsDigest()
	if r.Add(diags...); diags.HasErrors() {
		return false
	}
	written, diags := locks.PutMutants(locks.PathFor(r.Manifest.Path), r.Manifest.Name(), locks.MutantsOf(digest, r.Interaction.Mutants))
	if r.Add(diags...); diags.HasErrors() {
		return false
	}
	r.Interaction.Locked, _ = locked(r.Manifest, r.Composition, r.Analysis)
	return written
}

// staleSince says that an entry is stale, and what has changed since.
func staleSince(file string, e *locks.Entry, now *interaction.Digests) string {
	return fmt.Sprintf("the result in %s is stale, since %s", words.ShortPath(file), locks.Why(e.Code, locks.CodeOf(now.Parts)))
}

// Staleness says why an entry of a lock file is no longer about the composition, or does not decide
// the endings that the manifest asks for; "" if it does. It compares digests and runs no code of
// the specification. Result is nil without an entry.
func (r *Run) Staleness() (e *locks.Entry, reason string, diags hcl.Diagnostics) {
	path := locks.PathFor(r.Manifest.Path)
	f, diags := locks.Read(path)
	if diags.HasErrors() {
		return nil, "", diags
	}
	now, diags := r.Composition.ComparisonDigest()
	if diags.HasErrors() {
		return nil, "", diags
	}
	e, stale := f.Find(r.Manifest.Name(), now.Whole)
	ends := r.Composition.Endings()
	if all := f.With(now.Whole, ends); all != nil {
		e = all
	}
	switch {
	case stale:
		reason = staleSince(path, e, now)
	case e != nil && e.Level == "L2":
		reason, _ = e.Unended(r.Manifest, ends, path)
	}
	if e != nil && reason == "" && r.Composition.Stated() == "L3" {
		digest, diags := r.Composition.MutantsDigest()
		if diags.HasErrors() {
			return nil, "", diags
		}
		switch m, stale := f.Mutants(r.Manifest.Name(), digest); {
		case stale:
			reason = mutantsStale(path)
		case m == nil:
			reason = fmt.Sprintf("%s has no result of mutants for this composition", words.ShortPath(path))
		}
	}
	return e, reason, nil
}

// Kept returns the result that the lock file of a folder has for the composition, whatever level
// the manifest states, with the gaps that the manifest accepts. It is nil if the file has no entry
// for this composition, or none that decides anything. Manifest is the path of any manifest in the
// folder.
func (r *Run) Kept(manifest string) (*result.Comparison, hcl.Diagnostics) {
	f, diags := locks.Read(locks.PathFor(manifest))
	if diags.HasErrors() || len(f.Entries) == 0 {
		return nil, diags
	}
	now, diags := r.Composition.ComparisonDigest()
	if diags.HasErrors() {
		return nil, diags
	}
	e, stale := f.Find("", now.Whole)
	if e == nil || stale {
		return nil, nil
	}
	d := e.At("L2")
	switch {
	case d.Verdict != verdicts.Undecided:
		d.Level = "L2" // a difference is one, though other questions of the level are open
	case e.Level == "L0":
		return nil, nil
	default:
		d = e.At(e.Level)
	}
	gaps.AcceptGaps(d, gaps.Of(r.Manifest))
	return d, nil
}

// refused reports the differences of an entry that the manifest does not allow.
func refused(m *configs.Manifest, x *result.Locked, d *result.Comparison) hcl.Diagnostics {
	var all []string
	for k, w := range d.Differences {
		switch {
		case d.Findings[k].Code == string(codes.Unsequenced): // reported already
		case !w.Missed && w.Ending != "":
			all = append(all, fmt.Sprintf("a false ending: %s", w.Observer))
		case !w.Missed:
			all = append(all, fmt.Sprintf("a false behaviour, observed by %s", w.Observer))
		case !d.Findings[k].Accepted && w.Ending != "":
			all = append(all, fmt.Sprintf("a missed ending that is not accepted: %s", w.Observer))
		case !d.Findings[k].Accepted && w.Extent != nil:
			all = append(all, fmt.Sprintf("a gap of %d of %s that is not accepted, by %s", w.Extent.Missed, words.Plural(int64(w.Extent.Views), "view"), d.Findings[k].Action))
		case !d.Findings[k].Accepted:
			all = append(all, fmt.Sprintf("a gap that is not accepted, by %s", d.Findings[k].Action))
		}
	}
	if all == nil {
		return nil
	}
	at, states := m.Check.DeclRange, "needs"
	if m.Interaction != nil && m.Interaction.Level.IsSet() {
		at, states = m.Interaction.Level.Range, "states"
	}
	return hcl.Diagnostics{configs.Errorf(codes.Locked, "Level is not met", at,
		"The manifest "+states+" level %s, and %s has, within %s: %s. multigrain interaction -level %s %s shows it with witnesses; choose a finer grain, or accept the gap with its extent.",
		x.Level, words.ShortPath(x.File), d.Bounds, strings.Join(all, "; "), x.Level, words.ShortPath(m.Path))}
}

// levelOpen says why the level that the manifest states is not decided; "" if it is, or if none is
// stated. A comparison of this run decides it as well as the lock file.
func (r *Run) levelOpen() string {
	x := r.Interaction
	if x == nil || x.Locked == nil || x.Locked.Status == result.Decided || x.Comparison != nil && x.Level >= x.Locked.Level {
		return ""
	}
	return x.Locked.Reason
}

// Lock keeps the result of the comparison of this run in the lock file. The level that was asked
// may be undecided in it. Took is the time of the comparison. Lock reports whether the file was
// written: an entry that decides more stays.
func (r *Run) Lock(took time.Duration) bool {
	d := r.Interaction.Comparison
	now, diags := r.Composition.ComparisonDigest()
	if diags.HasErrors() {
		r.Add(diags...)
		return false
	}
	e := locks.Of(r.Manifest.Name(), now.Whole, locks.CodeOf(now.Parts), d)
	if !d.Reused {
		e.Seconds = int(math.Ceil(took.Seconds())) // with building, for all bounds
	}
	written, diags := locks.Put(locks.PathFor(r.Manifest.Path), e)
	if r.Add(diags...); diags.HasErrors() {
		return false
	}
	r.Interaction.Locked, _ = locked(r.Manifest, r.Composition, r.Analysis)
	return written
}

// undecided returns a report in which no level above L0 is decided.
func undecided(rep *wire.Preservation, reason string) *wire.Preservation {
	open := wire.Inclusions{NoFalse: verdicts.Undecided, NoMissed: verdicts.Undecided}
	none := *rep
	none.Level, none.L1, none.L2, none.Differences, none.Reason = "L0", open, open, []wire.Difference{}, reason
	return &none
}

// nothingSeen reports whether two compositions are alike since nothing happens in either, or since
// nothing is observed there.
func nothingSeen(rep *wire.Preservation) bool {
	return rep.Sides[0].Transitions+rep.Sides[1].Transitions == 0 || observed(rep) == 0
}

// observed counts what was seen of both compositions.
func observed(rep *wire.Preservation) int64 {
	n := rep.Views[0] + rep.Views[1]
	for _, l := range rep.Looks {
		n += l.Seen[0] + l.Seen[1]
	}
	return int64(n)
}

// A level holds within the bounds of its comparison, and an exploration can have larger ones. Then
// the result says by which, and to which properties that matters: what the comparison never saw of
// them, it did not compare.

// differing returns the bounds of a composition that differ from those of a comparison, which are
// written as name=value.
func differing(comp *compose.Composition, compared string) (out []result.OtherBound) {
	for _, b := range comp.Catalog.Bounds {
		for _, word := range strings.Fields(compared) {
			name, value, _ := strings.Cut(word, "=")
			there, err := strconv.Atoi(value)
			here := comp.Choice.Budgets[b.Name]
			if name == b.Name && err == nil && here != there {
				out = append(out, result.OtherBound{Name: name, Here: here, Compared: there})
			}
		}
	}
	return out
}

// bounded says by which bounds a composition differs from the comparison of its level, and to which
// properties that matters. If the manifest demands equal ones, the level is not decided.
func bounded(m *configs.Manifest, comp *compose.Composition, x *result.Locked) {
	if x.Bounds == "" {
		return
	}
	x.Bounded = differing(comp, x.Bounds)
	if x.Status == result.Decided && slices.ContainsFunc(x.Bounded, result.OtherBound.Exceeds) {
		for _, l := range x.Looks {
			if l.Only[0] > 0 {
				x.Matters = append(x.Matters, fmt.Sprintf("%s (its coarse composition reached %d of %s there)", l.Name, l.Seen[0]-l.Only[0], words.Plural(int64(l.Seen[0]), "value")))
			}
		}
		for _, text := range x.Unasked {
			x.Matters = append(x.Matters, text+" only in the fine composition")
		}
	}
	if x.Status != result.Decided || len(x.Bounded) == 0 || m.Interaction == nil || !m.Interaction.EqualBounds.Or(false) {
		return
	}
	x.Status = result.Open
	x.Reason = fmt.Sprintf("level %s of interaction preservation is not decided: the manifest demands equal bounds, and %s; change the bounds of the manifest or those of its interaction block, and run multigrain interaction -lock %s",
		x.Level, strings.Join(result.BoundsText(x.Bounded, x.Level), ", "), words.ShortPath(m.Path))
}

// came adds which branches of invariants the run took and the comparison did not.
func (r *Run) came() {
	x := r.Interaction
	if x == nil || x.Locked == nil || x.Locked.Matters == nil || r.Report == nil || r.Report.Branches == nil || !r.completed {
		return
	}
	missing := func(text string) bool {
		return slices.ContainsFunc(r.Report.Branches.Missing, func(u wire.Untaken) bool { return locks.TextOf(u) == text })
	}
	for _, text := range x.Locked.Unasked {
		k := slices.Index(x.Locked.Matters, text+" only in the fine composition")
		if k >= 0 && !missing(text) {
			x.Locked.Matters[k] = text + " here, and only in the fine composition where it was compared"
		}
	}
}
