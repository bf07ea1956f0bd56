package explore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/multigrain/multigrain/checker/host"
)

// lockName is the file of a checkpoint's folder that a run holds locked as long as it uses the
// folder. The system takes the lock away when the run's process ends, however it ends.
const lockName = "lock"

// errLocked says that another process, or another run of this one, has the lock.
var errLocked = errors.New("locked")

// folderLock is a lock on a folder. A nil one is none.
type folderLock struct{ file *os.File }

// lockFolder locks a folder that exists. The error is a *CheckpointError where another run has the
// lock.
func lockFolder(folder string) (*folderLock, error) {
	path := filepath.Join(folder, lockName)
	for {
		f, err := openLocked(path)
		if errors.Is(err, errLocked) {
			return nil, &CheckpointError{folder, fmt.Sprintf("another run uses the folder %s. Wait for its end, or name another folder with -checkpoint", folder)}
		}
		if err != nil {
			return nil, err
		}
		// A run that ended in between has removed the file, and a third one may have made another.
		have, err := f.Stat()
		there, lost := os.Lstat(path)
		if err == nil && lost == nil && os.SameFile(have, there) {
			return &folderLock{f}, nil
		}
		f.Close()
	}
}

// unlock removes the file and the lock, in this order: so nobody has a lock on a removed file.
func (l *folderLock) unlock() {
	if l != nil {
		host.Remove(l.file.Name())
		l.file.Close()
	}
}
