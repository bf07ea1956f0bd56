package change

import (
	"path"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// What it computes. Which changed parts of a file in a language with C's comments change nothing
// but comments, white space, imports, annotations without effect and what is logged.
//
// Why it is right. With both texts, tokens are compared in each changed part and, line by line,
// outside of them: a comment that a changed part opens hides lines that did not change. With a diff
// alone the same is done with the lines of each hunk. A hunk may begin in code or in a comment, and
// where it has three quotation marks in a text block. Its parts are only quiet if they are so for
// each beginning that its lines allow, and if both sides end alike. A text block that neither
// begins nor ends in the hunk is not recognised. Imports count as changed if one binds a name to
// something else; see rebinds. With a diff alone, each name may be in use where the diff shows
// nothing.

// compared are the changed parts of a file.
type compared struct {
	runs  []unified.Hunk // those that change more than comments
	quiet int            // how many others there are
	// lost says that a comment begins or ends where the diff shows no lines.
	lost bool
	// blind says that there are no lines to compare.
	blind bool
}

// part is a stretch of a file on both sides, with its changed parts in lines of these texts.
type part struct {
	before, after string
	// runs and lines are the changed parts in lines of the file and of the texts.
	runs, lines []unified.Hunk
	starts      []within
}

// compare compares the changed parts of a file. Texts may be unknown.
func compare(f *unified.File, t texts) compared {
	if out, ok := withoutHashes(f, t); ok && f.Old != "" && f.New != "" {
		return out
	}
	out := compared{}
	var parts []part
	switch {
	case !lexes(f.Path()) || f.Old == "" || f.New == "" || path.Ext(f.Path()) == ".py" && (t.before == "" || t.after == ""):
	case t.before != "" && t.after != "":
		parts = []part{whole(f, t)}
	default:
		for k := range f.Hunks {
			h := &f.Hunks[k]
			if h.Body == nil {
				out.blind = true
				continue
			}
			parts = append(parts, hunkPart(h))
		}
	}
	c := comparer{file: f.Path(), lines: t.before == "" || t.after == ""}
	if parts == nil || out.blind {
		for k := range f.Hunks {
			out.runs = append(out.runs, f.Hunks[k].Runs()...)
		}
		return out
	}
	keep := c.rebinds(parts)
	for k := range parts {
		loud, quiet, open := c.part(&parts[k], keep)
		if out.lost { // an earlier hunk left a comment open
			loud, quiet = parts[k].runs, 0
		}
		out.runs, out.quiet, out.lost = append(out.runs, loud...), out.quiet+quiet, out.lost || open
	}
	return out
}

// whole is all of a file.
func whole(f *unified.File, t texts) part {
	p := part{before: t.before, after: t.after, starts: []within{inCode}}
	for k := range f.Hunks {
		p.runs = append(p.runs, f.Hunks[k].Runs()...)
	}
	p.lines = p.runs
	return p
}

// hunkPart is a hunk with its lines.
func hunkPart(h *unified.Hunk) part {
	p := part{runs: h.Runs(), starts: []within{inCode, inComment}}
	var before, after strings.Builder
	for _, line := range h.Body {
		text := line[1:] + "\n"
		if line[0] != '+' {
			before.WriteString(text)
		}
		if line[0] != '-' {
			after.WriteString(text)
		}
		if strings.Contains(line, `"""`) && len(p.starts) == 2 {
			p.starts = append(p.starts, inText)
		}
	}
	p.before, p.after = before.String(), after.String()
	shift := func(s, of unified.Span) unified.Span {
		first := of.Start
		if of.Lines == 0 {
			first++
		}
		return unified.Span{Start: s.Start - first + 1, Lines: s.Lines}
	}
	for _, r := range p.runs {
		p.lines = append(p.lines, unified.Hunk{Old: shift(r.Old, h.Old), New: shift(r.New, h.New)})
	}
	return p
}

// comparer compares parts of a file.
type comparer struct {
	file  string
	lines bool // of hunks, and not whole files
}

// rebinds reports whether the imports of some parts bind a name to something else.
func (c *comparer) rebinds(parts []part) bool {
	var before, after imports
	had, has := map[string]bool{}, map[string]bool{}
	for k := range parts {
		p := &parts[k]
		for _, t := range before.withoutImports(c.file, lex(c.file, p.before, inCode).tokens) {
			had[t.text] = true
		}
		for _, t := range after.withoutImports(c.file, lex(c.file, p.after, inCode).tokens) {
			has[t.text] = true
		}
	}
	return rebinds(before, after, func(n string) bool { return had[n] || c.lines }, func(n string) bool { return has[n] || c.lines })
}

// part returns the changed parts that change more than comments, and the number of others. Open
// says that the sides do not end alike. Imports count as changes where keep says so.
func (c *comparer) part(p *part, keep bool) (loud []unified.Hunk, quiet int, open bool) {
	changed := make([]bool, len(p.runs))
	possible := false
	for _, start := range p.starts {
		a, b := lex(c.file, p.before, start), lex(c.file, p.after, start)
		if a.wrong || b.wrong {
			continue
		}
		possible = true
		before := withoutLogs(c.file, withoutAnnotations(c.file, a.tokens))
		after := withoutLogs(c.file, withoutAnnotations(c.file, b.tokens))
		if !keep {
			var none imports
			before, after = none.withoutImports(c.file, before), none.withoutImports(c.file, after)
		}
		for k, r := range p.lines {
			changed[k] = changed[k] || !slices.Equal(tokensIn(before, r.Old), tokensIn(after, r.New))
		}
		for _, h := range hidden(p, before, after) {
			if !slices.ContainsFunc(loud, func(x unified.Hunk) bool { return x.Old == h.Old }) {
				loud = append(loud, h)
			}
		}
		open = open || a.end != b.end
	}
	for k, r := range p.runs {
		if changed[k] || open || !possible {
			loud = append(loud, r)
		} else {
			quiet++
		}
	}
	slices.SortStableFunc(loud, func(a, b unified.Hunk) int { return a.Old.Start - b.Old.Start })
	return loud, quiet, open
}

// hidden returns the lines outside of the changed parts whose tokens differ nevertheless, since a
// comment around them begins or ends in a changed part.
func hidden(p *part, before, after []lexeme) (out []unified.Hunk) {
	old, new := 1, 1
	// line returns the first line of a changed part on both sides.
	line := func(k int) (unified.Span, unified.Span) {
		at := func(s unified.Span) unified.Span {
			if s.Lines == 0 {
				s.Start++
			}
			return s
		}
		return at(p.lines[k].Old), at(p.lines[k].New)
	}
	until := func(end int) {
		for ; old < end; old, new = old+1, new+1 {
			if slices.Equal(tokensIn(before, unified.Span{Start: old, Lines: 1}), tokensIn(after, unified.Span{Start: new, Lines: 1})) {
				continue
			}
			h := unified.Hunk{Old: unified.Span{Start: old, Lines: 1}, New: unified.Span{Start: new, Lines: 1}, Body: []string{}}
			if len(p.runs) > 0 { // in lines of the file
				h.Old.Start += p.runs[0].Old.Start - p.lines[0].Old.Start
				h.New.Start += p.runs[0].New.Start - p.lines[0].New.Start
			}
			out = append(out, h)
		}
	}
	for k := range p.lines {
		o, n := line(k)
		until(o.Start)
		old, new = o.Start+o.Lines, n.Start+n.Lines
	}
	until(strings.Count(p.before, "\n") + 2)
	return out
}
