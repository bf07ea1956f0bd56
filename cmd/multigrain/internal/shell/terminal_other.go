//go:build !unix

package shell

import "os"

// TerminalWidth is 0: terminals of this system are not known.
func TerminalWidth(*os.File) int { return 0 }
