//go:build unix

package wire

import (
	"os"
	"os/exec"
	"syscall"
)

// apart puts the program into a process group of its own, so that an interrupt typed at the terminal reaches the command
// alone, which then asks the program to end.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killed reports whether SIGKILL ended a process.
func killed(s *os.ProcessState) bool {
	w, ok := s.Sys().(syscall.WaitStatus)
	return ok && w.Signaled() && w.Signal() == syscall.SIGKILL
}
