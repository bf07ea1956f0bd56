package host

import (
	"io"
	"io/fs"
	"os"
	"time"
)

// System opens, makes, renames and removes files, and tells the time. Errors are those of package
// os.
type System interface {
	OpenFile(name string, flag int, mode fs.FileMode) (File, error)
	CreateTemp(folder, pattern string) (File, error)
	MkdirTemp(folder, pattern string) (string, error)
	MkdirAll(path string, mode fs.FileMode) error
	Rename(from, to string) error
	Remove(name string) error
	RemoveAll(path string) error
	Now() time.Time
	Since(t time.Time) time.Duration
}

// File is an open file: what this project uses of *os.File.
type File interface {
	io.ReadWriteCloser
	io.ReaderAt
	io.WriterAt
	io.Seeker
	Name() string
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

// current is set before main starts and never again.
var current System = operating{}

// operating is the operating system.
type operating struct{}

func (operating) OpenFile(name string, flag int, mode fs.FileMode) (File, error) {
	return opened(os.OpenFile(name, flag, mode))
}

func (operating) CreateTemp(folder, pattern string) (File, error) {
	return opened(os.CreateTemp(folder, pattern))
}

func (operating) MkdirTemp(folder, pattern string) (string, error) {
	return os.MkdirTemp(folder, pattern)
}

func (operating) MkdirAll(path string, mode fs.FileMode) error { return os.MkdirAll(path, mode) }
func (operating) Rename(from, to string) error                 { return os.Rename(from, to) }
func (operating) Remove(name string) error                     { return os.Remove(name) }
func (operating) RemoveAll(path string) error                  { return os.RemoveAll(path) }
func (operating) Now() time.Time                               { return time.Now() }
func (operating) Since(t time.Time) time.Duration              { return time.Since(t) }

// opened keeps a nil *os.File from becoming a File that is not nil.
func opened(f *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Open opens a file for reading.
func Open(name string) (File, error) { return current.OpenFile(name, os.O_RDONLY, 0) }

// Create makes a file, or empties the one that is there.
func Create(name string) (File, error) {
	return current.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// OpenFile is os.OpenFile.
func OpenFile(name string, flag int, mode fs.FileMode) (File, error) {
	return current.OpenFile(name, flag, mode)
}

// CreateTemp is os.CreateTemp.
func CreateTemp(folder, pattern string) (File, error) { return current.CreateTemp(folder, pattern) }

// MkdirTemp is os.MkdirTemp.
func MkdirTemp(folder, pattern string) (string, error) { return current.MkdirTemp(folder, pattern) }

// MkdirAll is os.MkdirAll.
func MkdirAll(path string, mode fs.FileMode) error { return current.MkdirAll(path, mode) }

// Rename is os.Rename.
func Rename(from, to string) error { return current.Rename(from, to) }

// Remove is os.Remove.
func Remove(name string) error { return current.Remove(name) }

// RemoveAll is os.RemoveAll.
func RemoveAll(path string) error { return current.RemoveAll(path) }

// Now is time.Now.
func Now() time.Time { return current.Now() }

// Since is time.Since.
func Since(t time.Time) time.Duration { return current.Since(t) }

// ReadFile returns the content of a file.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := int64(0)
	if info, err := f.Stat(); err == nil {
		size = info.Size()
	}
	content := make([]byte, 0, max(min(size, 1<<30)+1, 512))
	for {
		n, err := f.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		if err == io.EOF {
			return content, nil
		}
		if err != nil {
			return content, err
		}
		if len(content) == cap(content) {
			content = append(content, 0)[:len(content)]
		}
	}
}

// WriteFile writes a file, which is made with a mode or emptied.
func WriteFile(name string, content []byte, mode fs.FileMode) error {
	f, err := current.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
