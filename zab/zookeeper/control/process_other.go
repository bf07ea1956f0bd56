//go:build !linux

package control

import (
	"errors"
	"io"
	"os/exec"
)

var errSystem = errors.New("servers can be controlled on Linux only: no other kernel ends them with this process")

func startChild(*exec.Cmd) error { return errSystem }

func startSurvivor(*exec.Cmd) error { return errSystem }

func reservePort(int) (io.Closer, error) { return nil, errSystem }
