//go:build unix

package monitor

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// feed makes a named pipe on which an assembled program can read what this process has open, and
// a function that removes it.
func feed(source string) (path string, remove func(), err error) {
	in := os.Stdin
	if source != "-" && source != "/dev/stdin" {
		if in, err = os.Open(source); err != nil {
			return "", nil, err
		}
	}
	dir, err := os.MkdirTemp("", "multigrain-*")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "stream")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		os.RemoveAll(dir)
		return "", nil, fmt.Errorf("a pipe for %s: %w", source, err)
	}
	go func() {
		to, err := os.OpenFile(path, os.O_WRONLY, 0) // waits for the reader
		if err != nil {
			return
		}
		defer to.Close()
		io.Copy(to, in)
	}()
	return path, func() { os.RemoveAll(dir) }, nil
}
