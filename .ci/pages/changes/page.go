package changes

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// write puts a table into its part of the page: what is between two comments that name it.
func (a *asked) write(table, text string) error {
	page, err := os.ReadFile(a.out)
	if err != nil {
		return err
	}
	begin, end := fmt.Sprintf("<!-- %s %s -->\n", table, a.library), fmt.Sprintf("<!-- end of %s %s -->\n", table, a.library)
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		return fmt.Errorf("%s has no lines %q and %q: add them where the table belongs", a.out, begin, end)
	}
	return os.WriteFile(a.out, []byte(before+begin+"\n"+wrapped(text)+"\n"+end+after), 0o644)
}

// wrapped breaks the lines of a text that are no rows of a table at 100 columns.
func wrapped(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			out.WriteString(line)
			continue
		}
		width := 0
		for _, word := range strings.Fields(line) {
			switch {
			case width > 0 && width+1+len(word) > 100:
				out.WriteString("\n")
				width = 0
			case width > 0:
				out.WriteString(" ")
				width++
			}
			out.WriteString(word)
			width += len(word)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// machine says when and where outcomes were made.
func machine(all []*outcome) string {
	var from, to time.Time
	low, high := 0.0, 0.0
	for k, o := range all {
		if k == 0 || o.Made.Before(from) {
			from = o.Made
		}
		if k == 0 || o.Made.After(to) {
			to = o.Made
		}
		if k == 0 || o.Load < low {
			low = o.Load
		}
		high = max(high, o.Load)
	}
	var commits []string
	for _, o := range all {
		if !slices.Contains(commits, o.Commit) {
			commits = append(commits, o.Commit)
		}
	}
	return fmt.Sprintf("%s to %s UTC, at commit %s, %d processors with a load of %.0f to %.0f. ", from.UTC().Format("2006-01-02 15:04"),
		to.UTC().Format("15:04"), strings.Join(commits, ", "), runtime.NumCPU(), low, high)
}

// costs says how long commands take.
func costs(all []*outcome) string {
	var wall, cpu, most float64
	for _, o := range all {
		wall, cpu, most = wall+o.Wall, cpu+o.CPU, max(most, o.CPU)
	}
	n := max(1, float64(len(all)))
	return fmt.Sprintf("A command takes %.0f seconds on average, and %.0f processor seconds, at most %.0f.\n", wall/n, cpu/n, most)
}

// cell makes a text fit into a table.
func cell(text string) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", "\\|")
	if r := []rune(text); len(r) > mostRunes {
		text = string(r[:mostRunes]) + "..."
	}
	return text
}

// mostRunes bounds a cell of a table.
const mostRunes = 150

func outcomes(rows []row) (out []*outcome) {
	for _, r := range rows {
		out = append(out, r.outcome)
	}
	return out
}

// seen reports whether a run shows that the change is wrong.
func (o *outcome) seen() bool { return len(o.broken()) > 0 || o.verdict() == "differs" }

// plantedText is the table of mutants.
func plantedText(l library, rows []row) string {
	violated, seen, later, green, can := 0, 0, 0, 0, 0
	var b strings.Builder
	var all []*outcome
	for _, r := range rows {
		all = append(all, r.outcome)
		shown, last := r.outcome, ""
		if r.longer != nil {
			all, last = append(all, r.longer), fmt.Sprintf("%s (%d), %.0f s", r.longer.verdict(), r.longer.Exit, r.longer.Wall)
			if r.longer.seen() {
				later++
				shown = r.longer
			}
		}
		switch {
		case len(shown.broken()) > 0:
			violated++
			seen++
		case shown.seen():
			seen++
		case r.Exit == 0 || r.longer != nil && r.longer.Exit == 0:
			green++
		}
		where := shown.where()
		if r.missing == "" {
			can++
		} else if !shown.seen() {
			where = "conform cannot find it: " + r.missing
		}
		fmt.Fprintf(&b, "| %s | %s | %s (%d) | %s | %s | %.0f | %.0f |", r.name, r.manifest, r.verdict(), r.Exit, cell(strings.Join(shown.broken(), ", ")), cell(where), r.Wall, r.CPU)
		if l.longer > 0 {
			fmt.Fprintf(&b, " %s |", last)
		}
		b.WriteString("\n")
	}
	text := fmt.Sprintf("%d of %d mutants are seen: %d violate an invariant or panic, and %d behave differently. %d end in exit code 0. ", seen, len(rows), violated, seen-violated, green)
	head := "| mutant | manifest | verdict | broken | first difference | s | processor s |"
	rule := "|---|---|---|---|---|---|---|"
	if l.longer > 0 {
		text += fmt.Sprintf("Conform can find %d of them. %d are seen only with `-budget %s`. ", can, later, minutes(l.longer))
		head += " with `-budget " + minutes(l.longer) + "` |"
		rule += "---|"
	}
	return machine(all) + text + costs(all) + "\n" + head + "\n" + rule + "\n" + b.String()
}

func minutes(d time.Duration) string { return fmt.Sprintf("%.0fm", d.Minutes()) }

// harmlessText is the table of refactorings.
func harmlessText(rows []row) string {
	green, red := 0, 0
	var b strings.Builder
	for _, r := range rows {
		switch r.Exit {
		case 0:
			green++
		case 20:
		default:
			red++
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s (%d) | %s | %.0f | %.0f |\n", r.name, cell(r.what), r.manifest, r.verdict(), r.Exit, cell(r.where()), r.Wall, r.CPU)
	}
	all := outcomes(rows)
	return machine(all) + fmt.Sprintf("%d of %d refactorings end in exit code 0, %d are undecided, and %d end otherwise. ", green, len(rows), len(rows)-green-red, red) +
		costs(all) + "\n| refactoring | what it does | manifest | verdict | what is left | s | processor s |\n|---|---|---|---|---|---|---|\n" + b.String()
}

// readText is the table of commits that are read as they are, and run on a release.
func readText(rows []realRow) string {
	var all []*outcome
	green, quiet, hidden, ran, decided := 0, 0, 0, 0, 0
	var b strings.Builder
	for _, r := range rows {
		all = append(all, r.asIs)
		if r.Expect == "none" {
			quiet++
		}
		if r.asIs.Exit == 0 {
			green++
		}
		on := r.how
		if o := r.onRelease; r.how != conflicts {
			if on += ": " + o.text(); o != nil && o.unfit() == "" {
				all = append(all, o)
				if ran++; o.decided() {
					decided++
				}
			}
		}
		for _, o := range []*outcome{r.asIs, r.onRelease} {
			if o != nil && o.Exit == 0 && r.Expect == "protocol" {
				hidden++
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s (%d) | %s | %s |\n", r.Hash[:8], r.Expect, cell(r.What), r.asIs.verdict(), r.asIs.Exit, cell(strings.Join(r.asIs.touched(), ", ")), on)
	}
	return machine(all) + fmt.Sprintf("%d of %d commits end in exit code 0 without a run; a reader expects that of %d. %d of %d runs on the release are decided. %d changes of the protocol end in exit code 0. ",
		green, len(rows), quiet, decided, ran, hidden) +
		costs(all) + "\n| commit | expected | what it does | verdict | modules that it touches | on the release |\n|---|---|---|---|---|---|\n" + b.String()
}

// text describes a run in a cell.
func (o *outcome) text() string {
	switch {
	case o == nil:
		return "not run"
	case o.unbuildable():
		return "does not compile"
	case o.unfit() != "":
		return "compiles with no adapter"
	}
	return cell(strings.TrimRight(fmt.Sprintf("%s (%d) %s", o.verdict(), o.Exit, strings.Join(append(o.broken(), o.where()), ", ")), " "))
}

// decided reports whether a run says something about the change.
func (o *outcome) decided() bool { return o.Exit != 20 && o.Exit != 150 }

// realText is the table of commits.
func realText(rows []realRow) string {
	var all []*outcome
	fits, decided, hidden, alarms, broken := 0, 0, 0, 0, 0
	count := func(r realRow, o *outcome) {
		if o == nil {
			return
		}
		all = append(all, o)
		if o.unbuildable() {
			broken++
		}
		if o.unfit() != "" {
			return
		}
		fits++
		if o.decided() {
			decided++
		}
		if r.Expect == "protocol" && o.Exit == 0 {
			hidden++
		}
		if (r.Expect == "none" || r.Expect == "harmless") && (o.Exit == 30 || o.Exit >= 10 && o.Exit < 20) {
			alarms++
		}
	}
	var b strings.Builder
	for _, r := range rows {
		count(r, r.asIs)
		count(r, r.onRelease)
		on := r.how
		if r.how != conflicts {
			on += ": " + r.onRelease.text()
		}
		asIs := r.asIs.text()
		if r.version != "" {
			asIs = r.version + ": " + asIs
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.Hash[:8], r.Expect, cell(r.What), asIs, on)
	}
	return machine(all) + fmt.Sprintf("In %d of %d runs the code does not compile by itself, and in %d with no adapter. Of the other %d runs %d are decided. In %d runs a change of the protocol ends in exit code 0, and in %d runs a harmless one ends in 30 or a violation. ",
		broken, len(all), len(all)-broken-fits, fits, decided, hidden, alarms) + costs(all) + "\n| commit | expected | what it does | as it is | on the release |\n|---|---|---|---|---|\n" + b.String()
}
