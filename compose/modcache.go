package compose

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// unlock makes a build possible where the specification lies in the module cache, whose files an overlay cannot replace: the
// specification's module is copied into work, and a go.mod there replaces it by the copy. It returns the arguments for the go
// command and the files with their new paths, or nil where nothing is to be done.
func (s *source) unlock(work string, main *goModule, files map[string][]byte) ([]string, map[string][]byte, *hcl.Diagnostic) {
	if s.module.Main || s.module.Replace != nil && s.module.Replace.Version == "" {
		return nil, nil, nil // a folder of the user's
	}
	from := s.module.Dir
	to := filepath.Join(work, "module")
	if err := copyTree(from, to); err != nil {
		return nil, nil, s.env.cacheError(err)
	}
	mod, err := os.ReadFile(main.GoMod)
	if err != nil {
		return nil, nil, configs.Errorf(CodeNoPackage, "No module here", s.at, "%v.", err)
	}
	modfile := filepath.Join(work, "go.mod")
	mod = append(mod, "\nreplace "+s.module.Path+" => "+to+"\n"...)
	if err := os.WriteFile(modfile, mod, 0o644); err != nil {
		return nil, nil, s.env.cacheError(err)
	}
	if sum, err := os.ReadFile(strings.TrimSuffix(main.GoMod, ".mod") + ".sum"); err == nil {
		if err := os.WriteFile(filepath.Join(work, "go.sum"), sum, 0o644); err != nil {
			return nil, nil, s.env.cacheError(err)
		}
	}
	moved := map[string][]byte{}
	for path, text := range files {
		if rest, ok := strings.CutPrefix(path, from+string(filepath.Separator)); ok {
			path = filepath.Join(to, rest)
		}
		moved[path] = text
	}
	return []string{"-modfile=" + modfile, "-mod=mod"}, moved, nil
}

// copyTree copies the files of a module, which are read-only in the cache.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		at := filepath.Join(to, rest)
		if d.IsDir() {
			return os.MkdirAll(at, 0o755)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(at, b, 0o644)
	})
}
