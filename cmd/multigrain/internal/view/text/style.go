package text

import (
	"cmp"
	"regexp"
	"slices"
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

// Short returns the rows as Text does, and shortens lines to width columns.
func (t *Table) Short(width int) string {
	var b strings.Builder
	for line := range strings.Lines(t.Text()) {
		b.WriteString(cutAt(strings.TrimSuffix(line, "\n"), width) + "\n")
	}
	return b.String()
}

// Wrapped returns the rows as Text does. What does not fit into width columns of the last column
// continues below its start.
func (t *Table) Wrapped(width int) string {
	first, last := Table{Indent: t.Indent}, make([]string, len(t.rows))
	for k, r := range t.rows {
		first.rows = append(first.rows, append(slices.Clone(r[:len(r)-1]), "|"))
		last[k] = r[len(r)-1]
	}
	var b strings.Builder
	k := 0
	for line := range strings.Lines(first.Text()) {
		head := strings.TrimSuffix(line, "|\n")
		b.WriteString(head + strings.TrimLeft(Flow(last[k], terminal.Columns(head), width), " "))
		k++
	}
	return b.String()
}

// cutAt shortens a line without styles to width columns. An ellipsis says so.
func cutAt(line string, width int) string {
	if r := []rune(line); len(r) > width {
		return strings.TrimRight(string(r[:width-1]), " ,;") + "…"
	}
	return line
}

// Lines is the width of text where there is no terminal, in columns.
const Lines = 100

// Flow fills lines of at most width columns with a text, all indented. Lines that follow one
// another are one paragraph. Lines that are indented stay as they are. No line ends within a name,
// a path or a command. A width of 0 is Lines.
func Flow(text string, indent, width int) string {
	width = max(cmp.Or(width, Lines)-indent, 30)
	margin := strings.Repeat(" ", indent)
	var b strings.Builder
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			filled := wrapAt(strings.Join(glued(paragraph), " "), width)
			b.WriteString(indentAll(strings.ReplaceAll(filled, joint, " "), margin))
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		switch {
		case line == "":
			flush()
			b.WriteString("\n")
		case line[0] == ' ' || line[0] == '\t':
			flush()
			b.WriteString(margin + line + "\n")
		default:
			paragraph = append(paragraph, strings.Fields(line)...)
		}
	}
	flush()
	return b.String()
}

// Fit breaks the lines of a text that are longer than a terminal is wide, and indents what follows.
// The words of a cell of a table continue below the start of the cell. Columns without room follow
// below the table, with the first column again. Lines that begin with a command stay as they are.
// No line ends within a command. A width of 0 breaks nothing.
func Fit(text string, width int) string {
	if width <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	var out []string
	for len(lines) > 0 {
		n := tableOf(lines)
		if n > 1 {
			out = append(out, fitTable(lines[:n], width)...)
		} else {
			out = append(out, fitLine(lines[0], width))
		}
		lines = lines[max(n, 1):]
	}
	return strings.Join(out, "\n")
}

// indentOf returns the number of blanks that a line begins with.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// tableOf returns how many of the first lines have two or more cells and the same indentation.
func tableOf(lines []string) (n int) {
	for n < len(lines) && indentOf(lines[n]) == indentOf(lines[0]) && len(cellOf.FindAllStringIndex(lines[n], 2)) == 2 {
		n++
	}
	return n
}

// fitTable is Fit for lines of at least two cells. Where a column that is too wide has room for
// words, each line is broken on its own.
func fitTable(lines []string, width int) (out []string) {
	rows, starts, ends := columnsOf(lines)
	first := 1 // column without room
	for first < len(starts) && ends[first] <= width {
		first++
	}
	if first == len(starts) || width-starts[first] >= leastCell || first == 1 {
		for _, line := range lines {
			out = append(out, fitLine(line, width))
		}
		return out
	}
	for from := 1; from < len(starts); {
		shift, to := starts[from]-starts[1], from+1
		for to < len(starts) && ends[to]-shift <= width {
			to++
		}
		for _, row := range rows {
			line := strings.Repeat(" ", starts[0]) + row[0].text
			for _, c := range row[1:] {
				if c.column >= from && c.column < to {
					line += strings.Repeat(" ", c.start-shift-terminal.Columns(line)) + c.text
				}
			}
			if from == 1 || line != strings.Repeat(" ", starts[0])+row[0].text {
				out = append(out, fitLine(line, width))
			}
		}
		from = to
	}
	return out
}

// cell is a cell of a row: its text, the columns of the terminal where it starts, and the column of
// the table.
type cell struct {
	text          string
	start, column int
}

// columnsOf returns the cells of each line, and the columns of the terminal in which the columns of
// the table start and end. A column starts where some cell does, and where no cell of any line is
// within two columns before.
func columnsOf(lines []string) (rows [][]cell, starts, ends []int) {
	taken := map[int]bool{}
	for _, line := range lines {
		var row []cell
		for _, at := range cellOf.FindAllStringIndex(line, -1) {
			c := cell{text: line[at[0]:at[1]], start: terminal.Columns(line[:at[0]])}
			starts = append(starts, c.start)
			for k := range terminal.Columns(c.text) {
				taken[c.start+k] = true
			}
			row = append(row, c)
		}
		rows = append(rows, row)
	}
	slices.Sort(starts)
	starts = slices.DeleteFunc(slices.Compact(starts), func(at int) bool { return taken[at-1] || taken[at-2] })
	ends = make([]int, len(starts))
	for _, row := range rows {
		for k := range row {
			c := &row[k]
			for c.column+1 < len(starts) && starts[c.column+1] <= c.start {
				c.column++
			}
			ends[c.column] = max(ends[c.column], c.start+terminal.Columns(c.text))
		}
	}
	return rows, starts, ends
}

// leastCell is the least number of columns in which the words of a cell are broken. A cell with
// less room begins a line.
const leastCell = 24

// cellOf matches a cell and the blanks after it. One blank is within a cell.
var cellOf = regexp.MustCompile(`\S+( \S+)*`)

// fitLine is Fit for one line.
func fitLine(line string, width int) string {
	indent := indentOf(line)
	if terminal.Columns(line) <= width || strings.Contains(line, "\t") || strings.HasPrefix(line[indent:], "multigrain ") {
		return line
	}
	f := filler{width: width, hang: indent + 2}
	for k, at := range cellOf.FindAllStringIndex(line, -1) {
		cell, start := line[at[0]:at[1]], terminal.Columns(line[:at[0]])
		room := width - start
		switch {
		case k == 0:
			f.line = strings.Repeat(" ", start)
		case len(f.lines) == 0 && (terminal.Columns(cell) <= room || room >= leastCell):
			f.line += strings.Repeat(" ", start-terminal.Columns(f.line))
			f.hang = start
		case terminal.Columns(f.line)+2+terminal.Columns(cell) <= width:
			f.line += "  "
		default:
			f.end()
		}
		f.fill(cell)
	}
	return strings.ReplaceAll(strings.Join(append(f.lines, f.line), "\n"), joint, " ")
}

// filler fills lines with words. Each line after the first is indented by hang columns.
type filler struct {
	width, hang int
	lines       []string
	line        string // the one that is filled
	words       int    // in it
}

// end begins another line.
func (f *filler) end() {
	f.lines = append(f.lines, strings.TrimRight(f.line, " "))
	f.line, f.words = strings.Repeat(" ", f.hang), 0
}

// fill adds the words of a cell to the line, which ends where the cell starts.
func (f *filler) fill(cell string) {
	for k, word := range glued(strings.Fields(cell)) {
		blank := ""
		if k > 0 {
			blank = " "
		}
		if f.words > 0 && terminal.Columns(f.line+blank+word) > f.width {
			f.end()
			blank = ""
		}
		f.line += blank + word
		f.words++
	}
}

// joint stands for a blank at which no line ends: a character that no text has.
const joint = "\uE000"

// commandWord is a word that a command may continue with: a flag, a name in capitals that stands
// for one, or a path.
var commandWord = regexp.MustCompile(`^(-[a-z]|\[?[A-Z][A-Z_0-9]+\b|[^ ]*/[^ ]|[^ ]+\.(hcl|json|tsv)\b)`)

// glued joins the words of a command: multigrain, its verb, flags, and names in capitals.
func glued(words []string) (out []string) {
	command := 0 // the number of words of the command that the last word belongs to
	for _, w := range words {
		ends := len(out) > 0 && strings.HasSuffix(out[len(out)-1], ".")
		switch {
		case w == "multigrain":
			command = 1
			out = append(out, w)
			continue
		case command == 1, command > 1 && !ends && commandWord.MatchString(w):
			command++
			out[len(out)-1] += joint + w
			continue
		}
		command = 0
		out = append(out, w)
	}
	return out
}

// Wrap breaks the lines of a text at blanks so that none is longer than width. Words that are
// longer stay whole, and lines that are indented stay as they are. A width of 0 breaks at 100.
func Wrap(text string, width int) string {
	if width <= 0 || width > Lines {
		width = Lines
	}
	return wrapAt(text, width)
}

func wrapAt(text string, width int) string {
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
