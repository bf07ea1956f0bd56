package program

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
)

// maxTail is how many bytes of what was read of a file a snapshot holds.
const maxTail = 256

// kept is the content of a snapshot's file: the place where the stream continues, and the checker.
type kept struct {
	Of                              string // who wrote it
	Offset, Line, Malformed, Alarms int64
	Tail                            []byte // of the stream before Offset
	Unreadable                      []wire.Unreadable
	Alarm                           []byte // the first, as JSON; empty where there is none
	Checker                         []byte
}

// self names this program, whose name is that of its content, and what it is asked.
func (w *watch[S]) self() string {
	path, err := os.Executable()
	if err != nil {
		path = "unknown"
	}
	return fmt.Sprintf("%s %d %t %t", filepath.Base(path), w.o.Node, w.o.Total, w.o.Steps)
}

// restore continues from the snapshot, where there is one.
func (w *watch[S]) restore() error {
	if w.o.Snapshot == "" {
		return nil
	}
	sweep(w.o.Snapshot)
	b, err := host.ReadFile(w.o.Snapshot)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var k kept
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&k); err != nil {
		return fmt.Errorf("%s is no snapshot, or a damaged one (%w); remove it to begin anew, or name another file", w.o.Snapshot, err)
	}
	if k.Of != w.self() {
		return fmt.Errorf("snapshot %s belongs to another composition, node or order; remove it to begin anew", w.o.Snapshot)
	}
	if err := w.c.Restore(k.Checker); err != nil {
		return fmt.Errorf("%s: %w", w.o.Snapshot, err)
	}
	w.offset, w.line, w.malformed, w.alarms, w.unreadable, w.sent = k.Offset, k.Line, k.Malformed, k.Alarms, k.Unreadable, len(k.Unreadable)
	w.tail = k.Tail
	if len(k.Alarm) > 0 {
		w.alarm = json.RawMessage(k.Alarm)
	}
	if w.live { // what passed meanwhile is not known, but to a tap that kept it
		w.c.Add(w.c.Decoder.Lost(1, "the monitor was down"))
	}
	return nil
}

// save writes the snapshot, in one piece.
func (w *watch[S]) save() error {
	if w.o.Snapshot == "" {
		return nil
	}
	k := kept{Of: w.self(), Offset: w.offset, Tail: w.tail, Line: w.line, Malformed: w.malformed, Alarms: w.alarms, Unreadable: w.unreadable}
	var err error
	if k.Checker, err = w.c.Snapshot(); err != nil {
		return err
	}
	if w.alarm != nil {
		if k.Alarm, err = json.Marshal(w.alarm); err != nil {
			return err
		}
	}
	return replace(w.o.Snapshot, func(f io.Writer) error { return gob.NewEncoder(f).Encode(&k) })
}

// replace writes a file in one piece: whenever the process or the machine ends, the old one or the
// new one is there. A process whose command was killed may still be at it when the next one is.
func replace(path string, write func(io.Writer) error) error {
	f, err := host.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.next")
	if err != nil {
		return err
	}
	buf := bufio.NewWriter(f)
	if err = write(buf); err == nil {
		err = buf.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = host.Rename(f.Name(), path)
	}
	if err != nil {
		host.Remove(f.Name())
	}
	return err
}

// sweep removes what processes that were killed have left of snapshots to come.
func sweep(path string) {
	files, _ := os.ReadDir(filepath.Dir(path))
	for _, f := range files {
		if name := f.Name(); strings.HasPrefix(name, filepath.Base(path)+".") && strings.HasSuffix(name, ".next") {
			host.Remove(filepath.Join(filepath.Dir(path), name))
		}
	}
}
