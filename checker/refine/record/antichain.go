package record

import "bytes"

// Antichain drops, in place, the records that are within another one or that steps of others lead
// to. expand emits the records that steps of one record lead to; they are valid during the call.
func (s *Shape) Antichain(rs []Record, expand func(r Record, emit func(Record))) []Record {
	if len(rs) < 2 {
		return rs
	}
	x := &reducer{Shape: s, rs: rs, dead: make([]bool, len(rs)), met: make([]bool, len(rs)), alike: map[uint64][]int{}, expand: expand}
	for a := range rs {
		h := Hash(s.Key(rs[a]))
		x.alike[h] = append(x.alike[h], a)
	}
	for a := range rs {
		for _, b := range x.alike[Hash(s.Key(rs[a]))] {
			if a != b && !x.dead[a] && !x.dead[b] && bytes.Equal(s.Key(rs[a]), s.Key(rs[b])) && s.Join(rs[b], rs[a]) {
				x.dead[b] = true
			}
		}
	}
	for _, dead := range x.dead {
		if !dead {
			x.alive++
		}
	}
	for a := range rs {
		if !x.dead[a] {
			x.drop(a)
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
	met    []bool           // steps from these were taken, or will be
	alike  map[uint64][]int // by hash of the key
	expand func(r Record, emit func(Record))
}

// drop drops the records that steps lead to from the a-th, through others of the set. Each record
// is expanded once: what steps lead to from a record that was met before is dead already. A record
// that is left alone needs no steps.
func (x *reducer) drop(a int) {
	todo := []int{a}
	x.met[a] = true
	for len(todo) > 0 && x.alive > 1 {
		r := x.rs[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		x.expand(r, func(t Record) {
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
