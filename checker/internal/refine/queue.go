package refine

import "github.com/multigrain/multigrain/checker/internal/refine/internal/record"

// A record lists the messages that are produced and not observed yet: for each lane, or, where no
// message overtakes those of lower lanes, for each connection. There the order in which messages of
// different lanes were produced decides which may be observed first:
//
//	produced  low, high    observed  low, high
//	produced  high, low    observed  high, low  or  low, high

// queueOf returns the place of the list that has the messages of an outgoing lane.
func (c *searcher[S]) queueOf(r record.Record, l int) *uint32 {
	if c.ordered {
		l -= l % c.lanes
	}
	return c.Shape.Queue(r, l)
}

// queued reports whether a message of an outgoing lane is produced and not observed.
func (c *searcher[S]) queued(r record.Record, l int) bool {
	return c.firstQueued(r, l) >= 0
}

// firstQueued returns where in its list the first such message of a lane is; -1 for none.
func (c *searcher[S]) firstQueued(r record.Record, l int) int {
	x := *c.queueOf(r, l)
	if x == 0 {
		return -1
	}
	if !c.ordered {
		return 0
	}
	for k := range c.queues.Len(x) {
		if c.laneOf(c.queues.Kind(x, k)) == l%c.lanes {
			return k
		}
	}
	return -1
}

// nextQueued returns the lane of the message that the stream has first, of those that are produced
// and now visible, and where in its list it is. The lane is -1 for none.
func (c *searcher[S]) nextQueued(r record.Record) (lane, at int) {
	lane = -1
	var pos int64
	for l := range c.outs {
		sent := int(*c.Sent(r, l))
		if sent >= c.outs[l].len() || c.outs[l].pos[sent] > c.visible || lane >= 0 && c.outs[l].pos[sent] > pos {
			continue
		}
		if k := c.firstQueued(r, l); k >= 0 {
			lane, at, pos = l, k, c.outs[l].pos[sent]
		}
	}
	return lane, at
}

// behindLower reports whether a message of a lower lane stands before the k-th message of a list.
func (c *searcher[S]) behindLower(x uint32, k int) bool {
	lane := c.laneOf(c.queues.Kind(x, k))
	for j := range k {
		if c.laneOf(c.queues.Kind(x, j)) < lane {
			return true
		}
	}
	return false
}
