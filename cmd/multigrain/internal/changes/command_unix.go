//go:build unix

package changes

import (
	"os/exec"
	"syscall"
)

// endsWhole lets a command that is ended take with it the programs that it has started.
func endsWhole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
