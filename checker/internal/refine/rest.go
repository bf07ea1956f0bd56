package refine

import (
	"slices"

	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
)

// What it computes. The check of events near a rest of a live stream. Where the stream rests, all
// that the node has sent is taken to be in it, so events are checked before their window is full. A
// tap that is late breaks that: what the node sent earlier comes after the rest. The states that
// explain it may be lost by then, since a search takes only a few unobserved time-outs.
//
// Why it is right. The checker marks its state before the first such event. If an alarm, or a
// message that is undecided, comes later and more events were read by then, it goes back to the
// mark. It checks the events since then again, with all that is visible now. So an alarm needs no
// schedule in what is visible when it is raised. No alarm is missed: if there is a schedule with
// more of the stream visible, the stream up to there is legal.
//
// What it costs. A copy of the states for each rest. Where a stream rests all the time, its events
// are checked about twice: the mark is at most foldEvery events old, and is renewed by going back.
//
// Example. The lane to server 0 is late:
//
//	read      out 2 B                          the stream rests: B is checked, mark before it
//	read      out 0 A1, A2, A3, A4             sent before B, by time-outs: an alarm at A4
//	go back   out 2 B, with A1 to A4 visible   the schedule that sends these first is found

// mark is the state of a checker before an event.
type mark[S any] struct {
	end            int64 // events that were read when the event was checked
	states         []record.Record
	done, patience int64
	avail, cursor  []uint32
	ended          [][]int64
	recent         []Event[S]
	given          []given
	blind, partial string
	part           part[S]
	stats          Stats
}

// here returns the checker's state.
func (c *Checker[S]) here() *mark[S] {
	m := &mark[S]{end: c.readTo(), states: c.copies(), done: c.done, patience: c.patience, avail: slices.Clone(c.avail), cursor: slices.Clone(c.cursor),
		recent: slices.Clone(c.recent), given: slices.Clone(c.given), blind: c.blind, partial: c.partial, part: c.part, stats: c.Stats}
	for _, ends := range c.ended {
		m.ended = append(m.ended, slices.Clone(ends))
	}
	m.stats.LeftOut, m.stats.Causes = slices.Clone(c.Stats.LeftOut), slices.Clone(c.Stats.Causes)
	return m
}

// readTo returns the position after the last event that was read.
func (c *Checker[S]) readTo() int64 { return c.first + int64(len(c.events)) }

// rests reports whether the window of the event under check would be full if the stream did not
// rest.
func (c *Checker[S]) rests() bool {
	reach := c.barrier()
	return reach == int64(c.opt.Window) && c.done+reach >= c.readTo()
}

// askMore searches for a message of a lane with twice as many unobserved time-outs as usual. Where
// the stream rests, what they send may be seen later. Without a schedule all is as before the call.
func (c *Checker[S]) askMore(lane int, goal func(record.Record) bool) []record.Record {
	faults := c.faults
	c.unseen *= 2
	found, _ := c.ask(lane, c.states, goal)
	c.unseen /= 2
	if len(found) == 0 {
		c.faults = faults
	}
	return found
}

// goBack returns to the mark and reports true, if more of the stream is visible since then. The
// last alarm that remains is given.
func (c *Checker[S]) goBack(last *Alarm) bool {
	m := c.mark
	if m == nil || m.end == c.readTo() {
		return false
	}
	c.mark = nil
	c.keep(m.states)
	c.done, c.patience = m.done, m.patience
	c.avail, c.cursor, c.ended = m.avail, m.cursor, m.ended
	if c.runtime.Early {
		c.avail[len(c.avail)-1] = uint32(c.ins[len(c.ins)-1].len()) // all that are in the lane
	}
	c.recent, c.given = m.recent, m.given
	c.blind, c.partial, c.alarm = m.blind, m.partial, last
	c.Stats = m.stats
	parts, handed := c.part.parts, c.part.handed
	c.part = m.part
	c.part.parts, c.part.handed = parts, handed
	c.barriers = nil
	for p := c.done; p < c.readTo(); p++ {
		if c.events[p-c.first].bounds() {
			c.barriers = append(c.barriers, p)
		}
	}
	c.ahead.key = c.ahead.key[:0]
	c.attempt.forget()
	c.returns++
	return true
}

// bounds reports whether no window crosses an event.
func (e *Event[S]) bounds() bool { return e.Kind == Restart || e.Kind == Lost || e.Kind == End }

// records returns those of the states and of the mark.
func (c *Checker[S]) records() []record.Record {
	if c.mark == nil {
		return c.states
	}
	return slices.Concat(c.states, c.mark.states)
}

// oldest returns the position of the first event that may be checked, again or for the first time.
func (c *Checker[S]) oldest() int64 {
	if c.mark == nil {
		return c.done
	}
	return c.mark.done
}
