package main

import (
	"fmt"
	"os"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcled"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// maxExcerpt is the number of lines of a source that a diagnostic shows.
const maxExcerpt = 5

// renderer shows diagnostics as text:
//
//	Error: Unknown grain [MG103]
//	  on configs/zab/sync-fine.hcl line 9, in module "election":
//	   9:   grain = "corse"
//	Module "election" has no grain "corse". Did you mean "coarse"?
//	  related: configs/zab/mspec-3.hcl:4: var.grain has its value from here
type renderer struct {
	sources map[string]*hcl.File // may lack files, which are then read from disk
	paint   painter
	width   int // of the terminal, 0 for none
}

// all shows diagnostics with a blank line between any two.
func (r renderer) all(diags hcl.Diagnostics) string {
	texts := make([]string, len(diags))
	for k, d := range diags {
		texts[k] = r.diagnostic(d)
	}
	return strings.Join(texts, "\n")
}

func (r renderer) diagnostic(d *hcl.Diagnostic) string {
	var b strings.Builder
	label, style := "Error", red
	if d.Severity == hcl.DiagWarning {
		label, style = "Warning", yellow
	}
	b.WriteString(r.paint.in(style, label+":") + " " + r.paint.in(bold, d.Summary))
	if code := configs.CodeOf(d); code != "" {
		fmt.Fprintf(&b, " [%s]", code)
	}
	b.WriteString("\n")
	if d.Subject != nil {
		r.excerpt(&b, *d.Subject)
	}
	if d.Detail != "" {
		b.WriteString(wrap(d.Detail, r.width) + "\n")
	}
	for _, rel := range configs.RelatedOf(d) {
		b.WriteString(r.paint.in(dim, "  related: "+place(rel.At)+": ") + rel.Message + "\n")
	}
	return b.String()
}

// place is where a range starts.
func place(at hcl.Range) string {
	if at.Start.Line == 0 {
		return words.ShortPath(at.Filename)
	}
	return fmt.Sprintf("%s:%d", words.ShortPath(at.Filename), at.Start.Line)
}

// excerpt shows the lines of a range.
func (r renderer) excerpt(b *strings.Builder, at hcl.Range) {
	file := r.file(at.Filename)
	fmt.Fprintf(b, "  on %s", words.ShortPath(at.Filename))
	if at.Start.Line > 0 {
		fmt.Fprintf(b, " line %d", at.Start.Line)
	}
	if in := enclosing(file, at); in != "" {
		b.WriteString(", in " + in)
	}
	lines := linesOf(file, at)
	if len(lines) == 0 {
		b.WriteString("\n")
		return
	}
	b.WriteString(":\n")
	for k, text := range lines {
		line := at.Start.Line + k
		if k == maxExcerpt-1 && at.End.Line > line {
			fmt.Fprintf(b, "%4s  ...\n", "")
			return
		}
		fmt.Fprintf(b, "%4d: %s\n", line, r.mark(text, line, at))
	}
}

// file is a source with its text, or nil if there is none.
func (r renderer) file(name string) *hcl.File {
	if f := r.sources[name]; f != nil {
		return f
	}
	if src, err := os.ReadFile(name); err == nil {
		return &hcl.File{Bytes: src}
	}
	return nil
}

// enclosing is the block around a range, as module "election".
func enclosing(f *hcl.File, at hcl.Range) string {
	if f == nil || f.Nav == nil {
		return ""
	}
	return hcled.ContextString(f, at.Start.Byte)
}

// linesOf are the lines of a file that a range touches, at most maxExcerpt, without tabs and control characters.
func linesOf(f *hcl.File, at hcl.Range) []string {
	if f == nil || at.Start.Line < 1 {
		return nil
	}
	all := strings.Split(string(f.Bytes), "\n")
	last := max(at.End.Line, at.Start.Line)
	if at.End.Column == 1 && last > at.Start.Line {
		last-- // it ends with the line before
	}
	last = min(last, len(all), at.Start.Line+maxExcerpt-1)
	var out []string
	for n := at.Start.Line; n <= last; n++ {
		out = append(out, printable(all[n-1]))
	}
	return out
}

// printable is a line as it can be shown in one terminal line.
func printable(s string) string {
	s = strings.ReplaceAll(strings.TrimRight(s, "\r"), "\t", "    ")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// mark underlines the part of a line that a range covers, on a terminal with colours.
func (r renderer) mark(text string, line int, at hcl.Range) string {
	runes := []rune(text)
	from, to := 0, len(runes)
	if line == at.Start.Line {
		from = at.Start.Column - 1
	}
	if line == at.End.Line {
		to = at.End.Column - 1
	}
	if !r.paint || from < 0 || from >= to || to > len(runes) {
		return text
	}
	return string(runes[:from]) + r.paint.in(underline, string(runes[from:to])) + string(runes[to:])
}
