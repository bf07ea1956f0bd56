package refine

import "unsafe"

// A record is a set of simulation states: the node's row; for each lane to a peer how many of the observed messages have been
// produced, and what is produced and not observed yet; and for each incoming lane an interval. The first low messages of a
// lane are consumed, and any number of them up to high may be: each of those between changed nothing when it could first be taken. So
// messages that change nothing cost neither time nor states, and one that does later, with the row as it is then, is taken from
// any place in the interval.
type record []byte

// shape says where what is in a record.
type shape struct {
	row, outs, ins int
	out, count, in int // offsets: lanes to peers, unseen steps, incoming lanes
	size           int
}

func shapeOf(row, outs, ins int) shape {
	s := shape{row: row, outs: outs, ins: ins, out: row}
	s.count = s.out + 8*outs
	s.in = s.count + 8
	s.size = s.in + 8*ins
	return s
}

// key are the bytes in which two records must agree to differ in their intervals only.
func (s *shape) key(r record) []byte { return r[:s.in] }

func word(r record, at int) *uint32 { return (*uint32)(unsafe.Pointer(&r[at])) }

// sent is how many of the messages that the stream holds of an outgoing lane are produced; queue is the number of the list of
// messages that are produced beyond, 0 for none.
func (s *shape) sent(r record, lane int) *uint32  { return word(r, s.out+8*lane) }
func (s *shape) queue(r record, lane int) *uint32 { return word(r, s.out+8*lane+4) }

// unseen counts time-outs of which nothing was observed.
func (s *shape) unseen(r record) *uint32 { return word(r, s.count) }

// low and high are the interval of an incoming lane.
func (s *shape) low(r record, lane int) *uint32  { return word(r, s.in+8*lane) }
func (s *shape) high(r record, lane int) *uint32 { return word(r, s.in+8*lane+4) }

// within reports whether a's intervals are within b's.
func (s *shape) within(a, b record) bool {
	for l := range s.ins {
		if *s.low(a, l) < *s.low(b, l) || *s.high(a, l) > *s.high(b, l) {
			return false
		}
	}
	return true
}

// join makes b the union of a and b where that is one record: they differ in one interval, and overlap or touch there.
func (s *shape) join(a, b record) bool {
	differ := -1
	for l := range s.ins {
		if *s.low(a, l) == *s.low(b, l) && *s.high(a, l) == *s.high(b, l) {
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
	al, ah, bl, bh := *s.low(a, differ), *s.high(a, differ), *s.low(b, differ), *s.high(b, differ)
	if al > bh+1 || bl > ah+1 {
		return false
	}
	*s.low(b, differ), *s.high(b, differ) = min(al, bl), max(ah, bh)
	return true
}

// slab hands out records and forgets all of them at once.
type slab struct {
	size   int
	blocks [][]byte
	used   int
}

const slabRecords = 256

func (s *slab) get() record {
	b := s.used / slabRecords
	if b == len(s.blocks) {
		s.blocks = append(s.blocks, make([]byte, s.size*slabRecords))
	}
	at := s.used % slabRecords * s.size
	s.used++
	return s.blocks[b][at : at+s.size : at+s.size]
}

func (s *slab) release() { s.used-- }

// reset forgets all records, and gives back what a single large search has taken.
func (s *slab) reset() {
	s.used = 0
	if len(s.blocks) > 64 {
		s.blocks = s.blocks[:1]
	}
}

// hash is a multiply-and-fold hash of a record's bytes, a multiple of 8.
func hash(b []byte) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for len(b) >= 8 {
		h = (h ^ *(*uint64)(unsafe.Pointer(&b[0]))) * 0xd1342543de82ef95
		h ^= h >> 32
		b = b[8:]
	}
	return h
}
