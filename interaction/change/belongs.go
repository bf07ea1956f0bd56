package change

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/interaction/change/internal/python"
)

// belongs reports, as an error, a folder that is not that of the implementation. It has nothing
// that the manifest knows of the implementation, so any change would seem to touch nothing.
func (o Options) belongs(r *repo) error {
	if r == nil {
		return nil
	}
	if err := o.belongsInPython(r); err != nil {
		return err
	}
	if o.Table != nil && len(o.Table.Files) > 0 {
		for _, f := range o.Table.Files {
			if info, err := os.Stat(filepath.Join(r.dir, filepath.FromSlash(f.Path))); err == nil && info.Mode().IsRegular() {
				return nil
			}
		}
		if len(o.Packages) == 0 {
			return fmt.Errorf("%s is not the folder of the implementation: it has none of the %d files of the manifest's table of methods, such as %s",
				r.dir, len(o.Table.Files), o.Table.Files[0].Path)
		}
	}
	if len(o.Packages) == 0 || o.Places == nil || len(o.Places.list) == 0 {
		return nil
	}
	found, files := o.Places.declaredIn(r.dir)
	switch {
	case found:
		return nil
	case files == 0:
		return fmt.Errorf("%s is not the folder of the implementation: it has no Go files, and the manifest's packages are %s", r.dir, strings.Join(o.Packages, " "))
	}
	return fmt.Errorf("%s is not the folder of the implementation: of the %d functions that the specification models, such as %s, its %d Go files declare none",
		r.dir, len(o.Places.list), o.Places.list[0].Name, files)
}

// declaredIn reports whether a Go file below a folder declares a function that is modelled, and
// counts the files that it has read.
func (p *Places) declaredIn(dir string) (found bool, files int) {
	short := map[string]bool{}
	for _, x := range p.list {
		// Type.Method, or Function alone or after the name of its package.
		parts := strings.Split(x.Name[strings.LastIndexByte(x.Name, '/')+1:], ".")
		n := len(parts)
		if n > 1 {
			short[parts[n-2]+"."+parts[n-1]] = true
		}
		if n == 1 || n == 2 && strings.ToLower(parts[0]) == parts[0] {
			short[parts[n-1]] = true
		}
	}
	// What cannot be read declares nothing.
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || found:
			return fs.SkipAll
		case d.IsDir():
			if n := d.Name(); path != dir && (n == "vendor" || n == "testdata" || strings.HasPrefix(n, ".") || strings.HasPrefix(n, "_")) {
				return fs.SkipDir
			}
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			files++
			text, err := host.ReadFile(path)
			if err != nil {
				return nil
			}
			if g, err := parseGo(path, string(text)); err == nil {
				for _, x := range g.decls {
					if (x.kind == Function || x.kind == Method) && short[x.name()] {
						found = true
					}
				}
			}
		}
		return nil
	})
	return found, files
}

// inPython reports whether a file belongs to one of some packages or modules of Python. Folders
// before the package, such as src, do not matter.
func inPython(packages []string, file string) bool {
	parts := python.Module(file)
	return slices.ContainsFunc(packages, func(name string) bool {
		want := strings.Split(name, ".")
		for k := range parts {
			if len(parts)-k >= len(want) && slices.Equal(parts[k:k+len(want)], want) {
				return true
			}
		}
		return false
	})
}

// belongsInPython reports, as an error, a folder without a file of the packages.
func (o Options) belongsInPython(r *repo) error {
	if len(o.Python) == 0 {
		return nil
	}
	found := false
	// What cannot be read is no source.
	_ = filepath.WalkDir(r.dir, func(at string, d fs.DirEntry, err error) error {
		rest, _ := filepath.Rel(r.dir, at)
		switch {
		case err != nil || found:
			return fs.SkipAll
		case d.IsDir() && at != r.dir && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.IsDir():
			found = inPython(o.Python, filepath.ToSlash(rest))
		}
		return nil
	})
	if found {
		return nil
	}
	return fmt.Errorf("%s is not the folder of the implementation: it has no source of the packages %s", r.dir, strings.Join(o.Python, " "))
}
