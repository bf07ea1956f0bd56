package store

import "encoding/binary"

// Write writes the trace log into an image, except the runs of the level that is being found: these
// are written with their chunks.
func (l *TraceLog) Write(w *ImageWriter) error {
	read := Cursor{log: l}
	for x := range l.Streams {
		s := &l.Streams[x]
		for k := range s.blocks {
			b, err := read.block(&s.blocks[k])
			if err != nil {
				return err
			}
			if k == len(s.blocks)-1 {
				b = b[:len(b)-len(s.rest)]
			}
			w.Frame(FrameLog, binary.AppendUvarint(nil, uint64(x)), b)
		}
	}
	var b []byte
	for k, run := range l.Runs {
		b = binary.AppendUvarint(b, uint64(run.First))
		b = binary.AppendUvarint(b, uint64(run.stream))
		b = binary.AppendUvarint(b, uint64(run.at))
		if len(b) > MaxFrame/2 || k == len(l.Runs)-1 {
			w.Frame(FrameRuns, b)
			b = b[:0]
		}
	}
	return nil
}

// ReadBlock takes a block of one of the first so many streams.
func (l *TraceLog) ReadBlock(b []byte, streams int) error {
	f := fields{rest: b}
	x := f.next()
	if f.bad || x >= int64(streams) || len(f.rest) > l.arena.Size {
		return ErrDamaged
	}
	mem, at, err := l.arena.Hold(f.rest, l.arena.Disk.Log())
	if err != nil {
		return err
	}
	s := &l.Streams[x]
	s.blocks = append(s.blocks, logBlock{mem, at})
	return nil
}

// ReadRuns takes runs of the first so many streams.
func (l *TraceLog) ReadRuns(b []byte, streams int) error {
	f := fields{rest: b}
	for len(f.rest) > 0 {
		run := LogRun{First: f.next(), stream: int(f.next()), at: f.next()}
		if f.bad || run.stream >= streams {
			return ErrDamaged
		}
		l.Runs = append(l.Runs, run)
	}
	return nil
}

// OpenAt is where the run begins of the k-th chunk that stream x has in the level that is being
// found.
func (l *TraceLog) OpenAt(x, k int) int64 { return l.Streams[x].open[k].at }

// Reopen adds a run to those that stream x has in the level that is being found.
func (l *TraceLog) Reopen(x int, at int64) {
	s := &l.Streams[x]
	s.open = append(s.open, LogRun{stream: x, at: at})
}
