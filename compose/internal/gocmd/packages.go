package gocmd

import (
	"path/filepath"
	"slices"
)

// GoFiles returns the absolute paths of the Go files of a package that a program is built from,
// in a fixed order. It returns nil for a package of the standard library and for one that no
// program needs.
func (s *Source) GoFiles(importPath string) []string {
	i := slices.IndexFunc(s.deps, func(p *goPackage) bool { return p.ImportPath == importPath })
	if i < 0 {
		return nil
	}
	out := make([]string, len(s.deps[i].GoFiles))
	for k, f := range s.deps[i].GoFiles {
		out[k] = filepath.Join(s.deps[i].Dir, f)
	}
	return out
}

// MainModule returns the module that the source's folder is in: assembled programs are packages of
// it.
func (s *Source) MainModule() (path, dir string, err error) {
	m, diag := s.mainModule()
	if diag != nil {
		return "", "", diag
	}
	return m.Path, m.Dir, nil
}

// Folders returns the folders of the packages that an edit can change. These are the specification
// and what it imports, without the standard library and without modules of a version.
func (s *Source) Folders() (out []string) {
	for _, p := range s.deps {
		m := p.Module
		if m != nil && m.Replace != nil {
			m = m.Replace
		}
		if !p.Standard && (m == nil || m.Version == "") {
			out = append(out, p.Dir)
		}
	}
	return out
}
