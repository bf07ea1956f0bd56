//go:build unix && !linux

package wire

import (
	"os"
	"syscall"
)

// dieWithParent does nothing: only Linux knows such a signal. The program watches its lifeline.
func dieWithParent(*syscall.SysProcAttr) {}

// dump asks a Go program to print where its goroutines are, and to end. The Go runtime has no stack
// of a goroutine that runs on another thread than the one that gets the signal.
func dump(p *os.Process) { p.Signal(syscall.SIGQUIT) }

// enlarge does nothing: only Linux can change the room of a pipe.
func enlarge(*os.File) {}
