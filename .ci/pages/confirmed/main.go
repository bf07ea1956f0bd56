// Package confirmed writes docs/results/confirmed.md: which bugs of ZooKeeper multigrain confirm
// sees on which versions. It runs multigrain confirm for each manifest of configs/zab/versions that
// declares symptoms, in the folder of the checkout:
//
//	go run ./.ci/pages confirmed -keep DIR
//
// Each counterexample is done once on each version, and often on the first version that confirms
// the bug. Runs are made in portions, whose results are kept in the folder DIR. A command that was
// ended continues there with the runs that are missing. A new manifest or a new version is a new
// row or column. The rows of a bug stay as the file has them if -bugs leaves it out and the folder
// has nothing of it.
//
// Where docs/results/versions.md says that a version has no violation within the bounds, the
// counterexample of the version that confirms the bug is replayed, to show where the fix departs.
package confirmed

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/.ci/pages/kept"
	"github.com/multigrain/multigrain/zab/zookeeper"
)

// manifests is the folder of the manifests. They extend those of configs/zab/bugs and have each bug
// as a version has it.
const manifests = "configs/zab/versions"

// document is the part of a result of multigrain confirm that the table shows.
type document struct {
	Confirm     *confirmation
	Conform     *conformance
	Diagnostics []diagnostic
}

// conformance is the result of a replay.
type conformance struct {
	Verdict, Reason string
	Found           []difference
}

// difference is where the servers depart from the specification.
type difference struct {
	Step   int
	Action string
	Values []struct {
		Path           string
		Specification  string `json:"specification_text"`
		Implementation string `json:"implementation_text"`
	}
}

type confirmation struct {
	Verdict, Reason, Version string
	Trace                    string
	Length                   int
	Runs, Controls           attempts
	Attempts                 []attempted
}

type attempted struct {
	Outcome string
	Step    int
}

type diagnostic struct{ Severity, Detail string }

type attempts struct{ Shown, Absent, Unjudged, Departed, Undriven, Spoilt int }

func (n attempts) begun() int { return n.Shown + n.Absent + n.Unjudged + n.Departed + n.Undriven }

func (n *attempts) add(m attempts) {
	n.Shown, n.Absent, n.Unjudged = n.Shown+m.Shown, n.Absent+m.Absent, n.Unjudged+m.Unjudged
	n.Departed, n.Undriven, n.Spoilt = n.Departed+m.Departed, n.Undriven+m.Undriven, n.Spoilt+m.Spoilt
}

// result has the portions of a bug on a version.
type result struct {
	bug, version   string
	holds          bool   // the specification has no violation within the bounds
	within         string // these bounds in words, after "within"
	portions       []document
	runs, controls attempts  // of all portions
	replayed       *document // the counterexample of another version; nil if it was not replayed
	oldest, newest time.Time // when the results were made
}

// read reads the portions that a folder has.
func (r *result) read(keep string) error {
	*r = result{bug: r.bug, version: r.version, holds: r.holds, within: r.within}
	var err error
	if r.replayed, err = r.readFile(r.replayFile(keep)); err != nil {
		return err
	}
	for {
		d, err := r.readFile(r.file(keep))
		if d == nil || err != nil {
			return err
		}
		r.add(*d)
	}
}

// readFile reads a document, nil if there is none.
func (r *result) readFile(file string) (*document, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var d document
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	info, statErr := os.Stat(file)
	if err = errors.Join(err, statErr); err != nil {
		return nil, fmt.Errorf("%s: %w; remove it", file, err)
	}
	if t := info.ModTime(); r.oldest.IsZero() || t.Before(r.oldest) {
		r.oldest = t
	}
	if t := info.ModTime(); t.After(r.newest) {
		r.newest = t
	}
	return &d, nil
}

// add adds a portion.
func (r *result) add(d document) {
	r.portions = append(r.portions, d)
	if d.Confirm != nil {
		r.runs.add(d.Confirm.Runs)
		r.controls.add(d.Confirm.Controls)
	}
}

// file returns where the next portion is kept.
func (r *result) file(keep string) string {
	return filepath.Join(keep, fmt.Sprintf("%s-%s.%d.json", r.bug, r.version, len(r.portions)+1))
}

// replayFile returns where the replay of another version's counterexample is kept.
func (r *result) replayFile(keep string) string {
	return filepath.Join(keep, fmt.Sprintf("%s-%s.replay.json", r.bug, r.version))
}

// lacks returns how many runs the next portion has. The first one has one run. Further ones are
// those of the first version that confirms the bug.
func (a *asked) lacks(r *result, all []*result) int {
	if r.holds || !a.chosen(r.bug) {
		return 0
	}
	if len(r.portions) == 0 {
		return 1
	}
	if first(all, r.bug) != r {
		return 0
	}
	return min(a.portion, max(0, a.runs-r.runs.begun()))
}

// chosen reports whether a bug is run.
func (a *asked) chosen(bug string) bool {
	return a.bugs == "" || slices.Contains(strings.Split(a.bugs, ","), bug)
}

// first returns the result of the first version that confirms a bug, or nil.
func first(all []*result, bug string) *result {
	for _, r := range all {
		if r.bug == bug && r.confirmed() {
			return r
		}
	}
	return nil
}

// confirmed: the symptoms were seen, and no control shows them.
func (r *result) confirmed() bool { return r.runs.Shown > 0 && r.controls.Shown == 0 }

// asked are the flags.
type asked struct {
	versions, bugs          string
	runs, portion, controls int
	keep, out, checked      string
	only                    bool
}

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	var a asked
	flag.StringVar(&a.versions, "versions", "3.8.0,3.4.14,3.5.10,3.6.4,3.7.2,3.8.6,3.9.1,3.9.2,3.9.3,3.9.5", "the versions, the one with most bugs first")
	flag.StringVar(&a.bugs, "bugs", "", "the only bugs that are run, such as zk-4643,zk-4646; the table has all")
	flag.IntVar(&a.runs, "runs", 20, "runs on the first version that confirms a bug")
	flag.IntVar(&a.portion, "portion", 5, "runs of a portion")
	flag.IntVar(&a.controls, "controls", 1, "controls of a portion")
	flag.StringVar(&a.keep, "keep", "", "the folder that keeps results, by bug and version")
	flag.StringVar(&a.out, "out", "docs/results/confirmed.md", "the file that is written")
	flag.StringVar(&a.checked, "checked", "docs/results/versions.md", "the table of what check finds")
	flag.BoolVar(&a.only, "only-kept", false, "write the table from what the folder has, and run nothing")
	flag.Parse()
	return a.write()
}

func (a *asked) write() error {
	if a.keep == "" {
		return errors.New("name a folder for results with -keep")
	}
	if err := os.MkdirAll(a.keep, 0o755); err != nil {
		return err
	}
	bugs, err := declared(manifests)
	if err != nil {
		return err
	}
	columns := strings.Split(a.versions, ",")
	holds, err := holding(a.checked)
	if err != nil {
		return err
	}
	var all []*result
	for _, v := range columns {
		for _, bug := range bugs {
			within, none := holds[[2]string{bug, v}]
			r := &result{bug: bug, version: v, holds: none, within: within}
			if err := r.read(a.keep); err != nil {
				return err
			}
			all = append(all, r)
		}
	}
	if !a.only {
		if err := a.run(all); err != nil {
			return err
		}
	}
	before, err := os.ReadFile(a.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := withRows(table(bugs, columns, all), withBounds(string(before), all), func(bug string) bool {
		return !a.chosen(bug) && !slices.ContainsFunc(all, func(r *result) bool { return r.bug == bug && (len(r.portions) > 0 || r.replayed != nil) })
	})
	if err != nil {
		return err
	}
	return os.WriteFile(a.out, []byte(text), 0o644)
}

// withRows puts rows of an earlier document in the place of those of a new one, for the bugs that
// stay. The first tables of both need the same versions.
func withRows(text, before string, stays func(bug string) bool) (string, error) {
	old, days := rowsOf(before)
	have, today := rowsOf(text)
	if len(old) == 0 || len(old) != len(have) {
		return text, nil
	}
	kept := false
	for k := range have {
		if k == 0 && old[k][0] != have[k][0] {
			return "", fmt.Errorf("the document has other versions: %s", old[k][0])
		}
		all := slices.DeleteFunc(slices.Clone(have[k][1:]), func(row string) bool { return stays(bugOf(row)) })
		for _, row := range old[k][1:] {
			if stays(bugOf(row)) {
				all, kept = append(all, row), true
			}
		}
		if k < 2 { // the last table is by version
			slices.SortStableFunc(all, func(x, y string) int { return cmp.Compare(bugOf(x), bugOf(y)) })
		}
		text = strings.Replace(text, strings.Join(have[k], ""), have[k][0]+strings.Join(all, ""), 1)
	}
	switch none := (time.Time{}).Format(time.DateOnly); {
	case kept && today[0] == none: // the folder has nothing
		text = strings.Replace(text, whenBetween(none, none), whenBetween(days[0], days[1]), 1)
	case kept && days[0] < today[0]:
		text = strings.Replace(text, whenBetween(today[0], today[1]), whenBetween(days[0], max(days[1], today[1])), 1)
	}
	return text, nil
}

// withBounds gives the cells of an earlier document that have no violation the bounds of that.
func withBounds(before string, all []*result) string {
	tables, _ := rowsOf(before)
	if len(tables) == 0 {
		return before
	}
	head := strings.Split(tables[0][0], " | ")
	for _, row := range tables[0][1:] {
		cells := strings.Split(row, " | ")
		for k, cell := range cells {
			_, then, some := strings.Cut(cell, noViolation)
			if !some || strings.HasPrefix(then, " "+within) || len(cells) != len(head) {
				continue
			}
			version, _, _ := strings.Cut(head[k], " ")
			for _, r := range all {
				if r.bug == bugOf(row) && r.version == version && r.holds {
					cells[k] = r.none() + then
				}
			}
		}
		before = strings.Replace(before, row, strings.Join(cells, " | "), 1)
	}
	return before
}

// rowsOf returns the tables of a document, the head of each first, and the first and last day on
// which it was measured.
func rowsOf(text string) (tables [][]string, days [2]string) {
	for line := range strings.Lines(text) {
		if found := regexp.MustCompile(`\d{4}-\d\d-\d\d`).FindAllString(line, -1); strings.HasPrefix(line, "Measured ") && len(found) > 0 {
			days = [2]string{found[0], found[len(found)-1]}
		}
		switch {
		case strings.HasPrefix(line, "| bug |"):
			tables = append(tables, []string{line})
		case strings.HasPrefix(line, "|---"):
			last := &tables[len(tables)-1]
			(*last)[0] += line
		case strings.HasPrefix(line, "| "):
			tables[len(tables)-1] = append(tables[len(tables)-1], line)
		}
	}
	return tables, days
}

// bugOf returns the bug of a row.
func bugOf(row string) string {
	cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " |")
	name, _, _ := strings.Cut(strings.TrimPrefix(cell, "["), "]")
	return name
}

// holding returns the bugs and releases for which the table of versions says that the specification
// holds, and within which bounds.
func holding(file string) (map[[2]string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[[2]string]string{}
	var head []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		switch name, linked := strings.CutPrefix(cells[0], "["); {
		case head == nil && cells[0] == "bug":
			head = cells
		case head != nil && strings.TrimSpace(line) == "":
			return out, nil
		case head != nil && linked && len(cells) == len(head):
			bug, _, _ := strings.Cut(name, "]")
			for k, cell := range cells {
				if !strings.HasPrefix(cell, "holds") {
					continue
				}
				_, bounds, _ := strings.Cut(cell, within)
				bounds, _, _ = strings.Cut(bounds, "<br>")
				for _, v := range zookeeper.Versions {
					for _, release := range v.Releases {
						if v.Name == head[k] {
							out[[2]string{bug, release}] = bounds
						}
					}
				}
			}
		}
	}
	return nil, fmt.Errorf("%s has no table of bugs and versions", file)
}

// run makes the runs that are missing, one portion of each result after the other.
func (a *asked) run(all []*result) error {
	program := filepath.Join(a.keep, "multigrain")
	if err := kept.Command(program); err != nil {
		return err
	}
	for again := true; again; {
		again = false
		for _, r := range all {
			runs := a.lacks(r, all)
			if runs == 0 {
				continue
			}
			again = true
			fmt.Fprintf(os.Stderr, "%s %s on %s\n", time.Now().Format(time.TimeOnly), r.bug, r.version)
			// The exit code says the verdict, which the document has, too.
			text, _ := exec.Command(program, "confirm", filepath.Join(manifests, r.bug+".hcl"), "-impl", "zookeeper@"+r.version,
				"-runs", fmt.Sprint(runs), "-controls", fmt.Sprint(a.controls), "-to", filepath.Join(a.keep, r.version), "-json").Output()
			if err := os.WriteFile(r.file(a.keep), text, 0o644); err != nil {
				return err
			}
			if err := r.read(a.keep); err != nil {
				return err
			}
		}
	}
	return a.replay(program, all)
}

// replay replays, on versions that hold, the counterexample of the first version that confirms the
// bug.
func (a *asked) replay(program string, all []*result) error {
	for _, r := range all {
		from := first(all, r.bug)
		if !r.holds || !a.chosen(r.bug) || r.replayed != nil || from == nil {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s %s of %s on %s\n", time.Now().Format(time.TimeOnly), r.bug, from.version, r.version)
		text, _ := exec.Command(program, "replay", from.trace(), "-impl", "zookeeper@"+r.version, "-to", a.keep, "-json").Output()
		if err := os.WriteFile(r.replayFile(a.keep), text, 0o644); err != nil {
			return err
		}
		if err := r.read(a.keep); err != nil {
			return err
		}
	}
	return nil
}

// trace returns the path of the counterexample that a confirmed result has driven.
func (r *result) trace() string {
	for _, d := range r.portions {
		if d.Confirm != nil && d.Confirm.Trace != "" {
			return d.Confirm.Trace
		}
	}
	return ""
}

// declared returns the manifests of a folder that declare a symptom or extend one that does.
func declared(folder string) (bugs []string, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.hcl"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no manifest in %s: run the command in the folder of the checkout", folder))
	}
	var declares func(string) bool
	declares = func(file string) bool {
		text, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(strings.TrimSpace(line), "symptom ") {
				return true
			}
			if name, ok := strings.CutPrefix(line, "extends = "); ok && declares(filepath.Join(filepath.Dir(file), strings.Trim(name, "\" \n"))) {
				return true
			}
		}
		return false
	}
	for _, f := range files {
		if declares(f) {
			bugs = append(bugs, strings.TrimSuffix(filepath.Base(f), ".hcl"))
		}
	}
	return bugs, nil
}

// Words of cells.
const (
	noViolation = "no violation"
	within      = "within "
)

// none says that the specification has no violation, and within which bounds.
func (r *result) none() string {
	if r.within == "" {
		return noViolation
	}
	return noViolation + " " + within + r.within
}

// cell describes a result in a few words.
func (r *result) cell() string {
	if r.holds {
		return strings.Join(append([]string{r.none()}, r.departure()...), "; ")
	}
	if len(r.portions) == 0 {
		return "not run"
	}
	if r.confirmed() {
		return fmt.Sprintf("confirmed %d of %d", r.runs.Shown, r.runs.begun())
	}
	for _, d := range r.portions {
		if d.Confirm == nil {
			if d.refused() {
				return "refused"
			}
			continue
		}
		if d.Confirm.Verdict == "holds" {
			return r.none()
		}
		for _, a := range d.Confirm.Attempts {
			if a.Outcome == "departed" && d.Confirm.Verdict == "departs" {
				return fmt.Sprintf("departs at step %d", a.Step)
			}
		}
	}
	return "not driven"
}

// departure describes where servers depart from the counterexample of another version.
func (r *result) departure() []string {
	d := r.replayed
	switch {
	case d == nil:
		return nil
	case d.Conform == nil || d.Conform.Verdict == "undecided":
		return []string{"not driven"}
	case len(d.Conform.Found) == 0:
		return []string{"driven to the end"}
	}
	return []string{fmt.Sprintf("departs at step %d", d.Conform.Found[0].Step)}
}

// refused reports whether the command did not start a server.
func (d *document) refused() bool {
	return slices.ContainsFunc(d.Diagnostics, func(x diagnostic) bool { return x.Severity == "error" })
}

// why returns the reasons, one line each and without repetition, of runs that did not confirm the
// bug.
func (r *result) why() (reasons []string) {
	add := func(text string) {
		line, _, _ := strings.Cut(strings.ReplaceAll(text, "|", "\\|"), "\n")
		if line != "" && !slices.Contains(reasons, line) {
			reasons = append(reasons, line)
		}
	}
	if d := r.replayed; d != nil && d.Conform != nil {
		add(d.Conform.Reason)
		for _, f := range d.Conform.Found {
			for _, v := range f.Values[:min(1, len(f.Values))] {
				add(fmt.Sprintf("at step %d, %s: %s: specification %s, implementation %s", f.Step, f.Action, v.Path,
					cmp.Or(v.Specification, "has none"), cmp.Or(v.Implementation, "has none")))
			}
		}
	}
	portions := r.portions
	if r.replayed != nil {
		portions = append(slices.Clone(portions), *r.replayed)
	}
	for _, d := range portions {
		if d.Confirm != nil {
			add(d.Confirm.Reason)
		}
		for _, x := range d.Diagnostics {
			if x.Severity == "error" {
				add(strings.ReplaceAll(x.Detail, "\n", " "))
			}
		}
	}
	return reasons
}

const introduction = `# Bugs confirmed on real servers

Generated by ` + "`go run ./.ci/pages confirmed -keep DIR`" + `; do not edit. Each cell is a result of

    multigrain confirm configs/zab/versions/BUG.hcl -impl zookeeper@VERSION

on the unmodified release. *Confirmed N of M*: in N of M runs that came to the first step the
counterexample of that version was driven to its end, and the symptoms were seen. *No violation*:
the specification of that version has none within bounds that follow and are those of
[versions.md](versions.md). Then the counterexample of the first version that confirms the bug was
replayed on it. *Departs at step K*: the servers do something else there, as those with a fix do.
*Not driven*, *refused* and *not run* say nothing about the version. docs/how-to/zookeeper.md
explains symptoms and controls.

`

// table returns docs/results/confirmed.md: a row for each bug, a column for each version.
func table(bugs, versions []string, all []*result) string {
	var b strings.Builder
	b.WriteString(introduction)
	fmt.Fprintf(&b, "Measured %s, %s/%s with %d processors that others used, too.\n\n", when(all), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	b.WriteString("| bug | " + strings.Join(versions, " | ") + " |\n|---" + strings.Repeat("|---", len(versions)) + "|\n")
	find := func(bug, version string) *result {
		return all[slices.IndexFunc(all, func(r *result) bool { return r.bug == bug && r.version == version })]
	}
	for _, bug := range bugs {
		fmt.Fprintf(&b, "| [%s](../../configs/zab/versions/%[1]s.hcl)", bug)
		for _, v := range versions {
			b.WriteString(" | " + find(bug, v).cell())
		}
		b.WriteString(" |\n")
	}
	b.WriteString("\n## Runs and controls\n\nOf each version on which the schedule was run several times. A spoilt run did not come to the first\nstep. It was repeated.\n\n")
	b.WriteString("| bug | version | runs with the symptoms | other runs | spoilt | controls with the symptoms | other controls |\n|---|---|---|---|---|---|---|\n")
	for _, bug := range bugs {
		for _, r := range all {
			if r.bug == bug && (r.runs.begun() > 1 || r == first(all, bug)) {
				fmt.Fprintf(&b, "| %s | %s | %d of %d | %s | %d | %d of %d | %s |\n", bug, r.version, r.runs.Shown, r.runs.begun(), r.runs.others(), r.runs.Spoilt,
					r.controls.Shown, r.controls.begun(), r.controls.others())
			}
		}
	}
	b.WriteString("\n## Reasons of other results\n\n| bug | version | reason |\n|---|---|---|\n")
	for _, r := range all {
		for _, why := range r.why() {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.bug, r.version, why)
		}
	}
	return b.String()
}

// when says when the results were made.
func when(all []*result) string {
	var oldest, newest time.Time
	for _, r := range all {
		if !r.oldest.IsZero() && (oldest.IsZero() || r.oldest.Before(oldest)) {
			oldest = r.oldest
		}
		if r.newest.After(newest) {
			newest = r.newest
		}
	}
	return whenBetween(oldest.UTC().Format(time.DateOnly), newest.UTC().Format(time.DateOnly))
}

// whenBetween says between which days the results were made.
func whenBetween(from, to string) string {
	if from == to {
		return "on " + from
	}
	return "from " + from + " to " + to
}

// others describes the attempts that did not show the symptom.
func (n attempts) others() string {
	var parts []string
	for _, x := range []struct {
		count int
		what  string
	}{{n.Absent, "without it"}, {n.Unjudged, "not judged"}, {n.Departed, "departed"}, {n.Undriven, "not driven to the end"}} {
		if x.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.count, x.what))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
