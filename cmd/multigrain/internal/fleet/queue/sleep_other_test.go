//go:build !unix

package queue

import "time"

// sleep does nothing on a system that cannot stop a process.
func (p *process) sleep(time.Duration) {}
