//go:build !unix && !windows

package host

import "time"

// Processor returns false: the system does not tell the processor time of this process.
func Processor() (time.Duration, bool) { return 0, false }
