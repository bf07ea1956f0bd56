package footprint

import "slices"

// channelOperation is an operation of a Net or Bag. Each kind of message is a variable of its own.
// The operations that name kinds read or write the variables of these; the others are kind-blind:
// they read or write those of all kinds.
//
// Is, Peek and Recv read the first message of a channel, so whether a message of kind K is there to
// be read depends on what is ahead of it. That is not a source here: the static check reports it as
// the head-of-line obligation instead.
type channelOperation struct {
	*operation
	bag bool
	// split says that the arguments have the fields of an At one by one
	split bool
	lay   *layout
	// to the channel between the two servers; nil: there are no servers
	at    func(l location) location
	where Set // the sources of the two servers
}

var channelOperations = map[string]func(*channelOperation) *value{
	"Net.Is": (*channelOperation).is, "Net.Peek": (*channelOperation).peek, "Net.Recv": (*channelOperation).recv,
	"Net.Send": (*channelOperation).send, "Net.Len": (*channelOperation).look, "Net.Empty": (*channelOperation).look,
	"Net.Head": (*channelOperation).look, "Net.At": (*channelOperation).look, "Net.Pop": (*channelOperation).pop,
	"Net.Clear": (*channelOperation).clear, "Net.Lose": (*channelOperation).alter, "Net.Duplicate": (*channelOperation).alter,
	"Net.Cut": (*channelOperation).cut, "Net.Mend": (*channelOperation).mend, "Net.IsCut": (*channelOperation).isCut,

	"Net.Count": (*channelOperation).count, "Net.Nth": (*channelOperation).nth, "Net.Holds": (*channelOperation).holds,
	"Bag.Count": (*channelOperation).count, "Bag.Nth": (*channelOperation).nth, "Bag.Holds": (*channelOperation).holds,

	"Bag.Is": (*channelOperation).is, "Bag.Peek": (*channelOperation).peek, "Bag.Recv": (*channelOperation).recv,
	"Bag.Send": (*channelOperation).send, "Bag.Len": (*channelOperation).look,
	"Bag.Clear": (*channelOperation).clear, "Bag.Lose": (*channelOperation).alter, "Bag.Duplicate": (*channelOperation).alter,
	"Bag.Arrived": (*channelOperation).is, "Bag.Read": (*channelOperation).peek, "Bag.Take": (*channelOperation).recv,
	"Bag.Reply": (*channelOperation).send, "Bag.Tell": (*channelOperation).tell, "Net.Tell": (*channelOperation).tell,
	"Bag.Cut": (*channelOperation).mark, "Bag.Mend": (*channelOperation).mend, "Bag.IsCut": (*channelOperation).isCut,
}

// addressed lists the operations that take an At, with the numbers of its fields in the order of
// the arguments. Those of a message have the sender J, the receiver I and the position K.
var addressed = map[string][]int{
	"Bag.Arrived": {1, 0, 2}, "Bag.Read": {1, 0, 2}, "Bag.Take": {1, 0, 2}, "Bag.Reply": {0, 1},
}

// begin finds the channel.
func (c *channelOperation) begin() {
	in := c.in
	if fields := addressed[c.name]; fields != nil && !c.split {
		args := []*value{c.args[0]}
		for _, k := range fields {
			args = append(args, in.leaf(c.args[1], k))
		}
		c.args = append(args, c.args[2:]...)
		c.split = true
	}
	c.bag = c.name[:3] == "Bag"
	i, j := c.args[1], c.args[2]
	c.where = in.sets.union(in.sources(i), in.sources(j))
	c.at = func(l location) location {
		l.at = in.names.extend(in.names.extend(l.at, i.sym), j.sym)
		return l
	}
	c.find()
}

// find finds what kinds there are.
func (c *channelOperation) find() {
	for _, l := range c.args[0].ptrs {
		c.lay = l.lay
	}
	if c.lay == nil || c.lay.kinds == nil {
		c.in.cannot(c.pos, "it uses a channel that is not followed")
		c.lay = &layout{kinds: []kind{{}}}
	}
}

// variable points to the variable of one kind; the last one is the state of the connections.
func (c *channelOperation) variable(k int) *value {
	p := *c.args[0]
	p.idx = c.in.sets.union(p.idx, c.where)
	p.ptrs = nil
	for _, l := range c.args[0].ptrs {
		if l.lay.kinds == nil {
			continue
		}
		if c.at != nil {
			l = c.at(l)
		}
		l.start += k
		l.lay = oneLeaf
		p.ptrs = append(p.ptrs, l)
	}
	return &p
}

func (c *channelOperation) cuts() int { return len(c.lay.kinds) }

// read is something computed from the messages of one kind in the channel.
func (c *channelOperation) read(k int) *value {
	p := c.variable(k)
	if len(p.ptrs) == 0 {
		return nil
	}
	r := c.in.computed()
	for _, l := range p.ptrs {
		c.in.addComputed(r, c.in.loadLeaf(l, l.start, c.in.at(c.m, l.obj), c.pos, true))
	}
	return c.in.with(r, 0, c.in.sets.all(p.control, p.data, p.frame), p.idx)
}

// write changes the messages of one kind in the channel.
func (c *channelOperation) write(k int, given *value, positions Set) {
	p := c.variable(k)
	c.change(p, given, positions, oneLeaf, anywhere)
}

// put sets the messages of one kind in the channel.
func (c *channelOperation) put(k int, v *value) {
	c.in.store(c.variable(k), v, oneLeaf, c.m, c.control, c.pos)
}

// use remembers that messages of a kind of the state are sent or received.
func (c *channelOperation) use(k int, uses map[int][]Place) {
	for _, l := range c.args[0].ptrs {
		if v := l.start + k; l.obj.role == after {
			if p := c.in.where(c.pos); !slices.Contains(uses[v], p) {
				uses[v] = append(uses[v], p)
			}
		}
	}
}

// raised reads or raises the assertions that the argument may be: each is a variable of its own.
func (c *operation) raised() *value {
	ch := &channelOperation{operation: c}
	ch.find()
	r := c.in.computed(c.args[1])
	for _, k := range ch.named(c.args[1]) {
		if c.name == "Raised.Has" {
			c.in.addComputed(r, ch.read(k))
			continue
		}
		ch.write(k, c.in.computed(c.args[1]), 0)
	}
	return c.in.spread(r, c.in.resultLayout(c.fn))
}

var oneLeaf = &layout{leaves: []leaf{{}}}

// all returns the numbers of all kinds.
func (c *channelOperation) all() (ks []int) {
	for k := range c.lay.kinds {
		ks = append(ks, k)
	}
	return ks
}

// named returns the kinds that an argument may be.
func (c *channelOperation) named(v *value) []int {
	in := c.in
	if len(c.lay.kinds) == 1 && c.lay.kinds[0].name == "" {
		return []int{0}
	}
	if v == nil {
		return nil
	}
	if v.top || v.frame != 0 {
		in.breaks(KindUnknown, c.pos, "the kind given to %s is not a constant: it counts as every kind", c.name)
		return c.all()
	}
	var ks []int
	for _, x := range v.consts {
		k := slices.IndexFunc(c.lay.kinds, func(k kind) bool { return k.value == in.names.consts[x] })
		if k < 0 {
			in.breaks(KindUnknown, c.pos, "%s is given kind %s, which is no constant of the kinds: it counts as every kind", c.name, in.names.consts[x])
			return c.all()
		}
		ks = append(ks, k)
	}
	slices.Sort(ks)
	return ks
}

// kinds returns those of the variadic argument n: what is in the array after it.
func (c *channelOperation) kinds(n int) (ks []int, names *value) {
	in := c.in
	v := c.args[n]
	if len(v.ptrs) == 0 && !v.unknown(0) {
		return nil, nil
	}
	names = in.load(in.indexAddr(v, &value{top: true}), oneLeaf, c.m, c.pos)
	return c.named(names), names
}

// kindArgument returns the place of the kinds among the arguments: a Bag has the position before
// it.
func (c *channelOperation) kindArgument() int {
	if c.bag {
		return 4
	}
	return 3
}

// pick remembers that the argument after the two servers names a message of one of some kinds by a
// position that is a parameter.
func (c *channelOperation) pick(ks []int) {
	if !c.bag {
		return
	}
	at := c.in.position(c.args[3])
	if at.of == anywhere {
		return
	}
	for _, l := range c.args[0].ptrs {
		if l.lay.kinds == nil || l.obj.role != before && l.obj.role != after {
			continue
		}
		for _, k := range ks {
			if p := (pick{l.start + k, c.at(l).at, at}); !slices.Contains(c.in.picks, p) {
				c.in.picks = append(c.in.picks, p)
			}
		}
	}
}

// pick is a Pick by numbers.
type pick struct {
	variable int
	index    index
	at       sum
}

// picked returns the messages that are named by positions.
func (in *interp) picked() (out []Pick) {
	for _, p := range in.picks {
		out = append(out, Pick{p.variable, in.element(p.index).Index, in.names.terms[p.at.of], int(p.at.add)})
	}
	return out
}

// positions returns the sources of the position in a Bag.
func (c *channelOperation) positions() Set {
	if c.bag {
		return c.in.sources(c.args[3])
	}
	return 0
}

func (c *channelOperation) is() *value {
	c.begin()
	ks, names := c.kinds(c.kindArgument())
	c.pick(ks)
	c.note(ks, c.in.ways.first)
	r := c.in.computed()
	for _, k := range ks {
		c.in.addComputed(r, c.read(k))
	}
	if names != nil {
		r.control = c.in.sets.union(r.control, names.control)
	}
	return c.in.with(r, 0, 0, c.positions())
}

// note remembers which kinds of the state's messages are read in a certain way.
func (c *channelOperation) note(ks []int, in map[int]bool) {
	for _, l := range c.args[0].ptrs {
		if l.lay.kinds == nil {
			continue
		}
		for _, k := range ks {
			if l.obj.role == before || l.obj.role == after {
				in[l.start+k] = true
			} else {
				in[ofCopies] = true
			}
		}
	}
}

// count reads all messages of the kinds, not just the first one.
func (c *channelOperation) count() *value { return c.counted(3) }

func (c *channelOperation) counted(kinds int) *value {
	c.begin()
	ks, names := c.kinds(kinds)
	r := c.among(ks)
	if names != nil {
		r.control = c.in.sets.union(r.control, names.control)
	}
	return r
}

// among reads all messages of some kinds.
func (c *channelOperation) among(ks []int) *value {
	c.note(ks, c.in.ways.counted)
	r := c.in.computed()
	for _, k := range ks {
		c.in.addComputed(r, c.read(k))
	}
	return r
}

// nth reads all messages of the kinds: which one is the k-th depends on them.
func (c *channelOperation) nth() *value {
	r := c.in.with(c.counted(4), 0, 0, c.in.sources(c.args[3]))
	ks, _ := c.kinds(4)
	return c.message(r, ks)
}

// holds reads the messages of the kind of the message that is looked for.
func (c *channelOperation) holds() *value {
	c.begin()
	r := c.among(c.kindsOf(c.args[3]))
	c.in.addComputed(r, c.in.computed(c.args[3]))
	return r
}

// kindsOf returns the kinds that a message may be of.
func (c *channelOperation) kindsOf(msg *value) []int {
	if msg.leaves != nil {
		msg = c.in.leaf(msg, 0)
	}
	return c.named(msg)
}

// message returns a message of one of the kinds: its first field says which.
func (c *channelOperation) message(v *value, ks []int) *value {
	in := c.in
	lay := in.resultLayout(c.fn)
	v = in.spread(v, lay)
	if len(lay.leaves) < 2 || len(ks) == 0 || c.lay.kinds[ks[0]].name == "" {
		return v
	}
	first := *v.leaves[0]
	first.top, first.consts = false, nil
	for _, k := range ks {
		first.consts = union(first.consts, []int32{in.names.text(c.lay.kinds[k].value)})
	}
	r := &value{leaves: slices.Clone(v.leaves)}
	r.leaves[0] = &first
	return r
}

func (c *channelOperation) peek() *value {
	v := c.is()
	ks, _ := c.kinds(c.kindArgument())
	return c.message(v, ks)
}

func (c *channelOperation) recv() *value {
	v := c.is()
	ks, _ := c.kinds(c.kindArgument())
	for _, k := range ks {
		c.use(k, c.in.receives)
		c.write(k, &value{top: true}, c.positions())
	}
	return c.message(v, ks)
}

// send writes the variable of the message's kind. Over a broken connection the message is lost.
func (c *channelOperation) send() *value {
	c.begin()
	in := c.in
	msg := c.args[3]
	whether := c.read(c.cuts())
	given := in.computed(msg)
	if whether != nil {
		given = in.with(given, 0, in.sets.union(whether.data, whether.control), whether.idx)
	}
	for _, k := range c.kindsOf(msg) {
		c.use(k, c.in.sends)
		c.write(k, given, 0)
	}
	return &value{leaves: []*value{}}
}

// tell sends to any other server: which ones follows from their number, the second argument.
func (c *channelOperation) tell() *value {
	c.args = []*value{c.args[0], c.args[1], c.in.computed(c.args[2]), c.args[3]}
	return c.send()
}

// look returns a kind-blind reading.
func (c *channelOperation) look() *value {
	c.begin()
	r := c.in.computed(c.args[3:]...)
	for _, k := range c.all() {
		c.in.addComputed(r, c.read(k))
	}
	return c.message(c.in.spread(r, c.in.resultLayout(c.fn)), nil)
}

// pop takes the first message: which one it is decides what remains of each kind.
func (c *channelOperation) pop() *value {
	v := c.look()
	for _, k := range c.all() {
		c.use(k, c.in.receives)
	}
	c.changeAll(c.in.computed(v))
	return v
}

// alter changes the messages by position: what is there decides what remains of each kind.
func (c *channelOperation) alter() *value {
	c.changeAll(c.in.computed(c.look()))
	c.pick(c.all())
	return &value{leaves: []*value{}}
}

func (c *channelOperation) changeAll(given *value) {
	for _, k := range c.all() {
		c.write(k, given, 0)
	}
}

func (c *channelOperation) clear() *value {
	c.begin()
	for _, k := range c.all() {
		c.put(k, c.in.literal("0"))
	}
	return &value{leaves: []*value{}}
}

func (c *channelOperation) cut() *value {
	c.clear()
	return c.mark()
}

func (c *channelOperation) mark() *value {
	c.begin()
	c.put(c.cuts(), c.in.literal("true"))
	return &value{leaves: []*value{}}
}

func (c *channelOperation) mend() *value {
	c.begin()
	c.put(c.cuts(), c.in.literal("false"))
	return &value{leaves: []*value{}}
}

func (c *channelOperation) isCut() *value {
	c.begin()
	return c.read(c.cuts())
}
