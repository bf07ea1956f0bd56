package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

// painter colours text, or leaves it as it is where it is false.
type painter bool

// Styles, as the terminal's own numbers.
const (
	bold      = "1"
	dim       = "2"
	underline = "4"
	red       = "1;31"
	green     = "32"
	yellow    = "33"
)

func (p painter) in(style, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// table is text in columns, the first row being no different from the others.
type table struct {
	indent string
	right  map[int]bool // columns of numbers
	rows   [][]string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) text() string {
	var widths []int
	for _, r := range t.rows {
		for k, cell := range r {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			widths[k] = max(widths[k], visible(cell))
		}
	}
	var b strings.Builder
	for _, r := range t.rows {
		var line strings.Builder
		line.WriteString(t.indent)
		for k, cell := range r {
			pad := strings.Repeat(" ", widths[k]-visible(cell))
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

// visible is the number of columns that a text takes on a terminal, colours left out.
func visible(s string) int {
	n := 0
	for {
		start := strings.Index(s, "\x1b[")
		if start < 0 {
			return n + utf8.RuneCountInString(s)
		}
		n += utf8.RuneCountInString(s[:start])
		end := strings.IndexByte(s[start:], 'm')
		if end < 0 {
			return n
		}
		s = s[start+end+1:]
	}
}

// wrap breaks the lines of a text at blanks so that none is longer than width. Words that are longer stay whole, and lines
// that are indented stay as they are. A width of 0 breaks at 100.
func wrap(text string, width int) string {
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

// count is a number with its digits in groups of three.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for k := len(s) - 3; k > 0; k -= 3 {
		s = s[:k] + "," + s[k:]
	}
	return sign + s
}

// plural is a count of things.
func plural(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if strings.HasSuffix(one, "y") {
		return count(n) + " " + strings.TrimSuffix(one, "y") + "ies"
	}
	return count(n) + " " + one + "s"
}

// size is a number of bytes with a unit.
func size(bytes int64) string {
	x, unit := float64(bytes), "B"
	for _, u := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if x < 1024 {
			break
		}
		x, unit = x/1024, u
	}
	if unit == "B" || x >= 100 {
		return fmt.Sprintf("%.0f %s", x, unit)
	}
	return fmt.Sprintf("%.1f %s", x, unit)
}

// rate is a number of things in a second.
func rate(n int64, seconds float64) string {
	if seconds <= 0 {
		return "-"
	}
	switch x := float64(n) / seconds; {
	case x >= 1e6:
		return fmt.Sprintf("%.1f M/s", x/1e6)
	case x >= 1e3:
		return fmt.Sprintf("%.0f k/s", x/1e3)
	default:
		return fmt.Sprintf("%.0f/s", x)
	}
}

// elapsed is a time in seconds, or in minutes and hours where it is long.
func elapsed(seconds float64) string {
	switch s := int(seconds); {
	case s >= 3600:
		return fmt.Sprintf("%d h %02d min", s/3600, s/60%60)
	case s >= 100:
		return fmt.Sprintf("%d min %02d s", s/60, s%60)
	case seconds < 0.01:
		return fmt.Sprintf("%.4f s", seconds)
	default:
		return fmt.Sprintf("%.2f s", seconds)
	}
}

// shortPath is a path relative to the working folder if it lies below it, and as it is otherwise.
func shortPath(path string) string {
	here, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
