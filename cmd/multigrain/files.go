package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
)

// unread says why a file could not be read, in a sentence without its period.
func unread(path string, err error) error {
	var pathErr *fs.PathError
	if info, statErr := os.Stat(path); statErr == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder and no file", path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", path)
	case errors.As(err, &pathErr):
		return fmt.Errorf("%s cannot be read: %w", path, pathErr.Err)
	}
	return err
}

// writeFile writes a file so that whoever reads it sees the old content or the new one. Folders are made. The error is a
// sentence without its period.
func writeFile(path string, content []byte, mode os.FileMode) error {
	err := replaceFile(path, content, mode)
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr): // its path may be the temporary file's
		err = pathErr.Err
	case errors.As(err, &linkErr):
		err = linkErr.Err
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}

func replaceFile(path string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already where all went well
	_, err = tmp.Write(content)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Chmod(tmp.Name(), mode)
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// keep writes what a report of a fault needs into the cache folder and returns its path.
func (c *call) keep(name, text string) (string, error) {
	folder := c.settings.Cache
	if folder == "" {
		folder = defaultCache()
	}
	path := filepath.Join(folder, "crashes", fmt.Sprintf("%s-%s-%d.txt", fileName(name), time.Now().Format("20060102-150405"), os.Getpid()))
	return path, writeFile(path, []byte(text), 0o600)
}

// fileName is name as part of a file's name.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("-_.+", r):
			return r
		}
		return '_'
	}, name)
}

// writeTrace writes a trace into a folder, as MANIFEST-PROPERTY.itf.json, and returns its path.
func writeTrace(folder, property string, meta itf.Meta, t *wire.Trace) (string, error) {
	var out bytes.Buffer
	if err := itf.Write(&out, meta, t); err != nil {
		return "", err
	}
	path := filepath.Join(folder, fileName(meta.Spec)+"-"+fileName(property)+".itf.json")
	return path, writeFile(path, out.Bytes(), 0o644)
}
