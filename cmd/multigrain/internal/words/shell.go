package words

import (
	"regexp"
	"strings"
)

// bare matches a word that means itself in a POSIX shell.
var bare = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// Shell returns a text as one word of a POSIX shell.
func Shell(s string) string {
	if bare.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
