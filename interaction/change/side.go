package change

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/multigrain/multigrain/checker/host"
)

// sideName matches the name of a folder with the code on one side of a change.
var sideName = regexp.MustCompile(`^[0-9a-f]{32}$`)

// SideIn returns the folder below to with the code of one side of a change, by the name that
// WriteSides gave it: a hash of its files. The error says that the folder is missing, or does not
// have these files.
func SideIn(to, name string) (string, error) {
	if !sideName.MatchString(name) {
		return "", fmt.Errorf("%q is no hash of code", name)
	}
	dir := filepath.Join(to, name)
	content := map[string][]byte{}
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rest, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is no regular file", at)
		}
		content[filepath.ToSlash(rest)], err = host.ReadFile(at)
		return err
	})
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("there is no folder %s", dir)
	case err != nil:
		return "", err
	}
	if _, found := contentName(content); found != name {
		return "", fmt.Errorf("the files in %s are not those that were written", dir)
	}
	return dir, nil
}

// contentName returns the names of files, sorted, and the name of a folder that has them: a hash of
// the names and contents.
func contentName(content map[string][]byte) (names []string, name string) {
	for file := range content {
		names = append(names, file)
	}
	slices.Sort(names)
	hash := sha256.New()
	for _, file := range names {
		fmt.Fprintf(hash, "%q %d\n", file, len(content[file]))
		hash.Write(content[file])
	}
	return names, hex.EncodeToString(hash.Sum(nil)[:16])
}
