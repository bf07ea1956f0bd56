package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/multigrain/multigrain/checker/host"
)

// TraceFolder is the name of the folder for traces next to a manifest.
const TraceFolder = ".multigrain"

// Marker is the name of an empty file. A folder that the command made has it.
const Marker = ".made-by-multigrain"

// Ignore is the name of the file that keeps a folder for traces out of git, and IgnoreText is its
// text.
const (
	Ignore     = ".gitignore"
	IgnoreText = "*\n"
)

// MakeOwn makes a folder of the command's own, with the marker and the given other files, unless it
// is there already. Folders above it are made without a marker.
//
// The folder appears with its marker in one step, so another run that makes it at the same time
// never sees one without the other. The error is a sentence without its period. It says that the
// folder cannot be made, or that somebody else made it.
func MakeOwn(folder string, others map[string]string) error {
	if _, err := os.Lstat(folder); err == nil {
		return Foreign(folder)
	}
	err := makeOwn(folder, others)
	if err != nil && Foreign(folder) != nil {
		return fmt.Errorf("%s cannot be made: %w", folder, Cause(err))
	}
	return nil
}

func makeOwn(folder string, others map[string]string) error {
	above := filepath.Dir(filepath.Clean(folder))
	if err := host.MkdirAll(above, 0o755); err != nil {
		return err
	}
	tmp, err := host.MkdirTemp(above, ".new-multigrain-*")
	if err != nil {
		return err
	}
	defer host.RemoveAll(tmp) // gone already where all went well
	for name, text := range others {
		if err := host.WriteFile(filepath.Join(tmp, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := host.WriteFile(filepath.Join(tmp, Marker), nil, 0o644); err != nil {
		return err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	return host.Rename(tmp, folder)
}

// Foreign returns why a folder is not the command's own, in a sentence without its period. It
// returns nil for a folder that has the marker. Links are not followed: neither a link to a folder
// nor one to a marker counts.
func Foreign(folder string) error {
	info, err := os.Lstat(folder)
	switch {
	case err != nil:
		return Unread(folder, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a link", folder)
	case !info.IsDir():
		return fmt.Errorf("%s is a file and no folder", folder)
	}
	info, err = os.Lstat(filepath.Join(folder, Marker))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s has no file %s", folder, Marker)
	case err != nil:
		return Unread(filepath.Join(folder, Marker), err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s in %s is no regular file", Marker, folder)
	}
	return nil
}

// WriteOwn writes a file into a folder for traces, which it makes if need be. Another run may
// remove the folder in the meantime, at most twice. The error is a sentence without its period.
func WriteOwn(path string, content []byte) error {
	var err error
	for range 3 {
		if err := MakeOwn(filepath.Dir(path), map[string]string{Ignore: IgnoreText}); err != nil {
			return err
		}
		if err = replaceFile(path, content, 0o644); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return unwritten(path, err)
}
