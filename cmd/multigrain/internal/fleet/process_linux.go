package fleet

import (
	"os/exec"
	"syscall"
)

// endWithParent makes the kernel end a process with the one that started it, and keeps signals of
// the terminal from it.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
