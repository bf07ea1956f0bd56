//go:build !unix

package experiment

// childSeconds returns 0: the processor seconds of child processes are only known on Unix.
func childSeconds() float64 { return 0 }
