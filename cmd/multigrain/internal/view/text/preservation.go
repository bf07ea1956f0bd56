package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Preservation is the result of levels L1 and L2.
type Preservation struct {
	Paint   Painter
	Verbose bool // all witnesses step by step
}

// Text returns the result of a comparison for people.
func (t Preservation) Text(d *result.Comparison) string {
	var b strings.Builder
	whole := Explored(d.Sides[0].Complete && d.Sides[1].Complete)
	finer := "compared with the fine composition"
	if len(d.Against) > 0 {
		finer = "compared with a finer composition"
	}
	fmt.Fprintf(&b, "%s  %s, %s, %s\n", t.Paint.In(bold, finer), d.Bounds, whole, words.Elapsed(d.Seconds))
	if d.Reused {
		b.WriteString("  a stored result, of the same sources and bounds; -again compares once more\n")
	}
	for _, v := range d.Varied {
		fmt.Fprintf(&b, "  also compared within %s\n", v)
	}
	rows := Table{Indent: "  "}
	for side, name := range []string{"fine", "coarse"} {
		s := &d.Sides[side]
		note := ""
		if !s.Complete {
			note = "not exhausted"
		}
		rows.Row(name, words.Plural(s.States, "state"), words.Plural(s.Transitions, "transition"), fmt.Sprintf("depth %d", s.Depth), classes(s), note)
	}
	b.WriteString(rows.Text())
	rows = Table{Indent: "  "}
	t.level(&rows, "L1", d.L1, d)
	if d.Asked == "L2" {
		t.level(&rows, "L2", d.L2, d)
	}
	b.WriteString(rows.Text())
	b.WriteString(t.legend(d))
	b.WriteString(looksText(d.Looks, d.L1.NoFalse == "yes" && (d.Asked != "L2" || d.L2.NoFalse == "yes")))
	b.WriteString(endingsText(d))
	b.WriteString(budgetsText(d))
	if w := d.Weakest; w != nil {
		b.WriteString(indentAll(Wrap(weakestText(w), 96), "  "))
	}
	if d.Walks > 0 {
		fmt.Fprintf(&b, "  beyond that %s through the fine composition were followed in the coarse one; what they find is missed, that they find nothing means nothing\n",
			words.Plural(d.Walks, "random walk"))
	}
	if d.Level < d.Asked {
		fmt.Fprintf(&b, "  %s\n", t.Paint.In(Yellow, fmt.Sprintf("level %s is not reached: %s", d.Asked, d.Reason)))
	}
	for _, a := range d.Accepted {
		b.WriteString(indentAll(Wrap("accepted gap: "+a, 96), "  "))
	}
	for _, a := range d.Unused {
		fmt.Fprintf(&b, "  the manifest accepts a gap that was not found: %s\n", a)
	}
	for k := range d.Differences {
		b.WriteString("\n" + t.difference(d, k))
	}
	return b.String()
}

// weakestText says what the comparison in the weakest environment shows.
func weakestText(w *wire.PreserveWeakest) string {
	text := fmt.Sprintf("in the weakest environment that footprints allow: fine %s, coarse %s", words.Plural(w.States[0], "state"), words.Plural(w.States[1], "state"))
	switch {
	case w.States == [2]int64{}:
		return "not compared in the weakest environment that footprints allow: " + w.Reason
	case w.NoFalse && w.NoMissed:
		return text + "; nothing is false or missed, so nothing is in the composition, all of its states included"
	case w.NoFalse:
		return text + "; nothing is false, so nothing is in the composition. Missed behaviours are not decided: " + w.Reason
	case w.NoMissed:
		return text + "; nothing is missed, so nothing is in the composition. False behaviours are not decided: " + w.Reason
	}
	return text + "; that decides nothing: " + w.Reason
}

// Explored says whether the result is about all states of both compositions.
func Explored(complete bool) string {
	if complete {
		return "all states explored"
	}
	return "not all states explored"
}

// legend says what the tables count.
func (t Preservation) legend(d *result.Comparison) string {
	text := "fine: the composition with what its coarse grains stand for. A view is a step under test or of the environment with its parameters and " +
		"all that it reads; L1 asks whether one composition reaches views that the other does not."
	if d.Asked == "L2" {
		text += " L2 asks for their sequences: a pair is a state of one composition with the set of states of the other after the same observations. " +
			"States that no observation tells apart are one up to branching bisimulation."
	}
	text += " False: only the coarse one does it. Missed: only the fine one."
	return indentAll(t.Paint.In(dim, Wrap(text, 96)), "  ")
}

func classes(s *wire.Compared) string {
	if s.Classes == 0 {
		return ""
	}
	return fmt.Sprintf("%s up to branching bisimulation", words.Count(int64(s.Classes)))
}

// level is the rows of a level: an answer for each inclusion.
func (t Preservation) level(rows *Table, level string, i wire.Inclusions, d *result.Comparison) {
	row := func(what, answer string, side int, no string) {
		style, word := Yellow, answer
		switch answer {
		case "yes":
			style, word = green, "ok"
		case "no":
			style, word = red, no
		}
		detail := fmt.Sprintf("%d of %s only there", d.Only[side], words.Plural(int64(d.Views[side]), "view"))
		if level == "L2" {
			detail = fmt.Sprintf("%s, sets of up to %d", words.Plural(int64(i.Pairs[side]), "pair"), i.Largest[side])
		}
		rows.Row(level, what, t.Paint.In(style, word), detail)
	}
	row("no false behaviour", i.NoFalse, 1, "FALSE")
	row("no missed behaviour", i.NoMissed, 0, "GAP")
}

// looksText says what the invariants see on one side only. What is missed and satisfies the
// invariant hides no violation.
func looksText(looks []wire.Seen, same bool) string {
	alike, names := 0, []string(nil)
	for _, l := range looks {
		if l.Only == [2]int{} {
			alike++
			continue
		}
		names = append(names, fmt.Sprintf("%s %d of %d missed (%d violations), %d false", l.Name, l.Only[0], l.Seen[0], l.Broken[0], l.Only[1]-l.Held))
	}
	text := fmt.Sprintf("of %s, %d see the same", words.Plural(int64(len(looks)), "invariant"), alike)
	if len(names) > 0 {
		text += "; " + strings.Join(names, "; ") + ". A value that is missed and satisfies the invariant is no gap: it depends on nothing else."
	}
	return indentAll(Wrap(text, 96), "  ") + extraText(looks, same)
}

// mostCells bounds the cells of an extra value that are shown.
const mostCells = 4

// extraText notes the values that only the coarse composition reaches and for which the invariant
// holds.
func extraText(looks []wire.Seen, same bool) string {
	var out strings.Builder
	for _, l := range looks {
		if l.Held == 0 || len(l.Extra) == 0 {
			continue
		}
		var cells []string
		for _, e := range l.Extra[:min(len(l.Extra), mostCells)] {
			cells = append(cells, fmt.Sprintf("%s = %s (%s in the nearest fine state)", e.Cell, e.Here, e.There))
		}
		if n := len(l.Extra) - mostCells; n > 0 {
			cells = append(cells, fmt.Sprintf("and %s more", words.Plural(int64(n), "cell")))
		}
		holds := "The invariant holds for each"
		if same {
			holds += ", and no step under test sees a difference"
		}
		text := fmt.Sprintf("note: %s sees %s that the fine composition lacks. %s: %s", l.Name, words.Plural(int64(l.Held), "value"), holds, strings.Join(cells, ", "))
		out.WriteString(indentAll(Wrap(text, 96), "  "))
	}
	return out.String()
}

// endingsText says which deadlocks and liveness properties were compared, and where they show.
func endingsText(d *result.Comparison) string {
	var out strings.Builder
	for _, e := range d.Endings {
		name := "deadlocks"
		if e.Kind != verdicts.Deadlock {
			name = "behaviours that break " + strings.TrimSuffix(e.Name+"."+e.Instance, ".")
		}
		text := fmt.Sprintf("%s end in %s of the fine composition and in %s of the coarse one", name, words.Plural(e.States[0], "state"), words.Plural(e.States[1], "state"))
		if e.States == [2]int64{} {
			text = "neither composition has " + name
		}
		out.WriteString(indentAll(Wrap(text, 96), "  "))
	}
	return out.String()
}

// budgetsText names the budgets that only silent actions spend: they are projected away.
func budgetsText(d *result.Comparison) string {
	var parts []string
	for side, name := range []string{"fine", "coarse"} {
		for _, b := range d.Sides[side].Budgets {
			if !b.Silent {
				continue
			}
			limit := fmt.Sprintf("%d of %d", b.Spent, b.Max)
			if b.Max < 0 {
				limit = "without limit"
			}
			parts = append(parts, fmt.Sprintf("%s %s (%s)", b.Bound, limit, name))
		}
	}
	if parts == nil {
		return ""
	}
	return indentAll(Wrap("budgets that only silent actions spend are not observed; the most spent: "+strings.Join(parts, ", "), 96), "  ")
}

// difference returns a missed or false behaviour with its witness.
func (t Preservation) difference(d *result.Comparison, k int) string {
	x := &d.Differences[k]
	var b strings.Builder
	title, style := "False behaviour", red
	if x.Missed {
		title, style = "Missed behaviour", Yellow
	}
	note := ""
	if k < len(d.Findings) && d.Findings[k].Accepted {
		note = ", accepted"
	}
	if x.Walked {
		note += ", found by simulation"
	}
	fmt.Fprintf(&b, "%s%s, level %s: %s\n", t.Paint.In(style, title), note, x.Level, x.Observer)
	b.WriteString(indentAll(Wrap(words.Sentence(d.Findings[k].Message), 96), "  "))
	if text := causeText(x); text != "" {
		b.WriteString(indentAll(Wrap(text, 96), "  "))
	}
	if k < len(d.Findings) && d.Findings[k].File != "" {
		fmt.Fprintf(&b, "  written at %s:%d\n", words.ShortPath(d.Findings[k].File), d.Findings[k].Line)
	}
	if k < len(d.Traces) && d.Traces[k] != "" {
		fmt.Fprintf(&b, "  trace: %s\n", d.Traces[k])
	}
	if t.Verbose || k == 0 {
		b.WriteString(Behaviour{Paint: t.Paint, indent: "  "}.Text(d.Witnesses[k]))
		return b.String()
	}
	b.WriteString(indentAll(Wrap(wayText(d.Witnesses[k]), 96), "  "))
	return b.String()
}

// causeText names the silent step after which the difference is observed, and who else observes
// it.
func causeText(d *wire.Difference) string {
	if d.Cause == "" {
		return ""
	}
	text := fmt.Sprintf("The last step before that is not observed is %s, step %d.", d.Cause, d.CauseStep)
	var also []string
	for _, s := range d.Also {
		who := s.Observer
		if s.Variable != "" {
			who += " in " + s.Variable
		}
		if s.Cause != "" && s.Cause != d.Cause {
			who += " behind " + s.Cause
		}
		also = append(also, who)
	}
	slices.Sort(also)
	if also = slices.Compact(also); len(also) > 0 {
		text += " Others see something after it, too: " + strings.Join(also, ", ") + "."
	}
	return text
}

// wayText returns the steps of a witness in a line.
func wayText(b *result.Behaviour) string {
	var steps []string
	for k := range b.Steps {
		steps = append(steps, b.Steps[k].Call)
	}
	return strings.Join(steps, " ")
}

// LockedBounds returns the bounds of an entry, and whether all states were explored.
func LockedBounds(x *result.Locked) string {
	if x.Complete {
		return x.Bounds + "; " + Explored(true)
	}
	if x.Weakest {
		return x.Bounds + "; in the weakest environment"
	}
	return x.Bounds
}

// lockedText returns the entry of the lock file for the level that the manifest states.
func lockedText(x *result.Locked, paint Painter) (out []paragraph) {
	style := map[string]string{verdicts.Preserved: green, verdicts.Gap: Yellow, verdicts.Broken: red}
	if x.Verdict != "" {
		out = append(out, paragraph{fmt.Sprintf("level %s: %s (%s), from %s", min(x.Level, "L2"), paint.In(style[x.Verdict], x.Verdict),
			LockedBounds(x), words.ShortPath(x.File)), true})
		out = append(out, acceptedGaps(x.Accepted)...)
	}
	if m := x.Mutants; m != nil {
		out = append(out, paragraph{fmt.Sprintf("level L3: %s, kept %d of %d mutants (drawn %d, equal %d, undecided %d; %s)", paint.In(style[m.Verdict], m.Verdict),
			m.Kept, m.Found, m.Drawn, m.Equal, m.Undecided, m.Bounds), true})
	}
	var wider []result.OtherBound
	for _, b := range x.Bounded {
		if b.Exceeds() {
			wider = append(wider, b)
		}
	}
	if len(wider) > 0 && x.Verdict != "" {
		text := strings.Join(result.BoundsText(wider, x.Level), ", ")
		if len(x.Matters) > 0 {
			text += "; that matters to " + strings.Join(x.Matters, "; ")
		}
		out = append(out, paragraph{text, false})
	}
	if x.Reason != "" {
		out = append(out, paragraph{x.Reason, false})
	}
	return out
}

// storedText returns a stored result, for verbs that do not compare.
func storedText(d *result.Stored, paint Painter) []paragraph {
	style := map[string]string{verdicts.Preserved: green, verdicts.Gap: Yellow, verdicts.Broken: red}[d.Verdict]
	text := fmt.Sprintf("compared before, at level %s: %s (%s; %s)", d.Level, paint.In(style, d.Verdict), d.Bounds, Explored(d.Complete))
	return append([]paragraph{{text, true}}, acceptedGaps(d.Accepted)...)
}

func acceptedGaps(all []string) (out []paragraph) {
	for _, a := range all {
		out = append(out, paragraph{"accepted gap: " + a, false})
	}
	return out
}

// Locks returns the stale entries of lock files, the time that comparing them again may take, and
// the verdict.
func Locks(l *result.Locks, paint Painter) string {
	var b strings.Builder
	for _, x := range l.Stale {
		fmt.Fprintf(&b, "%s  %s\n  %s\n", words.ShortPath(x.Manifest), strings.Join(x.Grains, " "), x.Reason)
	}
	if len(l.Stale) > 0 {
		fmt.Fprintf(&b, "%s\n", expected(l))
	}
	entries := words.Plural(int64(l.Entries), "entry")
	line := verdicts.Find("interaction", l.Verdict, "").Line(paint.tone, "entries", entries, "stale", fmt.Sprint(len(l.Stale)))
	return b.String() + line + "\n"
}

// expected says how long it took to compare the stale entries.
func expected(l *result.Locks) string {
	known := len(l.Stale) - l.Unknown
	switch {
	case known == 0:
		return "expected time to compare them again: not known"
	case l.Unknown > 0:
		return fmt.Sprintf("expected time to compare %d of them again: %s, of the others it is not known", known, duration(l.Seconds))
	}
	return "expected time to compare them again: " + duration(l.Seconds)
}

// duration returns a number of seconds, from two minutes on as minutes.
func duration(seconds int) string {
	if seconds < 120 {
		return words.Plural(int64(seconds), "second")
	}
	return words.Plural(int64(seconds+30)/60, "minute")
}

// Mutants returns the result of level L3: the first line, what both compositions cost, and the
// mutants that are lost, false or undecided. Verbose lists all mutants. It is "" without a result.
func Mutants(d *result.Interaction, paint Painter, verbose bool) string {
	m := d.Mutants
	if m == nil {
		return ""
	}
	count := func(n int) string { return fmt.Sprint(n) }
	var b strings.Builder
	b.WriteString(verdicts.Find("interaction", m.Verdict, verdicts.Mutants).Line(paint.tone, "kept", count(m.Kept), "found", count(m.Found),
		"drawn", count(m.Drawn), "equal", count(m.Equal), "undecided", count(m.Undecided)) + "\n")
	fmt.Fprintf(&b, "  lost %d, false %d; of %s that compile, seed %d; bounds %s\n", m.Lost, m.False, words.Plural(int64(m.Sites), "mutant"), m.Seed, m.Bounds)
	if m.Reason != "" {
		b.WriteString(indentAll(Wrap("undecided: "+m.Reason, 96), "  "))
	}
	b.WriteString(indentAll(Wrap(belowText(d), 96), "  "))
	t := Table{Indent: "  "}
	for k, s := range []*result.Searched{&m.Fine, &m.Mixed} {
		if s.Verdict != "" {
			t.Row([]string{"fine", "mixed"}[k], words.Plural(s.States, "state"), fmt.Sprintf("%.1f s", s.Seconds), fmt.Sprintf("%.1f s with mutants", m.Seconds[k]))
		}
	}
	b.WriteString(t.Text())
	if len(m.Apart) > 0 {
		b.WriteString(indentAll(Wrap("not judged, since only one composition offers it: "+words.ListFew(m.Apart), 96), "  "))
	}
	for k := range m.List {
		switch x := &m.List[k]; {
		case x.Outcome == result.MutantLost || x.Outcome == result.MutantFalse:
			b.WriteString("\n" + mutantText(x, paint))
		case verbose || x.Outcome == result.MutantUndecided || x.Note != "" && x.Outcome == result.MutantKept:
			b.WriteString(indentAll(Wrap(mutantLine(x), 96), "  "))
		}
	}
	return b.String() + "\n"
}

// belowText says what level L2 shows, on which level L3 rests.
func belowText(d *result.Interaction) string {
	x := d.Comparison
	switch {
	case x == nil:
		return "level L2 is not decided, so level L3 is not reached"
	case x.Level < "L2":
		return fmt.Sprintf("level L2 is not decided, so level L3 is not reached: %s", x.Reason)
	case x.Verdict == verdicts.Gap && len(x.Accepted) == len(x.Differences):
		return "level L2: gap, accepted"
	}
	return "level L2: " + x.Verdict
}

// mutantLine says in a line the outcome of a mutant.
func mutantLine(x *result.Mutant) string {
	text := fmt.Sprintf("%s: %s (%s:%d)", x.Outcome, x.Name, x.File, x.Line)
	if x.Note != "" {
		text += ": " + x.Note
	}
	return text
}

// mutantText shows a mutant that is lost or false: the counterexample, how far the other
// composition follows it, and what is to blame.
func mutantText(x *result.Mutant, paint Painter) string {
	var b strings.Builder
	b.WriteString(Wrap(mutantLine(x), 98) + "\n")
	found, other, name := &x.Fine, &x.Mixed, [2]string{"fine", "mixed"}
	if x.Outcome == result.MutantFalse {
		found, other, name = other, found, [2]string{"mixed", "fine"}
	}
	fmt.Fprintf(&b, "  %s: violates %s\n", name[0], found.Property)
	if found.Counterexample != nil {
		b.WriteString(Behaviour{Paint: paint, indent: "  "}.Text(found.Counterexample))
	}
	line := fmt.Sprintf("%s: %s, %s, depth %d", name[1], other.Verdict, words.Plural(other.States, "state"), other.Depth)
	if f := x.Followed; f != nil {
		line += "; " + followedText(f, found)
	}
	b.WriteString(indentAll(Wrap(line, 96), "  "))
	if f := x.Followed; f != nil && f.Behaviour != nil {
		b.WriteString(Behaviour{Paint: paint, indent: "  "}.Text(f.Behaviour))
	}
	if x.Blame != nil {
		who := "to blame"
		if x.Blame.Action != "" {
			who += ": " + x.Blame.Action
		}
		b.WriteString(indentAll(Wrap(who+": "+x.Blame.Message, 96), "  "))
	}
	return b.String()
}

// followedText says how far a composition follows the counterexample of the other.
func followedText(f *result.Followed, found *result.Searched) string {
	steps := found.Counterexample.Steps
	switch {
	case f.Reason != "":
		return "how far it follows is not known: " + f.Reason
	case f.Step == 0:
		return fmt.Sprintf("it follows all %s and does not violate %s", words.Plural(int64(len(steps)), "step"), found.Property)
	}
	return fmt.Sprintf("after the same observations it cannot do step %d, %s", f.Step, steps[f.Step-1].Call)
}
