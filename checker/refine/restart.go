package refine

import (
	"bytes"
	"slices"
)

// restarted processes a crash: whatever the node did before that nobody saw is possible, what it had received and not processed is
// lost, and it goes on from what it had kept.
func (c *Checker[S]) restarted(p int64, e *Event[S]) {
	if c.restart == nil {
		c.goBlind("the node restarted, and the composition has no restart")
		return
	}
	defer func() {
		for l := range c.ins {
			c.avail[l] = c.ins[l].before(p)
		}
	}()
	if c.blind != "" && e.State != nil {
		c.resume(p, e)
		return
	}
	if c.blind == "" {
		c.visible, c.lose, c.lenient = p, true, false
		all := map[string]record{}
		var order []string
		for _, r := range c.states {
			for l := range c.outs {
				*c.shape.queue(r, l) = 0
			}
		}
		_, complete := c.search(c.states, func(r record) bool {
			if c.visibleDone(r, p) && c.toldDone(r, p) {
				if t := c.again(r, p, e); t != nil && all[string(t)] == nil {
					all[string(t)] = t
					order = append(order, string(t))
				}
			}
			return false
		})
		c.lose = false
		if !complete {
			c.partial = "a crash could have come in more states than were explored"
		}
		var states []record
		for _, k := range order {
			states = append(states, all[k])
		}
		c.keep(states)
		if len(states) == 0 {
			c.goBlind("no state explains the node's restart")
		}
	}
}

// resume ends a blindness: the node starts from what it has kept, all of which the event tells.
func (c *Checker[S]) resume(p int64, e *Event[S]) {
	*c.s = c.base
	e.State(c.s)
	r := make(record, c.size)
	c.save(r, c.s)
	*c.s = c.base
	for l := range c.outs {
		*c.sent(r, l) = c.cursor[l]
	}
	known := Event[S]{State: nil}
	if t := c.again(r, p, &known); t != nil {
		c.blind, c.partial, c.alarm = "", "", nil
		c.keep([]record{t})
	}
}

// visibleDone reports whether all that was observed before p is produced.
func (c *Checker[S]) visibleDone(r record, p int64) bool {
	for l := range c.outs {
		if *c.sent(r, l) != c.outs[l].before(p) {
			return false
		}
	}
	return true
}

// toldDone reports whether all that the stream says the node has done before p is taken.
func (c *Checker[S]) toldDone(r record, p int64) bool {
	for l := range c.ins {
		for k := c.ins[l].before(p); k > *c.high(r, l); k-- {
			if in := c.ins[l].in[k-1]; in != nil && in.instance.done {
				return false
			}
		}
	}
	return true
}

// again is the record behind a restart.
func (c *Checker[S]) again(r record, p int64, e *Event[S]) record {
	row := slices.Clone(r[:c.rowSize])
	res := c.take(c.restartInstance(), row, nil, nil)
	if res.outcome != stepped {
		c.fault(res)
		return nil
	}
	t := slices.Clone(r)
	copy(t, res.row)
	if e.State != nil && !c.knows(t, e) {
		return nil
	}
	*c.shape.unseen(t) = 0
	for l := range c.ins {
		k := c.ins[l].before(p)
		*c.low(t, l), *c.high(t, l) = k, k
	}
	for l := range c.outs {
		*c.shape.queue(t, l) = 0
	}
	return t
}

func (c *Checker[S]) restartInstance() *instance[S] { return c.node.restart }

// knows reports whether a state agrees with what an event knows of it.
func (c *Checker[S]) knows(r record, e *Event[S]) bool {
	a, b := new(S), new(S)
	*a = c.base
	c.load(a, r[:c.rowSize])
	*b = *a
	e.State(b)
	x := make([]byte, c.rowSize)
	c.save(x, b)
	return bytes.Equal(x, r[:c.rowSize])
}
