package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/memory"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/checker/host"
)

// Files of a checkpoint's folder. A checkpoint is written under the second name and gets the first
// when all of it is on the disk.
const (
	imageName   = "checkpoint"
	partialName = "checkpoint.partial"
)

// imageVersion is the format of checkpoints. Others are refused.
const imageVersion = 6

// CheckpointError is a checkpoint that cannot be used, or a folder that no checkpoint may be
// written into.
type CheckpointError struct {
	Folder string
	Text   string // a sentence without its period
}

func (e *CheckpointError) Error() string { return e.Text }

// meta is the description of the run in a checkpoint: all except the large parts.
type meta struct {
	Version  int
	Identity []Fact
	Block    int   // bytes of a block of the trace log
	Streams  int   // of the trace log
	Visited  int64 // fingerprints
	Numbered int64
	Levels   []int64
	Closed   []int64
	Elapsed  time.Duration

	Generated, Masked int64
	MaskedBy          []int64
	Digest, Goals     uint64
	Rest, Found       uint64  // sums of the frontier: this level and the next
	Fired, First      []int64 // by instance
	Left              []int64 // steps that were left out, by action
	Order             []int   // see run.ordered
	Groups            []savedGroup
}

// savedGroup is one of the groups of violations.
type savedGroup struct {
	Invariant, Action, Level, Instance int
	Count, Parent                      int64
	Node, Before                       []byte
}

// keeper writes checkpoints, and reads the one that a run continues from. A nil one does neither.
type keeper struct {
	folder   string
	room     int64 // see Options
	key      []byte
	identity []Fact
	status   checker.Checkpoint

	// The checkpoint that the run continues from, until it is restored.
	file host.File
	from *store.ImageReader
	meta *meta // nil where there is none

	locks []*folderLock // on the folders of both checkpoints
}

// newKeeper opens the checkpoint to continue from, if there is one, and makes sure that others can
// be written.
func newKeeper(o *Options, identity []Fact) (*keeper, error) {
	if o.Checkpoint == "" {
		return nil, nil
	}
	k := &keeper{folder: o.Checkpoint, room: o.room, key: o.Key, identity: identity, status: checker.Checkpoint{Folder: o.Checkpoint}}
	err := k.lock(o.Resume)
	if err == nil && o.Resume != "" {
		err = k.open(o.Resume)
	}
	if err == nil {
		err = k.writable(o.Resume)
	}
	if err != nil {
		k.done()
		k.unlock()
		return nil, err
	}
	return k, nil
}

// lock makes the folder and locks it, and the one of the checkpoint that the run continues. Of the
// latter, only another run's lock matters: this run does not write there.
func (k *keeper) lock(resume string) error {
	if filepath.Clean(resume) != filepath.Clean(k.folder) {
		if err := host.MkdirAll(k.folder, 0o755); err != nil {
			return k.unwritable(err)
		}
	}
	var used *CheckpointError
	l, err := lockFolder(k.folder)
	switch {
	case err == nil:
		k.locks = append(k.locks, l)
	case errors.As(err, &used):
		return err
	case resume == "" || !errors.Is(err, fs.ErrNotExist): // open reports a missing folder
		return k.unwritable(err)
	}
	if resume == "" || sameFolder(resume, k.folder) {
		return nil
	}
	if l, err = lockFolder(resume); errors.As(err, &used) {
		return err
	} else if err == nil {
		k.locks = append(k.locks, l)
	}
	return nil
}

// sameFolder reports whether two paths lead to one folder, or to none.
func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	y, lost := os.Stat(b)
	return err == nil && lost == nil && os.SameFile(x, y) || filepath.Clean(a) == filepath.Clean(b)
}

func (k *keeper) unwritable(err error) error {
	return fmt.Errorf("checkpoints cannot be written into %s: %w", k.folder, memory.Cause(err))
}

// writable makes the folder and tries to write into it. A checkpoint of another run is not
// overwritten.
func (k *keeper) writable(resume string) error {
	err := host.MkdirAll(k.folder, 0o755)
	if err == nil && filepath.Clean(resume) != filepath.Clean(k.folder) {
		if _, err := os.Stat(filepath.Join(k.folder, imageName)); err == nil {
			return &CheckpointError{k.folder, fmt.Sprintf("the folder %s holds a checkpoint already. Continue from it with -resume, name another folder, or remove it",
				k.folder)}
		}
	}
	if err == nil {
		var f host.File
		if f, err = host.Create(filepath.Join(k.folder, partialName)); err == nil {
			f.Close()
			err = host.Remove(f.Name())
		}
	}
	if err != nil {
		return k.unwritable(err)
	}
	return nil
}

// open reads the head of a checkpoint and compares what has to be the same.
func (k *keeper) open(folder string) (err error) {
	refuse := func(format string, args ...any) error {
		return &CheckpointError{folder, fmt.Sprintf(format, args...)}
	}
	path := filepath.Join(folder, imageName)
	k.file, err = host.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse("the folder %s holds no checkpoint", folder)
	case err != nil:
		return unread(folder, err)
	}
	info, err := k.file.Stat()
	if err == nil {
		k.from, err = store.NewImageReader(k.file, k.key)
	}
	if errors.Is(err, store.ErrDamaged) {
		return refuse("the file %s is no checkpoint, or %v", path, err)
	} else if err != nil {
		return unread(folder, err)
	}
	kind, head, err := k.from.Next()
	if err != nil && !errors.Is(err, store.ErrDamaged) {
		return unread(folder, err)
	}
	m := &meta{}
	if err != nil || kind != store.FrameHead || json.Unmarshal(head, m) != nil {
		return refuse("the checkpoint in %s cannot be read: %v", folder, store.ErrDamaged)
	}
	if m.Version != imageVersion {
		return refuse("the checkpoint in %s has format %d, and this version reads format %d", folder, m.Version, imageVersion)
	}
	if len(m.Identity) != len(k.identity) {
		return refuse("the checkpoint in %s is one of another kind of run", folder)
	}
	for x, f := range k.identity {
		switch was := m.Identity[x]; {
		case f.Name != was.Name:
			return refuse("the checkpoint in %s is one of another kind of run", folder)
		case f != was && len(f.Value)+len(was.Value) <= 60:
			return refuse("the checkpoint in %s was made with another %s: %s then, %s now", folder, f.Name, was.Value, f.Value)
		case f != was:
			return refuse("the checkpoint in %s was made with another %s", folder, f.Name)
		}
	}
	if !m.sized(info.Size()) {
		return refuse("the checkpoint in %s cannot be read: %v", folder, store.ErrDamaged)
	}
	k.meta = m
	k.status.Resumed = m.Visited
	return nil
}

// unread returns the error of a checkpoint that the machine cannot read.
func unread(folder string, err error) error {
	return fmt.Errorf("the checkpoint in %s cannot be read: %w", folder, memory.Cause(err))
}

// mostStreams bounds the streams of a trace log: a thousand runs of a thousand workers.
const mostStreams = 1 << 20

// sized reports whether a file of so many bytes can hold what the head says. What is taken at once
// is taken by these numbers.
func (m *meta) sized(bytes int64) bool {
	return m.Block > 0 && m.Block <= memory.SlabBytes && memory.SlabBytes%m.Block == 0 && m.Streams >= 0 && m.Streams <= mostStreams &&
		m.Visited >= 0 && m.Visited <= bytes/8 && m.Numbered >= 0
}

func (k *keeper) resumes() bool { return k != nil && k.meta != nil }

// streams returns how many streams of the trace log the checkpoint has.
func (k *keeper) streams() int {
	if !k.resumes() {
		return 0
	}
	return k.meta.Streams
}

// done closes the checkpoint that the run continued from.
func (k *keeper) done() {
	if k != nil && k.file != nil {
		k.file.Close()
		k.file, k.from = nil, nil
	}
}

// unlock lets other runs use the folders.
func (k *keeper) unlock() {
	if k != nil {
		for _, l := range k.locks {
			l.unlock()
		}
		k.locks = nil
	}
}

// write replaces the checkpoint by what fill writes. If that fails the one before stays.
func (k *keeper) write(fill func(w *store.ImageWriter) error) (err error) {
	partial := filepath.Join(k.folder, partialName)
	defer func() {
		if err != nil {
			host.Remove(partial)
		}
	}()
	f, err := host.Create(partial)
	if err != nil {
		return err
	}
	var to io.Writer = f
	if k.room > 0 {
		to = &limited{f, k.room}
	}
	w := store.NewImageWriter(to, k.key)
	if err = fill(w); err == nil {
		err = w.End()
	}
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	if err = host.Rename(partial, filepath.Join(k.folder, imageName)); err != nil {
		return err
	}
	// where folders can be flushed, the new name is on the disk, too
	if d, err := host.Open(k.folder); err == nil {
		d.Sync()
		d.Close()
	}
	return nil
}

// remove takes away the checkpoint of a run that needs none any more.
func (k *keeper) remove() {
	if k != nil && (k.status.Written > 0 || k.resumes()) {
		host.Remove(filepath.Join(k.folder, imageName))
		k.status.Distinct = 0
	}
}

func (k *keeper) report() *checker.Checkpoint {
	if k == nil {
		return nil
	}
	out := k.status
	return &out
}

// limited fails as a full disk does, after so many bytes.
type limited struct {
	to   io.Writer
	left int64
}

func (l *limited) Write(p []byte) (int, error) {
	if int64(len(p)) > l.left {
		n, _ := l.to.Write(p[:l.left])
		l.left = 0
		return n, syscall.ENOSPC
	}
	l.left -= int64(len(p))
	return l.to.Write(p)
}
