package footprint

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// operation is a call of a method or function of package modules: the analysis knows what it does.
type operation struct {
	f       *frame
	in      *interp
	site    ssa.CallInstruction
	pos     token.Pos
	name    string // Seq.Append, or Below
	fn      *ssa.Function
	args    []*value // the receiver first
	m       *memory
	control Set
}

// intrinsicName names a function of package modules that has no body here.
func intrinsicName(fn *ssa.Function) (string, bool) {
	if len(fn.Blocks) > 0 {
		return "", false
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj := fn.Object()
	if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != Vocabulary {
		return "", false
	}
	recv := obj.Type().(*types.Signature).Recv()
	if recv == nil {
		return obj.Name(), true
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name() + "." + obj.Name(), true
	}
	return obj.Name(), true
}

// effect says what a method does with its receiver and its arguments.
type effect struct {
	reads bool // the result depends on the receiver
	// the receiver becomes something made of what it was and the arguments, and nobody examines
	// what it was
	changes bool
	clears  bool  // the receiver becomes empty
	keeps   bool  // the result is the receiver with a change, as for With
	at      []int // arguments that are positions
	key     int   // the argument that is a member or a key, from 1; 0: none
	points  []int // arguments that are pointers to values that are read
}

// effects lists the methods of the value types but Net and Bag. Arguments count from 1, after the
// receiver.
var effects = map[string]effect{
	"Seq.Len": {reads: true}, "Seq.Empty": {reads: true}, "Seq.Cap": {}, "Seq.At": {reads: true, at: []int{1}},
	"Seq.Put": {changes: true, at: []int{1}}, "Seq.Last": {reads: true}, "Seq.Append": {changes: true},
	"Seq.AppendAll": {changes: true, points: []int{1}}, "Seq.PopFront": {reads: true, changes: true},
	"Seq.Remove": {changes: true, at: []int{1}}, "Seq.Insert": {changes: true, at: []int{1}},
	"Seq.Truncate": {changes: true}, "Seq.Prefix": {reads: true}, "Seq.HasPrefix": {reads: true, points: []int{1}},
	"Seq.Find": {reads: true}, "Seq.Clear": {clears: true},

	"Set.Has": {reads: true, key: 1}, "Set.Add": {changes: true, key: 1}, "Set.Remove": {changes: true, key: 1}, "Set.Clear": {clears: true},
	"Set.With": {keeps: true}, "Set.Without": {keeps: true}, "Set.Union": {reads: true}, "Set.Intersect": {reads: true},
	"Set.Minus": {reads: true}, "Set.Intersects": {reads: true}, "Set.Within": {reads: true}, "Set.Len": {reads: true},
	"Set.Empty": {reads: true}, "Set.IsQuorum": {reads: true}, "Set.IsQuorumOf": {reads: true},

	"Map.Keys": {reads: true}, "Map.Has": {reads: true, key: 1}, "Map.Len": {reads: true}, "Map.At": {reads: true, key: 1},
	"Map.Put": {changes: true, key: 1}, "Map.Delete": {changes: true, key: 1}, "Map.Clear": {clears: true},

	"Records.Len": {reads: true}, "Records.At": {reads: true, at: []int{1}}, "Records.Has": {reads: true},
	"Records.Add": {changes: true}, "Records.Remove": {changes: true}, "Records.Clear": {clears: true},
}

// perform interprets the operation and returns its result.
func (c *operation) perform() *value {
	for _, a := range c.args {
		if a == nil {
			return nil
		}
	}
	switch c.name {
	case "Below":
		return c.in.computed(c.args...)
	case "SetOf":
		r := c.in.computed(c.args...)
		c.in.addComputed(r, c.in.contents(c.args[0], c.m, c.pos, map[*object]bool{}))
		return r
	case "Bit", "AtMost":
		return c.in.computed(c.args...)
	case "Map.Where":
		return c.where()
	case "Where", "All":
		return c.each(c.args[0], c.args[1])
	}
	if e, ok := effects[c.name]; ok {
		return c.method(e)
	}
	if c.name == "Raised.Raise" || c.name == "Raised.Has" {
		return c.raised()
	}
	if ch, ok := channelOperations[c.name]; ok {
		return ch(&channelOperation{operation: c})
	}
	c.in.cannot(c.pos, "it calls modules.%s, which has no place in an action", c.name)
	return c.in.spread(c.in.computed(c.args...), c.in.resultLayout(c.fn))
}

func contains(xs []int, k int) bool {
	for _, x := range xs {
		if x == k {
			return true
		}
	}
	return false
}

// method interprets a method of a value type that is a leaf.
func (c *operation) method(e effect) *value {
	in := c.in
	recv := c.args[0]
	t := c.fn.Signature.Recv().Type()
	ptr, byPointer := t.Underlying().(*types.Pointer)
	old := recv
	var lay *layout
	if byPointer {
		lay = in.layouts.of(ptr.Elem())
	}
	given := &value{top: true}
	var positions Set
	for k, a := range c.args[1:] {
		switch {
		case contains(e.at, k+1), e.key == k+1:
			positions = in.sets.union(positions, in.sources(a))
		case contains(e.points, k+1):
			in.addComputed(given, in.load(a, in.layouts.of(c.fn.Signature.Params().At(k).Type().Underlying().(*types.Pointer).Elem()), c.m, c.pos))
		default:
			in.addComputed(given, a)
		}
	}
	if e.clears {
		in.store(recv, in.literal("0"), lay, c.m, c.control, c.pos)
		return &value{leaves: []*value{}}
	}
	var key term
	if e.key > 0 {
		key = c.args[e.key].sym
	}
	if byPointer && (e.reads || e.keeps) {
		old = in.load(recv, lay, c.m, c.pos)
	}
	var result *value
	switch {
	case e.keeps:
		r := *given
		r.frame, r.data = old.frame, in.sets.union(r.data, old.data)
		r.control, r.idx = in.sets.union(r.control, old.control), in.sets.all(r.idx, old.idx, positions)
		result = &r
	case e.reads:
		result = in.with(in.computed(in.keyed(old, key), given), 0, 0, positions)
	}
	if e.changes {
		c.change(recv, given, positions, lay, key)
	}
	if result == nil {
		result = in.with(in.computed(given), 0, 0, positions)
	}
	return in.spread(result, in.resultLayout(c.fn))
}

// keyed narrows a set or a map that is one of the state's, unchanged, to one member.
func (in *interp) keyed(v *value, key term) *value {
	if v == nil || key == anywhere || v.frame == 0 {
		return v
	}
	r := *v
	r.frame = 0
	for _, s := range in.sets.members[v.frame] {
		n := in.names.sources[s]
		k := in.names.source(n.variable, in.names.keyed(n.index, key))
		if _, ok := in.reads[k]; !ok {
			in.reads[k] = in.reads[s]
		}
		r.frame = in.sets.union(r.frame, in.sets.one(k))
	}
	return &r
}

// change makes the receiver something made of what it was and of what is given. Nobody examines
// what it was, so that is no source, unless it is another variable's value.
func (c *operation) change(recv, given *value, positions Set, lay *layout, key term) {
	in := c.in
	in.key = key
	defer func() { in.key = anywhere }()
	if len(recv.ptrs) == 0 {
		in.store(recv, given, lay, c.m, c.control, c.pos)
	}
	how := change{control: in.sets.all(c.control, recv.control, recv.data, recv.frame), idx: recv.idx, pos: c.pos}
	for _, l := range recv.ptrs {
		next := in.with(given, 0, 0, positions)
		how.certain = len(recv.ptrs) == 1 && !l.obj.many && in.names.exact(l.at) &&
			len(in.names.indices[l.at].terms) == l.obj.lay.leaves[l.start].dims
		if how.certain {
			old := in.elementOf(in.at(c.m, l.obj).leaves[l.start], l.at)
			r := *next
			r.frame = old.frame
			r.data, r.control = in.sets.union(r.data, old.data), in.sets.union(r.control, old.control)
			r.idx = in.sets.union(r.idx, old.idx)
			next = &r
		}
		in.storeTo(l, next, lay, c.m, how)
	}
}

// where interprets Map.Where: its function gets the keys and the values of the map.
func (c *operation) where() *value {
	in := c.in
	lay := in.layouts.of(c.fn.Signature.Recv().Type().Underlying().(*types.Pointer).Elem())
	old := in.computed(in.load(c.args[0], lay, c.m, c.pos))
	return c.each(old, c.args[1])
}

// each interprets calls of a function with each identity, and with values of a map where it takes
// them. Over decides which calls there are.
func (c *operation) each(over, fn *value) *value {
	in := c.in
	r := in.computed(over)
	for range 2 { // what one entry's round writes, the next one's may read
		for _, cl := range fn.funcs {
			var args []*value
			for k, p := range cl.fn.Params {
				// which keys there are decides whether it is called, not what it is called with
				if k == 0 {
					args = append(args, &value{top: true})
				} else {
					args = append(args, in.spread(over, in.layouts.of(p.Type())))
				}
			}
			v, out := c.f.reach(c.site, target{cl.fn, cl.bind, args, 0}, in.clone(c.m), in.sets.union(c.control, in.sources(over)))
			in.addComputed(r, v)
			c.m = in.joinMemory(c.m, out)
		}
	}
	if len(fn.funcs) == 0 {
		in.breaks(UnknownCall, c.pos, "it calls a function value that is not known%s", because(fn.lost))
	}
	return r
}
