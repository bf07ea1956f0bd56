package unified

import (
	"fmt"
	"strings"
)

// Patch returns the text that a file's hunks make of another one: of the old text the new one, or
// the other way round. It reports false where the text is not what the hunks say, or a hunk has no
// body. Where a text has ends of lines with carriage returns and the diff lost them, lines get
// them.
func Patch(text string, hunks []Hunk, reverse bool) (string, bool) {
	out, k := patch(text, hunks, reverse)
	return out, k < 0
}

// Misfit returns the first hunk that a text does not fit; nil where all fit.
func Misfit(text string, hunks []Hunk, reverse bool) *Hunk {
	if _, k := patch(text, hunks, reverse); k >= 0 {
		return &hunks[k]
	}
	return nil
}

// patch is Patch with the index of the first hunk that does not fit; -1 for none.
func patch(text string, hunks []Hunk, reverse bool) (string, int) {
	lines := strings.SplitAfter(text, "\n")
	end := "\n"
	if strings.Contains(text, "\r\n") && !returns(hunks) {
		end = "\r\n"
	}
	var out strings.Builder
	at := 0 // lines that are done
	for k := range hunks {
		h := &hunks[k]
		from, gone, come, bare := h.Old, byte('-'), byte('+'), h.NewBare
		if reverse {
			from, gone, come, bare = h.New, '+', '-', h.OldBare
		}
		start := from.Start - 1
		if from.Lines == 0 {
			start++
		}
		if h.Body == nil || start < at || start > len(lines) {
			return "", k
		}
		out.WriteString(strings.Join(lines[at:start], ""))
		at = start
		left := h.New.Lines
		if reverse {
			left = h.Old.Lines
		}
		for _, line := range h.Body {
			if line[0] != gone {
				left--
			}
			if line[0] == come {
				out.WriteString(line[1:])
				if left > 0 || !bare {
					out.WriteString(end)
				}
				continue
			}
			if at >= len(lines) || lines[at] == "" || strings.TrimRight(lines[at], "\r\n") != strings.TrimRight(line[1:], "\r") {
				return "", k
			}
			if line[0] != gone {
				out.WriteString(lines[at])
			}
			at++
		}
	}
	out.WriteString(strings.Join(lines[at:], ""))
	return out.String(), -1
}

// returns reports whether a line of hunks ends with a carriage return.
func returns(hunks []Hunk) bool {
	for _, h := range hunks {
		for _, line := range h.Body {
			if strings.HasSuffix(line, "\r") {
				return true
			}
		}
	}
	return false
}

// Header returns the header of a hunk.
func (h *Hunk) Header() string {
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@", h.Old.Start, h.Old.Lines, h.New.Start, h.New.Lines)
}
