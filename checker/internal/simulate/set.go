package simulate

// set is a set of fingerprints other than 0, in a table of powers of two with linear probing. Any
// number of goroutines may read it while none adds.
type set struct {
	slots []uint64
	n     int64
	limit int64
	full  bool // something was left out
}

func newSet(limit int64) *set { return &set{slots: make([]uint64, 64), limit: limit} }

// at returns the slot that holds h, or the empty one where it belongs.
func (s *set) at(h uint64) *uint64 {
	mask := uint64(len(s.slots) - 1)
	k := h & mask
	for s.slots[k] != 0 && s.slots[k] != h {
		k = (k + 1) & mask
	}
	return &s.slots[k]
}

func (s *set) has(h uint64) bool { return *s.at(h) != 0 }

// add reports whether h is new. Once the set holds as many as it may, it adds nothing and reports
// false.
func (s *set) add(h uint64) bool {
	p := s.at(h)
	if *p != 0 {
		return false
	}
	if s.n >= s.limit {
		s.full = true
		return false
	}
	*p = h
	if s.n++; s.n*4 > int64(len(s.slots))*3 {
		old := s.slots
		s.slots = make([]uint64, 2*len(old))
		for _, h := range old {
			if h != 0 {
				*s.at(h) = h
			}
		}
	}
	return true
}

func (s *set) bytes() int64 { return 8 * int64(len(s.slots)) }
