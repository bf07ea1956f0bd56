package text

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// checkpointText says what became of checkpoints.
func checkpointText(r *result.Exploration) string {
	var b strings.Builder
	c := r.Checkpoint
	if c == nil {
		return ""
	}
	if c.Resumed > 0 {
		fmt.Fprintf(&b, "  continued from a checkpoint of %s; counts and time are those of all runs together\n", words.Plural(c.Resumed, "distinct state"))
	}
	if c.Distinct > 0 {
		fmt.Fprintf(&b, "  a checkpoint of %s at depth %d is in %s: continue with -resume %s\n", words.Plural(c.Distinct, "distinct state"), c.Depth, c.Folder, c.Folder)
	}
	return b.String()
}

// ReductionsText says which reductions an exploration had, and what was tried to trust them.
func ReductionsText(r *result.Exploration) string {
	var b strings.Builder
	if s := r.Symmetry; s != nil {
		var roles []string
		for _, r := range s.Roles {
			roles = append(roles, words.Plural(int64(r.Nodes), r.Role))
		}
		fmt.Fprintf(&b, "%s are symmetric: states that differ in which is which are one; tried on %s of states\n",
			strings.Join(roles, " and "), words.Plural(int64(s.Pairs), "pair"))
	}
	if p := r.POR; p != nil {
		fmt.Fprintf(&b, "partial-order reduction: %.0f %% of the pairs of instances are independent, tried on %s; %s of %s expanded in part\n",
			100*p.Independent, words.Plural(int64(p.Pairs), "pair"), words.Count(p.Reduced), words.Plural(p.Expanded, "state"))
	}
	return b.String()
}

// fewActions is the number of actions up to which their table is shown without being asked for.
const fewActions = 30

// manyStates is the number from which on the memory for each says something.
const manyStates = 100_000

// manyForShort is the number of states above which fingerprints of 64 bits are too short: one is
// missed with a probability of 2.7 %.
const manyForShort = 1_000_000_000

// Check shows the result of a check.
type Check struct {
	Paint   Painter
	Verbose bool
	// Explains says that the verb has the flag -explain, which a violation then names.
	Explains bool
}

// Text returns the result of a check for people.
func (t Check) Text(d *result.Document) string {
	if d.System == "" { // not resolved
		return ""
	}
	var b strings.Builder
	b.WriteString(Head(d, t.Paint))
	if d.Interaction != nil {
		b.WriteString(InteractionSummary(d.Interaction, t.Paint) + "\n")
	}
	switch x := d.Exploration; {
	case x == nil:
	case x.Stopped:
		b.WriteString("\n" + Undecided(verbOf(d), x.Reason, t.Paint))
	default:
		b.WriteString("\n" + t.report(d))
	}
	return b.String()
}

// Head names the composition.
func Head(d *result.Document, paint Painter) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  system %s, from %s\n\n", paint.In(bold, d.Spec), d.System, d.Manifest)
	b.WriteString(moduleTable(d.Modules) + "\n")
	if len(d.Set) > 0 {
		b.WriteString(Set(d.Set) + "\n")
	}
	return b.String()
}

// Set says what -set replaces in a run.
func Set(all []result.Setting) string {
	var parts []string
	for _, s := range all {
		parts = append(parts, s.Name+"="+s.Value)
	}
	return Wrap("set for this run, instead of what the manifest says: "+strings.Join(parts, " "), 98) + "\n"
}

func moduleTable(modules []result.Module) string {
	rows := Table{Indent: "  "}
	for _, m := range modules {
		note := ""
		switch {
		case m.Target:
			note = "target"
		case m.By != "":
			note = "covered by " + m.By
		}
		rows.Row(m.Module, m.Grain, note)
	}
	return rows.Text()
}

// report describes the result: the verdict, the figures, the tables and the counterexamples.
func (t Check) report(d *result.Document) string {
	var b strings.Builder
	r := d.Exploration
	b.WriteString(t.verdict(d) + "\n")
	if word, _ := d.Outcome(); word == verdicts.Holds {
		b.WriteString(BoundsText(d.Bounds))
	}
	b.WriteString(coarseText(r))
	if r.Simulation != nil {
		b.WriteString(walksText(r))
	} else {
		b.WriteString(exploredText(r))
	}
	b.WriteString(indentAll(Wrap(fmt.Sprintf("%s checked: %s", words.Plural(int64(len(r.Invariants)), "invariant"),
		words.ListOr(r.Invariants, "none")), 96), "  "))
	if len(r.Vacuous) > 0 {
		b.WriteString(indentAll(Wrap("vacuous here, as the manifest says: "+strings.Join(r.Vacuous, "; "), 96), "  "))
	}
	if l := r.Liveness; l != nil {
		b.WriteString(indentAll(Wrap(LivenessChecked(l), 96), "  "))
	}
	if sliced := r.Sliced; len(sliced) > 0 {
		b.WriteString(indentAll(Wrap("left out of the state, since no guard and no checked property can depend on it: "+
			strings.Join(sliced, ", "), 96), "  "))
	}
	if text := ReductionsText(r); text != "" {
		b.WriteString(indentAll(Wrap(text, 96), "  "))
	}
	if r.Masked > 0 {
		b.WriteString(MaskedText(r))
	}
	b.WriteString(seedsText(d.Seeds))
	if d.Likely != nil {
		b.WriteString("\n" + Likely(d.Likely))
	}
	if r.Simulation != nil {
		b.WriteString("\n" + coverageTable(r, t.Verbose))
	}
	if t.Verbose || len(r.Actions) <= fewActions {
		b.WriteString("\n" + actionTable(r))
	}
	if r.Complete() || t.Verbose {
		b.WriteString(branchTable("invariants", r.Branches, fewInvariantBranches, t.Verbose))
	}
	if t.Verbose && r.Simulation == nil {
		b.WriteString("\n" + levelTable(r.Levels))
	}
	if len(r.Violations) > 1 {
		b.WriteString("\n" + violationTable(r))
	}
	told := map[string]bool{}
	for k := range r.Violations {
		v := &r.Violations[k]
		if name := v.Name(); t.Verbose || r.Simulation != nil || !told[name] {
			b.WriteString("\n" + t.violation(v))
			told[name] = true
		}
	}
	return b.String()
}

// coarseText says whether a violation is one of the fine composition, too.
func coarseText(r *result.Exploration) string {
	switch {
	case r.Finer != nil:
		return finerText(r.Finer)
	case len(r.Coarse) > 0:
		return indentAll(Wrap(fmt.Sprintf("%s may be the cause: %s; -finer does the counterexample again without coarse grains", words.ListOr(r.Coarse, ""), r.CoarseLevel), 96), "  ")
	}
	return ""
}

// finerText says what became of a counterexample in the fine composition, and what is after
// accepted gaps.
func finerText(f *result.FinerAnswer) string {
	var b strings.Builder
	for _, line := range finerLines(f) {
		b.WriteString(indentAll(Wrap(line, 96), "  "))
	}
	return b.String()
}

func finerLines(f *result.FinerAnswer) (lines []string) {
	line := func(text string) { lines = append(lines, text) }
	switch text := f.Verdict + ": " + f.Reason; {
	case f.Verdict == result.Confirmed && f.Baseline:
		line("confirmed at the baseline: " + f.Reason)
	case f.Verdict == result.Confirmed:
		line("confirmed at finer grains: " + f.Reason)
	case f.Counterexample != "":
		line(text + "; the counterexample is in " + f.Counterexample)
	default:
		line(text)
	}
	if f.Trace != "" {
		line("the behaviour without coarse steps is in " + f.Trace)
	}
	for _, t := range f.Tried {
		line(fmt.Sprintf("with %s: %s: %s", strings.Join(t.Grains, ", "), t.Verdict, t.Reason))
	}
	if f.Spurious > 0 {
		line(words.Plural(int64(f.Spurious), "counterexample") + ", one for each property and last action: spurious")
	}
	for k := range f.Gaps {
		line("after the accepted gap " + f.Gaps[k].Gap + ": " + searchText(&f.Gaps[k]))
	}
	if f.Searched != nil {
		line("in the fine composition from its initial states: " + searchText(f.Searched))
	}
	return lines
}

// searchText says what a search in the fine composition found.
func searchText(s *result.FinerSearch) string {
	states := words.Plural(s.States, "state") + " examined"
	switch {
	case s.Reason != "":
		return "not searched: " + s.Reason
	case s.Property != "":
		return fmt.Sprintf("%s, and %s is violated after %s", states, s.Property, words.Plural(int64(s.Steps), "step"))
	case s.Complete:
		return states + ", which are all, and no property is violated"
	}
	return states + ", and no property is violated; a limit came before all were"
}

// LivenessChecked says which liveness properties were checked, and what that took.
func LivenessChecked(l *wire.Liveness) string {
	return fmt.Sprintf("%s checked on %s of steps, in %s and %s: %s", words.Plural(int64(len(l.Properties)), "liveness property"),
		words.Plural(l.Edges, "edge"), words.Elapsed(l.Seconds), words.Size(l.Memory), strings.Join(l.Properties, ", "))
}

// MaskedText says which masked assertions steps ended in.
func MaskedText(r *result.Exploration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s ended in an assertion that the manifest masks", words.Plural(r.Masked, "step"))
	for k, m := range r.MaskedBy {
		fmt.Fprintf(&b, "%s %s in %s", []string{":", ","}[min(k, 1)], words.Count(m.Count), m.Invariant)
	}
	b.WriteString("\n")
	return b.String()
}

// violationTable counts the violations of a search that continued, by property and last action.
func violationTable(r *result.Exploration) string {
	t := Table{Indent: "  ", right: map[int]bool{2: true, 3: true}}
	t.Row("violated", "last action", "seen", "shortest")
	total := int64(0)
	for k := range r.Violations {
		v := &r.Violations[k]
		action := v.Action
		if action == "" {
			action = "-"
		}
		t.Row(v.Name(), action, words.Count(v.Count), words.Plural(int64(v.Depth), "step"))
		total += v.Count
	}
	t.Row("all", "", words.Count(total), "")
	return t.Text()
}

// exploredText returns how much was explored.
func exploredText(r *result.Exploration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s, %s generated, depth %d\n", words.Plural(r.Distinct, "distinct state"), words.Count(r.Generated), r.Depth)
	fmt.Fprintf(&b, "  %s with %s, %s distinct; memory %s", words.Elapsed(r.Seconds), words.Plural(int64(r.Workers), "worker"),
		words.Rate(r.Distinct, r.Seconds), words.Size(r.Memory))
	if r.Distinct >= manyStates {
		fmt.Fprintf(&b, ", %.1f bytes for each state of %d", float64(r.Memory)/float64(r.Distinct), r.StateBytes)
	}
	if r.Disk > 0 {
		fmt.Fprintf(&b, "; %s on disk", words.Size(r.Disk))
	}
	fmt.Fprintf(&b, "\n  digest %s, probability of a fingerprint collision %.1e\n", r.Digest, r.Collision)
	if r.Observed > 0 {
		fmt.Fprintf(&b, "  that of the actual fingerprints, by the smallest difference of two: %.1e\n", r.Observed)
	}
	if r.Distinct > manyForShort && r.Fingerprint == 64 {
		b.WriteString("  so many states need longer fingerprints: -fingerprint 96\n")
	}
	b.WriteString(checkpointText(r))
	return b.String()
}

// BoundsText says within which bounds a result holds, with those of the command line. A bound of -1
// is no limit. It returns "" if the system has no bounds.
func BoundsText(bounds []result.Bound) string {
	var values, free []string
	for _, b := range bounds {
		if b.Value < 0 {
			free = append(free, b.Name)
			continue
		}
		values = append(values, fmt.Sprintf("%s=%d", b.Name, b.Value))
	}
	var parts []string
	if len(values) > 0 {
		parts = append(parts, strings.Join(values, " "))
	}
	if len(free) > 0 {
		parts = append(parts, "no limit of "+words.ListOr(free, "none"))
	}
	if len(parts) == 0 {
		return ""
	}
	return indentAll(Wrap("bounds: "+strings.Join(parts, "; "), 96), "  ")
}

// Verdict returns the line that matters most, without colours. The document has an exploration.
func Verdict(d *result.Document) string { return Check{}.verdict(d) }

// verdict returns the line that matters most.
func (t Check) verdict(d *result.Document) string {
	r := d.Exploration
	word, which := d.Outcome()
	values := []string{"reason", strings.TrimSuffix(r.Reason, "."), "names", Violated(r)}
	if s := r.Simulation; s != nil {
		values = append(values, "walks", words.Plural(s.Walks, "random walk"), "steps", words.Plural(int64(s.Depth), "step"))
	}
	return verdicts.Find(verbOf(d), word, which).Line(t.Paint.tone, values...)
}

// verbOf returns the verb of a document. Documents of several manifests have parts that are
// documents of check.
func verbOf(d *result.Document) string { return cmp.Or(d.Verb, "check") }

// Violated names the properties that are violated, each once.
func Violated(r *result.Exploration) string {
	var names []string
	seen := map[string]bool{}
	for k := range r.Violations {
		if name := r.Violations[k].Name(); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// actionTable counts how often actions were enabled and fired; of walks also how many of their
// instances were fired.
func actionTable(r *result.Exploration) string {
	t := Table{Indent: "  ", right: map[int]bool{2: true, 3: true, 4: true, 5: r.Simulation != nil}}
	head := []string{"action", "module", "enabled", "fired", "distinct"}
	if r.Simulation != nil {
		head = append(head, "instances")
	}
	t.Row(head...)
	for k := range r.Actions {
		a := &r.Actions[k]
		cells := []string{a.Name, a.Module, words.Count(a.Enabled), words.Count(a.Fired), words.Count(a.Distinct)}
		if a.Instances != nil {
			cells = append(cells, fmt.Sprintf("%d of %d", a.Instances.Fired, a.Instances.Of))
		}
		t.Row(append(cells, WhyNever(r, a))...)
	}
	return t.Text()
}

// NeverEnabled says of an action that nothing explains why no state enables it.
const NeverEnabled = "never enabled"

// WhyNever says why an action was never enabled; it is "" for one that was.
func WhyNever(r *result.Exploration, a *result.Action) string {
	switch {
	case a.Enabled > 0:
		return ""
	case a.Spent:
		return "its budget is 0"
	case a.Off:
		return "off by options"
	case a.Unused:
		return "unused, as the manifest says"
	case !r.Complete():
		return "not enabled so far"
	}
	return NeverEnabled
}

// levelTable counts the states at each depth.
func levelTable(levels []int64) string {
	t := Table{Indent: "  ", right: map[int]bool{0: true, 1: true}}
	t.Row("depth", "distinct")
	for k, n := range levels {
		t.Row(strconv.Itoa(k), words.Count(n))
	}
	return t.Text()
}

// kinds says what is violated, for people.
var kinds = map[string]string{
	"state": "state invariant", "step": "step property", "assert": "code-level assertion", "liveness": "liveness property",
}

func (t Check) violation(v *result.Violation) string {
	var b strings.Builder
	if v.Kind == "deadlock" {
		fmt.Fprintf(&b, "%s: a state without successors\n", t.Paint.In(red, "Deadlock"))
	} else {
		fmt.Fprintf(&b, "%s %s is violated\n", t.Paint.In(red, words.SentenceStart(kinds[v.Kind], v.Kind)), v.Name())
	}
	if v.Doc != "" {
		b.WriteString(indentAll(Wrap(v.Doc, 96), "  "))
	}
	b.WriteString(Reasons(v.Why, "  "))
	if t.Explains && len(v.Why) == 0 && (v.Kind == "state" || v.Kind == "step") {
		b.WriteString("  -explain says which condition decided that\n")
	}
	fmt.Fprintf(&b, "  counterexample of %s; %s\n", words.Plural(int64(v.Depth), "step"), FoundText(v))
	if v.Trace != "" {
		fmt.Fprintf(&b, "  trace: %s\n", v.Trace)
	}
	if v.Counterexample != nil {
		b.WriteString("\n" + Behaviour{Paint: t.Paint, indent: "  "}.Text(v.Counterexample))
	}
	return b.String()
}

// FoundText says where and how often a violation was found.
func FoundText(v *result.Violation) string {
	if v.Origin != nil {
		return shrunkText(v)
	}
	if v.Kind == "liveness" {
		return "a shortest way to its loop"
	}
	text := words.Plural(v.At, "distinct state") + " at the end of its level"
	if v.Count > 1 {
		text += fmt.Sprintf("; seen %s times", words.Count(v.Count))
	}
	return text
}

func indentAll(text, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(indent + line)
	}
	return strings.TrimSuffix(b.String(), "\n") + "\n"
}
