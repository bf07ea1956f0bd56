package text

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Compared returns the table of compositions, in the columns of table 5 of the Remix paper.
func Compared(all []result.Compared, paint Painter) string {
	t := Table{right: map[int]bool{1: true, 2: true, 3: true, 4: true}}
	t.Row("specification", "time", "depth", "distinct", "violations", "verdict", "violated invariants")
	for _, d := range all {
		name := d.Result.Spec
		if repeated(all, name) {
			name = d.Manifest
		}
		r := d.Result.Exploration
		switch {
		case r == nil:
			t.Row(name, "-", "-", "-", "-", paint.In(red, d.Result.Found()))
			continue
		case r.Stopped:
			t.Row(name, "-", "-", "-", "-", strings.TrimSuffix(Undecided("compare", r.Reason, paint), "\n"))
			continue
		}
		word, which := d.Result.Outcome()
		row := verdicts.Find("compare", word, which)
		verdict := paint.tone(row.Tone, row.Head)
		if r.Reason != "" {
			verdict += ": " + strings.TrimSuffix(r.Reason, ".")
		}
		t.Row(name, words.Elapsed(r.Seconds), strconv.Itoa(r.Depth), words.Count(r.Distinct), words.Count(seen(r, "")), verdict, violatedAt(r))
	}
	out := t.Text()
	for _, d := range all {
		name := d.Result.Spec
		if repeated(all, name) {
			name = d.Manifest
		}
		out += holdsWithin(name, d.Result)
	}
	return out
}

// holdsWithin returns the bounds within which a composition holds, after its name, or "" if it does
// not hold.
func holdsWithin(name string, d *result.Document) string {
	if d == nil || d.Exploration == nil || d.Exploration.Verdict != verdicts.Holds || len(d.Bounds) == 0 {
		return ""
	}
	return fmt.Sprintf("%s holds within\n%s", name, BoundsText(d.Bounds))
}

// violatedAt names what is violated, with the length of its shortest counterexample and how often
// it was seen, if that was asked for.
func violatedAt(r *result.Exploration) string {
	var parts []string
	told := map[string]bool{}
	for k := range r.Violations {
		v := &r.Violations[k]
		name := v.Name()
		if told[name] {
			continue
		}
		told[name] = true
		text := fmt.Sprintf("%s in %s", name, words.Plural(int64(v.Depth), "step"))
		if n := seen(r, name); n > 1 {
			text += fmt.Sprintf(" (%s times)", words.Count(n))
		}
		parts = append(parts, text)
	}
	return words.ListOr(parts, "none")
}

// seen returns how often a property was seen violated, with any last action; "" is any property.
func seen(r *result.Exploration, name string) (n int64) {
	for k := range r.Violations {
		if v := &r.Violations[k]; name == "" || v.Name() == name {
			n += v.Count
		}
	}
	return n
}

// repeated reports whether several manifests have the name, as files of different folders may.
func repeated(all []result.Compared, name string) bool {
	n := 0
	for _, d := range all {
		if d.Result.Spec == name {
			n++
		}
	}
	return n > 1
}

// Ranked returns the table of the configurations of a grid, in the order in which to search them.
func Ranked(d *result.Ranking, paint Painter) string {
	row := verdicts.Find("rank", d.Verdict, "")
	walks := "as many walks as fit into the time"
	if d.Number > 0 {
		walks = words.Plural(d.Number, "random walk") + " of each"
	}
	line := row.Line(paint.tone, "configurations", words.Plural(int64(len(d.Configurations)), "configuration"), "walks", walks, "reason", strings.TrimSuffix(d.Reason, "."))
	t := Table{Indent: "  ", right: map[int]bool{0: true}}
	head := []string{"rank"}
	for _, a := range d.Grid {
		head = append(head, a.Name)
	}
	for k := range 6 {
		t.right[len(head)+k] = true
	}
	t.Row(append(head, "branches", "actions", "depth", "walks", "steps", "distinct")...)
	for _, c := range d.Configurations {
		rank := "-"
		if c.Rank > 0 {
			rank = strconv.Itoa(c.Rank)
		}
		cells := append([]string{rank}, c.Values...)
		if c.Walks == 0 {
			t.Row(append(cells, "-", "-", "-", "0", "-", "-")...)
			continue
		}
		t.Row(append(cells, fmt.Sprintf("%d of %d", c.Branches.Taken, c.Branches.Of), strconv.Itoa(c.Events.Actions), strconv.Itoa(c.Depth),
			words.Count(c.Walks), words.Count(c.Steps), words.Count(c.Distinct))...)
	}
	return line + "\n\n" + t.Text() + fmt.Sprintf("\n  %s with %s; seed %d; at most %s of a walk\n", words.Elapsed(d.Seconds), words.Plural(int64(d.Workers), "worker"), d.Seed, words.Plural(int64(d.Depth), "step"))
}

// Planned returns the table of compositions of a plan, from fine to coarse, with the verdict below
// it, and the manifest if no file has it.
func Planned(d *result.Plan, paint Painter) string {
	var b strings.Builder
	b.WriteString(coversText(d))
	best := cmp.Or(d.Best(), &result.Cover{})
	for _, line := range boundsFit(d) {
		b.WriteString(indentAll(Wrap(line, 96), "  "))
	}
	if d.Omitted > 0 {
		fmt.Fprintf(&b, "  not examined: %s with more actions; see -covers\n", words.Plural(int64(d.Omitted), "composition"))
	}
	row := verdicts.Find("plan", d.Verdict, "")
	b.WriteString("\n" + row.Line(paint.tone, "grains", coverText(best), "states", words.Plural(best.States, "state"), "time", words.Elapsed(best.Seconds), "reason", d.Reason) + "\n")
	if d.Written != "" {
		fmt.Fprintf(&b, "  written: %s\n", d.Written)
	} else if d.Manifest != "" {
		b.WriteString("\n" + d.Manifest)
	}
	return b.String()
}

// aboutErrors explains the column of errors.
const aboutErrors = "error: the share of the predicted states that was explored, and the factors by which half and nine of ten predictions of docs/results/plan.md from such a share are off at most"

// coversText returns the compositions of a plan, and those that are not allowed.
func coversText(d *result.Plan) string {
	t := Table{Indent: "  ", right: map[int]bool{1: true, 2: true, 3: true, 4: true}}
	t.Row("", "states", "range", "error", "time", "level", "composition")
	for k := range d.Covers {
		c := &d.Covers[k]
		row := CoverCells(c)
		t.Row(row[0], row[1], row[2], row[3], row[4], c.Level, coverText(c))
	}
	var b strings.Builder
	b.WriteString(t.Text())
	if slices.ContainsFunc(d.Covers, func(c result.Cover) bool { return c.Median > 1 }) {
		b.WriteString(indentAll(Wrap(aboutErrors, 96), "  "))
	}
	for _, c := range d.Covers {
		if c.Reason != "" {
			fmt.Fprintf(&b, "  %s: %s\n", coverText(&c), c.Reason)
		}
	}
	for _, c := range d.Covers {
		for _, o := range c.Others {
			number := "nothing"
			if o.States > 0 {
				number = fmt.Sprintf("%.3g", o.States)
			}
			fmt.Fprintf(&b, "  %s: %s predicts %s\n", coverText(&c), o.Estimator, number)
		}
	}
	for _, r := range d.Rejected {
		fmt.Fprintf(&b, "  not allowed: %s: %s\n", strings.Join(r.Grains, ", "), r.Why)
	}
	return b.String()
}

// CoverCells says whether a composition fits, and its states, their range, the error of predictions
// from such a share of them, and the time.
func CoverCells(c *result.Cover) [5]string {
	mark := ""
	if c.Fits {
		mark = "fits"
	}
	switch {
	case c.Exact:
		return [5]string{mark, words.Count(c.States), "all explored", "", words.Elapsed(c.Seconds)}
	case c.Seconds < 0 || c.States == 0:
		return [5]string{mark, "-", "-", "-", "-"}
	}
	return [5]string{mark, words.Count(c.States), fmt.Sprintf("%s to %s", words.Count(c.Low), words.Count(c.High)),
		fmt.Sprintf("from %.2g %%: %g, %g", 100*c.Share, c.Median, c.Error), words.Elapsed(c.Seconds)}
}

// boundsFit says of each composition that does not fit with the manifest's bounds, and does with a
// smaller one, which that is.
func boundsFit(d *result.Plan) (out []string) {
	for k := range d.Covers {
		c := &d.Covers[k]
		if !c.Fits || len(c.Bounds) == 0 {
			continue
		}
		for _, s := range c.Bounds {
			was := ""
			for _, w := range d.Bounds {
				if w.Name == s.Name {
					was = w.Value
				}
			}
			out = append(out, fmt.Sprintf("with %s = %s, %s does not fit; with %s it does", s.Name, was, strings.Join(c.Grains, ", "), s.Value))
		}
	}
	return out
}

// coverText names the grains of a composition, and the bounds that differ.
func coverText(c *result.Cover) string {
	parts := append([]string{}, c.Grains...)
	for _, s := range c.Bounds {
		parts = append(parts, s.Name+" = "+s.Value)
	}
	return strings.Join(parts, ", ")
}
