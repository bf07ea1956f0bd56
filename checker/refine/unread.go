package refine

import "github.com/multigrain/multigrain/checker/refine/record"

// A node may not have read the last of what was received over a connection that has ended
// (modules.Input.Ends). When it stopped to read nobody sees. Nothing makes it take a message before
// something after the end of the connection is taken: it is enough to step over the rest then.

// endsIn returns the incoming lane in which an input ends a connection; -1 for none. In a total
// order of what the node took nothing is unread.
func (c *Checker[S]) endsIn(in *input[S]) int {
	if in.instance.ends < 0 || c.opt.Total {
		return -1
	}
	return c.peerOf[in.instance.to]*len(c.nets) + in.instance.ends
}

// end notes that a connection has ended at position p, if the input says so. Messages over the
// connection before it count as received if that changes nothing, as after Options.Within: the peer
// has connected twice since.
func (c *Checker[S]) end(in *input[S], p int64) {
	l := c.endsIn(in)
	if l < 0 {
		return
	}
	if n := len(c.ended[l]); n > 0 {
		k := c.ins[l].before(c.ended[l][n-1])
		for _, r := range c.states {
			if *c.High(r, l) >= k {
				*c.Low(r, l) = max(*c.Low(r, l), k)
			}
		}
	}
	c.ended[l] = append(c.ended[l], p)
}

// stepOver calls emit for the record in which what is left of a connection that has ended is not
// read.
func (c *searcher[S]) stepOver(r record.Record, l int, emit func(record.Record)) {
	for _, p := range c.ended[l] {
		if k := c.ins[l].before(p); k > *c.High(r, l) {
			t := c.slab.Get()
			copy(t, r)
			*c.Low(t, l), *c.High(t, l) = k, k
			c.finish(t, emit)
			return
		}
	}
}

// forgetEnds forgets the ends of connections without remaining messages.
func (c *searcher[S]) forgetEnds() {
	for l, ends := range c.ended {
		n := 0
		for n < len(ends) && c.ins[l].before(ends[n]) == 0 {
			n++
		}
		c.ended[l] = append(ends[:0], ends[n:]...)
	}
}
