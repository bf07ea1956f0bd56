package configs

import (
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// TestCannotRead tells faults of the machine from files that cannot be read.
func TestCannotRead(t *testing.T) {
	for err, want := range map[error]Code{
		syscall.EMFILE: CodeMachine,
		syscall.EIO:    CodeMachine,
		syscall.ENOSPC: CodeMachine,
		syscall.EACCES: CodeUnreadable,
		fs.ErrNotExist: CodeUnreadable,
	} {
		wrapped := fmt.Errorf("reading: %w", &fs.PathError{Op: "open", Path: "x.hcl", Err: err})
		if got := CodeOf(CannotRead(hcl.Range{}, wrapped, wrapped.Error())); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}
