package conform

import "time"

// Impatient waits a fifth of a second for a step when a run is to end.
func Impatient(o Options) Options {
	o.patience = 200 * time.Millisecond
	return o
}

// Frugal allows the process so many bytes.
func Frugal(o Options, bytes uint64) Options {
	o = Impatient(o)
	o.memory = bytes
	return o
}
