package words

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// NonEmpty returns a list of s, or of nothing.
func NonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// ownWord begins a message of this project's: a word of small letters, after which another word
// comes. system begins one of the operating system's, whose first word is the call that failed.
var (
	ownWord = regexp.MustCompile(`^[a-z]+( [^/:]*)?$|^[a-z]+ [^ /:]+ `)
	system  = regexp.MustCompile(`^(open|read|write|stat|lstat|mkdir|chdir|rename|remove|close|sync|link|symlink|listen|dial|lookup|exec|fork/exec|seek|truncate|unlinkat|mmap|signal|wait) [^ ]+: `)
)

// Sentence gives a message a period at its end, if it has no question mark there. A message of
// this project also gets a capital at its start; a path, a name or the message of a system call
// does not.
func Sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}
	if !strings.HasSuffix(s, "?") {
		s = strings.TrimSuffix(s, ".") + "."
	}
	if ownWord.MatchString(s) && !system.MatchString(s) {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// FileName returns name as part of a file's name.
func FileName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("-_.+", r):
			return r
		}
		return '_'
	}, name)
}

// ListOr returns a list with commas, or otherwise where it is empty.
func ListOr(names []string, otherwise string) string {
	if len(names) == 0 {
		return otherwise
	}
	return strings.Join(names, ", ")
}

// SentenceStart returns a name with a capital, or another one where there is none.
func SentenceStart(name, otherwise string) string {
	if name == "" {
		name = otherwise
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// ShortPath returns a path relative to the working folder if it lies below it, and as it is
// otherwise.
func ShortPath(path string) string {
	here, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// ListFew lists at most four names.
func ListFew(names []string) string {
	if len(names) <= 4 {
		return ListOr(names, "none")
	}
	return ListOr(names[:4], "") + fmt.Sprintf(" and %d more", len(names)-4)
}
