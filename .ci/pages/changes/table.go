package changes

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What it computes. A table of the page, which has rows of this run and rows that the page had.
//
// Why it is right. Everything that the text above a table counts is counted from its cells, so rows
// that were not run again count as they stand. The last column says when each was measured.

// table is a table of the page. The first cell of a row is its name.
type table struct {
	head []string
	rows [][]string
}

// measured is the column with the day and the commit of a row.
const measured = "measured"

// measured is the cell of a result: its day, and the commit of the command.
func (o *outcome) measured() string { return o.Made.UTC().Format("2006-01-02") + ", " + o.Commit }

// tableIn reads the first table of a text; one without rows if there is none.
func tableIn(text string) (t table) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			if len(t.head) > 0 {
				break
			}
			continue
		}
		cells := cellsOf(line)
		switch {
		case len(t.head) == 0:
			t.head = cells
		case strings.Trim(strings.Join(cells, ""), "-") != "":
			t.rows = append(t.rows, cells)
		}
	}
	return t
}

// cellsOf splits a row at its bars, except those with a backslash in front.
func cellsOf(line string) (out []string) {
	from := 1
	for k := 1; k < len(line); k++ {
		if line[k] == '|' && line[k-1] != '\\' {
			out = append(out, strings.TrimSpace(line[from:k]))
			from = k + 1
		}
	}
	return out
}

// cell returns the cell of a row in a column; "" if the table does not have the column.
func (t *table) cell(row []string, column string) string {
	if k := slices.Index(t.head, column); k >= 0 && k < len(row) {
		return row[k]
	}
	return ""
}

// keep adds the row of another table with a name, if there is one.
func (t *table) keep(had table, name string) {
	k := slices.IndexFunc(had.rows, func(row []string) bool { return len(row) > 0 && row[0] == name })
	if k < 0 {
		return
	}
	var row []string
	for _, column := range t.head {
		row = append(row, had.cell(had.rows[k], column))
	}
	t.rows = append(t.rows, row)
}

// text writes the table.
func (t *table) text() string {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.head)
	fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", len(t.head)))
	for _, row := range t.rows {
		line(row)
	}
	return b.String()
}

var exitCode = regexp.MustCompile(`\((\d+)\)`)

// exitIn returns the first exit code in a cell; -1 for none.
func exitIn(text string) int {
	m := exitCode.FindStringSubmatch(text)
	if m == nil {
		return -1
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return -1
	}
	return n
}
