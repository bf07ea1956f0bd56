package explore

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/fingerprint"
	"github.com/multigrain/multigrain/checker/sleepset"
)

// same keeps the slot of the next successor equal to the node that is expanded, where nodes are large: of each successor what differs is
// found, among the lines that its instance may write, hashed and put back. Sets of lines have a bit for each.
type same[T any] struct {
	s, n   *T
	every  []uint64 // all lines
	within []uint64 // where n may differ from s
	diff   []uint64 // where n differs from s, while a successor is judged; else none
	moved  []uint64 // where a new s differs from the one before
	sum    uint64   // of s
	valid  bool     // n is equal to an s with that sum
	tried  bool     // what steps may write is tried in s
}

func newSame[T any](s, n *T) same[T] {
	x := same[T]{s: s, n: n}
	if fingerprint.IsLarge[T]() {
		lines := fingerprint.Lines[T]()
		x.every = make([]uint64, (lines+63)/64)
		for k := range lines {
			x.every[k/64] |= 1 << (k % 64)
		}
		x.within, x.diff, x.moved = make([]uint64, len(x.every)), make([]uint64, len(x.every)), make([]uint64, len(x.every))
	}
	return x
}

// start makes the slot equal to s, a node that was not there before. Where the one before is known, moved has all lines in which they
// may differ.
func (x *same[T]) start() {
	if !x.valid {
		*x.n = *x.s
		x.sum = fingerprint.LineSum(x.s)
		copy(x.moved, x.every)
		x.valid = true
		return
	}
	differing(x.n, x.s, x.moved, x.moved)
	x.sum += fingerprint.LineChange(x.n, x.s, x.moved)
	copyLines(x.n, x.s, x.moved)
}

// look finds where the successor differs, within some lines.
func (x *same[T]) look(within []uint64) { differing(x.s, x.n, within, x.diff) }

// hash is the successor's.
func (x *same[T]) hash() uint64 {
	return fingerprint.OfSum[T](x.sum + fingerprint.LineChange(x.s, x.n, x.diff))
}

// back makes the slot equal to s again.
func (x *same[T]) back() {
	copyLines(x.n, x.s, x.diff)
	clear(x.diff)
}

// equal reports whether the slot is equal to s.
func (x *same[T]) equal() bool {
	differing(x.s, x.n, x.every, x.diff)
	some := uint64(0)
	for _, d := range x.diff {
		some |= d
	}
	return some == 0
}

// right reports whether the slot is equal to s and their sum is the sum of all lines.
func (x *same[T]) right() bool {
	ok := x.equal() && fingerprint.LineSum(x.s) == x.sum
	clear(x.diff)
	return ok
}

// lasting is where a node's last line begins, if it is not a whole one, else its end.
func lasting[T any]() uintptr {
	var n T
	return unsafe.Sizeof(n) &^ (fingerprint.LineBytes - 1)
}

// differing sets out to the lines of a set in which two nodes differ.
func differing[T any](a, b *T, within, out []uint64) {
	whole := int(lasting[T]() / fingerprint.LineBytes)
	for k, of := range within {
		if of == 0 {
			out[k] = 0
			continue
		}
		from := 64*k + bits.TrailingZeros64(of)
		to := min(64*(k+1)-bits.LeadingZeros64(of), whole)
		d := uint64(0)
		if from < to {
			at := uintptr(from) * fingerprint.LineBytes
			d = linesDiffer(unsafe.Add(unsafe.Pointer(a), at), unsafe.Add(unsafe.Pointer(b), at), to-from) << (from % 64)
		}
		if whole/64 == k && unsafe.Sizeof(*a)%fingerprint.LineBytes != 0 {
			at := lasting[T]()
			if string(checker.Bytes(a)[at:]) != string(checker.Bytes(b)[at:]) {
				d |= 1 << (whole % 64)
			}
		}
		out[k] = d & of
	}
}

// copyLines copies lines of a set.
func copyLines[T any](to, from *T, lines []uint64) {
	t, f := unsafe.Pointer(to), unsafe.Pointer(from)
	last := lasting[T]()
	for k, set := range lines {
		for ; set != 0; set &= set - 1 {
			at := uintptr(64*k+bits.TrailingZeros64(set)) * fingerprint.LineBytes
			if at == last {
				copy(checker.Bytes(to)[at:], checker.Bytes(from)[at:])
				continue
			}
			*(*[8]uint64)(unsafe.Add(t, at)) = *(*[8]uint64)(unsafe.Add(f, at))
		}
	}
}

// linesInGo is linesDiffer in Go.
func linesInGo(a, b unsafe.Pointer, count int) (differ uint64) {
	for k := range count {
		at := uintptr(k) * fingerprint.LineBytes
		if *(*[8]uint64)(unsafe.Add(a, at)) != *(*[8]uint64)(unsafe.Add(b, at)) {
			differ |= 1 << k
		}
	}
	return differ
}

// nextLarge reads the k-th node of a chunk, which is expanded from now on, and makes the slot equal to it.
func (w *worker[T]) nextLarge(k int) {
	w.read.nextLarge(w.same.moved)
	if k == 0 {
		copy(w.same.moved, w.same.every)
	}
	w.same.start()
	w.write.moved(w.same.moved)
	w.same.tried = k%tryEvery == tryEvery-1 || w.run.trying
	if w.same.tried && !w.same.right() {
		w.run.doubt(&SparedError{"the state that is expanded, or what is equal to it, was written by a step"})
	}
	w.out.Same = true
}

// lineUp finds where the successor that is to be judged differs from its parent.
func (w *worker[T]) lineUp() {
	x, instance := &w.same, int(w.out.Instance[0])
	w.write.diff = x.diff
	if !w.spec.Pruning.HasLines() {
		x.look(x.every)
		return
	}
	w.spec.Pruning.Lines(x.s, x.n, instance, x.within)
	if !x.tried {
		x.look(x.within)
		return
	}
	x.look(x.every)
	if beyond(x.diff, x.within) {
		w.doubtWrites(instance)
	}
}

// putBack makes the slot equal to its parent again, behind a successor.
func (w *worker[T]) putBack() {
	w.same.back()
	w.write.diff = nil
	w.out.Same = true
}

// leave ends the expansion of a node. What is not equal then was written by some step that must not.
func (w *worker[T]) leave() {
	if !w.out.Same { // a step was begun and is no successor
		w.same.valid = false
		return
	}
	x := &w.same
	if !w.spec.Pruning.HasLines() || x.tried || x.equal() {
		return
	}
	s, n := x.s, &w.spare.node
	for k := range w.spec.Instances {
		if !w.spec.Enabled(s, k) {
			continue
		}
		*n = *s
		w.spec.Apply(s, n, k)
		differing(s, n, x.every, x.diff)
		if w.spec.Pruning.Lines(s, n, k, x.within); beyond(x.diff, x.within) {
			w.doubtWrites(k)
			return
		}
	}
	w.run.doubt(&SparedError{"a step writes what it is said not to write"})
}

func (w *worker[T]) doubtWrites(instance int) {
	w.run.doubt(&SparedError{fmt.Sprintf("%s writes what it is said not to write", checker.InstanceName(w.spec, instance))})
}

// beyond reports whether a set has more than another.
func beyond(set, of []uint64) bool {
	more := uint64(0)
	for k := range set {
		more |= set[k] &^ of[k]
	}
	return more != 0
}

// partBytes is the part of a node that is encoded at once: 64 words.
const partBytes = 64 * 8

// nextLarge is next for large nodes. moved is set to lines, among them all in which the node differs from the one before.
func (r *reader[T]) nextLarge(moved []uint64) {
	mem, words := r.chunk.mem, r.cur.words()
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

// moved says that the node that successors are to be put of has changed in some lines.
func (w *writer[T]) moved(lines []uint64) {
	for k := range w.stale {
		w.stale[k] |= lines[k]
	}
}

// putLarge puts a large node. Where it differs from its parent is diff, nil where that is not known; where the last node that was put may
// differ from that parent is stale. A part of 64 words that cannot differ is not compared.
func (w *writer[T]) putLarge(n *T, labels sleepset.Labels) {
	diff := w.diff
	if w.stale == nil {
		w.stale = make([]uint64, (fingerprint.Lines[T]()+63)/64)
		w.forget()
	}
	before, rest := &w.node[0], &w.node[1]
	c := w.cur
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
	c.nodes++
	if diff == nil {
		w.forget()
		return
	}
	copy(w.stale, diff)
}

// forget says that nothing is known of the last node that was put.
func (w *writer[T]) forget() {
	for k := range w.stale {
		w.stale[k] = ^uint64(0)
	}
}
