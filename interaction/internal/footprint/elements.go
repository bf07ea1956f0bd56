package footprint

import "slices"

// extendFrame names, of each array of a frame, the element at x.
func (in *interp) extendFrame(f Set, x index) Set {
	if f == 0 || x == 0 {
		return f
	}
	k := [2]int32{int32(f), int32(x)}
	if g, ok := in.frames[k]; ok {
		return g
	}
	var g Set
	for _, s := range in.sets.members[f] {
		n := in.names.sources[s]
		g = in.sets.union(g, in.sets.one(in.names.source(n.variable, in.names.join(n.index, x))))
	}
	in.frames[k] = g
	return g
}

// others returns an array's value without the elements known apart, as the value of one of them at
// x.
func (in *interp) others(v *value, x index) *value {
	if v.full {
		return nil
	}
	r := *v
	r.elems, r.sym, r.sum = nil, anywhere, sum{}
	r.frame = in.extendFrame(v.frame, x)
	return &r
}

// elementOf returns the element at x, an index of all dimensions.
func (in *interp) elementOf(v *value, x index) *value {
	if v == nil || v.leaves != nil {
		return v
	}
	if x == 0 && len(v.elems) == 0 {
		return v
	}
	exact := in.names.exact(x)
	if k := find(v.elems, x); k >= 0 && exact {
		return in.join(v.elems[k].own, v.elems[k].rest)
	}
	r := in.others(v, x)
	for _, e := range v.elems {
		if !in.names.apart(e.at, x) {
			if r = in.join(r, e.own); !exact { // x may stand for this very index
				r = in.join(r, e.rest)
			}
		}
	}
	return r
}

// rowOf returns the part of an array at x, an index of fewer dimensions than it has.
func (in *interp) rowOf(v *value, x index) *value {
	if v == nil || x == 0 {
		return v
	}
	r := in.others(v, x)
	for _, e := range v.elems {
		if !in.names.apart(e.at, x) {
			r = in.join(r, in.computed(e.own, e.rest))
		}
	}
	return r
}

// asOthers returns a value with its element frames as sources: a frame is of one element, and the
// value is a part of all others.
func (in *interp) asOthers(v *value) *value {
	r := *v
	r.data = in.sets.union(v.data, v.frame)
	r.top = v.top || v.frame != 0
	r.frame, r.sym, r.sum = 0, anywhere, sum{}
	return &r
}

// weaken returns an array in which an element somewhere at x may have become v.
func (in *interp) weaken(old, v *value, x index) *value {
	if old == nil {
		return in.asOthers(v)
	}
	r := *old
	r.elems = nil
	base := &r
	if !old.full {
		base = in.join(base, in.asOthers(v))
	} else {
		r.full = true
	}
	out := *base
	out.elems = nil
	for _, e := range old.elems {
		switch {
		case in.names.apart(e.at, x):
		case old.full: // there are no others that say so, too
			e.own = in.join(e.own, v)
		default:
			e.rest = in.join(e.rest, v)
		}
		out.elems = append(out.elems, e)
	}
	out.full = old.full
	return &out
}

// setElement returns an array whose element at l has become v.
func (in *interp) setElement(old, v *value, l location, k int) *value {
	r := *old
	r.elems = nil
	constants := 0
	for _, e := range append(slices.Clone(old.elems), element{at: l.at}) {
		if e.at == l.at {
			if find(r.elems, l.at) >= 0 {
				continue
			}
			e.own, e.rest = v, nil
		} else if !in.names.apart(e.at, l.at) {
			e.rest = in.join(e.rest, v)
		}
		if t := in.names.indices[e.at].terms; len(t) == 1 && !in.names.param[t[0]] {
			constants++
		}
		r.elems = append(r.elems, e)
	}
	if size := l.obj.lay.leaves[k].size; size > 0 && int64(constants) == size && !old.full {
		for k, e := range r.elems { // there are no others any more that rest could come from
			r.elems[k].own, r.elems[k].rest = in.join(e.own, e.rest), nil
		}
		return &value{elems: r.elems, full: true}
	}
	return &r
}

// joinElems keeps an element apart that is known apart in one of a and b. What the other one holds
// there is rest: were it own, it would be read at other indices, too, and join would not be
// associative.
func (in *interp) joinElems(r, a, b *value) {
	if len(a.elems) == 0 && len(b.elems) == 0 {
		return
	}
	r.full = a.full && b.full
	for _, e := range a.elems {
		if k := find(b.elems, e.at); k >= 0 {
			e.own, e.rest = in.join(e.own, b.elems[k].own), in.join(e.rest, b.elems[k].rest)
		} else {
			e.rest = in.join(e.rest, in.elementOf(b, e.at))
		}
		r.elems = append(r.elems, e)
	}
	for _, e := range b.elems {
		if find(a.elems, e.at) < 0 {
			e.rest = in.join(e.rest, in.elementOf(a, e.at))
			r.elems = append(r.elems, e)
		}
	}
}

func find(es []element, at index) int {
	return slices.IndexFunc(es, func(e element) bool { return e.at == at })
}
