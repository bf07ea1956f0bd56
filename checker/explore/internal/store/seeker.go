package store

import (
	"sort"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
)

// Seeker goes through the nodes of a level by their numbers, which do not become smaller.
type Seeker[T any] struct {
	arena  *memory.Arena
	chunks []*Chunk // those that are left
	cur    Chunk
	read   Reader[T]
	node   *T
	number int64
}

// NewSeeker makes a seeker for the chunks of a level.
func NewSeeker[T any](a *memory.Arena, level []*Chunk) *Seeker[T] {
	return &Seeker[T]{arena: a, chunks: level}
}

// To returns the node with a number. It is overwritten by the next one.
func (s *Seeker[T]) To(number int64) (*T, error) {
	if s.node == nil || number >= s.cur.First+int64(s.cur.Nodes) {
		k := sort.Search(len(s.chunks), func(k int) bool { return s.chunks[k].First > number }) - 1
		if err := s.Enter(s.chunks[k]); err != nil {
			return nil, err
		}
		s.chunks = s.chunks[k+1:]
	}
	for s.number < number {
		s.node = s.read.Next()
		s.number++
	}
	return s.node, nil
}

// Enter goes to the first node of a chunk.
func (s *Seeker[T]) Enter(c *Chunk) error {
	s.Leave()
	s.cur = *c // another worker may bring it into memory, too
	if err := s.cur.Load(s.arena); err != nil {
		return err
	}
	s.read.Start(&s.cur)
	s.node, s.number = s.read.Next(), c.First
	return nil
}

// Leave gives back what a chunk was brought into memory with.
func (s *Seeker[T]) Leave() {
	if s.cur.file != nil {
		s.cur.Release(s.arena)
	}
}
