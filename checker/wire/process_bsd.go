//go:build unix && !linux

package wire

import "syscall"

// dieWithParent does nothing: only Linux knows such a signal. The program watches its lifeline.
func dieWithParent(*syscall.SysProcAttr) {}
