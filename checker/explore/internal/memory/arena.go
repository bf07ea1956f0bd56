package memory

import (
	"container/heap"
	"errors"
	"sort"
	"sync"
	"unsafe"
)

// Arena cuts slabs into blocks of one size and keeps those that are given back. A bounded Arena has
// at most most blocks in use at once. A caller that needs one more writes a block of its own to
// disk and reuses it. The last free blocks are kept for callers that have none.
type Arena struct {
	mu      sync.Mutex
	Budget  *Budget
	Size    int // of a block in bytes, a divisor of slabBytes
	idle    blocks
	lasting blocks           // not taken yet of slabs that are never given back
	slabs   map[uintptr]Slab // by address

	bounded     bool
	most, spare int
	out         int
	Disk        *Disk // of a bounded arena
}

// ErrSpill says that memory for the frontier and the trace log is used up, and disk is not.
var ErrSpill = errors.New("the memory for frontier and trace log is used up")

// Tight reports whether the next block would have to come from disk.
func (a *Arena) Tight() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.bounded && a.out >= a.most-a.spare
}

// Get returns a block of Size bytes whose contents are not defined. The error is ErrSpill if a
// bounded arena has no block left, ErrLimit or ErrMemory if there is no slab.
func (a *Arena) Get() ([]byte, error) { return a.take(a.most-a.spare, &a.idle, &a.lasting) }

// GetLasting is Get for a block that is not given back, so that it does not hold a slab whose other
// blocks are given back.
func (a *Arena) GetLasting() ([]byte, error) { return a.take(a.most-a.spare, &a.lasting, &a.idle) }

// Must is Get for a caller that cannot continue without a block. It may also take the blocks that a
// bounded arena holds in reserve for each worker. The errors are those of Get.
func (a *Arena) Must() ([]byte, error) { return a.take(a.most, &a.idle, &a.lasting) }

// take returns a block of the first list, of a new slab for it, or, where there is no slab, of the
// other list.
func (a *Arena) take(most int, from, other *blocks) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bounded && a.out >= most {
		return nil, ErrSpill
	}
	if len(*from) == 0 {
		b, err := a.Budget.Slab()
		switch {
		case err == nil:
			a.keep(b, from)
		case len(*other) > 0:
			from = other
		default:
			return nil, err
		}
	}
	a.out++
	return heap.Pop(from).([]byte), nil
}

// keep cuts a slab into blocks of a list.
func (a *Arena) keep(b Slab, list *blocks) {
	if a.slabs == nil {
		a.slabs = map[uintptr]Slab{}
	}
	a.slabs[address(b[:])] = b
	for at := SlabBytes - a.Size; at >= 0; at -= a.Size {
		heap.Push(list, b[at:at+a.Size:at+a.Size])
	}
}

// Put takes a block back. Its contents are not cleared.
func (a *Arena) Put(b []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	heap.Push(&a.idle, b)
	a.out--
}

// Hold copies b, at most Size bytes, into a block and returns the block. If the arena has no block
// left, Hold writes b to the end of file: mem is nil then, and at is the offset in bytes. Other
// errors are those of Get and of the file.
func (a *Arena) Hold(b []byte, file *Scratch) (mem []byte, at int64, err error) {
	mem, err = a.Get()
	switch err {
	case nil:
		copy(mem, b)
		return mem, 0, nil
	case ErrSpill:
		whole := make([]byte, a.Size)
		copy(whole, b)
		at, err = file.Write(whole)
	}
	return nil, at, err
}

// Trim gives back the slabs without a block in use.
func (a *Arena) Trim() {
	a.mu.Lock()
	defer a.mu.Unlock()
	each := SlabBytes / a.Size
	sort.Sort(a.idle)
	kept := a.idle[:0]
	for k := 0; k < len(a.idle); {
		first := address(a.idle[k])
		whole, ok := a.slabs[first]
		if !ok || k+each > len(a.idle) || address(a.idle[k+each-1]) != first+uintptr(SlabBytes-a.Size) {
			kept = append(kept, a.idle[k])
			k++
			continue
		}
		delete(a.slabs, first)
		a.Budget.give(whole)
		k += each
	}
	clear(a.idle[len(kept):])
	a.idle = kept
}

// blocks is a heap: the block at the lowest address is taken first, so that others come together to
// whole slabs.
type blocks [][]byte

func (b blocks) Len() int           { return len(b) }
func (b blocks) Less(x, y int) bool { return address(b[x]) < address(b[y]) }
func (b blocks) Swap(x, y int)      { b[x], b[y] = b[y], b[x] }
func (b *blocks) Push(x any)        { *b = append(*b, x.([]byte)) }
func (b *blocks) Pop() any {
	last := len(*b) - 1
	x := (*b)[last]
	*b = (*b)[:last]
	return x
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// neededBlocks is the number of blocks that a worker may hold without having given one back. These
// are the last chunk of the level before, the first of its level, the chunk that it reads, and the
// end of its stream of the trace log.
const neededBlocks = 4

// Bound makes the arena spill to disk above so many bytes, or above what its workers cannot do
// without.
func (a *Arena) Bound(bytes int64, workers int, d *Disk) {
	a.spare = neededBlocks * workers
	a.bounded, a.most, a.Disk = true, max(int(bytes/int64(a.Size)), a.spare+2*workers), d
	each := SlabBytes / a.Size
	a.Budget.Limit = int64((a.most+each-1)/each) * SlabBytes
}
