package simulate

// Visited makes o report every node of a walk, in the order of the walks where there is one worker.
func Visited(o Options, visited func(hash uint64)) Options {
	o.visited = visited
	return o
}

// Rounds makes o merge after so many walks.
func Rounds(o Options, walks int64) Options {
	o.round = walks
	return o
}

// NewSet and its methods are for tests of the set.
var NewSet = newSet

func (s *set) Add(h uint64) bool { return s.add(h) }
func (s *set) Has(h uint64) bool { return s.has(h) }
