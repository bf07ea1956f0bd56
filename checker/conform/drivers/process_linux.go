package drivers

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// starter starts processes from one thread that lives as long as this process: the kernel ends a
// child when the thread that started it ends.
var starter = sync.OnceValue(func() chan func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range work {
			f()
		}
	}()
	return work
})

// memory is a folder that no disk has, where files are written soon; "" where there is none.
func memory() string {
	const shared = "/dev/shm"
	if syscall.Access(shared, 7) != nil {
		return ""
	}
	return shared
}

// startChild starts a process that ends when this one ends. Its group is its own, so an interrupt
// typed at the terminal does not reach it.
func startChild(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	done := make(chan error)
	starter() <- func() { done <- cmd.Start() }
	return <-done
}

// killAll ends a process and those that it has started.
func killAll(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	cmd.Process.Kill()
}
