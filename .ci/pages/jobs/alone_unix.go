//go:build unix

package jobs

import (
	"os/exec"
	"syscall"
)

// alone keeps signals of the terminal from a command: two of them would end it at once.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
