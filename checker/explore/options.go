package explore

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"time"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// Options of an exploration. The zero value explores everything on all processors, whatever is violated.
type Options struct {
	Workers   int           // 0: one for each processor
	Stop      int           // end behind the level in which so many violations were found; 1: the first; 0: never
	Deadlock  bool          // a node without an enabled action is a violation
	MaxStates int64         // distinct nodes; 0: no limit
	Timeout   time.Duration // 0: no limit
	Mem       int64         // bytes outside the garbage-collected heap; 0: no limit
	// Context ends the run when it is done, as an interrupt. Nil: nothing does.
	Context context.Context
	// Progress is called about every half second from a goroutine of its own, and not after the run. Nil: not at all.
	Progress func(checker.Progress)

	// What tests make small.
	homes uint64 // of each segment of the table at first
	block int    // bytes of a chunk
}

const progressInterval = 500 * time.Millisecond

func (o *Options) complete() {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.homes == 0 {
		o.homes = pageBuckets - tailBuckets
	}
	if o.block == 0 {
		o.block = 64 << 10
	}
}

// blockFor is the size of chunks for nodes of type T: as asked, or as much as wastes little of a chunk's end.
func blockFor[T any](asked int) (int, error) {
	worst := worstNode(wordsOf[T]())
	if worst > slabBytes {
		var n T
		return 0, fmt.Errorf("a state of %d bytes is too large: a chunk of %d bytes has to hold one", unsafe.Sizeof(n), slabBytes)
	}
	for asked < worst || asked < 16*worst && asked >= 64<<10 && asked < slabBytes {
		asked *= 2
	}
	return asked, nil
}

// flat refuses nodes that cannot lie outside the garbage-collected heap or that are not their bytes.
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
