//go:build !unix

package shell

import "os"

// TerminalWidth is 0 where the system's terminals are not known.
func TerminalWidth(*os.File) int { return 0 }
