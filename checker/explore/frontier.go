package explore

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
)

// chunk holds nodes of one level with their labels, each as its difference from the one before, the first from a node of zeros. Neighbours
// mostly are successors of one node and differ in a few bytes.
//
// The words of 64 bits that differ come as bitmaps of up to 64 words each, every bitmap followed by its words: a byte that holds
// the number of zero bytes at the low end (bits 0 to 2) and the number of bytes that follow less one (bits 3 to 5), then these
// bytes. Words are written and read 8 bytes at a time, so that no branch depends on their length; what is written too much
// is overwritten by what comes next.
type chunk struct {
	mem   []byte // nil while it is on disk
	used  int    // bytes
	nodes int    // how many
	first int64  // number of the first node
	file  *scratch
	at    int64 // where it lies in the file
}

// spill writes a chunk that is complete to disk. Its memory is the caller's then.
func (c *chunk) spill(file *scratch) (mem []byte, err error) {
	at, err := file.write(c.mem[:c.used])
	if err != nil {
		return nil, err
	}
	mem = c.mem
	c.mem, c.file, c.at = nil, file, at
	return mem, nil
}

// load brings a chunk into memory, if it is on disk.
func (c *chunk) load(a *arena) error {
	if c.mem != nil {
		return nil
	}
	mem, err := a.must()
	if err != nil {
		return err
	}
	if err := c.file.read(mem[:c.used], c.at); err != nil {
		a.put(mem)
		return err
	}
	c.mem = mem
	return nil
}

// padded is a node with its labels that can be read and written in blocks of 8 words: it is followed by zeros.
type padded[T any] struct {
	labels checker.Labels
	node   T
	_      [8*8 + 7]byte
}

// words is the node in whole blocks of 8 words.
func (p *padded[T]) words() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(p)), wordsOf[T]())
}

func wordsOf[T any]() int {
	var n T
	return int(unsafe.Offsetof(padded[T]{}.node)+unsafe.Sizeof(n)+63) / 64 * 8
}

// worstNode is the most that a node of so many words takes in a chunk, with the bytes that are written too much.
func worstNode(words int) int { return words/8 + words*9 + 8 }

// encode writes the difference between word and before, which are equally many blocks of 8, to the start of mem, which has room for it, and
// returns how many bytes it took.
func encode(mem []byte, word, before []uint64) int {
	at := unsafe.Pointer(unsafe.SliceData(mem))
	start := at
	for len(word) > 0 {
		n := min(64, len(word))
		at = encodeBlocks(at, &word[0], &before[0], n/8)
		word, before = word[n:], before[n:]
	}
	return int(uintptr(at) - uintptr(start))
}

// decode reads one difference at the start of mem into word and returns how many bytes it took. mem goes on for at least 8
// bytes behind it.
func decode(mem []byte, word []uint64) int {
	at := unsafe.Pointer(unsafe.SliceData(mem))
	start := at
	for len(word) > 0 {
		n := min(64, len(word))
		w := word[:n]
		word = word[n:]
		differ := getWord(at) & (^uint64(0) >> (64 - n))
		at = unsafe.Add(at, n/8)
		for ; differ != 0; differ &= differ - 1 {
			head := *(*byte)(at)
			size := int(head>>3) + 1
			x := getWord(unsafe.Add(at, 1)) & (^uint64(0) >> ((64 - 8*size) & 63)) << (head & 7 * 8)
			w[bits.TrailingZeros64(differ)] ^= x
			at = unsafe.Add(at, 1+size)
		}
	}
	return int(uintptr(at) - uintptr(start))
}

func putWord(at unsafe.Pointer, x uint64) { binary.LittleEndian.PutUint64((*[8]byte)(at)[:], x) }

func getWord(at unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(at)[:]) }

// reader yields the nodes of a chunk in order.
type reader[T any] struct {
	chunk *chunk
	at    int
	cur   padded[T]
}

func (r *reader[T]) start(c *chunk) { *r = reader[T]{chunk: c} }

// next is the next node. There must be one. The node is overwritten by the one after it.
func (r *reader[T]) next() *T {
	r.at += decode(r.chunk.mem[r.at:], r.cur.words())
	return &r.cur.node
}

// writer puts the nodes that one worker finds into chunks.
type writer[T any] struct {
	arena *arena
	most  int // nodes of a chunk
	cur   *chunk
	done  []*chunk // of this level, cur included
	// The last node that was put, and the place of the next, in turn.
	node [2]padded[T]
	last int
}

// manyChunks is the number of chunks of a level above which a worker need not keep them small for others to have work.
const manyChunks = 16

// mostNodes bounds what a chunk may hold; its block is full long before.
const mostNodes = 1 << 30

// room makes sure that one more node can be put. It reports whether that starts a new chunk.
func (w *writer[T]) room() (started bool, err error) {
	if w.cur != nil && w.cur.nodes < w.most && w.cur.used+worstNode(wordsOf[T]()) <= len(w.cur.mem) {
		return false, nil
	}
	mem, err := w.block()
	if err != nil {
		return false, err
	}
	if n := len(w.done); n > 0 && n%manyChunks == 0 {
		w.most = min(2*w.most, mostNodes) // there are enough to share; a chunk takes a block however few nodes it holds
	}
	w.cur = &chunk{mem: mem}
	w.done = append(w.done, w.cur)
	w.node[w.last] = padded[T]{}
	return true, nil
}

// block is memory for a chunk: that of the chunk that is complete now, where no other is left.
func (w *writer[T]) block() ([]byte, error) {
	mem, err := w.arena.get()
	if err != errSpill {
		return mem, err
	}
	if w.cur != nil {
		d := w.arena.disk
		return w.cur.spill(d.levels[d.next])
	}
	return w.arena.must()
}

// put puts a node, for which there is room.
func (w *writer[T]) put(n *T, labels checker.Labels) {
	before := &w.node[w.last]
	w.last ^= 1
	node := &w.node[w.last]
	node.node, node.labels = *n, labels
	c := w.cur
	c.used += encode(c.mem[c.used:], node.words(), before.words())
	c.nodes++
}

// take hands over the chunks of the level that ends.
func (w *writer[T]) take() []*chunk {
	done := w.done
	w.cur, w.done = nil, nil
	return done
}
