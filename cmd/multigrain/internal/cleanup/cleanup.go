package cleanup

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// ForeignError says that a folder is not the command's own.
type ForeignError struct{ Reason error }

func (e *ForeignError) Error() string { return e.Reason.Error() }

// folder is an opened folder of the command's own.
type folder struct {
	path string
	root *os.Root
	out  *result.Clean
	kept int // entries that stay, apart from the files that MakeOwn wrote
}

// open opens a folder that has the marker. The error of one that has not is a *ForeignError.
func open(path string, out *result.Clean) (*folder, error) {
	if err := files.Foreign(path); err != nil {
		return nil, &ForeignError{err}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, files.Cause(err))
	}
	// A link may have taken the folder's place since Foreign looked.
	opened, err := root.Stat(".")
	if seen, lost := os.Lstat(path); err != nil || lost != nil || !os.SameFile(opened, seen) {
		root.Close()
		return nil, &ForeignError{fmt.Errorf("%s was replaced by something else", path)}
	}
	return &folder{path: path, root: root, out: out}, nil
}

// entries lists a folder in it.
func (f *folder) entries(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.root.FS(), filepath.ToSlash(name))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", filepath.Join(f.path, name), files.Cause(err))
	}
	return list, nil
}

// remove removes a file, or a folder with all that is in it. It follows no links.
func (f *folder) remove(name string) error {
	path := filepath.Join(f.path, name)
	if !f.out.Listed {
		if err := f.root.RemoveAll(name); err != nil {
			return fmt.Errorf("%s cannot be removed: %w", path, files.Cause(err))
		}
	}
	f.out.Removed = append(f.out.Removed, path)
	return nil
}

// leave notes that something stays.
func (f *folder) leave(name, reason string) {
	f.kept++
	f.out.Left = append(f.out.Left, result.Left{Path: filepath.Join(f.path, name), Reason: reason})
}

// Reasons for which something is left.
const (
	unknown = "multigrain did not make it"
	link    = "it is a link"
)

// reason returns why an entry that the command did not make is left.
func reason(e fs.DirEntry) string {
	if e.Type()&fs.ModeSymlink != 0 {
		return link
	}
	return unknown
}

// close removes the files that MakeOwn wrote and the folder itself, unless the folder has other
// entries.
func (f *folder) close() error {
	defer f.root.Close()
	if f.kept > 0 {
		return nil
	}
	if f.out.Listed {
		f.out.Removed = append(f.out.Removed, f.path)
		return nil
	}
	ignore, err := f.ignores(), error(nil)
	if ignore {
		err = f.root.Remove(files.Ignore)
	}
	if err == nil {
		err = f.root.Remove(files.Marker)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be removed: %w", f.path, files.Cause(err))
	}
	if host.Remove(f.path) != nil { // a run has written something new in the meantime
		return f.restore(ignore)
	}
	f.out.Removed = append(f.out.Removed, f.path)
	return nil
}

// restore writes the files of MakeOwn again. The folder stays the command's own.
func (f *folder) restore(ignore bool) error {
	err := f.root.WriteFile(files.Marker, nil, 0o644)
	if err == nil && ignore {
		err = f.root.WriteFile(files.Ignore, []byte(files.IgnoreText), 0o644)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be removed, and is without its marker now: %w", f.path, files.Cause(err))
	}
	return nil
}

// ignores reports whether the folder has the file for git as MakeOwn writes it.
func (f *folder) ignores() bool {
	info, err := f.root.Lstat(files.Ignore)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	text, err := f.root.ReadFile(files.Ignore)
	return err == nil && string(text) == files.IgnoreText
}
