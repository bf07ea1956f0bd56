package wire

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/multigrain/multigrain/checker/host"
)

// dieWithParent makes the kernel end the program when the thread that started it ends, also where
// the program's own code never runs because the user's code does not return. See start.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// dump asks a Go program to print where its goroutines are, and to end. The Go runtime has no stack
// of a goroutine that runs on another thread than the one that gets the signal, so the thread that
// is busiest gets it.
func dump(p *os.Process) {
	if tid := busiest(p.Pid); tid == 0 || tgkill(p.Pid, tid, syscall.SIGQUIT) != nil {
		p.Signal(syscall.SIGQUIT)
	}
}

// pipeBytes is the room of a pipe for frames. Linux gives as much to everyone. A pipe has 64 KiB
// otherwise, so a writer of a batch would wait for its reader.
const pipeBytes = 1 << 20

// enlarge gives a pipe room for several batches. Without it all works, and slower.
func enlarge(pipe *os.File) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_SETPIPE_SZ, pipeBytes) })
}

// tgkill sends a signal to one thread. Package unix has the same, but an assembled program must not
// need a module that the user's go.sum does not have.
func tgkill(pid, tid int, signal syscall.Signal) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_TGKILL, uintptr(pid), uintptr(tid), uintptr(signal)); errno != 0 {
		return errno
	}
	return nil
}

// busiest returns the thread of a process that has used most processor time of those that can run
// now, or 0 where none can.
func busiest(pid int) (tid int) {
	stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	most := -1
	for _, path := range stats {
		b, err := host.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// The name may have spaces and parentheses. Field 3 of proc(5) is the first one after it.
		text := string(b)
		f := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		const state, utime, stime = 0, 11, 12
		if len(f) <= stime || f[state] != "R" {
			continue
		}
		user, _ := strconv.Atoi(f[utime])
		system, _ := strconv.Atoi(f[stime])
		if used := user + system; used > most {
			most = used
			tid, _ = strconv.Atoi(filepath.Base(filepath.Dir(path)))
		}
	}
	return tid
}
