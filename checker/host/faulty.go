package host

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Faulty is a system that fails as a plan says.
type Faulty struct {
	under System
	plan  Plan
	hits  []operation

	mu     sync.Mutex
	rand   *rand.Rand
	done   int64         // operations that the fault can hit
	offset time.Duration // of the clock
	stood  time.Time     // what a stopped clock shows
}

// NewFaulty makes a system that does what another one does, except for the fault of a plan.
func NewFaulty(under System, p Plan) *Faulty {
	return &Faulty{under: under, plan: p, hits: Faults[p.Fault], rand: rand.New(rand.NewPCG(p.Seed, uint64(p.Nth)))}
}

// strikes reports whether an operation fails, and notes the first time in the log.
func (s *Faulty) strikes(op operation, name string) bool {
	if !slices.Contains(s.hits, op) {
		return false
	}
	s.done++
	if s.done == s.plan.Nth && s.plan.Log != "" {
		if f, err := os.OpenFile(s.plan.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
			fmt.Fprintf(f, "%s %s\n", s.plan.Fault, name)
			f.Close()
		}
	}
	return s.done == s.plan.Nth || s.done > s.plan.Nth && s.plan.Lasts
}

// fault returns the error of an operation; nil where it does not fail.
func (s *Faulty) fault(op operation, name string) error {
	s.mu.Lock()
	strikes := s.strikes(op, name)
	s.mu.Unlock()
	if !strikes {
		return nil
	}
	switch s.plan.Fault {
	case "no-space":
		return syscall.ENOSPC
	case "no-open":
		return syscall.EMFILE
	case "forbidden", "no-remove":
		return fs.ErrPermission
	case "slow-write":
		time.Sleep(20 * time.Millisecond)
		return nil
	}
	return errDevice
}

// errDevice is the failure of a disk.
const errDevice = syscall.EIO

// OpenFile calls that of the system below, or fails with a *fs.PathError.
func (s *Faulty) OpenFile(name string, flag int, mode fs.FileMode) (File, error) {
	op := opOpen
	if flag&os.O_CREATE != 0 {
		op = opMake
	}
	if err := s.fault(op, name); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return s.file(s.under.OpenFile(name, flag, mode))
}

// CreateTemp calls that of the system below, or fails with a *fs.PathError.
func (s *Faulty) CreateTemp(folder, pattern string) (File, error) {
	if err := s.fault(opMake, pattern); err != nil {
		return nil, &fs.PathError{Op: "open", Path: pattern, Err: err}
	}
	return s.file(s.under.CreateTemp(folder, pattern))
}

func (s *Faulty) file(f File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return &faultyFile{f, s}, nil
}

// MkdirTemp calls that of the system below, or fails with a *fs.PathError.
func (s *Faulty) MkdirTemp(folder, pattern string) (string, error) {
	if err := s.fault(opMake, pattern); err != nil {
		return "", &fs.PathError{Op: "mkdir", Path: pattern, Err: err}
	}
	return s.under.MkdirTemp(folder, pattern)
}

// MkdirAll calls that of the system below, or fails with a *fs.PathError. It never fails for a
// folder that exists.
func (s *Faulty) MkdirAll(path string, mode fs.FileMode) error {
	if _, err := os.Stat(path); err != nil { // nothing is made of a folder that exists
		if err := s.fault(opMake, path); err != nil {
			return &fs.PathError{Op: "mkdir", Path: path, Err: err}
		}
	}
	return s.under.MkdirAll(path, mode)
}

// Rename calls that of the system below, or fails with a *os.LinkError.
func (s *Faulty) Rename(from, to string) error {
	if err := s.fault(opRename, to); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return s.under.Rename(from, to)
}

// Remove calls that of the system below, or fails with a *fs.PathError.
func (s *Faulty) Remove(name string) error {
	if err := s.fault(opRemove, name); err != nil {
		return &fs.PathError{Op: "remove", Path: name, Err: err}
	}
	return s.under.Remove(name)
}

// RemoveAll calls that of the system below, or fails with a *fs.PathError.
func (s *Faulty) RemoveAll(path string) error {
	if err := s.fault(opRemove, path); err != nil {
		return &fs.PathError{Op: "remove", Path: path, Err: err}
	}
	return s.under.RemoveAll(path)
}

// Now returns the time of a clock that jumps or stops. Other faults leave it alone.
func (s *Faulty) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.under.Now()
	if !s.strikes(opClock, "the clock") {
		if s.stood.IsZero() {
			return now.Add(s.offset)
		}
		return s.stood
	}
	switch s.plan.Fault {
	case "clock-jumps":
		s.offset = time.Duration(s.rand.Int64N(int64(48*time.Hour))) - 24*time.Hour
	case "clock-leaps":
		s.offset = 10 * 365 * 24 * time.Hour
	case "clock-back":
		s.offset = -time.Hour
	case "clock-stops":
		if s.stood.IsZero() {
			s.stood = now
		}
		return s.stood
	}
	return now.Add(s.offset)
}

// Since returns how long ago a time was, by this clock. It may be negative.
func (s *Faulty) Since(t time.Time) time.Duration { return s.Now().Sub(t) }

// faultyFile is an open file of a faulty system.
type faultyFile struct {
	File
	system *Faulty
}

func (f *faultyFile) fault(op operation, what string) error {
	if err := f.system.fault(op, f.Name()); err != nil {
		return &fs.PathError{Op: what, Path: f.Name(), Err: err}
	}
	return nil
}

func (f *faultyFile) Read(b []byte) (int, error) {
	if err := f.fault(opRead, "read"); err != nil {
		return 0, err
	}
	return f.File.Read(b)
}

func (f *faultyFile) ReadAt(b []byte, at int64) (int, error) {
	if err := f.fault(opRead, "read"); err != nil {
		return 0, err
	}
	return f.File.ReadAt(b, at)
}

// Write writes half of b where it fails, as a disk does that becomes full.
func (f *faultyFile) Write(b []byte) (int, error) {
	if err := f.fault(opWrite, "write"); err != nil {
		n, _ := f.File.Write(b[:len(b)/2])
		return n, err
	}
	return f.File.Write(b)
}

func (f *faultyFile) WriteAt(b []byte, at int64) (int, error) {
	if err := f.fault(opWrite, "write"); err != nil {
		n, _ := f.File.WriteAt(b[:len(b)/2], at)
		return n, err
	}
	return f.File.WriteAt(b, at)
}

func (f *faultyFile) Sync() error {
	if err := f.fault(opSync, "sync"); err != nil {
		return err
	}
	return f.File.Sync()
}
