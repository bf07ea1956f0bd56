package oracle

import "slices"

// run executes statements on the state after.
func (c *scope) run(list []*Node) {
	for _, e := range list {
		c.do(e)
	}
}

// do executes one statement.
func (c *scope) do(e *Node) {
	m := c.m
	switch e.Op {
	case "if":
		if c.is(e.Args[0]) {
			c.run(e.Body)
		} else {
			c.run(e.Else)
		}
		return
	case "for":
		outer := c.q
		for c.q = range m.Spec.Nodes {
			c.run(e.Body)
		}
		c.q = outer
		return
	case "let":
		for len(c.lets) <= e.N {
			c.lets = append(c.lets, 0)
		}
		c.lets[e.N] = c.num(e.Args[0])
		return
	case "raise":
		c.n.Raised |= 1 << e.N
		return
	}
	v := m.Spec.Vars[e.Var]
	if v.Kind == Net || v.Kind == Bag {
		c.transmit(e, &v)
		return
	}
	to := &c.n.Slot[m.first[e.Var]]
	number := func() int { return c.num(e.Args[0]) % (v.Max + 1) }
	truth := func() int {
		if c.is(e.Args[0]) {
			return 1
		}
		return 0
	}
	switch e.Op {
	case "setnum":
		(*to)[0] = number()
	case "setflag":
		(*to)[0] = truth()
	case "setref":
		(*to)[0] = c.node(e.Who)
	case "setelem", "put":
		(*to)[c.node(e.Who)] = number()
	case "setflagof":
		(*to)[c.node(e.Who)] = truth()
	case "addto":
		(*to)[c.node(e.Who)] = 1
	case "removefrom":
		(*to)[c.node(e.Who)] = 0
	case "addtoof":
		(*to)[c.node(e.Who)*m.Spec.Nodes+c.node(e.Peer)] = 1
	case "removefromof":
		(*to)[c.node(e.Who)*m.Spec.Nodes+c.node(e.Peer)] = 0
	case "delete":
		(*to)[c.node(e.Who)] = -1
	case "append":
		if x := number(); len(*to) < v.Cap {
			*to = append(*to, x)
		}
	case "pop":
		if len(*to) > 0 {
			*to = (*to)[1:]
		}
	case "clear":
		*to = nil
	case "addrec":
		if x := c.record(e); !slices.Contains(*to, x) && len(*to) < v.Cap {
			*to = append(*to, x)
			slices.Sort(*to)
		}
	case "removerec":
		if k := slices.Index(*to, c.record(e)); k >= 0 {
			*to = slices.Delete(*to, k, k+1)
		}
	default:
		panic("oracle: no statement is " + e.Op)
	}
}

// transmit executes a statement on a Net or Bag.
func (c *scope) transmit(e *Node, v *Var) {
	from, to := c.node(e.Who), c.node(e.Peer)
	list := &c.n.Slot[c.m.channel(e.Var, from, to)]
	broken := &c.n.Slot[c.m.first[e.Var]][from*c.m.Spec.Nodes+to]
	put := func(x int) {
		if len(*list) >= v.Cap {
			return
		}
		*list = append(*list, x)
		if v.Kind == Bag {
			slices.Sort(*list)
		}
	}
	switch e.Op {
	case "send":
		if x := c.num(e.Args[0]) % (v.Max + 1); *broken == 0 {
			put(e.N*16 + x)
		}
	case "recv": // the first one, of a Bag message K
		k := 0
		if v.Kind == Bag {
			k = c.p.K - 1
		}
		c.message = (*list)[k] % 16
		*list = slices.Delete(*list, k, k+1)
	case "lose":
		if len(*list) > 0 {
			*list = (*list)[1:]
		}
	case "duplicate":
		if len(*list) > 0 {
			put((*list)[0])
		}
	case "cut":
		*broken = 1
		if v.Kind == Net {
			*list = nil
		}
	case "mend":
		*broken = 0
	default:
		panic("oracle: no statement is " + e.Op)
	}
}
