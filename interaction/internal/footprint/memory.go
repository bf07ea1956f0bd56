package footprint

import (
	"go/token"
	"slices"
)

// memory maps objects to the values of their leaves. A content is written in place only by the
// memory that made it: cloning gives both memories a new epoch, and with it the contents are
// shared.
type memory struct {
	epoch    int
	contents []*content // by number of the object; nil: never allocated
}

type content struct {
	epoch  int
	leaves []*value
}

func (in *interp) newEpoch() int {
	in.epochs++
	return in.epochs
}

func (in *interp) clone(m *memory) *memory {
	m.epoch = in.newEpoch()
	return &memory{in.newEpoch(), slices.Clone(m.contents)}
}

// get returns the content of the object with number k, nil if there is none.
func (m *memory) get(k int) *content {
	if k < len(m.contents) {
		return m.contents[k]
	}
	return nil
}

func (m *memory) set(k int, c *content) {
	for len(m.contents) <= k {
		m.contents = append(m.contents, nil)
	}
	m.contents[k] = c
}

// at returns the content of an object for reading; for the states and for package-level variables
// it is made on demand.
func (in *interp) at(m *memory, o *object) *content {
	in.used.add(o.number)
	c := m.get(o.number)
	if c == nil {
		c = &content{leaves: in.entry(o)}
		m.set(o.number, c)
	}
	return c
}

// own returns the content of an object for writing.
func (in *interp) own(m *memory, o *object) *content {
	c := in.at(m, o)
	if c.epoch != m.epoch {
		c = &content{m.epoch, slices.Clone(c.leaves)}
		m.contents[o.number] = c
	}
	return c
}

// entry returns what an object holds before anything is written to it.
func (in *interp) entry(o *object) []*value {
	out := make([]*value, len(o.lay.leaves))
	switch o.role {
	case before, after:
		for k := range out {
			out[k] = &value{frame: in.sets.one(in.names.source(in.variable(o, k), 0))}
		}
	case global:
		copy(out, in.globalContent(o))
	default:
		for k, l := range o.lay.leaves {
			out[k] = in.zero(l.typ)
		}
	}
	return out
}

// variable returns the number of the variable that leaf k of a state is.
func (in *interp) variable(o *object, k int) int {
	if o.role == after && in.primed {
		return len(o.lay.leaves) + k
	}
	return k
}

// joinMemory joins b into a.
func (in *interp) joinMemory(a, b *memory) *memory {
	if a == nil {
		if b == nil {
			return nil
		}
		return in.clone(b)
	}
	if b == nil {
		return a
	}
	for k, y := range b.contents {
		x := a.get(k)
		switch {
		case y == nil || x == y:
			continue
		case x == nil && in.objects[k].role == local:
			// Allocated on one way only: what is not allocated is not reached on the other.
			a.set(k, y)
			y.epoch = 0
		default:
			in.joinContent(a, in.objects[k], y)
		}
	}
	for k, x := range a.contents {
		if x != nil && in.objects[k].role != local && (k >= len(b.contents) || b.contents[k] == nil) {
			in.joinContent(a, in.objects[k], &content{leaves: in.entry(in.objects[k])})
		}
	}
	return a
}

func (in *interp) joinContent(a *memory, o *object, y *content) {
	for l, v := range y.leaves {
		x := in.at(a, o).leaves[l]
		if x == v || equal(x, v) {
			continue
		}
		in.own(a, o).leaves[l] = in.join(x, v)
	}
}

// equalMemory compares two memories.
func equalMemory(a, b *memory) bool {
	if a == nil || b == nil {
		return a == b
	}
	n := max(len(a.contents), len(b.contents))
	for k := range n {
		var x, y *content
		if k < len(a.contents) {
			x = a.contents[k]
		}
		if k < len(b.contents) {
			y = b.contents[k]
		}
		if x == y {
			continue
		}
		if x == nil || y == nil || !slices.EqualFunc(x.leaves, y.leaves, equal) {
			return false
		}
	}
	return true
}

// load reads what a pointer points to. What decides where it points decides what is read.
func (in *interp) load(p *value, lay *layout, m *memory, pos token.Pos) *value {
	if p == nil {
		return nil
	}
	var r *value
	for _, l := range p.ptrs {
		r = in.join(r, in.loadAt(l, lay, m, pos))
	}
	if p.unknown(len(p.ptrs)) {
		in.cannot(pos, "it reads through a pointer that is not followed%s", because(p.lost))
		r = in.join(r, in.computed(p))
	}
	if r == nil {
		return nil
	}
	return in.with(r, 0, in.sets.all(p.control, p.data, p.frame), p.idx)
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return " (" + why + ")"
}

// unknown reports whether a pointer, function or interface may be something other than nil and the
// n targets listed in it. If there are targets, data are the sources of its length or its choice.
func (v *value) unknown(n int) bool {
	return v.lost != "" || v.top || v.frame != 0 || n == 0 && v.data != 0
}

func (in *interp) loadAt(l location, lay *layout, m *memory, pos token.Pos) *value {
	c := in.at(m, l.obj)
	n := len(lay.leaves)
	if n == 1 && l.start < len(c.leaves) {
		return in.loadLeaf(l, l.start, c, pos, true)
	}
	r := &value{leaves: make([]*value, n)}
	for k := range n {
		if l.start+k < len(c.leaves) {
			r.leaves[k] = in.loadLeaf(l, l.start+k, c, pos, n < len(l.obj.lay.leaves))
		}
	}
	return r
}

func (in *interp) loadLeaf(l location, k int, c *content, pos token.Pos, touch bool) *value {
	v := c.leaves[k]
	if d := len(in.names.indices[l.at].terms); d >= l.obj.lay.leaves[k].dims {
		v = in.elementOf(v, l.at)
	} else {
		v = in.rowOf(v, l.at)
	}
	if touch {
		in.touch(l.obj, k)
	}
	in.noteReads(v, pos)
	return v
}

// noteReads remembers where the elements in a value's frame are read first.
func (in *interp) noteReads(v *value, pos token.Pos) {
	if v == nil || v.frame == 0 {
		return
	}
	for _, s := range in.sets.members[v.frame] {
		if _, ok := in.reads[s]; !ok {
			in.reads[s] = in.where(pos)
		}
	}
}

// store writes what a pointer points to.
func (in *interp) store(p, v *value, lay *layout, m *memory, control Set, pos token.Pos) {
	if p == nil || v == nil {
		return
	}
	if p.unknown(len(p.ptrs)) {
		in.cannot(pos, "it writes through a pointer that is not followed%s", because(p.lost))
	}
	c := change{len(p.ptrs) == 1 && !p.ptrs[0].obj.many, in.sets.all(control, p.control, p.data, p.frame), p.idx, pos}
	for _, l := range p.ptrs {
		in.storeTo(l, v, lay, m, c)
	}
}

// storeTo writes one place that a pointer may point to.
func (in *interp) storeTo(l location, v *value, lay *layout, m *memory, c change) {
	switch {
	case l.obj.role == before && !in.primed:
		in.breaks(WritesBefore, c.pos, "writes the state before, which is read-only: write to the state after")
		return
	case l.obj.role == before || l.obj.role == after && in.primed:
		in.breaks(ReaderWrites, c.pos, "writes the state: guards and properties only read")
		return
	case l.obj.captured:
		in.breaks(CaptureWritten, c.pos, "it writes captured variable %s, which would outlive the step: all that changes belongs in the State", l.obj.name)
		return
	case l.obj.role == global:
		in.breaks(VariableWritten, c.pos, "it writes package variable %s: all that changes belongs in the State", l.obj.name)
		return
	}
	for k := range lay.leaves {
		x := v
		if len(lay.leaves) != 1 || v.leaves != nil {
			x = in.leaf(v, k)
		}
		in.storeLeaf(l, l.start+k, x, m, c)
	}
}

// change says how a leaf is stored.
type change struct {
	certain      bool // exactly this place is written
	control, idx Set
	pos          token.Pos
}

func (in *interp) storeLeaf(l location, k int, v *value, m *memory, c change) {
	if v == nil || k >= len(l.obj.lay.leaves) {
		return
	}
	old := in.at(m, l.obj).leaves[k]
	depth, dims := len(in.names.indices[l.at].terms), l.obj.lay.leaves[k].dims
	if l.obj.role == after && c.certain && in.unchanged(l, k, old, v, depth, dims, c, m) {
		return
	}
	if l.obj.role == local {
		c.control = in.sets.without(c.control, func(x Source) bool { return in.sets.has(l.obj.control, x) })
	}
	v = in.with(v, 0, c.control, c.idx)
	in.touch(l.obj, k)
	in.noteWrite(l, k, c.pos, v)
	var next *value
	switch {
	case depth == 0 && dims > 0 || dims == 0:
		next = v
		if !c.certain {
			next = in.join(old, v)
		}
	case depth < dims: // a row
		next = in.weaken(old, in.computed(v), l.at)
	case c.certain && in.names.exact(l.at):
		next = in.setElement(old, v, l, k)
	default:
		next = in.weaken(old, v, l.at)
	}
	if !equal(next, old) {
		in.own(m, l.obj).leaves[k] = next
	}
}

// unchanged handles a store that puts back what was there before the step, so that a copied state
// that is written back counts as what was changed in the copy.
func (in *interp) unchanged(l location, k int, old, v *value, depth, dims int, c change, m *memory) bool {
	own := in.sets.one(in.names.source(in.variable(l.obj, k), l.at))
	if depth == dims {
		return in.names.exact(l.at) && v.pure() && len(v.elems) == 0 && v.frame == own && equal(in.elementOf(old, l.at), v)
	}
	if depth > 0 || !v.pure() || v.full || v.frame != own || !old.pure() || len(old.elems) > 0 || old.frame != own {
		return false
	}
	for _, e := range v.elems {
		at := l
		at.at = e.at
		in.storeLeaf(at, k, e.own, m, c)
		in.storeRest(at, k, e.rest, m, c)
	}
	return true
}

// storeRest adds to what an element that has just been stored may hold otherwise.
func (in *interp) storeRest(l location, k int, rest *value, m *memory, c change) {
	x := find(in.at(m, l.obj).leaves[k].elems, l.at)
	if rest == nil || x < 0 {
		return
	}
	leaves := in.own(m, l.obj).leaves
	r := *leaves[k]
	r.elems = slices.Clone(r.elems)
	r.elems[x].rest = in.join(r.elems[x].rest, in.with(rest, 0, c.control, c.idx))
	leaves[k] = &r
}
