package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/multigrain/multigrain/checker/host"
)

// Disk keeps what of the frontier and of the trace log does not fit into memory.
type Disk struct {
	log    *Scratch
	levels [2]*Scratch // of this level and of the next, in turn
	next   int         // which of them is the next level's
}

// NewDisk returns a Disk whose files are made in a folder when they are first written.
func NewDisk(folder string) *Disk {
	return &Disk{&Scratch{folder: folder}, [2]*Scratch{{folder: folder}, {folder: folder}}, 0}
}

// NextLevel returns the file of the level that is being found; nil where nothing is spilled.
func (d *Disk) NextLevel() *Scratch {
	if d == nil {
		return nil
	}
	return d.levels[d.next]
}

// ThisLevel returns the file of the level that is being expanded; nil where nothing is spilled.
func (d *Disk) ThisLevel() *Scratch {
	if d == nil {
		return nil
	}
	return d.levels[d.next^1]
}

// Log returns the file of the trace log; nil where nothing is spilled.
func (d *Disk) Log() *Scratch {
	if d == nil {
		return nil
	}
	return d.log
}

// Turn ends a level, whose chunks are no longer needed.
func (d *Disk) Turn() {
	if d != nil {
		d.next ^= 1
		d.levels[d.next].clear()
	}
}

// Close closes and removes the files. A nil Disk has none.
func (d *Disk) Close() {
	if d != nil {
		d.log.close()
		d.levels[0].close()
		d.levels[1].close()
	}
}

// Bytes returns the most that the files held, each at its time.
func (d *Disk) Bytes() int64 {
	if d == nil {
		return 0
	}
	return d.log.peak() + d.levels[0].peak() + d.levels[1].peak()
}

// Scratch is a file without a name, where the system allows it: it is gone when the process is,
// however that ends.
type Scratch struct {
	folder string

	mu   sync.Mutex
	file host.File // nil until something is written
	name string    // of a file that has to be removed
	end  int64
	most int64
}

// spillError is a failure of the disk.
type spillError struct {
	folder string
	err    error
}

func (e *spillError) Error() string {
	return fmt.Sprintf("what does not fit into memory cannot be kept in %s: %v", e.folder, Cause(e.err))
}

func (e *spillError) Unwrap() error { return e.err }

// Write appends b and returns where it lies. Several may write at the same time.
func (s *Scratch) Write(b []byte) (at int64, err error) {
	file, at, err := s.claim(len(b))
	if err == nil {
		_, err = file.WriteAt(b, at)
	}
	if err != nil {
		return 0, &spillError{s.folder, err}
	}
	return at, nil
}

// claim makes place for so many bytes.
func (s *Scratch) claim(n int) (host.File, int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		f, err := host.CreateTemp(s.folder, "multigrain-*.spill")
		if err != nil {
			return nil, 0, err
		}
		s.file = f
		if host.Remove(f.Name()) != nil { // some systems keep the names of open files
			s.name = f.Name()
		}
	}
	at := s.end
	s.end += int64(n)
	s.most = max(s.most, s.end)
	return s.file, at, nil
}

// Read fills b with what was written at that place.
func (s *Scratch) Read(b []byte, at int64) error {
	if _, err := s.file.ReadAt(b, at); err != nil {
		return &spillError{s.folder, err}
	}
	return nil
}

// clear forgets all that was written.
func (s *Scratch) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end > 0 {
		s.file.Truncate(0) // where that fails, what comes next overwrites it
		s.end = 0
	}
}

func (s *Scratch) peak() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

func (s *Scratch) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		s.file.Close()
		if s.name != "" {
			host.Remove(s.name)
		}
		s.file = nil
	}
}

// Cause returns the cause of a failure without the path, which is named otherwise.
func Cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}
