package change

import (
	"path"
	"slices"
	"strings"
)

// tokensOf returns the tokens of a source in a language with the comments and literals of C, line
// by line, without comments; false for other languages. A token that spans lines, such as a text
// block, is split at their ends.
func tokensOf(file, text string) ([][]string, bool) {
	if !slices.Contains([]string{".java", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".kt"}, path.Ext(file)) {
		return nil, false
	}
	l := lexer{text: text, out: make([][]string, 1)}
	for l.at < len(l.text) {
		l.next()
	}
	return l.out, true
}

type lexer struct {
	text string
	at   int
	out  [][]string // the last one is the current line
}

// take goes over n bytes and, where they count, adds them as a token, split at the ends of lines.
func (l *lexer) take(n int, counts bool) {
	part := l.text[l.at : l.at+n]
	l.at += n
	for k, s := range strings.Split(part, "\n") {
		if k > 0 {
			l.out = append(l.out, nil)
		}
		if s = strings.TrimRight(s, "\r"); counts && s != "" {
			l.out[len(l.out)-1] = append(l.out[len(l.out)-1], s)
		}
	}
}

func (l *lexer) next() {
	rest := l.text[l.at:]
	c := rest[0]
	switch {
	case strings.HasPrefix(rest, "//"):
		l.take(lengthTo(rest, "\n", 0), false)
	case strings.HasPrefix(rest, "/*"):
		l.take(lengthTo(rest[2:], "*/", 2)+2, false)
	case strings.HasPrefix(rest, `"""`):
		l.take(lengthTo(rest[3:], `"""`, 3)+3, true)
	case c == '"' || c == '\'':
		l.take(literal(rest), true)
	case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f':
		l.take(1, false)
	case word(c):
		n := 1
		for n < len(rest) && word(rest[n]) {
			n++
		}
		l.take(n, true)
	default:
		l.take(1, true)
	}
}

func word(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// lengthTo returns the length of s up to the first end and extra bytes of it; all of s where there
// is none.
func lengthTo(s, end string, extra int) int {
	if k := strings.Index(s, end); k >= 0 {
		return k + extra
	}
	return len(s)
}

// literal returns the length of a string or character literal; it ends with its line at the latest.
func literal(s string) int {
	for k := 1; k < len(s); k++ {
		switch s[k] {
		case '\\':
			k++
		case s[0]:
			return k + 1
		case '\n':
			return k
		}
	}
	return len(s)
}

// sameCode reports whether a run changes nothing but comments and white space, as far as the texts
// show. It compares both texts. Where they are not there, all lines must be empty or nothing but a
// comment to their end.
func (r *Hunk) sameCode(before, after [][]string) bool {
	if before != nil && after != nil {
		return slices.Equal(tokensIn(before, r.Old), tokensIn(after, r.New))
	}
	if r.Body == nil {
		return false
	}
	return !slices.ContainsFunc(r.Body, func(line string) bool {
		s := strings.TrimSpace(line[1:])
		return s != "" && !strings.HasPrefix(s, "//")
	})
}

func tokensIn(lines [][]string, s Span) []string {
	if s.Lines == 0 || s.last() > len(lines) {
		return nil
	}
	return slices.Concat(lines[s.Start-1 : s.last()]...)
}
