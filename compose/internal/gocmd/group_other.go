//go:build !unix

package gocmd

import "os/exec"

// together does nothing: a cancelled command ends alone.
func together(*exec.Cmd) {}
