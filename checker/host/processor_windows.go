package host

import (
	"syscall"
	"time"
)

// Processor returns the processor time that this process has used, in user and in system mode.
// False: the system does not tell it.
func Processor() (time.Duration, bool) {
	self, err := syscall.GetCurrentProcess()
	var created, exited, kernel, user syscall.Filetime
	if err != nil || syscall.GetProcessTimes(self, &created, &exited, &kernel, &user) != nil {
		return 0, false
	}
	return ticks(kernel) + ticks(user), true
}

// ticks returns a duration, which the system counts in steps of 100 nanoseconds.
func ticks(t syscall.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
