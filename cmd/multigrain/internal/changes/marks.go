package changes

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/interaction/change"
)

// Limits of the lines that a report shows.
const (
	mostShown   = 10_000 // lines of all files
	longestLine = 500    // characters
)

// Show adds the changed lines, with what is known of each, and the command that repeats the run.
// That goes into a report.
func (x *Changed) Show() {
	x.Repeat = x.repeat()
	files, err := change.Show(x.how)
	if err != nil { // it was read before
		return
	}
	left := mostShown
	for _, f := range files {
		out := result.ChangedFile{Old: f.Old, New: f.New, Note: f.Note, Lines: []result.ChangedLine{}}
		for _, l := range f.Lines {
			if left--; left < 0 {
				out.Note = fmt.Sprintf("a report shows %s at most: further ones are left out", words.Plural(mostShown, "line"))
				break
			}
			out.Lines = append(out.Lines, x.line(out.Path(), l))
		}
		if quiet := x.quiet(out.Path()); out.Note == "" {
			out.Note = quiet
		}
		x.Diff = append(x.Diff, out)
	}
}

// repeat returns the command line with the seed of the walks.
func (x *Changed) repeat() string {
	args := append([]string{"multigrain"}, os.Args[1:]...)
	if o := x.Observed; o != nil && !slices.ContainsFunc(args, func(a string) bool {
		return strings.TrimLeft(a, "-") == "seed" || strings.HasPrefix(strings.TrimLeft(a, "-"), "seed=")
	}) {
		args = append(args, "-seed", fmt.Sprint(o.Seed))
	}
	for k := range args {
		args[k] = words.Shell(args[k])
	}
	return strings.Join(args, " ")
}

// line returns a line with its mark.
func (x *Changed) line(file string, l change.ShownLine) result.ChangedLine {
	kinds := map[byte]string{' ': "same", '-': "removed", '+': "added", '@': "omitted"}
	out := result.ChangedLine{Kind: kinds[l.Mark], Old: l.Old, New: l.New, Text: strings.ToValidUTF8(l.Text, "\uFFFD")}
	if n := utf8.RuneCountInString(out.Text); n > longestLine {
		out.More, out.Text = n-longestLine, string([]rune(out.Text)[:longestLine])
	}
	if l.Mark == '+' || l.Mark == '-' {
		out.Mark, out.Why = x.mark(file, l)
	}
	return out
}

// Marks of changed lines: see result.ChangedLine.
const (
	ran        = "ran"
	partly     = "partly"
	missed     = "missed"
	quiet      = "quiet"
	unmodelled = "unmodelled"
	unseen     = "unseen"
)

// mark says what is known of a changed line, and why.
func (x *Changed) mark(file string, l change.ShownLine) (mark, why string) {
	d, reason := x.declared(file, l)
	if d == nil {
		return quiet, x.quiet(file)
	}
	places := x.placesAt(file, l)
	var lacks []string
	some := false
	for _, p := range places {
		some = some || p.True || p.False
		if m := p.Missing(); m != "" {
			_, m, _ = strings.Cut(m, fmt.Sprintf("%s:%d", p.File, p.Line))
			lacks = append(lacks, strings.TrimLeft(m, ": "))
		}
	}
	switch {
	case some && len(lacks) > 0:
		return partly, strings.Join(lacks, "; ")
	case some:
		return ran, reason
	case len(places) > 0 && len(lacks) == 0:
		return quiet, "it did not run, and does all as before the change"
	case len(places) > 0:
		return missed, strings.Join(lacks, "; ")
	case bracket(l.Text):
		return quiet, "no code that runs"
	case reason != "":
		return unmodelled, reason
	case x.Observed == nil:
		return missed, "the changed code was not run"
	case d.Kind == string(change.Function) || d.Kind == string(change.Method):
		return unseen, "no statement is here whose run could be noted"
	}
	return unseen, fmt.Sprintf("a %s has no line that runs", d.Kind)
}

// declared returns the changed declaration that a line is in, and why no grain models it; nil for
// none. A removed line is in the declaration that is removed, or in the one that follows.
func (x *Changed) declared(file string, l change.ShownLine) (found *result.Declaration, reason string) {
	has := func(d *result.Declaration) bool {
		number := l.New
		if d.How == string(change.Removed) {
			number = l.Old // 0 for an added line, which is in no removed declaration
		}
		return d.File == file && number >= d.Line && number <= max(d.Last, d.Line) && number > 0
	}
	for k := range x.Trails {
		if d := &x.Trails[k].Declaration; has(d) {
			return d, ""
		}
	}
	for k := range x.Unmodelled {
		if u := &x.Unmodelled[k]; has(&u.Declaration) || u.File == file && u.Line == 0 {
			found, reason = &u.Declaration, u.Reason
		}
	}
	return found, reason
}

// placesAt returns the places that are noted for a line. Those of removed lines stand at the line
// that follows.
func (x *Changed) placesAt(file string, l change.ShownLine) (out []*result.RanPlace) {
	if x.Observed == nil {
		return nil
	}
	for k := range x.Observed.Places {
		if p := &x.Observed.Places[k]; p.File == file && p.Line == l.New {
			out = append(out, p)
		}
	}
	return out
}

// quiet returns why a file, or what no declaration of it has, cannot matter.
func (x *Changed) quiet(file string) string {
	for _, i := range x.Ignored {
		if i.File == file {
			return i.Reason
		}
	}
	return ""
}

// bracket reports whether a line has neither letters nor digits, or is a comment.
func bracket(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "//") || !strings.ContainsFunc(text, func(r rune) bool {
		return r == '_' || r > 127 || 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	})
}
