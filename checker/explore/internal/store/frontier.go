package store

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/sleepset"
)

// Chunk holds nodes of one level with their labels, each as its difference from the one before, the
// first from a node of zeros. Neighbours mostly are successors of one node and differ in a few
// bytes.
//
// A difference is that of up to 64 words of 64 bits, then that of the next, and so on. Each begins
// with a bitmap of the words that differ. Then comes a byte for each of these words, with a bit for
// each of its bytes that follow. These bytes follow, each as the exclusive or of both. Assembly
// takes the bytes that differ, Go those from the first to the last one of a word, and either reads
// both. What is written too much, up to 64 bytes at once, is overwritten by what comes next.
type Chunk struct {
	mem   []byte // nil while it is on disk
	used  int    // bytes
	Nodes int    // how many
	First int64  // number of the first node
	Sum   uint64 // of the terms of SumOf, modulo 2^64
	file  *memory.Scratch
	at    int64 // where it lies in the file
}

// spill writes a chunk that is complete to disk. Its memory is the caller's then.
func (c *Chunk) spill(file *memory.Scratch) (mem []byte, err error) {
	at, err := file.Write(c.mem[:c.used])
	if err != nil {
		return nil, err
	}
	mem = c.mem
	c.mem, c.file, c.at = nil, file, at
	return mem, nil
}

// MoveOut writes a chunk that is complete to disk, as one of the next level, and gives back its
// memory. On an error of writing, the chunk stays in memory.
func (c *Chunk) MoveOut(a *memory.Arena) error {
	mem, err := c.spill(a.Disk.NextLevel())
	if err == nil {
		a.Put(mem)
	}
	return err
}

// Load brings a chunk into memory, if it is on disk.
func (c *Chunk) Load(a *memory.Arena) error {
	if c.mem != nil {
		return nil
	}
	mem, err := a.Must()
	if err != nil {
		return err
	}
	if err := c.file.Read(mem[:c.used], c.at); err != nil {
		a.Put(mem)
		return err
	}
	c.mem = mem
	return nil
}

// Release gives back the memory of a chunk, if it has any.
func (c *Chunk) Release(a *memory.Arena) {
	if c.mem != nil {
		a.Put(c.mem)
		c.mem = nil
	}
}

// SumOf returns the term of a node with a hash and labels in the sum of its chunk.
func SumOf(hash uint64, labels sleepset.Labels) uint64 {
	const odd = 0x9e3779b97f4a7c15
	return bits.RotateLeft64(hash^uint64(labels)*odd, 32) * odd
}

// padded is a node with its labels that can be read and written in blocks of 8 words: it is
// followed by zeros.
type padded[T any] struct {
	node   T
	labels sleepset.Labels
	_      [8*8 + 7]byte
}

// words returns the node in whole blocks of 8 words.
func (p *padded[T]) words() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(p)), wordsOf[T]())
}

func wordsOf[T any]() int {
	var p padded[T]
	return int(unsafe.Offsetof(p.labels)+unsafe.Sizeof(p.labels)+63) / 64 * 8
}

// excess is how many bytes after its end a difference may write, or read.
const excess = 64

// worstNode returns the most that a node of so many words takes in a chunk, with the bytes that are
// written too much.
func worstNode(words int) int { return words/8 + words*9 + excess }

// encode writes the difference between word and before to the start of mem and returns how many
// bytes it took. Both are equally many blocks of 8 words, and mem must have room for the
// difference.
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

// decode adds the difference at the start of mem to word and returns how many bytes it took. mem
// continues after it for at least what is read too much.
func decode(mem []byte, word []uint64) int {
	at := unsafe.Pointer(unsafe.SliceData(mem))
	start := at
	for len(word) > 0 {
		n := min(64, len(word))
		at = decodeBlocks(at, &word[0], n/8)
		word = word[n:]
	}
	return int(uintptr(at) - uintptr(start))
}

// encodeWords writes the difference between up to 8 blocks of 8 words to at and returns where it
// ends. No branch depends on how long words are.
func encodeWords(at unsafe.Pointer, word, before *uint64, blocks int) unsafe.Pointer {
	w, b := unsafe.Slice(word, 8*blocks), unsafe.Slice(before, 8*blocks)
	differ := differ(word, before, blocks)
	putWord(at, differ)
	mask := unsafe.Add(at, blocks)
	at = unsafe.Add(mask, bits.OnesCount64(differ))
	for ; differ != 0; differ &= differ - 1 {
		k := bits.TrailingZeros64(differ)
		x := w[k] ^ b[k]
		low := bits.TrailingZeros64(x) / 8
		size := 8 - low - bits.LeadingZeros64(x)/8
		*(*byte)(mask) = byte((1<<size - 1) << low)
		mask = unsafe.Add(mask, 1)
		putWord(at, x>>(low*8&63))
		at = unsafe.Add(at, size)
	}
	return at
}

// decodeWords adds the difference at at to up to 8 blocks of 8 words and returns where it ends.
func decodeWords(at unsafe.Pointer, word *uint64, blocks int) unsafe.Pointer {
	w := unsafe.Slice(word, 8*blocks)
	differ := getWord(at) & (^uint64(0) >> (64 - 8*blocks))
	mask := unsafe.Add(at, blocks)
	at = unsafe.Add(mask, bits.OnesCount64(differ))
	for ; differ != 0; differ &= differ - 1 {
		m := *(*byte)(mask)
		mask = unsafe.Add(mask, 1)
		word := &w[bits.TrailingZeros64(differ)]
		low, size := bits.TrailingZeros8(m), bits.OnesCount8(m)
		if m == byte((1<<size-1)<<low) {
			*word ^= getWord(at) & (^uint64(0) >> ((64 - 8*size) & 63)) << (low * 8 & 63)
			at = unsafe.Add(at, size)
			continue
		}
		for ; m != 0; m &= m - 1 {
			*word ^= uint64(*(*byte)(at)) << (8 * bits.TrailingZeros8(m) & 63)
			at = unsafe.Add(at, 1)
		}
	}
	return at
}

// differ has a bit set for each word that is another one before, of up to 8 blocks of 8 words,
// found without branches.
func differ(word, before *uint64, blocks int) (differ uint64) {
	a, b := unsafe.Slice((*[8]uint64)(unsafe.Pointer(word)), blocks), unsafe.Slice((*[8]uint64)(unsafe.Pointer(before)), blocks)
	for k := range a {
		a, b := &a[k], &b[k]
		same := ifEqual(a[0], b[0]) | ifEqual(a[1], b[1])<<1 | ifEqual(a[2], b[2])<<2 | ifEqual(a[3], b[3])<<3 |
			ifEqual(a[4], b[4])<<4 | ifEqual(a[5], b[5])<<5 | ifEqual(a[6], b[6])<<6 | ifEqual(a[7], b[7])<<7
		differ |= uint64(^same) << (8 * k)
	}
	return differ
}

func putWord(at unsafe.Pointer, x uint64) { binary.LittleEndian.PutUint64((*[8]byte)(at)[:], x) }

func getWord(at unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(at)[:]) }

// Reader yields the nodes of a chunk in order.
type Reader[T any] struct {
	Chunk *Chunk
	at    int
	cur   padded[T]
}

// Node returns the place of the node that was read last.
func (r *Reader[T]) Node() *T { return &r.cur.node }

// Labels returns those of the node that was read last.
func (r *Reader[T]) Labels() sleepset.Labels { return r.cur.labels }

// Start begins with a chunk, which must be in memory.
func (r *Reader[T]) Start(c *Chunk) { *r = Reader[T]{Chunk: c} }

// Next returns the next node. There must be one. The node is overwritten by the one after it.
func (r *Reader[T]) Next() *T {
	r.at += decode(r.Chunk.mem[r.at:], r.cur.words())
	return &r.cur.node
}

// Writer puts the nodes that one worker finds into chunks.
type Writer[T any] struct {
	Arena *memory.Arena
	Most  int // nodes of a chunk
	Chunk *Chunk
	Done  []*Chunk // of this level, cur included
	// The last node that was put, and the place of the next, in turn. Large nodes: see putLarge.
	node  [2]padded[T]
	last  int
	stale []uint64
	diff  []uint64
}

// manyChunks is the number of chunks of a level above which a worker need not keep them small for
// others to have work.
const manyChunks = 16

// MaxNodes bounds what a chunk may hold; its block is full long before.
const MaxNodes = 1 << 30

// Room makes sure that one more node can be put. It reports whether that starts a new chunk. The
// error is that of memory that cannot be had, or of moving a chunk to disk.
func (w *Writer[T]) Room() (started bool, err error) {
	if w.Chunk != nil && w.Chunk.Nodes < w.Most && w.Chunk.used+worstNode(wordsOf[T]()) <= len(w.Chunk.mem) {
		return false, nil
	}
	mem, err := w.block()
	if err != nil {
		return false, err
	}
	if n := len(w.Done); n > 0 && n%manyChunks == 0 {
		// there are enough to share; a chunk takes a block however few nodes it holds
		w.Most = min(2*w.Most, MaxNodes)
	}
	w.Chunk = &Chunk{mem: mem}
	w.Done = append(w.Done, w.Chunk)
	w.node[w.last] = padded[T]{}
	w.forget()
	return true, nil
}

// block is memory for a chunk: that of the chunk that is complete now, where no other is left.
func (w *Writer[T]) block() ([]byte, error) {
	mem, err := w.Arena.Get()
	if err != memory.ErrSpill {
		return mem, err
	}
	if w.Chunk != nil {
		return w.Chunk.spill(w.Arena.Disk.NextLevel())
	}
	return w.Arena.Must()
}

// Put puts a node, for which there is room.
func (w *Writer[T]) Put(n *T, labels sleepset.Labels) {
	if fingerprint.IsLarge[T]() {
		w.putLarge(n, labels)
		return
	}
	before := &w.node[w.last]
	w.last ^= 1
	node := &w.node[w.last]
	node.node, node.labels = *n, labels
	c := w.Chunk
	c.used += encode(c.mem[c.used:], node.words(), before.words())
	c.Nodes++
}

// Take hands over the chunks of the level that ends.
func (w *Writer[T]) Take() []*Chunk {
	done := w.Done
	w.Chunk, w.Done = nil, nil
	return done
}

// BlockFor returns the size of chunks for nodes of type T: as asked, or as much as wastes little of
// a chunk's end.
func BlockFor[T any](asked int) (int, error) {
	worst := worstNode(wordsOf[T]())
	if worst > memory.SlabBytes {
		var n T
		return 0, fmt.Errorf("a state of %d bytes is too large: a chunk of %d bytes has to hold one", unsafe.Sizeof(n), memory.SlabBytes)
	}
	for asked < worst || asked < 16*worst && asked >= 64<<10 && asked < memory.SlabBytes {
		asked *= 2
	}
	return asked, nil
}
