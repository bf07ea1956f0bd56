package record

import "bytes"

// What it computes. A smaller set of records with the same future. It drops each record that is
// within another one, or that steps of others lead to.
//
// Why it is right. A record stands for a set of states that a monitored node may be in. What is
// observed later is explained by some state of the set. If record b lies within a record that steps
// without an observation lead to from a, every explanation that begins in b continues one from a.
// So b is not needed. A dropped record is never a reason to drop another one: a search from a
// passes through the records that it drops.
//
// What it costs. Each record of the set is expanded at most once in a pass. The first pass compares
// each record with all others to take only the steps that may lead from one to another. So it is
// for sets of at most mostCompared records. The second pass takes all steps of the few that are
// left.
//
// Example. The node may have taken the first or the first two messages of lane 0, which change
// nothing else:
//
//	a: taken 1        a --take message 2--> {taken 2}
//	b: taken 2        b lies within that record, and is dropped

// Expand emits the records that steps of a record lead to; they are valid during the call. If among
// is not nil, steps that surely lead to none of among may be left out.
type Expand func(r Record, among []Record, emit func(Record))

// mostCompared is the size of a set up to which each record is compared with all others.
const mostCompared = 64

// Antichain drops, in place, the records that are within another one or that steps of others lead
// to.
//
// Most records of a set differ by messages that were taken. So a first pass takes only the steps
// that may lead from one record of the set to another one. It passes over steps after which a
// record takes further messages at once. A second pass takes all steps of the records that are
// left, which are few. The first pass compares each record with all others, so it is for small
// sets.
func (s *Shape) Antichain(rs []Record, expand Expand) []Record {
	if len(rs) < 2 {
		return rs
	}
	x := &reducer{Shape: s, rs: rs, dead: make([]bool, len(rs)), alive: len(rs), alike: map[uint64][]int{}, expand: expand}
	for a := range rs {
		h := Hash(s.Key(rs[a]))
		x.alike[h] = append(x.alike[h], a)
	}
	for a := range rs {
		for _, b := range x.alike[Hash(s.Key(rs[a]))] {
			if a != b && !x.dead[a] && !x.dead[b] && bytes.Equal(s.Key(rs[a]), s.Key(rs[b])) && s.Join(rs[b], rs[a]) {
				x.dead[b] = true
				x.alive--
			}
		}
	}
	for _, quick := range []bool{true, false} {
		if quick && len(rs) > mostCompared {
			continue
		}
		x.met = make([]bool, len(rs))
		for a := range rs {
			if !x.dead[a] {
				x.drop(a, quick)
			}
		}
	}
	out := rs[:0]
	for k := range rs {
		if !x.dead[k] {
			out = append(out, rs[k])
		}
	}
	return out
}

// reducer computes an antichain.
type reducer struct {
	*Shape
	rs     []Record
	dead   []bool
	alive  int              // records that are not dead
	met    []bool           // steps from these were taken in this pass, or will be
	alike  map[uint64][]int // by hash of the key
	expand Expand
}

// drop drops the records that steps lead to from the a-th, through others of the set. Each record
// is expanded once in a pass: what steps lead to from a record that was met before is dead already.
// A record that is left alone needs no steps.
func (x *reducer) drop(a int, quick bool) {
	todo := []int{a}
	x.met[a] = true
	for len(todo) > 0 && x.alive > 1 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var among []Record
		if quick {
			for b := range x.rs {
				if b != k && b != a && !x.dead[b] {
					among = append(among, x.rs[b])
				}
			}
		}
		x.expand(x.rs[k], among, func(t Record) {
			for _, b := range x.alike[Hash(x.Key(t))] {
				if b != a && !x.dead[b] && bytes.Equal(x.Key(x.rs[b]), x.Key(t)) && x.Within(x.rs[b], t) {
					x.dead[b] = true
					x.alive--
					if !x.met[b] {
						x.met[b] = true
						todo = append(todo, b)
					}
				}
			}
		})
	}
}
