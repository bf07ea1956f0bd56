//go:build unix

package shell

import (
	"os"

	"golang.org/x/sys/unix"
)

// TerminalWidth returns the number of columns of the terminal f, or 0 where f is none.
func TerminalWidth(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	if size.Col == 0 { // a terminal that does not know
		return 80
	}
	return int(size.Col)
}
