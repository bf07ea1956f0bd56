package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// marker is an environment variable by which the processes of a run are found again.
const marker = "MULTIGRAIN_TORTURE_RUN"

// longest is how long a run may take, and longestBuild how long one may take that builds its
// program. A run that takes longer hangs.
const (
	longest      = 5 * time.Minute
	longestBuild = time.Hour
)

// process is a run of the command.
type process struct {
	cmd            *exec.Cmd
	mark           string
	stdout, stderr bytes.Buffer
	code           int  // -1: a signal ended it
	hung           bool // it did not end by itself
	ended          chan struct{}
}

var marks atomic.Int64

// start starts the command in a folder, which becomes the folder of temporary files. limit is that
// of the shell, or "".
func (b *bench) start(work, limit string, of *row, options []string, environ ...string) *process {
	p := &process{mark: fmt.Sprintf("%d-%d", os.Getpid(), marks.Add(1)), ended: make(chan struct{})}
	args := append([]string{"check", filepath.Join(b.repo, of.args[0])}, of.args[1:]...)
	p.cmd = exec.Command(b.program, append(args, options...)...)
	if limit != "" {
		p.cmd = exec.Command("bash", append([]string{"-c", "ulimit " + limit + ` && exec "$0" "$@"`, b.program}, p.cmd.Args[1:]...)...)
	}
	temp := filepath.Join(work, "temp")
	os.MkdirAll(temp, 0o755)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = work, &p.stdout, &p.stderr
	p.cmd.Env = append(os.Environ(), "GOFLAGS=-tags=torture", "MULTIGRAIN_CACHE="+filepath.Join(b.state, "cache"), "TMPDIR="+temp, marker+"="+p.mark)
	p.cmd.Env = append(p.cmd.Env, environ...)
	p.cmd.WaitDelay = 20 * time.Second // a process that stays has the pipes open
	p.code = -2
	if err := p.cmd.Start(); err != nil {
		fmt.Fprintln(&p.stderr, err)
		close(p.ended)
		return p
	}
	go func() {
		p.cmd.Wait()
		p.code = p.cmd.ProcessState.ExitCode()
		close(p.ended)
	}()
	return p
}

// wait waits for the end of the command. It ends one that hangs.
func (p *process) wait(longest time.Duration) {
	select {
	case <-p.ended:
	case <-time.After(longest):
		p.hung = true
		p.cmd.Process.Signal(syscall.SIGQUIT) // prints where it hangs
		select {
		case <-p.ended:
		case <-time.After(5 * time.Second):
			p.cmd.Process.Kill()
			<-p.ended
		}
	}
}

// signal ends the command or its program, and reports whether there was one to end.
func (p *process) signal(name, to string) bool {
	pid := p.cmd.Process.Pid
	if to == "program" {
		pid = programOf(pid)
	}
	select {
	case <-p.ended:
		return false
	default:
	}
	number := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "INT": syscall.SIGINT, "TERM": syscall.SIGTERM}[name]
	return pid > 0 && syscall.Kill(pid, number) == nil
}

// programOf is the assembled program that a process has started, or 0.
func programOf(pid int) int {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, path := range threads {
		text, _ := os.ReadFile(path)
		for _, child := range strings.Fields(string(text)) {
			if exe, err := os.Readlink("/proc/" + child + "/exe"); err == nil && filepath.Base(filepath.Dir(exe)) == "programs" {
				n, _ := strconv.Atoi(child)
				return n
			}
		}
	}
	return 0
}

// left returns the processes of a run that are still there when its command has ended. They have
// some seconds to end.
func (p *process) left() (names []string) {
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		names = names[:0]
		found, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, path := range found {
			text, err := os.ReadFile(path)
			if err == nil && bytes.Contains(append(text, 0), []byte("\x00"+marker+"="+p.mark+"\x00")) {
				line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
				names = append(names, fmt.Sprintf("%s %q", filepath.Dir(path), line))
			}
		}
		if len(names) == 0 || time.Now().After(end) {
			return names
		}
	}
}
