package gocmd

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/multigrain/multigrain/checker/host"
)

// SecretFile is the file of the cache with the key that seals checkpoints: 32 random bytes, as hex
// digits. Only its owner can read it.
const SecretFile = "checkpoint.key"

const secretBytes = 32

// errSecret is a file that holds no key.
var errSecret = errors.New("the key is damaged")

// Secret returns the key that seals checkpoints. It makes one unless the cache has one. A damaged
// one is replaced: then checkpoints that it sealed are refused.
func (e Env) Secret() ([]byte, error) {
	if err := e.private(); err != nil {
		return nil, err
	}
	path := filepath.Join(e.CacheDir, SecretFile)
	key, err := readSecret(path)
	for try := 0; err != nil && try < 10; try++ { // another run may be faster, at each step
		switch {
		case errors.Is(err, errSecret):
			if err = host.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		case errors.Is(err, fs.ErrNotExist):
			if err = makeSecret(path); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
		default:
			return nil, err
		}
		key, err = readSecret(path)
	}
	return key, err
}

func readSecret(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("%s lets other users read the key of checkpoints (%v): chmod 600 it, or remove it", path, mode)
	}
	text, err := host.ReadFile(path)
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(string(text))
	if err != nil || len(key) != secretBytes {
		return nil, errSecret
	}
	return key, nil
}

// makeSecret writes a new key. The file appears as a whole, and never replaces another one.
func makeSecret(path string) (err error) {
	key := make([]byte, secretBytes)
	rand.Read(key)
	f, err := host.CreateTemp(filepath.Dir(path), ".new-*") // with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if removed := host.Remove(f.Name()); err == nil && !errors.Is(removed, fs.ErrNotExist) {
			err = removed
		}
	}()
	_, err = f.Write([]byte(hex.EncodeToString(key)))
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	if err = os.Link(f.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return host.Rename(f.Name(), path) // a file system without hard links
}
