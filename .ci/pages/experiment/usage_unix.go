//go:build unix

package experiment

import "syscall"

// childSeconds returns the processor seconds of the child processes that have ended.
func childSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
