//go:build unix

package shell

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// permitted says why the system does not allow the process to make files in an existing folder:
// its mode, or a file system that is read only.
func permitted(dir string) error {
	if err := unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS); err != nil {
		return &fs.PathError{Op: "access", Path: dir, Err: err}
	}
	return nil
}
