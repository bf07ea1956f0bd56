package text

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
)

// Diagnostics shows diagnostics as text:
//
//	Error: Unknown grain [MG103]
//	  on configs/zab/sync-fine.hcl line 9, in module "election":
//	   9:   grain = "corse"
//	Module "election" has no grain "corse". Did you mean "coarse"?
//	  related: configs/zab/mspec-3.hcl:4: var.grain has its value from here
type Diagnostics struct {
	Paint Painter
	Width int // of the terminal, 0 for none
}

// All shows diagnostics with a blank line between any two.
func (r Diagnostics) All(diags []result.Diagnostic) string {
	texts := make([]string, len(diags))
	for k := range diags {
		texts[k] = r.Diagnostic(&diags[k])
	}
	return strings.Join(texts, "\n")
}

// Diagnostic returns a diagnostic for people.
func (r Diagnostics) Diagnostic(d *result.Diagnostic) string {
	var b strings.Builder
	label, style := "Error", red
	if d.Severity == "warning" {
		label, style = "Warning", Yellow
	}
	b.WriteString(r.Paint.In(style, label+":") + " " + r.Paint.In(bold, terminal.Line(d.Summary)))
	if d.Code != "" {
		fmt.Fprintf(&b, " [%s]", d.Code)
	}
	b.WriteString("\n")
	if d.File != "" {
		r.excerpt(&b, d)
	}
	if d.Detail != "" {
		b.WriteString(Wrap(d.Detail, r.Width) + "\n")
	}
	for _, rel := range d.Related {
		at := rel.File
		if rel.Line > 0 {
			at = fmt.Sprintf("%s:%d", rel.File, rel.Line)
		}
		b.WriteString(r.Paint.In(dim, "  related: "+terminal.Line(at)+": ") + terminal.Line(rel.Message) + "\n")
	}
	return b.String()
}

// excerpt shows the lines of a range.
func (r Diagnostics) excerpt(b *strings.Builder, d *result.Diagnostic) {
	fmt.Fprintf(b, "  on %s", terminal.Line(d.File))
	if d.Line > 0 {
		fmt.Fprintf(b, " line %d", d.Line)
		if cut(d.Excerpt) {
			fmt.Fprintf(b, " column %d", d.Column)
		}
	}
	if d.In != "" {
		b.WriteString(", in " + terminal.Line(d.In))
	}
	if len(d.Excerpt) == 0 {
		b.WriteString("\n")
		return
	}
	b.WriteString(":\n")
	for k, text := range d.Excerpt {
		line := d.Line + k
		if k == result.MaxExcerpt-1 && d.EndLine > line {
			fmt.Fprintf(b, "%4s  ...\n", "")
			return
		}
		fmt.Fprintf(b, "%4d: %s\n", line, r.mark(text, line, d))
	}
}

// cut reports whether the first line of an excerpt is a part of a line, so that columns are other
// ones.
func cut(excerpt []string) bool {
	return len(excerpt) > 0 && (strings.HasPrefix(excerpt[0], "…") || strings.HasSuffix(excerpt[0], "…"))
}

// mark underlines the part of a line that a range covers, on a terminal with colours.
func (r Diagnostics) mark(text string, line int, d *result.Diagnostic) string {
	runes := []rune(text)
	from, to := 0, len(runes)
	if line == d.Line {
		from = d.Column - 1
	}
	if line == d.EndLine {
		to = d.EndColumn - 1
	}
	if !bool(r.Paint) || cut(d.Excerpt) || from < 0 || from >= to || to > len(runes) {
		return text
	}
	return string(runes[:from]) + r.Paint.In(underline, string(runes[from:to])) + string(runes[to:])
}
