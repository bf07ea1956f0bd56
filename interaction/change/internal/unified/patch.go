package unified

import "strings"

// Patch returns the text that a file's hunks make of another one: of the old text the new one, or
// the other way round. It reports false where the text is not what the hunks say, or a hunk has no
// body. Where a text has ends of lines with carriage returns and the diff lost them, lines get
// them.
func Patch(text string, hunks []Hunk, reverse bool) (string, bool) {
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
			return "", false
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
				return "", false
			}
			if line[0] != gone {
				out.WriteString(lines[at])
			}
			at++
		}
	}
	out.WriteString(strings.Join(lines[at:], ""))
	return out.String(), true
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
