//go:build unix

package bench

import (
	"os/exec"
	"runtime"
	"syscall"
)

// peak returns the largest resident set of a process that has ended, or of one that it started, in
// bytes.
func peak(cmd *exec.Cmd) int64 {
	u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin" || runtime.GOOS == "ios":
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) * 1024
}
