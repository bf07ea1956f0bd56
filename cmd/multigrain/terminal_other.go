//go:build !unix

package main

import "os"

// terminalWidth is 0 where the system's terminals are not known.
func terminalWidth(*os.File) int { return 0 }
