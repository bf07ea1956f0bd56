package text

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
)

// Painter colours text, or leaves it as it is where it is false. Only a terminal.Writer can write
// coloured text.
type Painter bool

// Styles, as the terminal's own numbers.
const (
	bold      = "1"
	dim       = "2"
	underline = "4"
	red       = "1;31"
	green     = "32"
	Yellow    = "33"
)

// In returns a text in a style, or the text itself if it is empty or the painter uses no styles.
func (p Painter) In(style, text string) string {
	if !p || text == "" {
		return text
	}
	return terminal.Styled(style, text)
}

// Tone colours the head of a verdict.
func (p Painter) Tone(t verdicts.Tone, head string) string { return p.tone(t, head) }

// tone is Tone.
func (p Painter) tone(t verdicts.Tone, head string) string {
	style := map[verdicts.Tone]string{verdicts.Good: green, verdicts.Bad: red}[t]
	return p.In(cmp.Or(style, Yellow), head)
}

// Undecided returns the first line of a run that came to no result.
func Undecided(verb, reason string, paint Painter) string {
	row := verdicts.Find(verb, verdicts.Undecided, "")
	return row.Line(paint.tone, "reason", strings.TrimSuffix(reason, "."), "what", "the implementation", "walks", "no walk") + "\n"
}

// Table is text in columns, the first row being no different from the others.
type Table struct {
	Indent string
	right  map[int]bool // columns of numbers
	rows   [][]string
}

// Row adds a row. Each cell stays in one line.
func (t *Table) Row(cells ...string) {
	row := make([]string, len(cells))
	for k, cell := range cells {
		row[k] = terminal.Line(cell)
	}
	t.rows = append(t.rows, row)
}

// Text returns the rows with their columns aligned.
func (t *Table) Text() string {
	var widths []int
	for _, r := range t.rows {
		for k, cell := range r {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			widths[k] = max(widths[k], terminal.Columns(cell))
		}
	}
	var b strings.Builder
	for _, r := range t.rows {
		var line strings.Builder
		line.WriteString(t.Indent)
		for k, cell := range r {
			pad := strings.Repeat(" ", widths[k]-terminal.Columns(cell))
			if t.right[k] {
				line.WriteString(pad + cell + "  ")
			} else {
				line.WriteString(cell + pad + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// Wrap breaks the lines of a text at blanks so that none is longer than width. Words that are
// longer stay whole, and lines that are indented stay as they are. A width of 0 breaks at 100.
func Wrap(text string, width int) string {
	if width <= 0 || width > 100 {
		width = 100
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			out = append(out, line)
			continue
		}
		at := ""
		for word := range strings.FieldsSeq(line) {
			switch {
			case at == "":
				at = word
			case utf8.RuneCountInString(at)+1+utf8.RuneCountInString(word) > width:
				out = append(out, at)
				at = word
			default:
				at += " " + word
			}
		}
		out = append(out, at)
	}
	return strings.Join(out, "\n")
}
