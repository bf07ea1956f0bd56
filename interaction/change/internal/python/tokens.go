// Package python reads sources of Python: their tokens without comments and docstrings, and the
// lines of their classes and functions. It follows "Lexical analysis" of the language reference
// as far as that decides where a statement begins and ends.
package python

import (
	"fmt"
	"slices"
	"strings"
)

// Token is a token with its line, which counts from 1. A logical line begins with a token that has
// its indentation, and ends with one that is a line end. A text of several lines has a token for
// each of them.
type Token struct {
	Text string
	Line int
}

// Tokens returns the tokens of a source without comments, white space and texts that are statements
// of their own, such as docstrings. The latter count if the source reads __doc__. Whole is false if
// the source ends in a text or a bracket.
func Tokens(source string) (tokens []Token, whole bool) {
	l := lexer{text: source, line: 1}
	for l.at < len(l.text) {
		l.next()
	}
	l.end()
	docs := strings.Contains(source, "__doc__")
	for _, s := range l.logical {
		if docs || slices.ContainsFunc(s.tokens[1:len(s.tokens)-1], func(t Token) bool { return !isText(t.Text) }) {
			tokens = append(tokens, s.tokens...)
		}
	}
	return tokens, !l.open && l.depth == 0
}

// logical is a logical line: a statement, or the head of a compound one.
type logical struct {
	tokens []Token // the first has the indentation, the last is the end
	indent int     // columns; a tab leads to the next multiple of eight
	first  int     // lines
	last   int
}

type lexer struct {
	text    string
	at      int
	line    int
	depth   int  // of brackets
	open    bool // the source ended in a text
	within  bool // a logical line has begun
	present logical
	logical []logical
}

// textMark precedes the tokens of texts, so that they differ from names.
const textMark = '"'

func isText(token string) bool { return token[0] == textMark }

// next reads a token, white space, or a comment.
func (l *lexer) next() {
	rest := l.text[l.at:]
	c := rest[0]
	switch {
	case c == '\n':
		l.at++
		if l.depth == 0 {
			l.end()
		}
		l.line++
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		l.at++
	case c == '#':
		l.at += lengthTo(rest, "\n")
	case c == '\\' && strings.HasPrefix(strings.TrimPrefix(rest[1:], "\r"), "\n"):
		l.at += strings.IndexByte(rest, '\n') + 1
		l.line++
	default:
		l.begin()
		if n := prefix(rest); n >= 0 {
			l.quoted(n)
			return
		}
		n := 1
		if word(c) {
			for n < len(rest) && word(rest[n]) {
				n++
			}
		}
		switch c {
		case '(', '[', '{':
			l.depth++
		case ')', ']', '}':
			l.depth = max(l.depth-1, 0)
		}
		l.add(rest[:n])
		l.at += n
	}
}

// begin begins a logical line with the token that is next.
func (l *lexer) begin() {
	if l.within {
		return
	}
	l.within = true
	indent := 0
	for _, c := range l.text[strings.LastIndexByte(l.text[:l.at], '\n')+1 : l.at] {
		if indent++; c == '\t' {
			indent = (indent + 7) / 8 * 8
		}
	}
	l.present = logical{indent: indent, first: l.line, tokens: []Token{{fmt.Sprintf(" %d", indent), l.line}}}
}

// end ends the logical line.
func (l *lexer) end() {
	if !l.within {
		return
	}
	l.within, l.present.last = false, l.line
	l.present.tokens = append(l.present.tokens, Token{"\n", l.line})
	l.logical = append(l.logical, l.present)
}

func (l *lexer) add(text string) {
	l.present.tokens = append(l.present.tokens, Token{text, l.line})
}

// prefix returns the length of what precedes the quotation mark of a text that begins here; -1 if
// none does.
func prefix(s string) int {
	n := 0
	for n < len(s) && n < 3 && strings.IndexByte("rRbBuUfFtT", s[n]) >= 0 {
		n++
	}
	if n < len(s) && (s[n] == '"' || s[n] == '\'') {
		return n
	}
	return -1
}

// quoted reads a text that has n bytes before its quotation mark. Its lines are tokens. A text in
// single quotation marks ends with its line.
func (l *lexer) quoted(n int) {
	rest := l.text[l.at:]
	mark := rest[n : n+1]
	if strings.HasPrefix(rest[n:], strings.Repeat(mark, 3)) {
		mark = rest[n : n+3]
	}
	k := n + len(mark)
	for ; k < len(rest) && !strings.HasPrefix(rest[k:], mark); k++ {
		if rest[k] == '\\' {
			if k++; k < len(rest) && rest[k] == '\r' {
				k++
			}
		} else if rest[k] == '\n' && len(mark) == 1 {
			break
		}
	}
	l.open = l.open || k >= len(rest)
	if k = min(k, len(rest)); strings.HasPrefix(rest[k:], mark) {
		k += len(mark)
	}
	for j, part := range strings.Split(rest[:k], "\n") {
		if j > 0 {
			l.line++
		}
		l.add(string(textMark) + part)
	}
	l.at += k
}

func word(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// lengthTo returns the length of s up to an end; all of s where there is none.
func lengthTo(s, end string) int {
	if k := strings.Index(s, end); k >= 0 {
		return k
	}
	return len(s)
}
