package explore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/checker/internal/exchange"
	"github.com/multigrain/multigrain/modules"
)

// Options of an exploration. The zero value explores everything on all processors, whatever is
// violated.
type Options struct {
	Workers int // 0: one for each processor
	// end after the level in which so many violations were found; 1: the first; 0: never
	Stop      int
	Deadlock  bool          // a node without an enabled action is a violation
	MaxStates int64         // distinct nodes; 0: no limit
	Timeout   time.Duration // 0: no limit
	// Mem limits the bytes outside the garbage-collected heap; 0: no limit. An eighth is for the
	// frontier and the trace log, which continue in files of the folder Spill after that; the rest
	// is for the fingerprints. If it is not enough, the run ends.
	Mem   int64
	Spill string // "": the system's folder for temporary files

	// Fingerprint is the number of bits of a node that are kept to recognise it: 64, or
	// WideFingerprint. WideFingerprint takes 7 bytes more for each node and is for more than a
	// billion of them. 0 is 64.
	Fingerprint int
	// Nearest asks for Result.Nearest, which takes a second for a hundred million nodes.
	Nearest bool

	// Checkpoint is the folder that checkpoints are kept in; "": there are none. One is written at
	// each Interval, 0 for none, and where a limit or an interrupt ends the run. A run that is
	// complete takes it away.
	Checkpoint string
	Interval   time.Duration
	// Resume is the folder of the checkpoint that the run continues from; "": it starts at the
	// initial nodes. Checkpoints are kept there if Checkpoint does not say otherwise.
	Resume string
	// Key seals checkpoints. One that was sealed with another key is refused. A run without a key
	// finds damage and no forgery.
	Key []byte
	// Identity identifies the specification's sources and constants. A run must share it with the
	// checkpoint that it continues from, apart from what this package compares itself.
	Identity []Fact

	// Context ends the run when it is done, as an interrupt. Nil: nothing does.
	Context context.Context
	// Progress is called about every half second from a goroutine of its own, and not after the
	// run. Nil: not at all.
	Progress func(checker.Progress)

	// Part makes the run one part of a search; nil: it is the whole search.
	Part *Part

	// What tests make small.
	homes    uint64 // of each segment of the table at first
	block    int    // bytes of a chunk
	frontier int64  // bytes of frontier and trace log in memory; 0: as Mem says
	// bytes that a checkpoint may take before the disk is full; 0: no limit
	room       int64
	patience   time.Duration // after which a run that should end and does not is looked into
	logged     bool          // counterexamples have the steps that the trace log has
	regenerate int64         // bytes of nodes that are made again; 0: as Mem says
	edges      int64         // bytes of edges; 0: as Mem says
	late       bool          // the table grows where it is full, not before
	share      int           // pieces of work that are worth a worker
	// pruneFrom is how many nodes a level has from which on steps are left out.
	pruneFrom  int64
	compareAll int64
}

// WideFingerprint is the number of bits of the longer fingerprints.
const WideFingerprint = 96

// Fact is a named property of a run, for people. A run continues only from a checkpoint with the
// same facts.
type Fact struct{ Name, Value string }

// defaultPatience is above what a node of any sensible specification takes on a machine that does
// other things, too.
const defaultPatience = 3 * time.Second

// frontierShare is the part of Mem that frontier and trace log may take: 1/8. The table takes 9.8
// to 12.3 bytes for a node; in a usual specification they take 3 to 4. So a run that just fits into
// memory does not touch the disk.
const frontierShare = 8

const progressInterval = 500 * time.Millisecond

// complete sets what is not stated. The error names options that do not go together.
func (o *Options) complete() error {
	if p := o.Part; p != nil {
		if p.Count < 1 || p.Count > exchange.MostParts || p.Index < 0 || p.Index >= p.Count {
			return fmt.Errorf("part %d of %d: a search has 1 to %d parts", p.Index+1, p.Count, exchange.MostParts)
		}
		if o.Mem > 0 || o.Checkpoint != "" || o.Resume != "" || o.Nearest || o.Fingerprint == 64 {
			return errors.New("limits of memory, checkpoints, the nearest fingerprints and fingerprints of 64 bits are not possible in a search in parts")
		}
		o.Workers, o.Fingerprint = 1, WideFingerprint
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.homes == 0 {
		o.homes = store.LeastHomes
	}
	if o.block == 0 {
		o.block = 64 << 10
	}
	if o.pruneFrom == 0 {
		o.pruneFrom = pruneFrom
	}
	if o.compareAll == 0 {
		o.compareAll = compareAll
	}
	if o.patience == 0 {
		o.patience = defaultPatience
	}
	if o.Fingerprint == 0 {
		o.Fingerprint = 64
	}
	if o.Spill == "" {
		o.Spill = os.TempDir()
	}
	if o.Checkpoint == "" {
		o.Checkpoint = o.Resume
	}
	return nil
}

// flat refuses nodes that cannot lie outside the garbage-collected heap or that are not their
// bytes.
func flat[T any]() error {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Struct {
		return fmt.Errorf("a node is a %s, not a struct", t)
	}
	if errs := modules.CheckState(t); len(errs) > 0 {
		return fmt.Errorf("nodes cannot be explored: %w", errs[0])
	}
	return nil
}
