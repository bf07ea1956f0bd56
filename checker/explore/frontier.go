package explore

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// chunk holds nodes of one level, each as its difference from the one before, the first from a node of zeros. Neighbours
// mostly are successors of one node and differ in a few bytes.
//
// The words of 64 bits that differ come as bitmaps of 64 words each, every bitmap followed by its words: a byte that holds the
// number of zero bytes at the low end (bits 0 to 2) and the number of bytes that follow less one (bits 3 to 5), then these
// bytes. Words are written and read 8 bytes at a time, so that no branch depends on their length; what is written too much
// is overwritten by what comes next.
type chunk struct {
	mem   []byte
	used  int   // bytes
	nodes int   // how many
	first int64 // number of the first node
}

// padded is a node that can be read and written in whole words: node is followed by at least 7 more bytes, which are zero.
type padded[T any] struct {
	_    [0]uint64
	node T
	_    [8]byte
}

func (p *padded[T]) words() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(p)), wordsOf[T]())
}

func wordsOf[T any]() int {
	var n T
	return int(unsafe.Sizeof(n)+7) / 8
}

// worstNode is the most that a node of so many words takes in a chunk, with the bytes that are written too much.
func worstNode(words int) int { return (words+63)/64*8 + words*9 + 8 }

// encode appends the difference between word and before to mem, which has room for it, makes before equal to word, and returns
// how many bytes it took. diff is as long as both.
func encode(mem []byte, word, before, diff []uint64) int {
	at := unsafe.Pointer(unsafe.SliceData(mem))
	start := at
	for lo := 0; lo < len(word); lo += 64 {
		w := word[lo:min(lo+64, len(word))]
		b, d := before[lo:][:len(w)], diff[lo:][:len(w)]
		var differ uint64
		for k := range w {
			x := w[k] ^ b[k]
			b[k] = w[k]
			d[k] = x
			differ |= (x | -x) >> 63 << k
		}
		putWord(at, differ)
		at = unsafe.Add(at, (len(w)+7)/8)
		for ; differ != 0; differ &= differ - 1 {
			x := d[bits.TrailingZeros64(differ)]
			low := bits.TrailingZeros64(x) / 8
			size := 8 - low - bits.LeadingZeros64(x)/8
			*(*byte)(at) = byte(low | (size-1)<<3)
			putWord(unsafe.Add(at, 1), x>>(low*8))
			at = unsafe.Add(at, 1+size)
		}
	}
	return int(uintptr(at) - uintptr(start))
}

// decode reads one difference at the start of mem into word and returns how many bytes it took. mem goes on for at least 8
// bytes behind it.
func decode(mem []byte, word []uint64) int {
	at := unsafe.Pointer(unsafe.SliceData(mem))
	start := at
	for lo := 0; lo < len(word); lo += 64 {
		n := min(64, len(word)-lo)
		w := word[lo : lo+n]
		bytes := (n + 7) / 8
		differ := getWord(at) & (^uint64(0) >> (64 - 8*bytes))
		at = unsafe.Add(at, bytes)
		for ; differ != 0; differ &= differ - 1 {
			head := *(*byte)(at)
			size := int(head>>3) + 1
			x := getWord(unsafe.Add(at, 1)) & (^uint64(0) >> (64 - 8*size)) << (head & 7 * 8)
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
	arena  *arena
	most   int // nodes of a chunk
	cur    *chunk
	done   []*chunk // of this level, cur included
	node   padded[T]
	before []uint64
	diff   []uint64
}

func newWriter[T any](a *arena) writer[T] {
	return writer[T]{arena: a, before: make([]uint64, wordsOf[T]()), diff: make([]uint64, wordsOf[T]())}
}

// room makes sure that one more node can be put. It reports whether that starts a new chunk.
func (w *writer[T]) room() (started bool, err error) {
	if w.cur != nil && w.cur.nodes < w.most && w.cur.used+worstNode(len(w.before)) <= len(w.cur.mem) {
		return false, nil
	}
	mem, err := w.arena.get()
	if err != nil {
		return false, err
	}
	w.cur = &chunk{mem: mem}
	w.done = append(w.done, w.cur)
	clear(w.before)
	return true, nil
}

// put puts a node, for which there is room.
func (w *writer[T]) put(n *T) {
	w.node.node = *n
	c := w.cur
	c.used += encode(c.mem[c.used:], w.node.words(), w.before, w.diff)
	c.nodes++
}

// take hands over the chunks of the level that ends.
func (w *writer[T]) take() []*chunk {
	done := w.done
	w.cur, w.done = nil, nil
	return done
}
