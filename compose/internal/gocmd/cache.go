package gocmd

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/configs"
)

// Key returns a digest of everything that the specification's package and an assembled program are
// built from, of the Go command, and of extra. Equal keys mean equal results. It fails if a file
// cannot be read.
func (s *Source) Key(extra ...any) (string, error) {
	if s.sum == nil {
		h := sha256.New()
		for _, p := range s.deps {
			for _, f := range p.sources() {
				path := filepath.Join(p.Dir, f)
				fmt.Fprintln(h, p.ImportPath, path)
				if err := addFile(h, path); err != nil {
					return "", err
				}
			}
		}
		s.sum = h.Sum(nil)
	}
	h := sha256.New()
	command, err := tool()
	if err != nil {
		return "", err
	}
	fmt.Fprintln(h, command, s.goVersion, runtime.GOOS, runtime.GOARCH, s.Path, s.sum)
	if err := json.NewEncoder(h).Encode(extra); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// sources returns the files that a program is built from.
func (p *goPackage) sources() []string {
	return slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SysoFiles, p.EmbedFiles)
}

func addFile(h io.Writer, path string) error {
	f, err := host.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}

// With returns the source with the packages that another one needs among those that a program
// depends on, and with the other's environment if it has one of its own. If the other is in a
// module of its own that requires the source's and has it from the same folder, the program is
// built there, with that module's versions.
func (s *Source) With(other *Source) *Source {
	both := *s
	both.deps, both.sum = slices.Clone(s.deps), nil
	uses := func(p *goPackage) bool { return p.ImportPath == s.Path && p.Dir == s.Folder }
	if other.Environ != nil { // of a workspace
		both.Environ = other.Environ
	}
	m := other.module
	if apart := m != nil && m.Main && s.module != nil && m.Path != s.module.Path; apart && slices.ContainsFunc(other.deps, uses) {
		both.main, both.deps, other = m, slices.Clone(other.deps), s
	}
	for _, p := range other.deps {
		if !slices.ContainsFunc(both.deps, func(have *goPackage) bool { return have.ImportPath == p.ImportPath }) {
			both.deps = append(both.deps, p)
		}
	}
	return &both
}

// tool identifies the running command, whose analyses and generated code are cached: the content of
// its executable.
var tool = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return contentOf(path)
})

// contentOf returns the hash of an executable. It has no other identity: two commands that are
// built from different sources may have the same version.
func contentOf(executable string) (string, error) {
	h := sha256.New()
	if err := addFile(h, executable); err != nil {
		return "", fmt.Errorf("the command's own executable, which is a part of the key of all that is cached, cannot be read: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Store writes a file of the cache so that a reader never sees part of it.
func (e Env) Store(path string, content []byte) error {
	if err := host.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := host.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer host.Remove(tmp.Name())
	if _, err := tmp.Write(content); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return replace(tmp.Name(), path)
}

// Cached returns the value of a computation, kept in the cache under a folder and a key. A
// computation that reports errors is not kept. A cache that cannot be written costs time and
// nothing else.
func Cached[T any](e Env, folder, key string, compute func() (T, hcl.Diagnostics)) (T, hcl.Diagnostics) {
	var v T
	if b := e.Load(folder, key); b != nil && json.Unmarshal(b, &v) == nil {
		return v, nil
	}
	v, diags := compute()
	if len(diags) > 0 {
		return v, diags
	}
	if b, err := json.Marshal(v); err == nil {
		e.Save(folder, key, b)
	}
	return v, nil
}

// CacheError returns the diagnostic for a cache folder that cannot be used.
func (e Env) CacheError(err error) *hcl.Diagnostic {
	return configs.Errorf(CodeCache, "Cache folder unusable", hcl.Range{},
		"%v. Programs are built in %s; name another folder with the environment variable MULTIGRAIN_CACHE.", err, e.CacheDir)
}
