package mutants

import (
	"fmt"
	"strings"
)

// readPage returns the results that a document has, by the names of their rows.
func readPage(text string) map[string]*measured {
	out := map[string]*measured{}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			section = name
		}
		cells := cellsOf(line)
		switch {
		case section == "" && len(cells) == 11:
			if m := readRow(cells); m != nil {
				out[cells[0]] = m
			}
		case section == "Bounds" && len(cells) == 3 && out[cells[0]] != nil:
			out[cells[0]].On, out[cells[0]].Bounds = cells[1], cells[2]
		case out[section] != nil && len(cells) == 4 && strings.HasPrefix(cells[1], "`"):
			x := mutant{Outcome: cells[0], Name: strings.Trim(cells[1], "`"), Note: cells[3]}
			if cells[2] != "" {
				x.Blame = &blamed{cells[2]}
			}
			out[section].Mutants = append(out[section].Mutants, x)
		}
	}
	return out
}

// cellsOf returns the cells of a line of a table; nil if it is none.
func cellsOf(line string) (cells []string) {
	if !strings.HasPrefix(line, "|") {
		return nil
	}
	const bar = "\x00"
	line = strings.ReplaceAll(strings.Trim(line, "|"), "\\|", bar)
	for cell := range strings.SplitSeq(line, "|") {
		cells = append(cells, strings.TrimSpace(strings.ReplaceAll(cell, bar, "|")))
	}
	return cells
}

// readRow returns the result that a row shows; nil if it is none.
func readRow(cells []string) *measured {
	m := &measured{}
	rest := strings.Join(cells[1:8], " ") + " " + cells[10]
	if n, _ := fmt.Sscanf(rest, "%d of %d %d %d %d %d %d %d %f, %f", &m.Drawn, &m.Sites, &m.Found, &m.Kept, &m.Lost, &m.False, &m.Equal, &m.Undecided,
		&m.Seconds[0], &m.Seconds[1]); n != 10 {
		return nil
	}
	m.Fine, m.Mixed = readStates(cells[8]), readStates(cells[9])
	return m
}

// readStates is the inverse of states.
func readStates(cell string) (s searched) {
	switch more, ok := strings.CutPrefix(cell, "more than "); {
	case cell == "":
	case ok:
		s.Verdict = "undecided"
		fmt.Sscan(more, &s.States)
	default:
		s.Verdict = "holds"
		fmt.Sscan(cell, &s.States)
	}
	return s
}
