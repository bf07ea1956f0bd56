package change

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// repo is a folder with code, in a repository of Git or not.
type repo struct {
	dir string // absolute
	// base is the commit that the folder is compared with; "" where a diff is given instead.
	base string
}

// openRepo opens a folder. With a revision the change is the difference between the folder and the
// revision's last common ancestor with the checked-out commit. Untracked files count, ignored ones
// do not.
func openRepo(dir, revision string) (*repo, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%q is not a folder", dir)
	}
	r := &repo{dir: abs}
	if revision == "" {
		return r, nil
	}
	commit, err := r.git("rev-parse", "--verify", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("%q has no revision %q: %w", dir, revision, err)
	}
	r.base = strings.TrimSpace(commit)
	if common, err := r.git("merge-base", r.base, "HEAD"); err == nil {
		r.base = strings.TrimSpace(common)
	}
	return r, nil
}

// git runs Git in the folder. The settings of its repository may name programs: the monitor of
// files is switched off, and callers switch off external diffs and conversions to text. Git does
// not refresh the index, so nothing is written.
func (r *repo) git(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "core.quotePath=false", "-c", "core.fsmonitor=false", "-c", "diff.autoRefreshIndex=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = errors.New(strings.TrimSpace(stderr.String()))
		if err.Error() == "" {
			err = fmt.Errorf("git %s failed: %s", args[0], exit.ProcessState)
		}
	}
	return string(out), err
}

// diff returns the files that differ from the base.
func (r *repo) diff() ([]*unified.File, error) {
	out, err := r.git("diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--full-index", "--relative", "--submodule=short",
		"--src-prefix=a/", "--dst-prefix=b/", r.base, "--", ".")
	if err != nil {
		return nil, err
	}
	var files []*unified.File
	if strings.TrimSpace(out) != "" {
		if files, err = unified.Parse(out); err != nil {
			return nil, err
		}
		files = slices.DeleteFunc(files, unchanged)
	}
	others, err := r.git("ls-files", "--others", "--exclude-standard", "-z", "--", ".")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(others, "\x00") {
		if name != "" {
			files = append(files, &unified.File{New: name})
		}
	}
	return files, nil
}

// unchanged reports whether Git lists a file only because the index does not have its times: the
// content and the mode are as they were.
func unchanged(f *unified.File) bool {
	return f.Old == f.New && len(f.Hunks) == 0 && !f.Mode && !f.Binary && f.Special == "" && f.OldBlob == "" && f.NewBlob == ""
}

// texts returns the contents of a file before and after the change. Where a diff is given, the
// folder may hold the code on either side of it; the other side is made by the diff. If the folder
// holds neither, the objects of Git that the diff names are asked for.
func (r *repo) texts(f *unified.File) texts {
	if r.base != "" {
		t := texts{after: r.read(f.New)}
		if f.Old != "" {
			if before, err := r.git("show", r.base+":./"+f.Old); err == nil {
				t.before = before
			}
		}
		return t
	}
	if f.Special != "" {
		return texts{}
	}
	if t := textsOf(f, r.read(f.Source()), r.read(f.New), false); t != (texts{}) {
		return t
	}
	return textsOf(f, r.blob(f.OldBlob), r.blob(f.NewBlob), true)
}

// textsOf returns both texts of a file from candidates for one or both of them; empty ones where
// the diff is of none of them. Sure says that they are the objects that the diff names.
func textsOf(f *unified.File, before, after string, sure bool) texts {
	if before == "" && f.Source() != "" && after == "" && f.New != "" {
		return texts{}
	}
	had, has := sure && before != "" || unified.IsBlob(before, f.OldBlob), sure && after != "" || unified.IsBlob(after, f.NewBlob)
	made := texts{before, after}
	ok := false
	switch {
	case f.Binary || len(f.Hunks) == 0 && f.New != "" && f.Source() != "": // without lines
		if ok = had && has; !ok && !f.Binary && f.OldBlob == f.NewBlob { // renamed, another mode
			made.before, made.after = cmp.Or(before, after), cmp.Or(before, after)
			ok = true
		}
	case had && has && sure:
		ok = true
	case has || !had && (after != "" || f.New == "") && fits(f, after, true):
		made.before, ok = unified.Patch(after, f.Hunks, true)
	case had || (before != "" || f.Source() == "") && fits(f, before, false):
		made.after, ok = unified.Patch(before, f.Hunks, false)
	}
	switch {
	case !ok:
		return texts{}
	case f.Old == "":
		made.before = ""
	case f.New == "":
		made.after = ""
	}
	return made
}

// fits reports whether a diff may be one of a text that is not known to be the object it names. The
// diff can be applied and, where it names an object, that compares at least one line.
func fits(f *unified.File, text string, reverse bool) bool {
	if _, ok := unified.Patch(text, f.Hunks, reverse); !ok || len(f.Hunks) == 0 {
		return false
	}
	mark, named := "-", f.OldBlob != ""
	if reverse {
		mark, named = "+", f.NewBlob != ""
	}
	for _, h := range f.Hunks {
		if slices.ContainsFunc(h.Body, func(line string) bool { return strings.HasPrefix(line, mark) || strings.HasPrefix(line, " ") }) {
			return true
		}
	}
	return !named
}

// blob returns an object of Git by its name, which may be abbreviated; "" where there is none.
func (r *repo) blob(name string) string {
	if strings.Trim(name, "0") == "" {
		return ""
	}
	text, err := r.git("cat-file", "blob", name)
	if err != nil || !unified.IsBlob(text, name) {
		return ""
	}
	return text
}

// list returns the files of a folder with an end, as paths from the root.
func (r *repo) list(dir, ext string) (names []string) {
	if !filepath.IsLocal(filepath.FromSlash(dir)) {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(r.dir, filepath.FromSlash(dir)))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if path.Ext(e.Name()) == ext && e.Type().IsRegular() {
			names = append(names, path.Join(dir, e.Name()))
		}
	}
	return names
}

// has reports whether the folder has a file.
func (r *repo) has(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	_, err := os.Lstat(filepath.Join(r.dir, filepath.FromSlash(name)))
	return err == nil
}

// read returns a file of the folder, "" where it cannot be read.
func (r *repo) read(name string) string {
	if name == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
		return ""
	}
	b, err := host.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	return string(b)
}

// shift leads from a file at a revision to the file before the change.
func (r *repo) shift(revision string, f *unified.File) ([]unified.Hunk, error) {
	if r.base == "" {
		if f.OldBlob == "" {
			return nil, errors.New("it has no line index")
		}
		from, err := r.git("rev-parse", "--verify", "--end-of-options", revision+":./"+f.Old)
		if err != nil {
			return nil, err
		}
		return r.hunks("diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", strings.TrimSpace(from), f.OldBlob)
	}
	commit, err := r.git("rev-parse", "--verify", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, err
	}
	return r.hunks("diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--relative", strings.TrimSpace(commit), r.base, "--", f.Old)
}

func (r *repo) hunks(args ...string) ([]unified.Hunk, error) {
	out, err := r.git(args...)
	if err != nil || strings.TrimSpace(out) == "" {
		return nil, err
	}
	files, err := unified.Parse(out)
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("the versions of the file cannot be compared: %v", err)
	}
	return files[0].Hunks, nil
}

// Shown is a changed file as a reader of the change sees it.
type Shown struct {
	Old, New string // its paths; "" where it is not there
	// Note says why there are no lines, or not all of them; "" where there are.
	Note  string
	Lines []ShownLine
}

// ShownLine is a line of a changed file: one that was removed or added, or one next to them.
type ShownLine struct {
	Mark byte // '-', '+' or ' '; '@' where lines are left out
	// Old and New are its numbers on both sides, from 1; 0 on a side that does not have it. Of a
	// removed line, New is the number of the line that follows it on the other side.
	Old, New int
	Text     string // without its end
}

// contextLines is how many lines are shown around a change.
const contextLines = 3

// Show returns the changed files with their changed lines and the lines around them.
func Show(o Options) ([]Shown, error) {
	r := &repo{}
	if o.Dir != "" {
		var err error
		if r, err = openRepo(o.Dir, o.Base); err != nil {
			return nil, err
		}
	}
	files, err := o.changed(r)
	if err != nil {
		return nil, err
	}
	var out []Shown
	for _, f := range files {
		out = append(out, shownOf(r, f))
	}
	return out, nil
}

// shownOf returns a changed file. Without the texts of both sides its lines are those of the diff.
func shownOf(r *repo, f *unified.File) Shown {
	s := Shown{Old: f.Old, New: f.New}
	switch {
	case f.Special != "":
		s.Note = f.Special
	case f.Binary:
		s.Note = "a binary file"
	}
	if s.Note != "" {
		return s
	}
	var t texts
	if r.dir != "" {
		t = r.texts(f)
	}
	runs := []unified.Hunk{}
	for k := range f.Hunks {
		runs = append(runs, f.Hunks[k].Runs()...)
	}
	bare := slices.ContainsFunc(f.Hunks, func(h unified.Hunk) bool { return h.Body == nil })
	switch before, after := linesOf(t.before), linesOf(t.after); {
	case len(f.Hunks) == 0 && f.Old == "" && f.From == "":
		s.Lines = script(nil, after, []unified.Hunk{{New: unified.Span{Start: 1, Lines: len(after)}}})
	case len(f.Hunks) == 0:
		s.Note = "only its name or its mode changes"
	case t != texts{}:
		s.Lines = near(script(before, after, runs))
	case bare:
		s.Note = "the diff does not have its lines"
	default:
		for k := range f.Hunks {
			s.Lines = append(s.Lines, hunkLines(&f.Hunks[k])...)
		}
	}
	return s
}

// linesOf returns the lines of a text without their ends.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for k := range lines {
		lines[k] = strings.TrimSuffix(lines[k], "\r")
	}
	return lines
}

// script returns all lines of both sides of a file in the order of a diff.
func script(before, after []string, runs []unified.Hunk) (out []ShownLine) {
	old, new := 1, 1
	same := func(to int) { // up to a line of the new side
		for ; new < to && new <= len(after); old, new = old+1, new+1 {
			out = append(out, ShownLine{' ', old, new, after[new-1]})
		}
	}
	for _, h := range runs {
		start := h.New.Start
		if h.New.Lines == 0 {
			start++
		}
		same(start)
		for range h.Old.Lines {
			if old <= len(before) {
				out = append(out, ShownLine{'-', old, new, before[old-1]})
			}
			old++
		}
		for range h.New.Lines {
			if new <= len(after) {
				out = append(out, ShownLine{'+', 0, new, after[new-1]})
			}
			new++
		}
	}
	same(len(after) + 1)
	return out
}

// near leaves the changed lines and those near them.
func near(lines []ShownLine) (out []ShownLine) {
	last := -1 // the last line that was changed
	next := make([]int, len(lines))
	for k, at := len(lines)-1, len(lines)+contextLines; k >= 0; k-- {
		if lines[k].Mark != ' ' {
			at = k
		}
		next[k] = at
	}
	gap := false
	for k, l := range lines {
		if l.Mark != ' ' {
			last = k
		}
		if last >= 0 && k-last <= contextLines || next[k]-k <= contextLines {
			if gap && len(out) > 0 {
				out = append(out, ShownLine{Mark: '@'})
			}
			gap, out = false, append(out, l)
		} else {
			gap = true
		}
	}
	return out
}

// hunkLines returns the lines of a hunk as the diff has them.
func hunkLines(h *unified.Hunk) []ShownLine {
	out := []ShownLine{{Mark: '@'}}
	old, new := h.Old.Start, h.New.Start
	if h.Old.Lines == 0 {
		old++
	}
	if h.New.Lines == 0 {
		new++
	}
	for _, line := range h.Body {
		l := ShownLine{line[0], old, new, strings.TrimSuffix(line[1:], "\r")}
		switch l.Mark {
		case '-':
			old++
		case '+':
			l.Old = 0
			new++
		default:
			old, new = old+1, new+1
		}
		out = append(out, l)
	}
	return out
}
