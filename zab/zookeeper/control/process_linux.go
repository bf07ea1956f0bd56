package control

import (
	"fmt"
	"io"
	"net"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// starter starts processes from one thread that lives as long as this process.
//
// The kernel ends a child when the thread that started it ends. Go ends a thread only with a
// goroutine that is locked to it. So one goroutine stays locked to its thread and never returns.
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

// startChild starts a process that ends when this one ends, however that happens.
func startChild(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	done := make(chan error)
	starter() <- func() { done <- cmd.Start() }
	return <-done
}

// startSurvivor starts a process that outlives this one and the signals of its terminal.
func startSurvivor(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd.Start()
}

// reservePort keeps other ensembles of this machine from a port until Close, or until this process
// ends: a socket with a name that is in no file system.
func reservePort(port int) (io.Closer, error) {
	return net.Listen("unix", fmt.Sprintf("@multigrain-port-%d", port))
}
