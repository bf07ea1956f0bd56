package shell

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/configs"
)

// Writable is path, or "" where it cannot be written.
func Writable(path string) string {
	if path == "" || CanWrite(path) != nil {
		return ""
	}
	return path
}

// CanHold says why no files can be made in a folder, which need not be there yet. It asks and
// makes nothing, so that an interrupt leaves no file. A disk may still be full.
func CanHold(dir string) error {
	at := filepath.Clean(dir)
	for {
		info, err := os.Stat(at)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s cannot be written into: %s is a file and no folder", dir, at)
		case err == nil:
			if err := permitted(at); err != nil {
				return fmt.Errorf("%s cannot be written into: %w", dir, files.Cause(err))
			}
			return nil
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

// Place is a file or a folder that a flag names, to be written later.
type Place struct {
	Path    string // "": the flag is not given
	Flag    string
	Summary string // of the diagnostic where nothing can be written
	Folder  bool
	// Either says that the place may be a file or an existing folder.
	Either bool
}

// Refusal says why nothing can be written to the place; nil where something can be, or no place
// is named.
func (p Place) Refusal() *hcl.Diagnostic {
	if p.Path == "" {
		return nil
	}
	what, can := "file", CanWrite
	if p.Folder {
		what = "folder"
	}
	if info, err := os.Stat(p.Path); p.Folder || p.Either && err == nil && info.IsDir() {
		can = CanHold
	}
	if err := can(p.Path); err != nil {
		return configs.Errorf(codes.Write, p.Summary, hcl.Range{}, "%v. Name another %s with %s.", err, what, p.Flag)
	}
	return nil
}
