package fleet

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
)

// root returns the folder of the enclosing Go module, or the working folder where there is none.
func root() (folder string, module bool, err error) {
	here, err := os.Getwd()
	if err != nil {
		return "", false, err
	}
	for folder := here; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, true, nil
		}
		if folder == filepath.Dir(folder) {
			return here, false, nil
		}
	}
}

// sourceFiles are the endings of files that a digest covers. Results that somebody writes into the
// folder have other endings, so they do not make it another one.
var sourceFiles = []string{".go", ".hcl", ".mod", ".sum", ".work", ".s", ".c", ".h", ".java", ".py", ".toml", ".lock"}

// tree is a folder with sources. The cache may be below it, and has none.
type tree struct{ folder, cache string }

// each calls a function with each source file: its path, and its name relative to the folder with
// slashes. Hidden folders, the cache and folders that this command made have none.
func (t tree) each(each func(path, name string) error) error {
	folder := t.folder
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Lstat(filepath.Join(path, files.Marker)); path != folder && (path == t.cache || err == nil || strings.HasPrefix(d.Name(), ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains(sourceFiles, filepath.Ext(path)) {
			return nil
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return nil // a link that leads nowhere or to a folder
		}
		rel, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		return each(path, filepath.ToSlash(rel))
	})
}

// digest returns a digest of a version of this command and of all sources: 64 hexadecimal digits.
func (t tree) digest(version string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", version)
	err := t.each(func(path, name string) error {
		content, err := host.ReadFile(path)
		fmt.Fprintf(h, "%q %x\n", name, sha256.Sum256(content))
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// stamp returns a text that differs when a source file was written since: names, sizes and times.
func (t tree) stamp() string {
	h := sha256.New()
	err := t.each(func(path, name string) error {
		info, err := os.Stat(path)
		if err == nil {
			fmt.Fprintf(h, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	return fmt.Sprintf("%x %v", h.Sum(nil), err)
}

// pack returns the sources as a compressed archive.
func (t tree) pack() ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	err := t.each(func(path, name string) error {
		content, err := host.ReadFile(path)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content))}); err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	})
	err = errors.Join(err, w.Close(), z.Close())
	return b.Bytes(), err
}

// mostUnpacked is the number of bytes that unpacked sources may have.
const mostUnpacked = 1 << 30

// unpack writes an archive of sources into a folder that does not exist. Its names stay below the
// folder, and it has regular files only.
func unpack(archive []byte, folder string) error {
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return err
	}
	t := tar.NewReader(io.LimitReader(z, mostUnpacked))
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.FromSlash(h.Name)
		if !filepath.IsLocal(name) || h.Typeflag != tar.TypeReg {
			return fmt.Errorf("the archive has %q, which is no regular file below its folder", h.Name)
		}
		content, err := io.ReadAll(t)
		if err != nil {
			return err
		}
		if err := host.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o755); err != nil {
			return err
		}
		if err := host.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
}

// trusted unpacks sources with a digest into a folder of the cache, unless they are there, and
// returns the folder. Sources with another digest are removed and refused.
func trusted(archive []byte, cache, version, want string) (string, error) {
	folder := filepath.Join(cache, "sources", want)
	if have, err := (tree{folder: folder}).digest(version); err == nil && have == want {
		return folder, nil
	}
	if err := host.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return "", err
	}
	tmp, err := host.MkdirTemp(filepath.Dir(folder), "new-*")
	if err != nil {
		return "", err
	}
	defer host.RemoveAll(tmp)
	if err := unpack(archive, tmp); err != nil {
		return "", err
	}
	have, err := tree{folder: tmp}.digest(version)
	if err != nil {
		return "", err
	}
	if have != want {
		return "", fmt.Errorf("the sources that the run sent have the digest %.16s with this version of the command, and not %.16s", have, want)
	}
	if err := host.RemoveAll(folder); err != nil {
		return "", err
	}
	if err := host.Rename(tmp, folder); err != nil {
		if have, _ := (tree{folder: folder}).digest(version); have == want {
			return folder, nil // another worker came first
		}
		return "", err
	}
	return folder, nil
}
