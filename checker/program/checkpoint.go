package program

import (
	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/wire"
)

// keep takes over what is asked of checkpoints.
func keep(opt *explore.Options, c *wire.Checkpoint) {
	if c == nil {
		return
	}
	opt.Checkpoint, opt.Interval, opt.Resume, opt.Key = c.Folder, c.Interval, c.Resume, c.Key
	for _, f := range c.Identity {
		opt.Identity = append(opt.Identity, explore.Fact{Name: f.Name, Value: f.Value})
	}
}

// checkpointed returns what became of checkpoints; nil where none was asked for.
func checkpointed(c *checker.Checkpoint) *wire.Checkpointed {
	if c == nil {
		return nil
	}
	return &wire.Checkpointed{
		Folder: c.Folder, Resumed: c.Resumed, Written: c.Written, Distinct: c.Distinct, Depth: c.Depth,
		Seconds: c.Took.Seconds(), Failure: c.Failure,
	}
}
