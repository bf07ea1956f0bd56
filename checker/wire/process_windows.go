package wire

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// attach hands files to the program and returns how it finds them.
func attach(cmd *exec.Cmd, files ...*os.File) (names []string, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	for _, f := range files {
		h := syscall.Handle(f.Fd())
		if err := syscall.SetHandleInformation(h, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
			return nil, err
		}
		cmd.SysProcAttr.AdditionalInheritedHandles = append(cmd.SysProcAttr.AdditionalInheritedHandles, h)
		names = append(names, fmt.Sprint(uintptr(h)))
	}
	return names, nil
}

// dump cannot ask a program where it is.
func dump(p *os.Process) { p.Kill() }

func private(uintptr, bool) {}

func killed(*os.ProcessState) bool { return false }

// enlarge does nothing: only Linux can change the room of a pipe.
func enlarge(*os.File) {}
