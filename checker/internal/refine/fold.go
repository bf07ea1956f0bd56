package refine

import (
	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
	"github.com/multigrain/multigrain/modules"
)

const foldEvery = 4096

// fold forgets what all states have after them, and those of the mark.
func (c *Checker[S]) fold() {
	c.ahead.key = c.ahead.key[:0]
	c.attempt.forget()
	c.forgetPossible()
	c.forgetSteps()
	if len(c.states) == 0 {
		c.forget(c.done)
		for l := range c.ins {
			c.ins[l].drop(int(c.avail[l]))
			c.avail[l] = 0
		}
		c.forgetEnds()
		for l := range c.outs {
			c.outs[l].drop(int(c.cursor[l]))
			c.cursor[l] = 0
		}
		c.foldLogs()
		return
	}
	all := c.records()
	for l := range c.ins {
		low := *c.Low(all[0], l)
		for _, r := range all {
			low = min(low, *c.Low(r, l))
		}
		for _, r := range all {
			*c.Low(r, l) -= low
			*c.High(r, l) -= low
		}
		c.ins[l].drop(int(low))
		c.avail[l] -= low
		if c.mark != nil {
			c.mark.avail[l] -= low
		}
	}
	c.forgetEnds()
	for l := range c.outs {
		low := c.cursor[l]
		for _, r := range all {
			low = min(low, *c.Sent(r, l))
		}
		if c.mark != nil {
			low = min(low, c.mark.cursor[l])
		}
		for _, r := range all {
			*c.Sent(r, l) -= low
		}
		c.outs[l].drop(int(low))
		c.cursor[l] -= low
		if c.mark != nil {
			c.mark.cursor[l] -= low
		}
	}
	c.forget(c.oldest())
	c.foldLogs()
	c.foldQueues()
}

// forget drops the events before position p.
func (c *Checker[S]) forget(p int64) {
	k := int(p - c.first)
	c.events = append(c.events[:0], c.events[k:]...)
	c.first = p
}

// foldLogs forgets committed entries beyond History.
func (c *Checker[S]) foldLogs() {
	if len(c.chains) == 0 && !c.msgChains || c.arena.Nodes() < 2*c.opt.History && c.arena.Nodes() < 4*c.folded {
		return
	}
	base := ^uint64(0)
	for _, r := range c.records() {
		*c.s = c.base
		c.load(c.s, r[:c.rowSize])
		if c.runtime.Committed != nil {
			base = min(base, c.runtime.Committed(c.s, c.me))
		}
	}
	*c.s, c.at = c.base, c.at[:0]
	if base == ^uint64(0) || base < uint64(c.opt.History) {
		base = uint64(c.opt.History)
	}
	var roots []modules.Root
	for _, r := range c.records() {
		for _, at := range c.chains {
			root := modules.Root{Node: record.Word(r, at.node), Base: base - uint64(c.opt.History)}
			if at.taken >= 0 {
				root.Base = uint64(*record.Word(r, at.taken))
			}
			roots = append(roots, root)
		}
	}
	roots = append(roots, c.messageRoots()...)
	queues := c.queueRoots(&roots)
	c.arena.Fold(roots)
	c.requeue(queues)
	c.folded = c.arena.Nodes()
	c.Stats.Entries = c.folded
}

// foldQueues forgets lists of messages that no state has.
func (c *Checker[S]) foldQueues() {
	if len(c.queues.Bytes) < 1<<12 {
		return
	}
	old := c.queues
	c.queues = record.NewLists(c.msgSize)
	for _, r := range c.records() {
		for l := range c.outs {
			q := c.Shape.Queue(r, l)
			*q = c.queues.Of(old.Bytes[*q])
		}
	}
}

// messageRoots returns the Chains of messages in lanes and events.
func (c *Checker[S]) messageRoots() (roots []modules.Root) {
	met := map[*uint32]bool{} // the mark shares messages
	add := func(msg []byte) {
		for _, at := range c.netOf(msg).chains {
			if node := record.Word(msg, at); *node != 0 && !met[node] {
				met[node] = true
				roots = append(roots, modules.Root{Node: node})
			}
		}
	}
	if !c.msgChains {
		return nil
	}
	for _, lanes := range [2][]*lane[S]{c.ins, c.outs} {
		for _, l := range lanes {
			for k := range l.len() {
				add(l.at(uint32(k)))
			}
		}
	}
	events := [][]Event[S]{c.events, c.recent}
	if c.mark != nil {
		events = append(events, c.mark.recent)
	}
	for _, events := range events {
		for k := range events {
			if events[k].Msg != nil {
				add(events[k].Msg)
			}
		}
	}
	return roots
}

// queueRoots returns copies of the Chains in messages that are produced and not observed, by number
// of the list.
func (c *Checker[S]) queueRoots(roots *[]modules.Root) map[uint32][]byte {
	if !c.msgChains {
		return nil
	}
	copies := map[uint32][]byte{0: nil}
	for _, r := range c.records() {
		for l := range c.outs {
			q := *c.Shape.Queue(r, l)
			if _, ok := copies[q]; ok {
				continue
			}
			b := []byte(c.queues.Bytes[q])
			copies[q] = b
			for at := 0; at < len(b); at += c.msgSize {
				for _, x := range c.netOf(b[at:]).chains {
					if node := record.Word(b[at:], x); *node != 0 {
						*roots = append(*roots, modules.Root{Node: node})
					}
				}
			}
		}
	}
	return copies
}

// requeue replaces the lists of messages by these.
func (c *Checker[S]) requeue(copies map[uint32][]byte) {
	if copies == nil {
		return
	}
	c.queues = record.NewLists(c.msgSize)
	for _, r := range c.records() {
		for l := range c.outs {
			q := c.Shape.Queue(r, l)
			*q = c.queues.Of(string(copies[*q]))
		}
	}
}
