//go:build unix

package monitor

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/multigrain/multigrain/checker/host"
)

// feed makes a named pipe on which an assembled program can read what this process has open, and
// a function that removes it.
func feed(source string) (path string, remove func(), err error) {
	var in host.File = os.Stdin
	if source != "-" && source != "/dev/stdin" {
		if in, err = host.Open(source); err != nil {
			return "", nil, err
		}
	}
	dir, err := host.MkdirTemp("", "multigrain-*")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "stream")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		host.RemoveAll(dir)
		return "", nil, fmt.Errorf("a pipe for %s: %w", source, err)
	}
	go func() {
		to, err := host.OpenFile(path, os.O_WRONLY, 0) // waits for the reader
		if err != nil {
			return
		}
		defer to.Close()
		io.Copy(to, in)
	}()
	return path, func() { host.RemoveAll(dir) }, nil
}
