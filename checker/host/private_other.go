//go:build !unix

package host

import "os"

// Private returns nil. Without owners and modes of Unix, the folder's access list decides, and the
// default folder is one in the user's profile.
func Private(string) error { return nil }

// Regular reports whether a path is a regular file, not a link.
func Regular(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}
