package explore

import "encoding/binary"

// write writes the trace log into an image, except the runs of the level that is being found: these
// are written with their chunks.
func (l *traceLog) write(w *imageWriter) error {
	read := cursor{log: l}
	for x := range l.streams {
		s := &l.streams[x]
		for k := range s.blocks {
			b, err := read.block(&s.blocks[k])
			if err != nil {
				return err
			}
			if k == len(s.blocks)-1 {
				b = b[:len(b)-len(s.rest)]
			}
			w.frame(frameLog, binary.AppendUvarint(nil, uint64(x)), b)
		}
	}
	var b []byte
	for k, run := range l.runs {
		b = binary.AppendUvarint(b, uint64(run.first))
		b = binary.AppendUvarint(b, uint64(run.stream))
		b = binary.AppendUvarint(b, uint64(run.at))
		if len(b) > maxFrame/2 || k == len(l.runs)-1 {
			w.frame(frameRuns, b)
			b = b[:0]
		}
	}
	return nil
}

// readBlock takes a block of one of the first so many streams.
func (l *traceLog) readBlock(b []byte, streams int) error {
	f := fields{rest: b}
	x := f.next()
	if f.bad || x >= int64(streams) || len(f.rest) > l.arena.size {
		return errDamaged
	}
	mem, at, err := l.arena.hold(f.rest, l.arena.disk.logFile())
	if err != nil {
		return err
	}
	s := &l.streams[x]
	s.blocks = append(s.blocks, logBlock{mem, at})
	return nil
}

// readRuns takes runs of the first so many streams.
func (l *traceLog) readRuns(b []byte, streams int) error {
	f := fields{rest: b}
	for len(f.rest) > 0 {
		run := logRun{first: f.next(), stream: int(f.next()), at: f.next()}
		if f.bad || run.stream >= streams {
			return errDamaged
		}
		l.runs = append(l.runs, run)
	}
	return nil
}

// openAt is where the run begins of the k-th chunk that stream x has in the level that is being found.
func (l *traceLog) openAt(x, k int) int64 { return l.streams[x].open[k].at }

// reopen adds a run to those that stream x has in the level that is being found.
func (l *traceLog) reopen(x int, at int64) {
	s := &l.streams[x]
	s.open = append(s.open, logRun{stream: x, at: at})
}
