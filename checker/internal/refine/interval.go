package refine

import (
	"bytes"

	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
)

// What it computes. For each incoming lane of a record an interval: the first low messages are
// taken, and up to high of them may be.
//
// Why it is right. A message that changed nothing when it could first be taken may be taken then or
// later; both schedules are in the interval. close extends high over such messages. It raises low
// where an action that only drops the message is enabled and stays so. So one record stands for a
// set of schedules that differ only in when such messages are taken.
//
// What it costs. One attempt for each message and record; the outcome of the last attempt is
// cached. Without intervals a record would branch at each message without effect.
//
// Example. Heartbeats h change nothing, v is a vote:
//
//	lane: h h v      interval [0, 2]: none, one or both h may be taken
//	                 to take v, low becomes 3, and all before it are taken

// attempt caches the outcome of the last message that had no effect. If the message ends a record's
// interval, that record is often expanded next.
type attempt[S any] struct {
	// from which it was tried; empty: none was, or messages and nodes of Chains have other numbers
	// now
	row   []byte
	lane  int
	k     uint32
	idle  bool
	steps []instance[S]
	res   []result
}

func (t *attempt[S]) forget() { t.row = t.row[:0] }

// keep copies the result of a step.
func (t *attempt[S]) keep(in *instance[S], r *result) {
	t.steps = append(t.steps, *in)
	if len(t.res) < len(t.steps) {
		t.res = append(t.res, result{})
	}
	to := &t.res[len(t.steps)-1]
	to.outcome, to.why, to.row, to.out = r.outcome, r.why, append(to.row[:0], r.row...), to.out[:0]
	for _, o := range r.out {
		to.out = append(to.out, produced{o.peer, bytes.Clone(o.msg)})
	}
}

// effect calls f for each way in which the k-th message of an incoming lane changes something. It
// reports whether it may change nothing: in one of the ways in which it can be taken, or since
// there is none.
func (c *searcher[S]) effect(row []byte, l int, k uint32, f func(in *instance[S], r *result)) (noop bool) {
	if t := &c.attempt; t.lane == l && t.k == k && bytes.Equal(t.row, row) {
		if f == nil {
			return t.idle
		}
		c.attempt, c.used = c.used, c.attempt // f tries other messages
		c.attempt.forget()
		for x := range c.used.steps {
			f(&c.used.steps[x], &c.used.res[x])
		}
		return c.used.idle
	}
	from := c.ins[l]
	changes := false
	keep := f == nil && c.before == nil && c.says == nil // which look at more than the row
	t := &c.attempt
	if keep {
		t.forget()
		t.steps = t.steps[:0]
	}
	one := func(in *instance[S], msg []byte, set func(*S)) (enabled bool) {
		c.applied++
		r := c.take(in, row, msg, set)
		switch r.outcome {
		case refused:
			return false
		case stepped:
			if len(r.out) == 0 && bytes.Equal(r.row, row) {
				noop = true
				return true
			}
			changes = true
			if f != nil {
				f(in, r)
			} else if keep {
				t.keep(in, r)
			}
		default:
			changes, keep = true, false
			c.fault(r)
		}
		return true
	}
	if in := from.in[k]; in != nil {
		if c.idle[in.action] {
			return true
		}
		if in.fate == dismissed {
			c.applied++
			return c.take(in.instance, row, nil, in.set).outcome == refused
		}
		enabled := one(in.instance, nil, in.set)
		return noop || !changes && (enabled || !in.stated())
	}
	msg := from.at(k)
	handlers := c.handlers[int(from.peer[k])*256+int(kind(msg))]
	for x := range handlers {
		if one(&handlers[x], msg, nil) && handlers[x].asap {
			break
		}
	}
	if keep {
		t.lane, t.k, t.idle = l, k, noop || !changes
		t.row = append(t.row, row...)
	}
	return noop || !changes
}

func (c *searcher[S]) fault(r *result) {
	switch r.outcome {
	case partial:
		c.faults.partial++
	case folded:
		c.faults.folded++
	case crowded:
		c.faults.crowded++
	}
	c.faults.why = r.why
}

// close extends the intervals of a record by what changes nothing, and takes at once what never
// will.
func (c *searcher[S]) close(r record.Record) {
	defer c.explore(c.ahead.now)
	c.explore(r)
	row := r[:c.rowSize]
	for l := 0; l < c.Ins(); l++ {
		if c.eagerly(r, l) {
			l = -1 // the row is another one: all lanes anew
			continue
		}
		low, high := c.Low(r, l), c.High(r, l)
		idle := false // whether the message before *high is known to change nothing
		for *high < c.avail[l] && !c.mayWait(r, l, *high) {
			if !(idle && c.ins[l].same[*high]) {
				idle = c.effect(row, l, *high, nil)
			}
			if !idle {
				break
			}
			*high++
		}
		for *low < *high && c.never(row, l, *low) {
			*low++
		}
	}
	for _, in := range c.frees {
		for c.utters(r, in) {
			*c.Shape.Unseen(r) = 0
		}
	}
}

// utters takes an action that only sends, if it sends the next visible message. A state before this
// action can do no more than the state after it.
func (c *searcher[S]) utters(r record.Record, in *instance[S]) bool {
	for l := c.peerOf[in.to] * c.lanes; l < (c.peerOf[in.to]+1)*c.lanes; l++ {
		lane, sent := c.outs[l], c.Sent(r, l)
		if in.lanes>>(l%c.lanes)&1 == 0 || c.queued(r, l) || int(*sent) >= lane.len() || lane.pos[*sent] > c.visible {
			continue
		}
		c.applied++
		res := c.take(in, r[:c.rowSize], nil, nil)
		if res.outcome != stepped || len(res.out) != 1 {
			return false
		}
		if msg := res.out[0].msg; !c.same(msg, lane.at(*sent)) {
			c.note(l, *sent, msg, in.name)
			return false
		}
		if c.ordered && c.overtakes(r, l, lane.pos[*sent]) {
			return false
		}
		*sent++
		return true
	}
	return false
}

// eagerly takes the next message or input of a lane, where an action that is taken at once does.
func (c *searcher[S]) eagerly(r record.Record, l int) bool {
	from, k := c.ins[l], *c.Low(r, l)
	if k >= c.avail[l] {
		return false
	}
	if in := from.in[k]; in != nil {
		if !in.instance.eager || c.idle[in.action] {
			return false
		}
		c.applied++
		if res := c.take(in.instance, r[:c.rowSize], nil, in.set); res.outcome == stepped && len(res.out) == 0 {
			copy(r[:c.rowSize], res.row)
			*c.Low(r, l), *c.High(r, l) = k+1, k+1
			return true
		}
		return false
	}
	msg := from.at(k)
	handlers := c.handlers[int(from.peer[k])*256+int(kind(msg))]
	for x := range handlers {
		if !handlers[x].eager {
			continue
		}
		c.applied++
		if res := c.take(&handlers[x], r[:c.rowSize], msg, nil); res.outcome == stepped && len(res.out) == 0 {
			copy(r[:c.rowSize], res.row)
			*c.Low(r, l), *c.High(r, l) = k+1, k+1
			return true
		}
	}
	return false
}

// never reports whether the k-th message of a lane changes nothing, now and later: an action that
// only drops it is enabled and stays so.
func (c *searcher[S]) never(row []byte, l int, k uint32) bool {
	from := c.ins[l]
	if from.in[k] != nil || c.late {
		return false
	}
	msg := from.at(k)
	handlers := c.handlers[int(from.peer[k])*256+int(kind(msg))]
	if len(handlers) == 0 {
		return true
	}
	if !handlers[0].asap {
		return false
	}
	c.applied++
	return c.take(&handlers[0], row, msg, nil).outcome == stepped
}
