package shell

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
)

// Writable is path, or "" where it cannot be written.
func Writable(path string) string {
	if path == "" || CanWrite(path) != nil {
		return ""
	}
	return path
}

// CanHold says why no files can be made in a folder, which need not be there yet. Nothing is left behind.
func CanHold(dir string) error {
	at := filepath.Clean(dir)
	for {
		info, err := os.Stat(at)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s cannot be written into: %s is a file and no folder", dir, at)
		case err == nil:
			tmp, err := os.CreateTemp(at, ".multigrain-*")
			if err != nil {
				return fmt.Errorf("%s cannot be written into: %w", dir, files.Cause(err))
			}
			tmp.Close()
			return os.Remove(tmp.Name())
		case !errors.Is(err, fs.ErrNotExist) && filepath.Dir(at) == at:
			return fmt.Errorf("%s cannot be written into: %w", dir, files.Cause(err))
		}
		at = filepath.Dir(at)
	}
}

// CanWrite says why a file cannot be written, which need not be there yet, nor its folder.
func CanWrite(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return fmt.Errorf("%s cannot be written: it is a folder", path)
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil // a device, or a pipe
	}
	if err := CanHold(filepath.Dir(filepath.Clean(path))); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}
