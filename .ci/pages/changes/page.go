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
	before, _, after, err := a.part(table)
	if err != nil {
		return err
	}
	return os.WriteFile(a.out, []byte(before+"\n"+wrapped(text)+"\n"+after), 0o644)
}

// had returns the table that the page has.
func (a *asked) had(table string) (t table, err error) {
	_, text, _, err := a.part(table)
	return tableIn(text), err
}

// part returns the part of the page with a table, and what is before and after it, with the two
// comments that name it.
func (a *asked) part(table string) (before, text, after string, err error) {
	page, err := os.ReadFile(a.out)
	if err != nil {
		return "", "", "", err
	}
	begin, end := fmt.Sprintf("<!-- %s %s -->\n", table, a.library), fmt.Sprintf("<!-- end of %s %s -->\n", table, a.library)
	before, rest, ok := strings.Cut(string(page), begin)
	text, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		return "", "", "", fmt.Errorf("%s has no lines %q and %q: add them where the table belongs", a.out, begin, end)
	}
	return before + begin, text, end + after, nil
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

// machine says when and where outcomes were made, how many rows are kept, and how many are missing.
func machine(all []*outcome, kept, missing int) string {
	if len(all) == 0 {
		return ""
	}
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
	earlier := ""
	if missing > 0 {
		earlier = fmt.Sprintf("%d rows were not run and are left out. ", missing)
	}
	if kept > 0 {
		earlier += fmt.Sprintf("%d rows are of earlier runs, as the last column says. ", kept)
	}
	return fmt.Sprintf("%s to %s UTC, at commit %s, %d processors with a load of %.0f to %.0f. %s", from.UTC().Format("2006-01-02 15:04"),
		to.UTC().Format("15:04"), strings.Join(commits, ", "), runtime.NumCPU(), low, high, earlier)
}

// costs says how long commands take.
func costs(all []*outcome) string {
	if len(all) == 0 {
		return "\n"
	}
	var wall, cpu, most float64
	for _, o := range all {
		wall, cpu, most = wall+o.Wall, cpu+o.CPU, max(most, o.CPU)
	}
	n := float64(len(all))
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

// seen reports whether a run shows that the change is wrong.
func (o *outcome) seen() bool { return len(o.broken()) > 0 || o.verdict() == "differs" }

// plantedText is the table of mutants.
func plantedText(l library, rows []row, had table) string {
	longer := "with `-budget " + minutes(l.longer) + "`"
	t := table{head: []string{"mutant", "manifest", "verdict", "broken", "first difference", "s", "processor s"}}
	if l.longer > 0 {
		t.head = append(t.head, longer)
	}
	t.head = append(t.head, measured)
	var all []*outcome
	for _, r := range rows {
		if r.outcome == nil {
			t.keep(had, r.name)
			continue
		}
		all = append(all, r.outcome)
		shown, last := r.outcome, ""
		if r.longer != nil {
			all, last = append(all, r.longer), fmt.Sprintf("%s (%d), %.0f s", r.longer.verdict(), r.longer.Exit, r.longer.Wall)
			if r.longer.seen() {
				shown = r.longer
			}
		}
		where := shown.where()
		if r.missing != "" && !shown.seen() {
			where = cannotFind + r.missing
		}
		cells := []string{r.name, r.manifest, fmt.Sprintf("%s (%d)", r.verdict(), r.Exit), cell(strings.Join(shown.broken(), ", ")), cell(where), fmt.Sprintf("%.0f", r.Wall), fmt.Sprintf("%.0f", r.CPU)}
		if l.longer > 0 {
			cells = append(cells, last)
		}
		t.rows = append(t.rows, append(cells, r.measured()))
	}
	violated, differs, later, green, cannot := 0, 0, 0, 0, 0
	for _, row := range t.rows {
		first, second := exitIn(t.cell(row, "verdict")), exitIn(t.cell(row, longer))
		is := func(seen func(exit int) bool) bool { return seen(first) || seen(second) }
		switch broken := func(exit int) bool { return exit >= 12 && exit <= 14 }; {
		case is(broken) || is(differing) && t.cell(row, "broken") != "":
			violated++
		case is(differing):
			differs++
		case first == 0 || second == 0:
			green++
		}
		if (second == 30 || second >= 12 && second <= 14) && first == 20 {
			later++
		}
		if strings.HasPrefix(t.cell(row, "first difference"), cannotFind) {
			cannot++
		}
	}
	text := fmt.Sprintf("%d of %d mutants are seen: %d violate an invariant or panic, and %d behave differently. %d end in exit code 0. ", violated+differs, len(t.rows), violated, differs, green)
	if l.longer > 0 {
		text += fmt.Sprintf("Conform cannot find %d of the others. %d are seen only with `-budget %s`. ", cannot, later, minutes(l.longer))
	}
	return machine(all, len(t.rows)-ran(rows), len(rows)-len(t.rows)) + text + costs(all) + "\n" + t.text()
}

// differing reports whether an exit code says that code behaves differently.
func differing(exit int) bool { return exit == 30 }

// cannotFind begins the reason of a mutant that conform does not see.
const cannotFind = "conform cannot find it: "

// ran counts the rows with a result.
func ran(rows []row) (n int) {
	for _, r := range rows {
		if r.outcome != nil {
			n++
		}
	}
	return n
}

func minutes(d time.Duration) string { return fmt.Sprintf("%.0fm", d.Minutes()) }

// harmlessText is the table of refactorings.
func harmlessText(rows []row, had table) string {
	t := table{head: []string{"refactoring", "what it does", "manifest", "verdict", "what is left", "s", "processor s", measured}}
	var all []*outcome
	for _, r := range rows {
		if r.outcome == nil {
			t.keep(had, r.name)
			continue
		}
		all = append(all, r.outcome)
		t.rows = append(t.rows, []string{r.name, cell(r.what), r.manifest, fmt.Sprintf("%s (%d)", r.verdict(), r.Exit), cell(r.where()), fmt.Sprintf("%.0f", r.Wall), fmt.Sprintf("%.0f", r.CPU), r.measured()})
	}
	green, red := 0, 0
	for _, row := range t.rows {
		switch exitIn(t.cell(row, "verdict")) {
		case 0:
			green++
		case 20:
		default:
			red++
		}
	}
	return machine(all, len(t.rows)-ran(rows), len(rows)-len(t.rows)) + fmt.Sprintf("%d of %d refactorings end in exit code 0, %d are undecided, and %d end otherwise. ", green, len(t.rows), len(t.rows)-green-red, red) +
		costs(all) + "\n" + t.text()
}

// readText is the table of commits that are read as they are, and run on a release.
func readText(rows []realRow, had table) string {
	t := table{head: []string{"commit", "expected", "what it does", "verdict", "modules that it touches", onRelease, measured}}
	var all []*outcome
	made := 0
	for _, r := range rows {
		if r.lacks() {
			t.keep(had, r.Hash[:8])
			continue
		}
		made++
		all = append(all, r.asIs)
		on, last := r.how, r.asIs
		if r.how != conflicts {
			on += ": " + r.onRelease.text()
			if last = r.onRelease; last.unfit() == "" {
				all = append(all, last)
			}
		}
		t.rows = append(t.rows, []string{r.Hash[:8], r.Expect, cell(r.What), fmt.Sprintf("%s (%d)", r.asIs.verdict(), r.asIs.Exit), cell(strings.Join(r.asIs.touched(), ", ")), on, last.measured()})
	}
	green, quiet, hidden, run, decided := 0, 0, 0, 0, 0
	for _, row := range t.rows {
		asIs, on := exitIn(t.cell(row, "verdict")), exitIn(t.cell(row, onRelease))
		if t.cell(row, "expected") == "none" {
			quiet++
		}
		if asIs == 0 {
			green++
		}
		if on >= 0 {
			if run++; isDecided(on) {
				decided++
			}
		}
		if t.cell(row, "expected") == "protocol" && (asIs == 0 || on == 0) {
			hidden++
		}
	}
	return machine(all, len(t.rows)-made, len(rows)-len(t.rows)) + fmt.Sprintf("%d of %d commits end in exit code 0 without a run; a reader expects that of %d. %d of %d runs on the release are decided. %d changes of the protocol end in exit code 0. ",
		green, len(t.rows), quiet, decided, run, hidden) + costs(all) + "\n" + t.text()
}

// onRelease is the column of runs on a release.
const onRelease = "on the release"

// text describes a run in a cell.
func (o *outcome) text() string {
	switch {
	case o.unbuildable():
		return "does not compile"
	case o.unfit() != "" && !o.misfits():
		return "compiles with no adapter"
	}
	return cell(strings.TrimRight(fmt.Sprintf("%s (%d) %s", o.verdict(), o.Exit, strings.Join(append(o.broken(), o.where()), ", ")), " "))
}

// isDecided reports whether an exit code says something about a change.
func isDecided(exit int) bool { return exit != 20 && exit != 150 }

// realText is the table of commits.
func realText(rows []realRow, had table) string {
	t := table{head: []string{"commit", "expected", "what it does", "as it is", onRelease, measured}}
	var all []*outcome
	made := 0
	for _, r := range rows {
		if r.lacks() {
			t.keep(had, r.Hash[:8])
			continue
		}
		made++
		on := r.how
		if r.how != conflicts {
			on += ": " + r.onRelease.text()
		}
		for _, o := range []*outcome{r.asIs, r.onRelease} {
			if o != nil {
				all = append(all, o)
			}
		}
		asIs := r.asIs.text()
		if r.version != "" {
			asIs = r.version + ": " + asIs
		}
		t.rows = append(t.rows, []string{r.Hash[:8], r.Expect, cell(r.What), asIs, on, r.asIs.measured()})
	}
	runs, fits, unread, decided, hidden, alarms := 0, 0, 0, 0, 0, 0
	for _, row := range t.rows {
		expected := t.cell(row, "expected")
		for _, text := range []string{t.cell(row, "as it is"), t.cell(row, onRelease)} {
			if text == conflicts {
				continue
			}
			runs++
			exit := exitIn(text)
			if exit < 0 { // it does not compile
				continue
			}
			switch fits++; {
			case strings.Contains(text, misfit):
				unread++
			case isDecided(exit):
				decided++
			}
			if expected == "protocol" && exit == 0 {
				hidden++
			}
			if (expected == "none" || expected == "harmless") && (exit == 30 || exit >= 10 && exit < 20) {
				alarms++
			}
		}
	}
	return machine(all, len(t.rows)-made, len(rows)-len(t.rows)) + fmt.Sprintf("%d of %d runs compile with an adapter. In %d of these the library has other fields than each adapter reads. %d of the other %d are decided. In %d runs a change of the protocol ends in exit code 0, and in %d runs a harmless one ends in 30 or a violation. ",
		fits, runs, unread, decided, fits-unread, hidden, alarms) + costs(all) + "\n" + t.text()
}
