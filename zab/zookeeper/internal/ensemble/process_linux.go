package ensemble

import (
	"os/exec"
	"syscall"
)

// endWithParent makes the process end with the one that starts it, however that ends.
//
// The kernel ties this to the thread that starts it, and Go ends threads only where a goroutine
// that is locked to one ends.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
