package store

import (
	"encoding/binary"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/sleepset"
)

// partBytes is the part of a node that is encoded at once: 64 words.
const partBytes = 64 * 8

// NextLarge is next for large nodes. moved is set to lines, among them all in which the node
// differs from the one before.
func (r *Reader[T]) NextLarge(moved []uint64) {
	mem, words := r.Chunk.mem, r.cur.words()
	whole := int(unsafe.Sizeof(r.cur.node)) / partBytes
	clear(moved)
	for k := range whole {
		if binary.LittleEndian.Uint64(mem[r.at:]) == 0 {
			r.at += 8
			continue
		}
		r.at += decode(mem[r.at:], words[64*k:64*(k+1)])
		moved[k/8] |= 0xff << (k % 8 * 8)
	}
	for k := whole * partBytes / fingerprint.LineBytes; k < fingerprint.Lines[T](); k++ {
		moved[k/64] |= 1 << (k % 64)
	}
	r.at += decode(mem[r.at:], words[64*whole:])
}

// Moved says that the parent of the next successors has changed in some lines.
func (w *Writer[T]) Moved(lines []uint64) {
	for k := range w.stale {
		w.stale[k] |= lines[k]
	}
}

// Differs says where the nodes that are put next may differ from their parent; nil: it is not
// known.
func (w *Writer[T]) Differs(lines []uint64) { w.diff = lines }

// putLarge puts a large node. Where it differs from its parent is diff, nil where that is not
// known; where the last node that was put may differ from that parent is stale. A part of 64 words
// that cannot differ is not compared.
func (w *Writer[T]) putLarge(n *T, labels sleepset.Labels) {
	diff := w.diff
	if w.stale == nil {
		w.stale = make([]uint64, (fingerprint.Lines[T]()+63)/64)
		w.forget()
	}
	before, rest := &w.node[0], &w.node[1]
	c := w.Chunk
	start := unsafe.Pointer(&c.mem[c.used])
	at := start
	whole := int(unsafe.Sizeof(*n)) / partBytes
	for k := range whole {
		differ := w.stale[k/8]
		if diff != nil {
			differ |= diff[k/8]
		}
		if differ>>(k%8*8)&0xff == 0 {
			putWord(at, 0)
			at = unsafe.Add(at, 8)
			continue
		}
		to, from := unsafe.Add(unsafe.Pointer(before), k*partBytes), unsafe.Add(unsafe.Pointer(n), k*partBytes)
		at = encodeBlocks(at, (*uint64)(from), (*uint64)(to), 8)
		*(*[64]uint64)(to) = *(*[64]uint64)(from)
	}
	c.used += int(uintptr(at) - uintptr(start))
	copy(checker.Bytes(&rest.node)[whole*partBytes:], checker.Bytes(n)[whole*partBytes:])
	rest.labels = labels
	words := rest.words()[64*whole:]
	c.used += encode(c.mem[c.used:], words, before.words()[64*whole:])
	copy(before.words()[64*whole:], words)
	c.Nodes++
	if diff == nil {
		w.forget()
		return
	}
	copy(w.stale, diff)
}

// forget says that nothing is known of the last node that was put.
func (w *Writer[T]) forget() {
	for k := range w.stale {
		w.stale[k] = ^uint64(0)
	}
}
