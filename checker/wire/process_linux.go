package wire

import "syscall"

// dieWithParent makes the kernel end the program when the thread that started it ends, also where
// the program's own code never runs because the user's code does not return. See start.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
