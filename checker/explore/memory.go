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

// store hands out slabs up to a limit. Stores may share their memory.
type store struct {
	memory *memory
	limit  int64 // bytes; 0: none
	held   int64 // bytes handed out and not given back
}

// memory is slabs and where they come from. It is given back to the system all at once, at the end.
type memory struct {
	mu         sync.Mutex
	ready      []slab // never handed out
	back       []slab // handed out and given back
	groups     []mapping
	held, most int64 // bytes handed out by all stores: now, and at most
}

func newStore(limit int64) *store { return &store{memory: &memory{}, limit: limit} }

// beside is another store of the same memory.
func (s *store) beside() *store { return &store{memory: s.memory} }

// reserve takes bytes off the limit, for a store beside this one. It reports whether any are left.
func (s *store) reserve(bytes int64) bool {
	s.limit -= bytes
	return s.limit > 0
}

// slab is filled with zeros.
func (s *store) slab() (slab, error) {
	m := s.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.limit > 0 && s.held+slabBytes > s.limit {
		return nil, errLimit
	}
	b, err := m.take()
	if err != nil {
		return nil, err
	}
	s.held += slabBytes
	m.held += slabBytes
	m.most = max(m.most, m.held)
	return b, nil
}

func (m *memory) take() (slab, error) {
	if n := len(m.back); n > 0 {
		b := m.back[n-1]
		m.back = m.back[:n-1]
		clear(b[:])
		return b, nil
	}
	if len(m.ready) == 0 {
		g, err := mapGroup()
		if err != nil {
			return nil, errMemory
		}
		m.groups = append(m.groups, g)
		m.ready = g.slabs()
	}
	b := m.ready[0]
	m.ready = m.ready[1:]
	return b, nil
}

// give takes back a slab that the store handed out.
func (s *store) give(b slab) {
	m := s.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	m.back = append(m.back, b)
	s.held -= slabBytes
	m.held -= slabBytes
}

// now is how many bytes all stores of this memory hold.
func (s *store) now() int64 {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	return s.memory.held
}

// most is how many bytes all stores of this memory held at most.
func (s *store) most() int64 {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	return s.memory.most
}

func (s *store) free() {
	m := s.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, g := range m.groups {
		g.unmap()
	}
	m.groups, m.ready, m.back = nil, nil, nil
}

// slabs cuts the slabs out of a mapping, which is larger than they are by what aligning takes.
func (m mapping) slabs() (out []slab) {
	skip := -uintptr(unsafe.Pointer(&m[0])) % groupAlign
	for at := skip; at+slabBytes <= uintptr(len(m)); at += slabBytes {
		out = append(out, slab(m[at:at+slabBytes]))
	}
	return out
}
