package main

import (
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
)

// progress returns what shows the progress of a run, or nil where none is wanted.
func (c *call) progress(req wire.Request) *shell.Progress {
	if c.quiet {
		return nil
	}
	p := &shell.Progress{To: c.err, Width: c.errWidth}
	if s := req.Options.Simulate; s != nil {
		p.Walks = s.Number
	}
	if p.Width == 0 {
		p.Next = time.Now().Add(shell.Every) // short runs stay silent
	}
	return p
}
