package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestResultNotWritten: a result that nobody gets is a failure, whatever it says.
func TestResultNotWritten(t *testing.T) {
	var stderr bytes.Buffer
	a := &command.App{Verbs: verbs(), Out: fullDisk{}, Err: &stderr}
	if code := a.Run([]string{"version"}); code != shell.System || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}
