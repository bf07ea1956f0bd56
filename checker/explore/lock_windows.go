package explore

import (
	"errors"
	"os"
	"syscall"
)

// sharingViolation is the error for a file that another process has open and shares with nobody.
const sharingViolation = syscall.Errno(32)

// openLocked opens a file, which it makes if need be, so that nobody else can open it.
func openLocked(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case errors.Is(err, sharingViolation):
		return nil, errLocked
	case err != nil:
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}
