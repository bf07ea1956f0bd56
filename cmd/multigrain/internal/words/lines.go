package words

import (
	"regexp"
	"strings"
	"unicode"
)

// Printable returns a line as it can be shown in one terminal line.
func Printable(s string) string {
	s = strings.ReplaceAll(strings.TrimRight(s, "\r"), "\t", "    ")
	return strings.Map(PrintableRune, strings.ToValidUTF8(s, "\uFFFD"))
}

// PrintableRune returns a character, or U+FFFD for one that a terminal or an editor obeys: control
// characters, and those that change the direction of text or separate lines.
func PrintableRune(r rune) rune {
	if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
		return '\uFFFD'
	}
	return r
}

// Mentions reports whether a text has a name as a word of its own.
func Mentions(text, name string) bool {
	return regexp.MustCompile(`(?i)(^|[^\w.#])` + regexp.QuoteMeta(name) + `($|[^\w#]|\.$|\.\s)`).MatchString(text)
}
