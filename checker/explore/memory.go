package explore

import (
	"errors"
	"sync"
	"unsafe"
)

// slabBytes is the unit in which memory is taken and counted. Slabs that are taken after each other mostly lie behind each other,
// in groups that are asked of the system at once and consist of huge pages where there are any. What was not taken of a
// group was not touched and costs nothing, but for the rest of a huge page.
const (
	slabBytes  = 256 << 10
	groupSlabs = 128
	groupBytes = groupSlabs * slabBytes
	hugeBytes  = 2 << 20 // a huge page on the common machines
)

// slab is memory outside the garbage-collected heap, zero at first.
type slab = *[slabBytes]byte

var (
	errLimit  = errors.New("the memory limit is reached")
	errMemory = errors.New("there is no more memory")
)

// store hands out slabs and counts them. Slabs are given back all at once, at the end.
type store struct {
	mu     sync.Mutex
	limit  int64 // bytes; 0: none
	held   int64 // bytes handed out
	ready  []slab
	groups []mapping
}

func (s *store) slab() (slab, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limit > 0 && s.held+slabBytes > s.limit {
		return nil, errLimit
	}
	if len(s.ready) == 0 {
		m, err := mapGroup()
		if err != nil {
			return nil, errMemory
		}
		s.groups = append(s.groups, m)
		s.ready = m.slabs()
	}
	b := s.ready[0]
	s.ready = s.ready[1:]
	s.held += slabBytes
	return b, nil
}

func (s *store) bytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}

func (s *store) free() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.groups {
		m.unmap()
	}
	s.groups, s.ready = nil, nil
}

// slabs cuts the slabs out of a mapping, which is larger than they are by what aligning takes.
func (m mapping) slabs() (out []slab) {
	skip := -uintptr(unsafe.Pointer(&m[0])) % groupAlign
	for at := skip; at+slabBytes <= uintptr(len(m)); at += slabBytes {
		out = append(out, slab(m[at:at+slabBytes]))
	}
	return out
}

// arena cuts slabs into blocks of one size and keeps those that are given back. If it is bounded, no more than most blocks
// are out at once: those who want one above that write what they hold to disk and take its block. The last spare ones are
// kept for those who have none.
type arena struct {
	mu    sync.Mutex
	store *store
	size  int // of a block, a divisor of slabBytes
	idle  [][]byte

	bounded     bool
	most, spare int
	out         int
	disk        *disk // of a bounded arena
}

// errSpill says that memory for the frontier and the trace log is used up, and disk is not.
var errSpill = errors.New("the memory for frontier and trace log is used up")

// get is a block whose contents are not defined. A bounded arena returns errSpill where there is none.
func (a *arena) get() ([]byte, error) { return a.take(a.most - a.spare) }

// must is a block for those who cannot do without. It fails only where memory does.
func (a *arena) must() ([]byte, error) { return a.take(a.most) }

func (a *arena) take(most int) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bounded && a.out >= most {
		return nil, errSpill
	}
	if len(a.idle) == 0 {
		b, err := a.store.slab()
		if err != nil {
			return nil, err
		}
		for at := slabBytes - a.size; at >= 0; at -= a.size {
			a.idle = append(a.idle, b[at:at+a.size:at+a.size])
		}
	}
	b := a.idle[len(a.idle)-1]
	a.idle = a.idle[:len(a.idle)-1]
	a.out++
	return b, nil
}

// put takes a block back. Its contents are not cleared.
func (a *arena) put(b []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.idle = append(a.idle, b)
	a.out--
}

// neededBlocks is how many blocks a worker may hold without having given one back: the last chunk of the level before, the
// first of its level, the chunk that it reads, and the end of its stream of the trace log.
const neededBlocks = 4

// bound makes the arena spill to disk above so many bytes, or above what its workers cannot do without.
func (a *arena) bound(bytes int64, workers int, d *disk) {
	a.spare = neededBlocks * workers
	a.bounded, a.most, a.disk = true, max(int(bytes/int64(a.size)), a.spare+2*workers), d
	blocks := slabBytes / a.size
	a.store.limit = int64((a.most+blocks-1)/blocks) * slabBytes
}
