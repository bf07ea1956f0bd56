package simulate

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker"
)

// Options are the length, the number and the weights of a simulation's walks, and its limits.
type Options struct {
	Depth int // transitions of a walk, at most; 0: 100
	// walks; 0: as many as fit into Timeout or, if that is 0 too, until Context is done
	Number int64
	// Timeout bounds the walks' time. The run is undecided if it ends them before Number; 0: no
	// limit.
	Timeout time.Duration
	Seed    uint64
	// Weights are relative frequencies by the action's name: finite, not negative, 0 for an action
	// that is never taken, 1 where nothing is stated. Actions of several modules may share a name,
	// and share its weight then.
	Weights map[string]float64
	Learned bool // multiply the weights by learned ones
	// Hash is the abstraction of nodes for which weights are learned, "" for ByActions. Bytes are
	// those of ByBytes.
	Hash  Hash
	Bytes []Span

	// Branches are those of the program that runs, where it notes those of steps; nil where it does
	// not. Strategies can learn from them.
	Branches *checker.Branches

	Workers int // 0: one for each processor
	// end after the walk in which so many violations were found; 1: the first; 0: never
	Stop      int
	Deadlock  bool  // a node without an enabled action is a violation
	MaxStates int64 // distinct nodes, beyond which the run is undecided; 0: no limit
	// Remember is how many distinct nodes are remembered, each for at most 32 bytes. Once they are
	// so many they are not counted further, while walks continue. 0: 16 million.
	Remember int64
	// Context ends the run when it is done, as an interrupt. Nil: nothing does.
	Context context.Context
	// Progress is called about every half second from a goroutine of its own, and not after the
	// run. Nil: not at all.
	Progress func(Progress)

	visited func(hash uint64) // for tests, with one worker: every node of a walk
	round   int64             // for tests: walks between two merges
}

// Progress is reported while walks are taken.
type Progress struct {
	Walks, Steps int64 // of walks that have ended
	Distinct     int64 // as of the last merge
	Elapsed      time.Duration
}

const (
	defaultDepth    = 100
	defaultRemember = 1 << 24
	learnedRound    = 16
	roundSteps      = 1 << 18 // about so many steps between two merges
	maxWeight       = 1e12
)

func (o *Options) complete() {
	o.Depth = cmp.Or(max(o.Depth, 0), defaultDepth)
	o.Workers = cmp.Or(max(o.Workers, 0), runtime.GOMAXPROCS(0))
	o.Remember = cmp.Or(max(o.Remember, 0), defaultRemember)
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.round == 0 {
		o.round = min(max(int64(roundSteps/o.Depth), 16), 1024)
	}
	if o.Learned {
		o.round = learnedRound // part of what is learned, so never another
	}
}

// Source returns the generator of a walk, which are numbered from 1.
func Source(seed uint64, walk int64) *rand.Rand {
	p := new(rand.PCG)
	reseed(p, seed, walk)
	return rand.New(p)
}

// reseed spreads seed and number over the generator's 128 bits: neighbouring states of PCG give
// related sequences.
func reseed(p *rand.PCG, seed uint64, walk int64) {
	p.Seed(scramble(seed), scramble(uint64(walk)))
}

// scramble returns a bijection that changes about half of all bits whichever bit is changed: the
// finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// WeightError says what is wrong with Options.Weights.
type WeightError struct{ Message string }

func (e *WeightError) Error() string { return e.Message }

func wrongWeights(format string, args ...any) error {
	return &WeightError{fmt.Sprintf(format, args...)}
}

// weightsOf gives every action its weight.
func weightsOf(actions []checker.Action, byName map[string]float64) ([]float64, error) {
	var names []string
	out := make([]float64, len(actions))
	some := false
	for k, a := range actions {
		w, ok := byName[a.Name]
		if !ok {
			w = 1
		}
		out[k], some = w, some || w > 0
		names = append(names, a.Name)
	}
	var unknown []string
	for name, w := range byName {
		if !slices.Contains(names, name) {
			unknown = append(unknown, name)
		}
		if !(w >= 0 && w <= maxWeight) {
			return nil, wrongWeights("the weight of action %s is %g: it must be between 0 and %g", name, w, float64(maxWeight))
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return nil, wrongWeights("a weight is given for %s, which the composition does not have", strings.Join(unknown, ", "))
	}
	if !some && len(actions) > 0 {
		return nil, wrongWeights("every action has weight 0")
	}
	return out, nil
}
