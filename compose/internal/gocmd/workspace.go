package gocmd

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/multigrain/multigrain/checker/host"
)

// Connects returns the path and the folder of the Go module that the package's constant Supports
// names. They are "" for a package that names no module of the build. Own says that the go command
// builds the package in that module, or in a workspace with it: then no other folder can take its
// place.
func (s *Source) Connects() (path, dir string, own bool) {
	m := s.moduleNamed(s.Supports())
	if m == nil {
		return "", "", false
	}
	if m.Replace != nil {
		return m.Path, m.Replace.Dir, false
	}
	return m.Path, m.Dir, m.Main
}

// Module returns the path and the folder of the module that the package is in.
func (s *Source) Module() (path, dir string) { return s.module.Path, s.module.Dir }

// Replacing writes a go.work file into the cache that has the modules which the source is built
// with and replaces one of them by a folder. It returns the path, which is that of the content. A
// go.work file that the go command uses for the source counts with what it uses and replaces. The
// folder's versions count for modules that it requires and the source only needs indirectly.
func (s *Source) Replacing(module, dir string) (string, hcl.Diagnostics) {
	main, diag := s.mainModule()
	if diag != nil {
		return "", hcl.Diagnostics{diag}
	}
	out, diag := s.command("env", "GOWORK")
	if diag != nil {
		return "", hcl.Diagnostics{diag}
	}
	work := new(modfile.WorkFile)
	work.Syntax = new(modfile.FileSyntax)
	if path := strings.TrimSpace(string(out)); path != "" && path != "off" {
		text, err := host.ReadFile(path)
		if err == nil {
			work, err = absoluteWork(path, text)
		}
		if err != nil {
			return "", hcl.Diagnostics{s.Env.CacheError(err)}
		}
	} else {
		if err := work.AddGoStmt(main.GoVersion); err != nil {
			return "", hcl.Diagnostics{s.Env.CacheError(err)}
		}
		if err := work.AddUse(main.Dir, ""); err != nil {
			return "", hcl.Diagnostics{s.Env.CacheError(err)}
		}
	}
	if err := work.AddReplace(module, "", dir, ""); err != nil {
		return "", hcl.Diagnostics{s.Env.CacheError(err)}
	}
	if err := ownVersions(work, filepath.Join(main.Dir, "go.mod"), filepath.Join(dir, "go.mod")); err != nil {
		return "", hcl.Diagnostics{s.Env.CacheError(err)}
	}
	work.Cleanup()
	text := modfile.Format(work.Syntax)
	sums := sumsOf(filepath.Join(dir, "go.sum"), workSum(strings.TrimSpace(string(out))))
	sum := sha256.Sum256(slices.Concat(text, sums))
	path := filepath.Join(s.Env.CacheDir, "workspaces", hex.EncodeToString(sum[:16]), "go.work")
	if err := s.Env.Store(path, text); err != nil {
		return "", hcl.Diagnostics{s.Env.CacheError(err)}
	}
	if len(sums) == 0 {
		return path, nil
	}
	if err := s.Env.Store(filepath.Join(filepath.Dir(path), "go.work.sum"), sums); err != nil {
		return "", hcl.Diagnostics{s.Env.CacheError(err)}
	}
	return path, nil
}

// BuiltWith returns an error unless a program was built with a module from a folder: the changed
// code. The linker notes in each program which modules it has.
func BuiltWith(program, module, dir string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	for _, m := range info.Deps {
		if m.Path != module {
			continue
		}
		if m.Replace != nil && m.Replace.Path == dir {
			return nil
		}
		if m.Replace != nil {
			m = m.Replace
		}
		return fmt.Errorf("it has the module %s from %s", module, strings.TrimSpace(m.Path+" "+m.Version))
	}
	return fmt.Errorf("it does not have the module %s", module)
}

// ownVersions replaces the modules that a go.mod file requires directly, and another one only
// indirectly in other versions. The code of the first one was written for its versions.
func ownVersions(work *modfile.WorkFile, main, own string) error {
	indirect := map[string]string{}
	for _, r := range requirements(main) {
		if r.Indirect {
			indirect[r.Mod.Path] = r.Mod.Version
		}
	}
	for _, r := range requirements(own) {
		version, ok := indirect[r.Mod.Path]
		replaced := slices.ContainsFunc(work.Replace, func(x *modfile.Replace) bool { return x.Old.Path == r.Mod.Path })
		if !ok || r.Indirect || replaced || semver.Compare(r.Mod.Version, version) >= 0 {
			continue // the go command takes the higher version by itself
		}
		if err := work.AddReplace(r.Mod.Path, "", r.Mod.Path, r.Mod.Version); err != nil {
			return err
		}
	}
	return nil
}

// requirements returns what a go.mod file requires. There are none if it cannot be read: the go
// command says why.
func requirements(path string) []*modfile.Require {
	text, err := host.ReadFile(path)
	if err != nil {
		return nil
	}
	f, err := modfile.ParseLax(path, text, nil)
	if err != nil {
		return nil
	}
	return f.Require
}

// workSum returns the path of the sums next to a go.work file; "" without one.
func workSum(work string) string {
	if work == "" || work == "off" {
		return ""
	}
	return work + ".sum"
}

// sumsOf joins the lines of files with sums of modules. Files that are not there have none.
func sumsOf(paths ...string) (out []byte) {
	for _, p := range paths {
		if text, err := host.ReadFile(p); p != "" && err == nil {
			out = append(append(out, bytes.TrimRight(text, "\n")...), '\n')
		}
	}
	return out
}

// absoluteWork reads a go.work file and makes its paths absolute.
func absoluteWork(path string, text []byte) (*modfile.WorkFile, error) {
	work, err := modfile.ParseWork(path, text, nil)
	if err != nil {
		return nil, err
	}
	abs := func(p string) string {
		if filepath.IsAbs(p) {
			return p
		}
		return filepath.Join(filepath.Dir(path), filepath.FromSlash(p))
	}
	for _, u := range append([]*modfile.Use{}, work.Use...) {
		at := u.Path
		if err := work.DropUse(at); err != nil {
			return nil, err
		}
		if err := work.AddUse(abs(at), ""); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, r := range append([]*modfile.Replace{}, work.Replace...) {
		if r.New.Version != "" || filepath.IsAbs(r.New.Path) {
			continue
		}
		old, to := r.Old, abs(r.New.Path)
		if err := work.AddReplace(old.Path, old.Version, to, ""); err != nil {
			return nil, err
		}
	}
	return work, nil
}
