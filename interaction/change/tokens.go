package change

import (
	"path"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/internal/python"
	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// lexeme is a token of a source with its line, which counts from 1.
type lexeme struct {
	text string
	line int
}

// within says what is around a place of a source.
type within int

const (
	inCode within = iota
	inComment
	inText // a text block, between three quotation marks
)

// lexed are the tokens of a source, without comments, or of a part of one.
type lexed struct {
	tokens []lexeme
	end    within
	// wrong says that the part cannot begin where it was assumed to begin: a comment ends in code.
	wrong bool
}

// lexes reports whether the tokens of a file can be read: it is Python, or in a language with the
// comments and literals of C.
func lexes(file string) bool {
	return path.Ext(file) == ".py" || slices.Contains([]string{".java", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".kt"}, path.Ext(file))
}

// lex returns the tokens of a part of a file that begins within something. A token that spans
// lines, such as a text block, is split at their ends.
func lex(file, text string, start within) lexed {
	if path.Ext(file) == ".py" {
		return lexPython(text)
	}
	l := lexer{text: text, line: 1, lang: path.Ext(file)}
	switch start {
	case inComment:
		l.comment(0)
	case inText:
		l.block(0)
	}
	for l.at < len(l.text) {
		l.next()
	}
	return l.lexed
}

// lexPython returns the tokens of a whole source of Python.
func lexPython(text string) (out lexed) {
	tokens, whole := python.Tokens(text)
	for _, t := range tokens {
		out.tokens = append(out.tokens, lexeme{t.Text, t.Line})
	}
	out.wrong = !whole
	return out
}

type lexer struct {
	lexed
	text string
	at   int
	line int
	lang string // the file's extension
	// directive says that the current line is one of the preprocessor.
	directive bool
}

// take goes over n bytes and, where they count, adds them as a token, split at the ends of lines.
func (l *lexer) take(n int, counts bool) {
	part := l.text[l.at : l.at+n]
	l.at += n
	for part != "" {
		s, rest, more := strings.Cut(part, "\n")
		if counts {
			s = strings.TrimRight(s, "\r")
			if more {
				s += "\n"
			}
			if s != "" {
				l.tokens = append(l.tokens, lexeme{s, l.line})
			}
		}
		if more {
			l.line++
		}
		part = rest
	}
}

// comment goes to the end of a comment that begins with n more bytes.
func (l *lexer) comment(n int) {
	if k := strings.Index(l.text[l.at+n:], "*/"); k >= 0 {
		l.take(n+k+2, false)
		return
	}
	l.take(len(l.text)-l.at, false)
	l.end = inComment
}

// block goes to the end of a text block that begins with n more bytes.
func (l *lexer) block(n int) {
	rest := l.text[l.at+n:]
	for k := 0; k < len(rest); k++ {
		if rest[k] == '\\' && l.lang != ".kt" {
			k++
		} else if strings.HasPrefix(rest[k:], `"""`) {
			l.take(n+k+3, true)
			return
		}
	}
	l.take(len(l.text)-l.at, true)
	l.end = inText
}

func (l *lexer) next() {
	rest := l.text[l.at:]
	c := rest[0]
	switch {
	case strings.HasPrefix(rest, "//"):
		l.take(l.lineComment(rest), false)
	case strings.HasPrefix(rest, "/*"):
		l.comment(2)
	case strings.HasPrefix(rest, "*/"):
		l.wrong = true
		l.take(2, true)
	case strings.HasPrefix(rest, `"""`) && slices.Contains([]string{".java", ".kt", ".cs"}, l.lang):
		l.block(3)
	case strings.HasPrefix(rest, `R"`) && l.preprocessed():
		l.take(rawLength(rest), true)
	case strings.HasPrefix(rest, `@"`) && l.lang == ".cs":
		l.take(2+lengthTo(rest[2:], `"`, 1), true)
	case c == '"' || c == '\'':
		l.take(literal(rest), true)
	case c == '\n':
		l.take(1, l.directive) // it ends a line of the preprocessor
		l.directive = false
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		l.take(1, false)
	case word(c):
		n := 1
		for n < len(rest) && word(rest[n]) {
			n++
		}
		l.take(n, true)
	case c == '+' || c == '-' || c == '&': // a + +b is not a++ b
		l.take(len(rest)-len(strings.TrimLeft(rest, string(c))), true)
	default:
		l.directive = l.directive || c == '#' && l.preprocessed()
		l.take(1, true)
	}
}

func (l *lexer) preprocessed() bool {
	return slices.Contains([]string{".c", ".h", ".cc", ".cpp", ".hpp"}, l.lang)
}

// lineComment returns the length of a comment to the end of its line; in C a backslash there
// continues it.
func (l *lexer) lineComment(s string) int {
	n := lengthTo(s, "\n", 0)
	for l.preprocessed() && n < len(s) && strings.HasSuffix(strings.TrimRight(s[:n], "\r"), `\`) {
		n += 1 + lengthTo(s[n+1:], "\n", 0)
	}
	return n
}

// rawLength returns the length of a raw string of C++, which begins with R"delimiter(.
func rawLength(s string) int {
	open := strings.IndexByte(s, '(')
	if open < 0 || open > 18 {
		return 1
	}
	end := ")" + s[2:open] + `"`
	return open + lengthTo(s[open:], end, len(end))
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

// tokensIn returns the texts of the tokens on some lines.
func tokensIn(all []lexeme, s unified.Span) (out []string) {
	if s.Lines == 0 {
		return nil
	}
	k, _ := slices.BinarySearchFunc(all, s.Start, func(t lexeme, line int) int { return t.line - line })
	for ; k < len(all) && all[k].line <= s.Last(); k++ {
		out = append(out, all[k].text)
	}
	return out
}
