// Package terminal is the one place where text leaves the command for a terminal. Names and values
// come from packages, traces, logs and file names of others. A terminal obeys some characters in
// them: they can hide lines, change the title, or write to the clipboard.
//
// Writer replaces all such characters, except those of styles that this package made in the same
// process: they carry a random number, which no name or value can know. The replacement \u001b is a
// valid escape of JSON, too, so documents keep their meaning.
//
// The package imports no other package of this project.
package terminal

import (
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token marks the styles of this process.
var token = ";" + rand.Text() + "m"

const (
	begin = "\x1b["
	plain = "0"
)

// Styled returns a text in a style, which is what a terminal calls it: "1;31" is bold and red. Only
// a Writer can write the result.
func Styled(style, text string) string {
	return begin + style + token + text + begin + plain + token
}

// cutStyle cuts a style that Styled made from the start of a text.
func cutStyle(s string) (style, rest string, ok bool) {
	if !strings.HasPrefix(s, begin) {
		return "", s, false
	}
	style, rest, ok = strings.Cut(s[len(begin):], token)
	if !ok || strings.Trim(style, "0123456789;") != "" {
		return "", s, false
	}
	return style, rest, true
}

// Columns returns the number of columns that a line takes, styles left out.
func Columns(s string) int {
	n := 0
	for s != "" {
		if _, rest, ok := cutStyle(s); ok {
			s = rest
			continue
		}
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		n++
	}
	return n
}

// obeyed reports whether a terminal or an editor obeys a character. These are control characters,
// and those that change the direction of text or separate lines.
func obeyed(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0: // C0, delete, C1
		return true
	case unicode.Is(unicode.Bidi_Control, r):
		return true
	}
	return r == 0x2028 || r == 0x2029
}

// Visible returns a text with a visible form of what a terminal obeys, apart from tabs, ends of
// lines and styles that Styled made.
func Visible(s string) string { return visible(s, "\n\t") }

// Line is Visible for what must stay in one line: it replaces tabs and ends of lines, too.
func Line(s string) string { return visible(s, "") }

func visible(s, kept string) string {
	var b strings.Builder
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		style, rest, styled := "", "", false
		if r == '\x1b' {
			style, rest, styled = cutStyle(s[at:])
		}
		switch {
		case styled:
			b.WriteString(begin + style + token)
			size = len(s) - at - len(rest)
		case r == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
		case obeyed(r) && !strings.ContainsRune(kept, r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[at : at+size])
		}
		at += size
	}
	return b.String()
}

// Writer writes text so that a terminal shows all of it and obeys styles of Styled only. Each call
// of Write has whole characters.
type Writer struct{ To io.Writer }

// Write writes text to To in its visible form. The count is len(p), or 0 with an error of To.
func (w *Writer) Write(p []byte) (int, error) {
	text := strings.ReplaceAll(Visible(string(p)), token, "m")
	if _, err := io.WriteString(w.To, text); err != nil {
		return 0, err
	}
	return len(p), nil
}
