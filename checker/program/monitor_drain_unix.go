//go:build unix

package program

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

// readNow reads what is there. It returns os.ErrDeadlineExceeded where nothing is.
func readNow(c *net.UnixConn, b []byte) (n int, err error) {
	raw, err := c.SyscallConn()
	if err == nil {
		err = c.SetReadDeadline(time.Time{}) // an expired one reads nothing
	}
	if err != nil {
		return 0, err
	}
	var failed error
	err = raw.Read(func(fd uintptr) bool {
		for {
			if n, failed = syscall.Read(int(fd), b); !errors.Is(failed, syscall.EINTR) {
				return true
			}
		}
	})
	switch {
	case err != nil:
		return 0, err
	case errors.Is(failed, syscall.EAGAIN):
		return 0, os.ErrDeadlineExceeded
	case failed != nil:
		return 0, failed
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// acceptNow takes a connection that waits. It returns an error where none does.
func acceptNow(l *net.UnixListener) (*net.UnixConn, error) {
	raw, err := l.SyscallConn()
	if err != nil {
		return nil, err
	}
	fd := -1
	var failed error
	err = raw.Control(func(listening uintptr) {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if fd, _, failed = syscall.Accept(int(listening)); failed == nil {
			syscall.CloseOnExec(fd)
		}
	})
	if err != nil || failed != nil {
		return nil, errors.Join(err, failed)
	}
	f := os.NewFile(uintptr(fd), "tap")
	defer f.Close()
	conn, err := net.FileConn(f) // of its own
	if err != nil {
		return nil, err
	}
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, fmt.Errorf("a socket gave a connection of type %T", conn)
	}
	return unix, nil
}
