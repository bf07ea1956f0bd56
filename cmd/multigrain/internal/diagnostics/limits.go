package diagnostics

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Limits of what a diagnostic shows, in bytes that it takes in any format. So a diagnostic takes at
// most 8 KiB as text, JSON, SARIF, JUnit and HTML, with the names of the fields.
const (
	mostDetail  = 2800
	mostSummary = 200
	mostName    = 600 // the file
	mostIn      = 200 // the block around the range
	mostLine    = 480 // each line of the excerpt
	mostExcerpt = 1600
	mostRelated = 200 // file and message of a related place, each
	mostPlaces  = 3   // related places
)

// Most is the number of diagnostics of a manifest that are shown. The others are counted.
const Most = 100

// sign stands for text that was left out.
const sign = "…"

// cost returns the most bytes that a character takes in a format: escaped in HTML, XML, JSON or the
// path of a URL.
func cost(r rune) int {
	switch {
	case r < ' ', strings.ContainsRune(`<>&"'\`, r), string(words.PrintableRune(r)) != string(r):
		return 6
	case r < utf8.RuneSelf:
		return 1
	}
	return utf8.RuneLen(r)
}

// shorten returns the start of a text that takes at most the given number of bytes, with a sign at
// the end if text was left out. Bytes that are not UTF-8 are replaced.
func shorten(s string, most int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	took, fits := 0, 0
	for at, r := range s {
		if took <= most-len(sign) {
			fits = at
		}
		if took += cost(r); took > most {
			return s[:fits] + sign
		}
	}
	return s
}

// shortenPath returns the end of a path that takes at most the given number of bytes in a URL.
// There a byte that is not ASCII takes three. A sign at the start stands for what was left out.
func shortenPath(path string, most int) string {
	path = strings.ToValidUTF8(path, "\uFFFD")
	took := len(sign) * 3
	runes := []rune(path)
	from := len(runes)
	for from > 0 {
		c := 3 * cost(runes[from-1])
		if r := runes[from-1]; r < utf8.RuneSelf && (r == '/' || r == '-' || r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			c = 1
		}
		if took += c; took > most {
			return sign + string(runes[from:])
		}
		from--
	}
	return path
}

// around returns the part of a line around a byte of it that takes at most the given number of
// bytes, without tabs and control characters. A sign stands where text was left out.
func around(line string, at, most int) string {
	at = min(max(at, 0), len(line))
	// More characters than these never fit, and a line can be long.
	before, after := line[max(0, at-most):at], line[at:min(len(line), at+most+utf8.UTFMax)]
	each := func(r rune) rune { return r } // a sign for each byte that is not UTF-8
	before, after = words.Printable(strings.Map(each, before)), words.Printable(strings.Map(each, after))
	if len(before)+len(after) >= len(line) && shorten(before+after, most) == before+after {
		return before + after
	}
	from := len(before)
	for took := 0; from > 0; { // a third of the room is for what stands before
		r, size := utf8.DecodeLastRuneInString(before[:from])
		if took += cost(r); took > most/3 {
			return sign + shorten(before[from:]+after, most-len(sign))
		}
		from -= size
	}
	return shorten(before+after, most)
}

// limit shortens the parts of a diagnostic.
func limit(d *result.Diagnostic) {
	d.Summary, d.Detail = shorten(d.Summary, mostSummary), shorten(d.Detail, mostDetail)
	d.File, d.In = shortenPath(d.File, mostName), shorten(d.In, mostIn)
	if more := len(d.Related) - mostPlaces; more > 0 {
		d.Related = d.Related[:mostPlaces:mostPlaces]
		d.Related[mostPlaces-1].Message = shorten(d.Related[mostPlaces-1].Message, mostRelated/2) +
			fmt.Sprintf(" (%d more places are not listed)", more)
	}
	for k := range d.Related {
		d.Related[k].File = shortenPath(d.Related[k].File, mostRelated)
		d.Related[k].Message = shorten(d.Related[k].Message, mostRelated)
	}
}
