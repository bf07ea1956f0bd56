package change

import (
	"path"
	"slices"
	"strings"
)

// keywords are words of Java that may stand next to a name in an expression.
var keywords = strings.Fields("new instanceof switch case final this super int long short byte char float double boolean yield throw return null true false")

// prose reports whether a part of a Java file that begins in code has lines that are no code: they
// begin with an asterisk, and two names follow each other, as words of a sentence do. The part
// then begins in a comment.
func prose(file string, tokens []lexeme) bool {
	if path.Ext(file) != ".java" {
		return false
	}
	name := func(t lexeme) bool {
		return word(t.text[0]) && (t.text[0] < '0' || t.text[0] > '9') && !slices.Contains(keywords, t.text)
	}
	for k := 0; k+2 < len(tokens); k++ {
		star, a, b := tokens[k], tokens[k+1], tokens[k+2]
		if star.text == "*" && (k == 0 || tokens[k-1].line < star.line) && a.line == star.line && b.line == star.line && name(a) && name(b) {
			return true
		}
	}
	return false
}
