package change

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/unified"
)

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
