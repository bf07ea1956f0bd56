package program

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/host"
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

// lines sends the lines of a source, some at a time, until it ends. A file ends at its end. A
// socket ends some time after ctx, when all that was written to it is read. An empty batch before
// that end says that there was more than could be read by then. Nothing is sent any more after
// over. A file is read from a position that follows tail.
func lines(ctx, over context.Context, drain time.Duration, source string, from int64, tail []byte) (<-chan []line, error) {
	to := make(chan []line, 16)
	if path, ok := strings.CutPrefix(source, "unix:"); ok {
		return to, listen(ctx, over, drain, path, to)
	}
	var f host.File = os.Stdin
	if source != "-" {
		var err error
		if f, err = host.Open(source); err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err != nil || info.IsDir() {
			f.Close()
			return nil, &os.PathError{Op: "read", Path: source, Err: cmp.Or(err, errors.New("it is a folder"))}
		}
		if from > 0 {
			if err := goOn(f, from, tail); err != nil {
				f.Close()
				return nil, err
			}
		}
	}
	go func() {
		defer close(to)
		defer f.Close()
		if err := readLines(over, f, to); err != nil && over.Err() == nil {
			to <- []line{{bad: err.Error()}}
		}
	}()
	return to, nil
}

// goOn goes to place from of a file, which tail stands before.
func goOn(f host.File, from int64, tail []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	b := make([]byte, len(tail))
	if _, err := f.ReadAt(b, from-int64(len(b))); info.Size() < from || err != nil || !bytes.Equal(b, tail) {
		return fmt.Errorf("%s is not the file that the snapshot was kept of, or no longer begins with what was read of it; remove the snapshot to begin anew", f.Name())
	}
	_, err = f.Seek(from, io.SeekStart)
	return err
}

// listen takes one connection after the other, until ctx ends and all that was written is read.
func listen(ctx, over context.Context, drain time.Duration, path string, to chan<- []line) error {
	if info, err := os.Stat(path); err == nil {
		if info.Mode()&os.ModeSocket == 0 {
			return &os.PathError{Op: "listen", Path: path, Err: errors.New("there is a file that is no socket; name another path, or leave out unix: to read it")}
		}
		if conn, err := net.Dial("unix", path); err == nil {
			conn.Close()
			return &os.PathError{Op: "listen", Path: path, Err: errors.New("another process listens there")}
		}
		host.Remove(path) // a killed process did not remove its socket
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return &os.PathError{Op: "listen", Path: path, Err: err}
	}
	go func() {
		defer close(to)
		defer l.Close()
		last := &drainage{ctx: ctx, drain: drain}
		defer context.AfterFunc(ctx, func() { l.SetDeadline(past) })()
		for {
			conn, err := last.accept(l)
			if err != nil {
				if ctx.Err() == nil {
					to <- []line{{bad: err.Error()}}
				}
				break
			}
			stop := context.AfterFunc(ctx, func() { conn.SetReadDeadline(past) })
			// After its end or an error the tap connects again.
			err = readLines(over, drained{conn, last}, to)
			last.cut = last.cut || errors.Is(err, errUnfinished)
			stop()
			conn.Close()
		}
		if last.cut {
			select {
			case to <- nil:
			case <-over.Done():
			}
		}
	}()
	return nil
}

// errUnfinished reports that a connection has delivered only the beginning of a line so far.
var errUnfinished = errors.New("the line is not whole yet")

// maxBatch bounds the bytes of lines that are sent together, except for the last.
const maxBatch = 16 << 10

// readLines sends the lines of r, those together that are there, until its end, an error or that of
// ctx. It skips a line that is too long.
func readLines(ctx context.Context, r io.Reader, to chan<- []line) error {
	b := bufio.NewReaderSize(r, 64<<10)
	var room []byte // of many lines, which the events that are read of them keep
	var batch []line
	from := 0    // of the line in room
	waiting := 0 // bytes
	for {
		part, err := b.ReadSlice('\n')
		size := len(room) - from + len(part)
		if from == len(room) && cap(room)-from < len(part) {
			room, from = make([]byte, 0, max(maxBatch, len(part))), 0
		}
		if size <= maxLine {
			room = append(room, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			if size > maxLine {
				size += skipLine(b)
				err = nil
			} else {
				continue
			}
		}
		l := line{text: room[from:len(room):len(room)], size: int64(size)}
		if size > maxLine {
			l = line{bad: "it is longer than 1 MiB", size: int64(size)}
		} else if err != nil && size > 0 {
			l.cut = true
		}
		if l.cut && errors.Is(err, os.ErrDeadlineExceeded) {
			size, err = 0, errUnfinished
		}
		if size > 0 {
			batch = append(batch, l)
			waiting += len(l.text)
		}
		if len(batch) > 0 && (err != nil || b.Buffered() == 0 || waiting >= maxBatch) {
			select {
			case to <- batch:
			case <-ctx.Done():
				return nil
			}
			batch, waiting = make([]line, 0, len(batch)), 0
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		from = len(room)
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
