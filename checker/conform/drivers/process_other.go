//go:build !linux

package drivers

import "os/exec"

// memory is "": temporary files are where the system has them.
func memory() string { return "" }

// startChild starts a process. It ends when its standard input ends.
func startChild(cmd *exec.Cmd) error { return cmd.Start() }

// killAll ends a process.
func killAll(cmd *exec.Cmd) { cmd.Process.Kill() }
