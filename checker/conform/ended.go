package conform

import (
	"fmt"
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/spent"
	"github.com/multigrain/multigrain/checker/internal/walks"
)

// What it computes. Whether the process that ran an implementation ended by itself because of the
// implementation: a panic of a goroutine that the library started, a failed assertion, an exit.
//
// Why it is right. Nothing can be observed in a process that has ended, so the walks that it was on
// are done again, each in a process of its own. One that ends its process again is a difference:
// the specification does the same steps. If none does, nothing is known: that is undecided.
//
// What it costs. A process for each attempt. At most endedAttempts make the walk shorter, for at
// most endedTime.

// Death says how a process ended by itself.
type Death struct {
	Message string   // its last words, in a line
	Frames  []string // the functions that were being called, the innermost first
	Log     []string // what it wrote last
	// Instances are the steps that it did. During the last one it ended; none: during the start.
	Instances []int32
}

// Again does a walk in a new process. It returns how that ended by itself, nil if it did not. The
// error says that nothing could be tried.
type Again func(init []byte, instances []int32) (*Death, error)

// Bounds of making a walk shorter.
const (
	endedAttempts = 60
	endedTime     = time.Minute
)

// settle is how long a walk that was done again is given to end its process after its last step.
const settle = 300 * time.Millisecond

// Ended says what became of a run whose process ended by itself, as first says, on one of some
// walks. The result is Violated if a walk ends its process again, else Undecided. Of the options
// it takes Context.
func Ended[S any, U checker.Counters](c Composition[S, U], walks []Walk, first *Death, again Again, opt Options) (res Result[checker.Node[S, U]], err error) {
	opt.complete()
	start := host.Now()
	res.Verdict, res.Workers = checker.Undecided, max(len(walks), 1)
	res.Fired, res.Instances = make([]int64, len(c.Bound.Actions)), make([]int64, len(c.Bound.Instances))
	for _, w := range walks {
		res.Traces += w.Walks
		res.Steps += w.Steps + int64(max(len(w.Instances)-1, 0)) // the last one was not compared
		res.Longest = max(res.Longest, len(w.Instances))
	}
	for _, w := range walks {
		d, err := again(w.Init, w.Instances)
		if err != nil {
			return res, err
		}
		if d == nil {
			continue
		}
		x := shortest{again: again, init: w.Init, best: d, left: endedAttempts, until: start.Add(endedTime), halted: func() bool { return opt.Context.Err() != nil }}
		minimal := x.shorten()
		res.Verdict, res.Differences = checker.Violated, 1
		res.Traces++
		res.Steps++
		res.Found = append(res.Found, Difference[checker.Node[S, U]]{
			Kind: Exit, Message: x.best.Message, Frames: x.best.Frames, Log: x.best.Log, Trace: traceOf(c, w.Init, x.best.Instances),
			Walk: w.Number, Length: len(w.Instances), Minimal: minimal, Count: 1,
		})
		break
	}
	if res.Verdict == checker.Undecided {
		res.Reason = fmt.Sprintf("the process of the implementation ended by itself (%s), and not again when what it was doing was done once more", first.Message)
		if opt.Context.Err() != nil {
			res.Reason = spent.Why(opt.Context) + " after the process of the implementation had ended by itself: " + first.Message
		}
	}
	res.Duration = host.Since(start)
	return res, nil
}

// traceOf returns a walk as the specification has it.
func traceOf[S any, U checker.Counters](c Composition[S, U], init []byte, instances []int32) (t checker.Trace[checker.Node[S, U]]) {
	copy(checker.Bytes(&t.Init), init)
	before := t.Init
	for _, k := range instances {
		t.Steps = append(t.Steps, checker.Step[checker.Node[S, U]]{Instance: int(k), Node: before})
		after := &t.Steps[len(t.Steps)-1].Node
		c.Bound.Apply(&before, after, int(k))
		before = *after
	}
	return t
}

// shortest makes a walk that ends its process shorter.
type shortest struct {
	again  Again
	init   []byte
	best   *Death
	left   int
	until  time.Time
	halted func() bool
}

// shorten reports whether no single step can be left out.
func (x *shortest) shorten() (minimal bool) {
	walks.Shorten(func() int { return len(x.best.Instances) }, x.without, x.more, nil)
	return x.more()
}

func (x *shortest) more() bool { return x.left > 0 && host.Now().Before(x.until) && !x.halted() }

// without tries to leave out the steps from one number to before another.
func (x *shortest) without(from, to int) bool {
	x.left--
	d, err := x.again(x.init, slices.Delete(slices.Clone(x.best.Instances), from, to))
	if err != nil {
		x.left = 0
		return false
	}
	if d == nil || len(d.Instances) >= len(x.best.Instances) {
		return false
	}
	x.best = d
	return true
}
