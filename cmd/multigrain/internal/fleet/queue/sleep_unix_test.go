//go:build unix

package queue

import (
	"syscall"
	"time"
)

// sleep stops a process for a time.
func (p *process) sleep(d time.Duration) {
	_ = p.Process.Signal(syscall.SIGSTOP)
	time.AfterFunc(d, func() { _ = p.Process.Signal(syscall.SIGCONT) })
}
