//go:build unix

package gocmd

import (
	"os/exec"
	"syscall"
)

// together lets a cancelled command end with all the processes that it started: the go command does
// not end its compilers when it is killed.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
