//go:build unix

package wire

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// firstExtra is the descriptor of the first file in exec.Cmd.ExtraFiles.
const firstExtra = 3

// attach hands files to the program and returns how it finds them. It puts the program into a
// process group of its own. So an interrupt typed at the terminal reaches the command alone, which
// then asks the program to end.
func attach(cmd *exec.Cmd, files ...*os.File) (names []string, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	for k := range files {
		names = append(names, fmt.Sprint(firstExtra+k))
	}
	cmd.ExtraFiles = files
	return names, nil
}

// private keeps a file from the programs that this one starts. If it is polled, its calls do not
// block a thread.
func private(fd uintptr, polled bool) {
	syscall.CloseOnExec(int(fd))
	if polled {
		_ = syscall.SetNonblock(int(fd), true)
	}
}

// killed reports whether SIGKILL ended a process.
func killed(s *os.ProcessState) bool {
	w, ok := s.Sys().(syscall.WaitStatus)
	return ok && w.Signaled() && w.Signal() == syscall.SIGKILL
}
