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
			switch {
			case k < len(s.blocks)-1:
			case s.length > 0: // it was read, and is not written any more
				b = b[:s.length-int64(k*l.arena.Size)]
			default:
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
	if s.length != int64(len(s.blocks)*l.arena.Size) {
		return ErrDamaged // only the last block has room left
	}
	s.blocks = append(s.blocks, logBlock{mem, at})
	s.length += int64(len(f.rest))
	return nil
}

// ReadRuns takes runs of the first so many streams.
func (l *TraceLog) ReadRuns(b []byte, streams int) error {
	f := fields{rest: b}
	for len(f.rest) > 0 {
		first, stream, at := f.next(), f.next(), f.next()
		if f.bad || stream >= int64(streams) {
			return ErrDamaged
		}
		run := LogRun{First: first, stream: int(stream), at: at}
		l.Runs = append(l.Runs, run)
	}
	return nil
}

// OpenAt returns where the run begins of the k-th chunk that stream x has in the level that is
// being found.
func (l *TraceLog) OpenAt(x, k int) int64 { return l.Streams[x].open[k].at }

// Opened returns how many runs stream x has in the level that is being found.
func (l *TraceLog) Opened(x int) int { return len(l.Streams[x].open) }

// Open returns the k-th of the runs that stream x has in the level that is being found, from 0.
func (l *TraceLog) Open(x, k int) LogRun { return l.Streams[x].open[k] }

// Verifier goes through the runs of a log that was read, each stream's in their order.
type Verifier struct {
	log  *TraceLog
	ends []int64 // by stream: bytes of its blocks before the next run
}

// Verify returns a verifier that stands before the first run of each stream.
func (l *TraceLog) Verify() *Verifier { return &Verifier{l, make([]int64, len(l.Streams))} }

// Each calls show for the records of a run, one for each of its nodes, and returns the first error
// of show. Records that are not there, or belong to the run before it, are an error.
func (v *Verifier) Each(run LogRun, nodes int64, show func(parent int64, instance uint64) error) error {
	length, size := v.log.Streams[run.stream].length, int64(v.log.arena.Size)
	if run.at < v.ends[run.stream] || run.at > length {
		return ErrDamaged
	}
	c := v.log.From(run)
	c.read, c.readAt = v.log.read, v.log.readAt
	for range nodes {
		if c.at%size+maxRecord > size {
			c.at += size - c.at%size
		}
		if c.at >= length {
			return ErrDamaged
		}
		b, err := c.block(&c.stream.blocks[c.at/size])
		if err != nil {
			return err
		}
		b = b[c.at%size : min(size, length-c.at/size*size)]
		d, n := binary.Uvarint(b)
		if n <= 0 || d > 1<<62 {
			return ErrDamaged
		}
		i, m := binary.Uvarint(b[n:])
		if c.parent += int64(d); m <= 0 || c.parent < 0 || n+m > maxRecord {
			return ErrDamaged
		}
		if err := show(c.parent, i); err != nil {
			return err
		}
		c.at += int64(n + m)
	}
	v.ends[run.stream] = c.at
	v.log.read, v.log.readAt = c.read, c.readAt
	return nil
}

// Reopen adds a run to those that stream x has in the level that is being found.
func (l *TraceLog) Reopen(x int, at int64) {
	s := &l.Streams[x]
	s.open = append(s.open, LogRun{stream: x, at: at})
}
