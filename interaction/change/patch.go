package change

import "strings"

// patch returns the text that a file's hunks make of another one: of the old text the new one, or
// the other way round. It reports false where the text is not what the hunks say, or a hunk has no
// body.
func patch(text string, hunks []Hunk, reverse bool) (string, bool) {
	lines := strings.SplitAfter(text, "\n")
	var out strings.Builder
	at := 0 // lines that are done
	for k := range hunks {
		h := &hunks[k]
		from, gone, come := h.Old, byte('-'), byte('+')
		if reverse {
			from, gone, come = h.New, '+', '-'
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
		for _, line := range h.Body {
			if line[0] == come {
				out.WriteString(line[1:] + "\n")
				continue
			}
			if at >= len(lines) || strings.TrimRight(lines[at], "\r\n") != strings.TrimRight(line[1:], "\r") {
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
