package counterexample

// maskSet is a set of fingerprints with a mask each.
type maskSet struct {
	slots []maskSlot // a power of two, at most half of them in use
	used  int
}

type maskSlot struct{ hash, mask uint64 }

// add adds a fingerprint, or a mask to it.
func (s *maskSet) add(l maskSlot) {
	if 2*s.used >= len(s.slots) {
		old := s.slots
		s.slots = make([]maskSlot, max(64, 2*len(old)))
		for _, x := range old {
			if x.mask != 0 {
				*s.at(x.hash) = x
			}
		}
	}
	x := s.at(l.hash)
	if x.mask == 0 {
		s.used++
	}
	x.hash, x.mask = l.hash, x.mask|l.mask
}

// of returns the mask of a fingerprint, 0 where it is not in the set.
func (s *maskSet) of(hash uint64) uint64 {
	if len(s.slots) == 0 {
		return 0
	}
	return s.at(hash).mask
}

// at returns the place of a fingerprint.
func (s *maskSet) at(hash uint64) *maskSlot {
	last := uint64(len(s.slots) - 1)
	for k := hash & last; ; k = (k + 1) & last {
		if x := &s.slots[k]; x.mask == 0 || x.hash == hash {
			return x
		}
	}
}
