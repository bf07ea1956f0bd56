package program

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
)

// maxLine bounds a line of a stream, in bytes.
const maxLine = 1 << 20

// line is one of a stream. Bad is why it cannot be read, "" where it can.
type line struct {
	text []byte
	bad  string
	cut  bool  // the source ends within it
	size int64 // bytes of the stream that it takes
}

// lines sends the lines of a source, some at a time, until it ends: a file at its end, a socket when ctx does. from is where to begin in a file.
func lines(ctx context.Context, source string, from int64) (<-chan []line, error) {
	to := make(chan []line, 16)
	if path, ok := strings.CutPrefix(source, "unix:"); ok {
		return to, listen(ctx, path, to)
	}
	f := os.Stdin
	if source != "-" {
		var err error
		if f, err = os.Open(source); err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err != nil || info.IsDir() {
			f.Close()
			return nil, &os.PathError{Op: "read", Path: source, Err: cmp.Or(err, errors.New("it is a folder"))}
		}
		if from > 0 {
			if _, err := f.Seek(from, io.SeekStart); err != nil {
				f.Close()
				return nil, err
			}
		}
	}
	go func() {
		defer close(to)
		defer f.Close()
		readLines(ctx, f, to)
	}()
	return to, nil
}

// listen takes one connection after the other.
func listen(ctx context.Context, path string, to chan<- []line) error {
	if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		if conn, err := net.Dial("unix", path); err == nil {
			conn.Close()
			return &os.PathError{Op: "listen", Path: path, Err: errors.New("another process listens there")}
		}
		os.Remove(path) // left behind by a process that was killed
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return &os.PathError{Op: "listen", Path: path, Err: err}
	}
	go func() {
		<-ctx.Done()
		l.Close()
	}()
	go func() {
		defer close(to)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			stop := context.AfterFunc(ctx, func() { conn.Close() })
			readLines(ctx, conn, to)
			stop()
			conn.Close()
		}
	}()
	return nil
}

// maxBatch bounds the bytes of lines that are sent together, but for the last.
const maxBatch = 16 << 10

// readLines sends the lines of r, those together that are there. One that is too long is passed over.
func readLines(ctx context.Context, r io.Reader, to chan<- []line) {
	b := bufio.NewReaderSize(r, 64<<10)
	var text []byte
	var batch []line
	bytes := 0
	for {
		part, err := b.ReadSlice('\n')
		size := len(text) + len(part)
		if size <= maxLine {
			text = append(text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			if size > maxLine {
				size += skipLine(b)
				err = nil
			} else {
				continue
			}
		}
		l := line{text: text, size: int64(size)}
		if size > maxLine {
			l = line{bad: "it is longer than 1 MiB", size: int64(size)}
		} else if err != nil && size > 0 {
			l.cut = true
		}
		if size > 0 {
			batch = append(batch, l)
			bytes += len(l.text)
		}
		if len(batch) > 0 && (err != nil || b.Buffered() == 0 || bytes >= maxBatch) {
			select {
			case to <- batch:
			case <-ctx.Done():
				return
			}
			batch, bytes = nil, 0
		}
		if err != nil {
			return
		}
		text = nil
	}
}

// skipLine passes over the rest of a line and returns its length.
func skipLine(b *bufio.Reader) (n int) {
	for {
		part, err := b.ReadSlice('\n')
		n += len(part)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return n
		}
	}
}
