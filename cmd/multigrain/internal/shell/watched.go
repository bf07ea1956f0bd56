package shell

import (
	"io"
)

// Watched remembers that something could not be written.
type Watched struct {
	To     io.Writer
	Failed error
}

// Write writes to To. It keeps the first error in Failed.
func (w *Watched) Write(b []byte) (int, error) {
	n, err := w.To.Write(b)
	if err != nil && w.Failed == nil {
		w.Failed = err
	}
	return n, err
}
