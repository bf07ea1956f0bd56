package gocmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/mod/modfile"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/configs"
)

// unlock makes a specification in the module cache, whose files an overlay cannot replace, like one
// in a folder of the user's. Its module is copied into the cache folder of this command. The go
// command gets a go.mod there: the user's, with a replacement by the copy.
func (s *Source) unlock() *hcl.Diagnostic {
	main, diag := s.mainModule()
	if diag != nil {
		return diag
	}
	mod, err := host.ReadFile(main.GoMod)
	if err != nil {
		return configs.Errorf(CodeNoPackage, "No module here", s.At, "%v.", err)
	}
	// named by path and version
	copied := filepath.Join(s.Env.CacheDir, "modules", digest(s.module.Dir))
	if err := copyTree(s.module.Dir, copied); err != nil {
		return s.Env.CacheError(err)
	}
	sum, err := host.ReadFile(strings.TrimSuffix(main.GoMod, ".mod") + ".sum")
	if err != nil && !os.IsNotExist(err) {
		return configs.CannotRead(s.At, err, err.Error()+".")
	}
	if mod, err = replaced(main.GoMod, mod, s.module.Path, copied); err != nil {
		return configs.Errorf(CodeNoPackage, "No module here", s.At, "%v.", err)
	}
	dir := filepath.Join(s.Env.CacheDir, "modules", digest(string(mod)+string(sum)))
	for name, text := range map[string][]byte{"go.mod": mod, "go.sum": sum} {
		if err := s.Env.Store(filepath.Join(dir, name), text); err != nil {
			return s.Env.CacheError(err)
		}
	}
	flag, err := quoted("-modfile=" + filepath.Join(dir, "go.mod"))
	if err != nil {
		return s.Env.CacheError(err)
	}
	s.Environ = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod "+flag))
	return nil
}

// quoted returns a flag as GOFLAGS takes it: a blank in it starts no other flag.
func quoted(flag string) (string, error) {
	for _, quote := range []string{"'", `"`} {
		if !strings.Contains(flag, quote) {
			return quote + flag + quote, nil
		}
	}
	return "", fmt.Errorf("%s has both kinds of quotes", flag)
}

// replaced returns the text of a go.mod with a module replaced by a folder.
func replaced(name string, text []byte, module, folder string) ([]byte, error) {
	f, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, err
	}
	if err := f.AddReplace(module, "", folder, ""); err != nil {
		return nil, err
	}
	f.Cleanup()
	return f.Format()
}

// digest returns a short name for a text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// locked reports whether a module lies in the module cache.
func (m *goModule) locked() bool { return !m.Main && (m.Replace == nil || m.Replace.Version != "") }

// copyTree copies the files of a module, which are read-only in the module cache, unless an equal
// copy is there already.
func copyTree(from, to string) error {
	if sameTree(from, to) {
		return nil
	}
	if err := host.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	tmp, err := host.MkdirTemp(filepath.Dir(to), ".copy-*")
	if err != nil {
		return err
	}
	defer host.RemoveAll(tmp)
	copied, old := filepath.Join(tmp, "new"), filepath.Join(tmp, "old")
	err = eachFile(from, func(rest string, text []byte) error {
		path := filepath.Join(copied, rest)
		if err := host.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return host.WriteFile(path, text, 0o644)
	})
	if err != nil {
		return err
	}
	if err := host.Rename(to, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// Another run may be faster.
	if err := host.Rename(copied, to); err != nil && !sameTree(from, to) {
		return err
	}
	return nil
}

// eachFile calls a function for each file of a module.
func eachFile(dir string, do func(rest string, text []byte) error) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rest, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is no regular file", path)
		}
		text, err := host.ReadFile(path)
		if err != nil {
			return err
		}
		return do(rest, text)
	})
}

// sameTree reports whether two folders have the same files with the same contents.
func sameTree(a, b string) bool {
	files := 0
	err := eachFile(a, func(rest string, text []byte) error {
		files++
		other, err := host.ReadFile(filepath.Join(b, rest))
		if err == nil && !bytes.Equal(text, other) {
			err = fmt.Errorf("%s differs", rest)
		}
		return err
	})
	if err != nil {
		return false
	}
	err = eachFile(b, func(string, []byte) error {
		files--
		return nil
	})
	return err == nil && files == 0
}
