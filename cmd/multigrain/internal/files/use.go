package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/multigrain/multigrain/checker/host"
)

// Used is the name of a file in the cache folder. Commands that use folders of the cache by their
// paths hold a shared lock on it, and the verb clean an exclusive one while it removes them. The
// lock ends with the process, however that ends.
const Used = ".used"

// uses are the locks that this process holds, by folder.
var uses sync.Map

// Use says that this process uses a folder until it ends. It waits while the folder is cleaned.
// Where locks are not possible it does nothing.
func Use(folder string) {
	once, _ := uses.LoadOrStore(folder, sync.OnceValue(func() *os.File {
		for range 10 {
			if MakeOwn(folder, nil) != nil && host.MkdirAll(folder, 0o755) != nil {
				return nil // users of the folder report that
			}
			// The verb clean may have removed the folder in the meantime.
			if f, err := held(folder, shared); !errors.Is(err, os.ErrNotExist) {
				return f // open until the process ends
			}
		}
		return nil
	}))
	once.(func() *os.File)()
}

// Alone reports whether no process uses a folder. None begins to until release is called, which
// removes the file of the lock. With look nothing is written: the file is not made, and stays.
func Alone(folder string, look bool) (release func(), ok bool) {
	path := filepath.Join(folder, Used)
	if _, err := os.Lstat(path); look && err != nil {
		return func() {}, true
	}
	f, err := held(folder, exclusive)
	switch {
	case errors.Is(err, errUsed):
		return func() {}, false
	case err != nil:
		return func() {}, true // without locks, as ever
	}
	return func() {
		if !look {
			_ = host.Remove(path) // a process that waits for the lock makes another one
		}
		f.Close()
	}, true
}

// errUsed says that a process holds the lock.
var errUsed = errors.New("a running command uses it")

// held opens the file of a folder, which it makes if need be, and locks it. The file may have been
// removed and made again in the meantime.
func held(folder string, how lock) (*os.File, error) {
	path := filepath.Join(folder, Used)
	for range 10 {
		f, err := opened(path)
		if err != nil {
			return nil, err
		}
		if err := locked(f, how); err != nil {
			f.Close()
			return nil, err
		}
		mine, err := f.Stat()
		now, gone := os.Lstat(path)
		if err == nil && gone == nil && os.SameFile(mine, now) {
			return f, nil
		}
		f.Close()
	}
	return nil, fmt.Errorf("%s is replaced again and again", path)
}
