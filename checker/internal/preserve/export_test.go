package preserve

import "time"

// Impatient looks into a comparison that does not end earlier than usual.
func Impatient(o Options) Options {
	o.patience = 100 * time.Millisecond
	return o
}
