package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/checker/host"
)

// Unread says why a file could not be read, in a sentence without its period.
func Unread(path string, err error) error {
	var pathErr *fs.PathError
	if info, statErr := os.Stat(path); statErr == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder and no file", path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", path)
	case errors.As(err, &pathErr):
		return fmt.Errorf("%s cannot be read: %w", path, pathErr.Err)
	}
	return err
}

// most is the size in bytes of the largest file that Read reads.
const most = 1 << 30

// Read reads a whole file. It refuses named pipes, devices and sockets: opening one may wait
// without end, and reading one may never end. A stream that the caller opened, such as
// /dev/stdin, is fine. The error is a sentence without its period.
func Read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() && !isStream(path) {
		return nil, fmt.Errorf("%s is a pipe, a device or a socket, and no file", path)
	}
	f, err := host.Open(path)
	if err != nil {
		return nil, Unread(path, err)
	}
	defer f.Close()
	size := int64(0) // as far as it is known
	if info != nil {
		size = min(info.Size(), most)
	}
	// A file of its size is copied into it once.
	text := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	if _, err := text.ReadFrom(Bounded(f, most)); err != nil {
		return nil, Unread(path, err)
	}
	return text.Bytes(), nil
}

// ReadAll reads a stream to its end. It fails if the stream has more than 1 GiB (most), or as the
// stream does.
func ReadAll(r io.Reader) ([]byte, error) { return io.ReadAll(Bounded(r, most)) }

// Bounded returns a reader that fails after so many bytes.
func Bounded(r io.Reader, bytes int64) io.Reader { return &bounded{r, bytes, bytes} }

type bounded struct {
	from       io.Reader
	left, most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.from.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("there are more than %d bytes", b.most)
	}
	return n, err
}

// Until returns a reader of a stream that fails with the cause of ctx when ctx is done, also while
// the stream waits for more. What the stream gives after that is lost.
func Until(ctx context.Context, r io.Reader) io.Reader {
	u := &until{ctx: ctx, parts: make(chan part)}
	go func() {
		for {
			p := make([]byte, 64<<10)
			n, err := r.Read(p)
			select {
			case <-ctx.Done():
				return
			case u.parts <- part{p[:n], err}:
			}
			if err != nil {
				return
			}
		}
	}()
	return u
}

type until struct {
	ctx   context.Context
	parts chan part
	have  []byte
	err   error // that ends the stream
}

// part is the result of one call of Read.
type part struct {
	text []byte
	err  error
}

func (u *until) Read(p []byte) (int, error) {
	if len(u.have) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		select {
		case <-u.ctx.Done():
			return 0, context.Cause(u.ctx)
		case x := <-u.parts:
			u.have, u.err = x.text, x.err
			if len(u.have) == 0 {
				return 0, u.err
			}
		}
	}
	n := copy(p, u.have)
	u.have = u.have[n:]
	return n, nil
}

// isStream reports whether a path names an open stream of the process.
func isStream(path string) bool {
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// WriteFile writes a file so that every reader sees the old content or the new one. Folders are
// made. The error is a sentence without its period.
func WriteFile(path string, content []byte, mode os.FileMode) error {
	err := host.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = replaceFile(path, content, mode)
	}
	return unwritten(path, err)
}

// unwritten says why a file could not be written, in a sentence without its period.
func unwritten(path string, err error) error {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr): // its path may be the temporary file's
		err = pathErr.Err
	case errors.As(err, &linkErr):
		err = linkErr.Err
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}

// replaceFile writes a file in a folder that exists.
func replaceFile(path string, content []byte, mode os.FileMode) error {
	tmp, err := host.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer host.Remove(tmp.Name()) // gone already where all went well
	_, err = tmp.Write(content)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Chmod(tmp.Name(), mode)
	}
	if err != nil {
		return err
	}
	return host.Rename(tmp.Name(), path)
}

// Cause returns an error without the path of a file that nobody named.
func Cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}
