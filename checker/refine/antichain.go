package refine

import "bytes"

// reduce leaves an antichain: no record is within another one, or some steps behind it.
func (c *searcher[S]) reduce(rs []record) []record {
	if len(rs) < 2 {
		return rs
	}
	dead := make([]bool, len(rs))
	alike := map[uint64][]int{} // by hash of the key
	for a := range rs {
		h := hash(c.key(rs[a]))
		alike[h] = append(alike[h], a)
	}
	for a := range rs {
		for _, b := range alike[hash(c.key(rs[a]))] {
			if a != b && !dead[a] && !dead[b] && bytes.Equal(c.key(rs[a]), c.key(rs[b])) && c.join(rs[b], rs[a]) {
				dead[b] = true
			}
		}
	}
	for a := range rs {
		if !dead[a] {
			c.behind(rs, dead, alike, a)
		}
	}
	out := rs[:0]
	for k := range rs {
		if !dead[k] {
			out = append(out, rs[k])
		}
	}
	return out
}

// behind marks the records that are some steps behind the a-th, by way of others of the set.
func (c *searcher[S]) behind(rs []record, dead []bool, alike map[uint64][]int, a int) {
	mark := c.slab.used
	todo := []int{a}
	met := map[int]bool{a: true}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		c.expand(rs[x], func(t record) {
			for _, b := range alike[hash(c.key(t))] {
				if !met[b] && bytes.Equal(c.key(rs[b]), c.key(t)) && c.within(rs[b], t) {
					met[b], dead[b] = true, true
					todo = append(todo, b)
				}
			}
		})
		c.slab.used = mark
	}
}
