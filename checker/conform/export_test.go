package conform

import "time"

// Impatient waits a fifth of a second for a step when a run is to end.
func Impatient(o Options) Options {
	o.patience = 200 * time.Millisecond
	return o
}
