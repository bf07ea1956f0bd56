package memory

import (
	"errors"
	"sync"
	"unsafe"

	"github.com/multigrain/multigrain/checker/host"
)

// SlabBytes is the unit in which memory is taken and counted. Slabs that are taken one after the
// other are mostly neighbours in memory. The system is asked for them in groups, which consist of
// huge pages where there are any. What was not taken of a group was not touched and costs nothing,
// except for the rest of a huge page.
const (
	SlabBytes  = 256 << 10
	groupSlabs = 128
	groupBytes = groupSlabs * SlabBytes
	hugeBytes  = 2 << 20 // a huge page on the common machines
)

// Slab is memory outside the garbage-collected heap, zero at first.
type Slab = *[SlabBytes]byte

// Errors of Budget.Slab: the budget or the system has no memory left. The system is not asked for
// its last part: see host.MemoryGone.
var (
	ErrLimit  = errors.New("the memory limit is reached")
	ErrMemory = errors.New(host.NoMemory)
)

// Budget hands out slabs up to a limit. Several budgets may share their memory.
type Budget struct {
	pool  *pool
	Limit int64 // bytes; 0: none
	held  int64 // bytes handed out and not given back
}

// pool holds slabs, and what the system gave. The system gets it back all at once, at the end.
type pool struct {
	mu         sync.Mutex
	ready      []Slab // never handed out
	back       []Slab // handed out and given back
	groups     []mapping
	held, most int64 // bytes handed out by all stores: now, and at most
}

// NewBudget returns a budget of a memory of its own, with a limit in bytes; 0: none.
func NewBudget(limit int64) *Budget { return &Budget{pool: &pool{}, Limit: limit} }

// Unlimited returns a budget of the same memory without a limit.
func (s *Budget) Unlimited() *Budget { return &Budget{pool: s.pool} }

// Reserve takes bytes off the limit, for another budget of the same memory. It reports whether any
// are left.
func (s *Budget) Reserve(bytes int64) bool {
	s.Limit -= bytes
	return s.Limit > 0
}

// Slab returns a slab that is filled with zeros. The error is ErrLimit if the limit is reached, and
// ErrMemory if the system has no memory left.
func (s *Budget) Slab() (Slab, error) {
	m := s.pool
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.Limit > 0 && s.held+SlabBytes > s.Limit {
		return nil, ErrLimit
	}
	b, err := m.take()
	if err != nil {
		return nil, err
	}
	s.held += SlabBytes
	m.held += SlabBytes
	m.most = max(m.most, m.held)
	return b, nil
}

func (m *pool) take() (Slab, error) {
	if n := len(m.back); n > 0 {
		b := m.back[n-1]
		m.back = m.back[:n-1]
		clear(b[:])
		return b, nil
	}
	if len(m.ready) == 0 {
		if host.MemoryGone() {
			return nil, ErrMemory
		}
		g, err := mapGroup()
		if err != nil {
			return nil, ErrMemory
		}
		m.groups = append(m.groups, g)
		m.ready = g.slabs()
	}
	b := m.ready[0]
	m.ready = m.ready[1:]
	return b, nil
}

// give takes back a slab that the store handed out.
func (s *Budget) give(b Slab) {
	m := s.pool
	m.mu.Lock()
	defer m.mu.Unlock()
	m.back = append(m.back, b)
	s.held -= SlabBytes
	m.held -= SlabBytes
}

// Held returns how many bytes all budgets of this memory hold.
func (s *Budget) Held() int64 {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.pool.held
}

// Peak returns the most bytes that all budgets of this memory held.
func (s *Budget) Peak() int64 {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.pool.most
}

// Free gives the memory of all budgets back to the system. None of it may be used afterwards.
func (s *Budget) Free() {
	m := s.pool
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, g := range m.groups {
		g.unmap()
	}
	m.groups, m.ready, m.back = nil, nil, nil
}

// slabs cuts the slabs out of a mapping, which is larger than they are by what aligning takes.
func (m mapping) slabs() (out []Slab) {
	skip := -uintptr(unsafe.Pointer(&m[0])) % groupAlign
	for at := skip; at+SlabBytes <= uintptr(len(m)); at += SlabBytes {
		out = append(out, Slab(m[at:at+SlabBytes]))
	}
	return out
}
