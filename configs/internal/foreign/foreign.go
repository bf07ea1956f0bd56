// Package foreign recognizes files that the caller may not have meant.
//
// A manifest can name any file with extends, and a link can lead to any file. The log in which the
// messages end may be public. So package configs shows the text of a file in two cases only:
//
//   - The file parses, and has nothing at its top that a manifest, or a file of values, lacks.
//   - The command line names the file. It is no link, and its name ends in .hcl, for values also in
//     .json. A stream that the caller opened counts as such a file.
//
// Of any other file with a mistake a message says the line, and no more.
package foreign

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Ending is how the name of a manifest ends.
const Ending = ".hcl"

// Stream reports whether a path names an open stream of the process.
func Stream(path string) bool {
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// Canonical returns a name of the file that is the same along whatever folders and links it was
// reached.
func Canonical(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// Misnamed reports whether a file must not be opened as a manifest, since it could be any file. The
// name of a manifest that another one extends must, with links followed, end in Ending. So must the
// name of a file with that ending on the command line. Misnamed returns the name with links
// followed. It accepts a folder and a missing file, which the reader reports.
func Misnamed(path string, extended bool) (real string, bad bool) {
	if !extended && (Stream(path) || !endsIn(path, Ending)) {
		return "", false
	}
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return "", false
	}
	real = Canonical(path)
	return real, !endsIn(real, Ending)
}

// Unmeant reports whether a file on the command line could be another one than the caller meant.
// That is a link, or a name that ends neither in Ending nor in one of the given endings.
func Unmeant(path string, endings ...string) bool {
	if Stream(path) {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0 || !endsIn(path, append(endings, Ending)...)
}

func endsIn(path string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.EqualFold(filepath.Ext(path), e) })
}
