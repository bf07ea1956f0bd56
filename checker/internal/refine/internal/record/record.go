// Package record holds the sets of states of a monitored node that package refine searches: one
// record for many states that differ in intervals alone.
package record

import "unsafe"

// Record is a set of simulation states. It has the node's row. For each lane to a peer it has how
// many of the observed messages have been produced, and the messages that are produced and not
// observed yet. For each incoming lane it has an interval. The first low messages of a lane are
// consumed, and any number of them up to high may be. Each of those between changed nothing when it
// could first be taken. So messages that change nothing cost neither time nor states. A message
// that changes the later row is taken from any place in the interval.
type Record []byte

// Shape is the layout of a record.
type Shape struct {
	Row, outs, ins int // bytes of the row, and numbers of lanes to peers and of incoming lanes
	out, count, in int // offsets: lanes to peers, unseen steps, incoming lanes
	Size           int // of the whole record, in bytes
}

// ShapeOf returns the shape of records with a row of row bytes, outs lanes to peers and ins
// incoming lanes.
func ShapeOf(row, outs, ins int) Shape {
	s := Shape{Row: row, outs: outs, ins: ins, out: row}
	s.count = s.out + 8*outs
	s.in = s.count + 8
	s.Size = s.in + 8*ins
	return s
}

// Key returns the bytes in which two records must agree to differ in their intervals and in unseen
// steps only.
func (s *Shape) Key(r Record) []byte { return r[:s.count] }

// Word returns the 32-bit word at a place of a record.
func Word(r Record, at int) *uint32 { return (*uint32)(unsafe.Pointer(&r[at])) }

// Sent and Queue return places in a record, for a lane to a peer, from 0. Sent counts the messages
// of the lane in the stream that are produced. Queue is the number in Lists of the messages that
// are produced and not yet in the stream, 0 for none.
func (s *Shape) Sent(r Record, lane int) *uint32  { return Word(r, s.out+8*lane) }
func (s *Shape) Queue(r Record, lane int) *uint32 { return Word(r, s.out+8*lane+4) }

// Unseen counts unobserved time-outs.
func (s *Shape) Unseen(r Record) *uint32 { return Word(r, s.count) }

// Ins returns the number of incoming lanes.
func (s *Shape) Ins() int { return s.ins }

// Produced returns the part of a record that says what is produced, for all lanes to peers.
func (s *Shape) Produced(r Record) []byte { return r[s.out:s.count] }

// Low and High return places in a record: the ends of the interval of an incoming lane, from 0.
// Invariant: 0 <= Low <= High.
func (s *Shape) Low(r Record, lane int) *uint32  { return Word(r, s.in+8*lane) }
func (s *Shape) High(r Record, lane int) *uint32 { return Word(r, s.in+8*lane+4) }

// Within reports whether a's intervals are within b's, and a has no fewer unseen steps.
func (s *Shape) Within(a, b Record) bool {
	if *s.Unseen(a) < *s.Unseen(b) {
		return false
	}
	for l := range s.ins {
		if *s.Low(a, l) < *s.Low(b, l) || *s.High(a, l) > *s.High(b, l) {
			return false
		}
	}
	return true
}

// Join makes b the union of a and b where that is one record: a is within b, or they differ in one
// interval, and overlap or touch there.
func (s *Shape) Join(a, b Record) bool {
	if *s.Unseen(a) != *s.Unseen(b) {
		return s.Within(a, b)
	}
	differ := -1
	for l := range s.ins {
		if *s.Low(a, l) == *s.Low(b, l) && *s.High(a, l) == *s.High(b, l) {
			continue
		}
		if differ >= 0 {
			return false
		}
		differ = l
	}
	if differ < 0 {
		return true
	}
	al, ah, bl, bh := *s.Low(a, differ), *s.High(a, differ), *s.Low(b, differ), *s.High(b, differ)
	if al > bh+1 || bl > ah+1 {
		return false
	}
	*s.Low(b, differ), *s.High(b, differ) = min(al, bl), max(ah, bh)
	return true
}

// Slab hands out records and forgets all of them at once.
type Slab struct {
	Size   int
	blocks [][]byte
	Used   int
}

const slabRecords = 256

// Get returns the next record of Size bytes. Its contents are not defined. It is valid until
// Release or Reset.
func (s *Slab) Get() Record {
	b := s.Used / slabRecords
	if b == len(s.blocks) {
		s.blocks = append(s.blocks, make([]byte, s.Size*slabRecords))
	}
	at := s.Used % slabRecords * s.Size
	s.Used++
	return s.blocks[b][at : at+s.Size : at+s.Size]
}

// Release takes back the record that Get returned last.
func (s *Slab) Release() { s.Used-- }

// Reset forgets all records, and gives back what a single large search has taken.
func (s *Slab) Reset() {
	s.Used = 0
	if len(s.blocks) > 64 {
		s.blocks = s.blocks[:1]
	}
}

// Hash returns a multiply-and-fold hash of a record's bytes, a multiple of 8.
func Hash(b []byte) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for len(b) >= 8 {
		h = (h ^ *(*uint64)(unsafe.Pointer(&b[0]))) * 0xd1342543de82ef95
		h ^= h >> 32
		b = b[8:]
	}
	return h
}
