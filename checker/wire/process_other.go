//go:build !unix

package wire

import (
	"os"
	"os/exec"
)

func apart(*exec.Cmd) {}

func killed(*os.ProcessState) bool { return false }
