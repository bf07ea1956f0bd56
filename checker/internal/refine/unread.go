package refine

import (
	"slices"

	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
)

// A node may not have read the last of what was received over a connection that has ended
// (modules.Input.Ends). When it stopped to read nobody sees. Nothing makes it take a message before
// something after the end of the connection is taken: it is enough to step over the rest then.

// endsIn returns the incoming lanes in which an input ends a connection, from the first one to
// before the last one; none: 0, 0. In a total order of what the node took nothing is unread.
func (c *Checker[S]) endsIn(in *input[S]) (first, last int) {
	if in.instance.ends < 0 || c.opt.Total {
		return 0, 0
	}
	first = (c.peerOf[in.instance.to]*len(c.nets) + in.instance.ends) * c.arrivals
	return first, first + c.arrivals
}

// end notes that a connection has ended at position p, if the input says so. Messages over the
// connection before it count as received if that changes nothing, as after Options.Within: the peer
// has connected twice since. An input that is about several connections (modules.Input.Loses) may
// come again while messages are in transit.
func (c *Checker[S]) end(in *input[S], p int64) {
	first, last := c.endsIn(in)
	for l := first; l < last; l++ {
		if n := len(c.ended[l]); n > 0 && !in.instance.loses {
			k := c.ins[l].before(c.ended[l][n-1])
			for _, r := range c.states {
				if *c.High(r, l) >= k {
					*c.Low(r, l) = max(*c.Low(r, l), k)
				}
			}
		}
		c.ended[l] = append(c.ended[l], p)
	}
}

// breaks notes that a connection loses what the node sends around position p, if the input says so.
func (c *Checker[S]) breaks(in *input[S], p int64) {
	if in.instance.loses {
		c.losesAt(in.instance.to, p)
	}
}

// losesAt notes that what the node sends to a peer around position p need not be in its lanes: a
// connection loses it, or it came by another stream (Event.Stream).
func (c *Checker[S]) losesAt(peer int, p int64) {
	x := c.peerOf[peer]
	c.losses[x] = append(c.losses[x], p)
}

// goesMissing reports whether a message that is produced for an outgoing lane need not be seen: its
// connection has lost it, or a later message takes its place.
func (c *searcher[S]) goesMissing(t record.Record, l int, msg []byte) bool {
	return c.elided != nil && c.elided(kind(msg)) || c.mayBeLost(t, l)
}

// mayBeLost reports whether a connection has lost messages of an outgoing lane between the last one
// that is matched and the next one that the stream has.
func (c *searcher[S]) mayBeLost(t record.Record, l int) bool {
	losses := c.losses[l/c.lanes]
	if len(losses) == 0 {
		return false
	}
	lane, sent := c.outs[l], int(*c.Sent(t, l))
	from := lane.last
	if sent > 0 {
		from = lane.pos[sent-1]
	}
	k, _ := slices.BinarySearch(losses, from+1)
	return k < len(losses) && (sent >= lane.len() || losses[k] < lane.pos[sent])
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

// unread reports whether a connection has ended before the node took all that came by it.
func (c *searcher[S]) unread(r record.Record, l int) bool {
	return slices.ContainsFunc(c.ended[l], func(p int64) bool { return c.ins[l].before(p) > *c.High(r, l) })
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
