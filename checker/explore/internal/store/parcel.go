package store

import (
	"encoding/binary"
	"errors"

	"github.com/multigrain/multigrain/checker/internal/sleepset"
)

// Parcel holds nodes that one part of a search sends to another. Each is a record:
//
//	fingerprint   12 bytes, as Entry
//	parent        varint: what its number exceeds that of the record before by
//	instance      varint: the one that led to the node
//	node          its difference from the node before, as in a Chunk; the labels are the parent's
//
// The first number and the number of records come first.
type Parcel[T any] struct {
	Nodes  int
	frame  []byte
	head   int // bytes of the frame before the parcel
	used   int
	parent int64
	node   [2]padded[T]
	last   int
}

const (
	parcelHead  = 12 // bytes: number of records, first parent
	entryBytes  = 12
	recordBytes = entryBytes + 2*binary.MaxVarintLen64
)

// ParcelFor returns how many bytes a frame for parcels should have: as asked, or as much as holds
// two nodes of type T.
func ParcelFor[T any](asked, head int) int {
	return max(asked, head+parcelHead+2*(recordBytes+worstNode(wordsOf[T]())))
}

// Reset begins a parcel in a frame whose first head bytes are left to the caller.
func (p *Parcel[T]) Reset(frame []byte, head int) {
	p.frame, p.head, p.used, p.Nodes = frame, head, head+parcelHead, 0
	p.node[p.last] = padded[T]{}
}

// Put appends a node. The parcel must not be full.
func (p *Parcel[T]) Put(n *T, labels sleepset.Labels, e Entry, parent int64, instance uint32) {
	if p.Nodes == 0 {
		binary.LittleEndian.PutUint64(p.frame[p.head+4:], uint64(parent))
		p.parent = parent
	}
	b := p.frame[p.used:]
	binary.LittleEndian.PutUint64(b, e.Hash)
	binary.LittleEndian.PutUint32(b[8:], e.More)
	at := entryBytes
	at += putUvarint(b[at:], uint64(parent-p.parent))
	at += putUvarint(b[at:], uint64(instance))
	before := &p.node[p.last]
	p.last ^= 1
	node := &p.node[p.last]
	node.node, node.labels = *n, labels
	at += encode(b[at:], node.words(), before.words())
	p.used += at
	p.parent = parent
	p.Nodes++
}

// Full reports whether no further node may be put.
func (p *Parcel[T]) Full() bool {
	return p.used+recordBytes+worstNode(wordsOf[T]()) > len(p.frame)
}

// Take returns the frame, which is the caller's then.
func (p *Parcel[T]) Take() []byte {
	binary.LittleEndian.PutUint32(p.frame[p.head:], uint32(p.Nodes))
	frame := p.frame[:p.used]
	p.frame, p.Nodes = nil, 0
	return frame
}

// ParcelReader reads a parcel.
type ParcelReader[T any] struct {
	First    int64 // the first parent
	Left     int   // records that follow
	Parent   int64
	Instance uint32
	Entry
	mem []byte
	at  int
	cur padded[T]
}

// ErrParcel says that a parcel is none.
var ErrParcel = errors.New("a batch of states cannot be read")

// Open begins with a parcel. The reader keeps it.
func (r *ParcelReader[T]) Open(parcel []byte) error {
	if len(parcel) < parcelHead {
		return ErrParcel
	}
	*r = ParcelReader[T]{Left: int(binary.LittleEndian.Uint32(parcel)), First: int64(binary.LittleEndian.Uint64(parcel[4:])), at: parcelHead}
	if r.Left > len(parcel) {
		return ErrParcel
	}
	r.Parent = r.First
	// A difference is read in blocks: as many zeros follow as its longest form takes.
	r.mem = append(parcel, make([]byte, worstNode(wordsOf[T]())+recordBytes)...)
	return nil
}

// Next reads the next record. There must be one.
func (r *ParcelReader[T]) Next() error {
	r.Left--
	b := r.mem[r.at:]
	if len(b) < worstNode(wordsOf[T]())+recordBytes {
		return ErrParcel
	}
	r.Hash, r.More = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:])
	at := entryBytes
	by, n := binary.Uvarint(b[at:])
	if n <= 0 {
		return ErrParcel
	}
	at += n
	instance, n := binary.Uvarint(b[at:])
	if n <= 0 {
		return ErrParcel
	}
	at += n
	r.Parent += int64(by)
	r.Instance = uint32(instance)
	at += decode(b[at:], r.cur.words())
	r.at += at
	return nil
}

// Node returns the place of the node that was read last, and Labels those of its parent.
func (r *ParcelReader[T]) Node() *T { return &r.cur.node }

// Labels returns those of the parent of the node that was read last.
func (r *ParcelReader[T]) Labels() sleepset.Labels { return r.cur.labels }
