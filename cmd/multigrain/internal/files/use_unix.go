//go:build unix && !aix && !solaris

package files

import (
	"errors"
	"os"
	"syscall"
)

type lock int

const (
	shared    lock = syscall.LOCK_SH
	exclusive lock = syscall.LOCK_EX | syscall.LOCK_NB
)

// opened opens a file for a lock, and makes it if need be. It follows no link.
func opened(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
}

// locked locks a file until it is closed. The error is errUsed if another process holds a lock.
func locked(f *os.File, how lock) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), int(how)); {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errUsed
		default:
			return err
		}
	}
}
