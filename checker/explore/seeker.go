package explore

import "sort"

// seeker goes through the nodes of a level by their numbers, which do not become smaller.
type seeker[T any] struct {
	arena  *arena
	chunks []*chunk // those that are left
	cur    chunk
	read   reader[T]
	node   *T
	number int64
}

// newSeeker makes a seeker for the chunks of a level.
func newSeeker[T any](a *arena, level []*chunk) *seeker[T] {
	return &seeker[T]{arena: a, chunks: level}
}

// to is the node with a number. It is overwritten by the next one.
func (s *seeker[T]) to(number int64) (*T, error) {
	if s.node == nil || number >= s.cur.first+int64(s.cur.nodes) {
		k := sort.Search(len(s.chunks), func(k int) bool { return s.chunks[k].first > number }) - 1
		if err := s.enter(s.chunks[k]); err != nil {
			return nil, err
		}
		s.chunks = s.chunks[k+1:]
	}
	for s.number < number {
		s.node = s.read.next()
		s.number++
	}
	return s.node, nil
}

// enter goes to the first node of a chunk.
func (s *seeker[T]) enter(c *chunk) error {
	s.leave()
	s.cur = *c // another worker may bring it into memory, too
	if err := s.cur.load(s.arena); err != nil {
		return err
	}
	s.read.start(&s.cur)
	s.node, s.number = s.read.next(), c.first
	return nil
}

// leave gives back what a chunk was brought into memory with.
func (s *seeker[T]) leave() {
	if s.cur.file != nil {
		s.cur.release(s.arena)
	}
}
