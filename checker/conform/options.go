package conform

import (
	"cmp"
	"context"
	"runtime"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/cover"
)

// Options are the length and the number of a run's walks, and its limits.
type Options struct {
	Depth int // steps of a walk, at most; 0: 100
	// walks; 0: as many as fit into Timeout or, if that is 0 too, until Context is done
	Number int64
	// Timeout bounds the walks' time. The run is undecided if it ends them before Number; 0: no
	// limit.
	Timeout time.Duration
	// Most, unless it is 0, says that the time in which walks wait for a processor does not count
	// for Timeout and Follow.Share, and bounds the whole time: see host.Stopwatch.
	Most time.Duration
	Seed uint64
	// Weights are relative frequencies of actions by name, as in simulate.Options.
	Weights map[string]float64
	Workers int // each with an adapter of its own; 0: one for each processor
	// end after the walk in which so many differences were found; 1: the first; 0: never
	Stop  int
	Setup Setup
	// Accepted are differences that are known. Those of actions that the composition does not have
	// are left out.
	Accepted []Acceptance
	// Cover asks for walks that cover a graph; "": walks are random. With it, Number, Seed and
	// weights above 0 do not count. A Depth of 0 is no limit, and actions of weight 0 are omitted.
	Cover cover.Kind
	// MaxStates limits the graph that is covered; 0: 200,000 states.
	MaxStates int
	// Branches are those of the program that runs, where it notes them; nil where it does not. Run
	// clears them.
	Branches *checker.Branches
	// Follow lets walks continue after a difference, with what the implementation has. It cannot be
	// combined with Cover. Nil: a walk ends there.
	Follow *Follow
	// Journal is a folder for what the workers are doing: see ReadJournals. "": it is not noted.
	Journal string
	// Again makes Replay do a walk that has ended its process once more; nil: it does a trace.
	Again *Walk
	// Held asks for the sums of what the objects of a Holder have: see Result.Held.
	Held bool
	// Context ends the run when it is done, as an interrupt. Nil: nothing does.
	Context context.Context
	// Progress is called about every half second from a goroutine of its own, and not after the
	// run. Nil: not at all.
	Progress func(Progress)
	// Noticed is called for each walk that ends in a difference or before a step that could not be
	// driven. It is called as soon as the walk ends, from several goroutines. So a run that is
	// killed has reported such walks. Nil: not at all.
	Noticed func(walk int64, what string)

	patience time.Duration // for a step when the run is to end; 0: defaultPatience
	memory   uint64        // bytes of the process at which the run ends; 0: defaultMemory
}

// Progress is reported while walks are taken.
type Progress struct {
	Traces, Steps int64
	Elapsed       time.Duration
}

const (
	defaultDepth    = 100
	defaultStates   = 200_000
	defaultPatience = 10 * time.Second
	defaultMemory   = 6 << 30
	roundTraces     = 256 // walks between two merges, at most
)

// Hangs says when a step does not come back: it takes so many times the patience.
const Hangs = 6

func (o *Options) complete() {
	if o.Depth = max(o.Depth, 0); o.Cover == "" {
		o.Depth = cmp.Or(o.Depth, defaultDepth)
	}
	o.MaxStates = cmp.Or(max(o.MaxStates, 0), defaultStates)
	o.Workers = cmp.Or(max(o.Workers, 0), runtime.GOMAXPROCS(0))
	o.patience = cmp.Or(o.patience, defaultPatience)
	o.memory = cmp.Or(o.memory, defaultMemory)
	if o.Context == nil {
		o.Context = context.Background()
	}
}
