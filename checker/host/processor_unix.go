//go:build unix

package host

import (
	"syscall"
	"time"
)

// Processor returns the processor time that this process has used, in user and in system mode.
// False: the system does not tell it.
func Processor() (time.Duration, bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
