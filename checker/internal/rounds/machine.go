package rounds

import (
	"bytes"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// What it computes. Which instances a uniform execution may take next, given a plan of roles and a
// schedule of isolation.
//
// Why it is right. A round has four parts: repairs of servers that are no longer isolated, faults
// of servers that are, deliveries between the others, and internal steps. A message that was sent
// in a round can be received in the next one only, or in any later one if late messages are
// allowed. So every execution of this form is one of the specification: the machine only leaves out
// enabled instances. That rounds lose no bugs follows from the plan's conditions and not from here.
//
// What it costs. For each message in flight the number of the round in which it was sent. Each
// question reads the channels that one instance reads. After a step only channels that changed
// are compared.
//
// Example. Server 2 is isolated in round 1 of three servers:
//
//	repairs      none
//	faults       Crash(2), if it adds no message
//	deliveries   0 -> 1, 1 -> 0 of messages of round 0; nothing from or to 2
//	internals    steps of 0, 1 and 2 alone

// part is a part of a round.
type part uint8

const (
	repairs part = iota
	faults
	deliveries
	internals
	parts
)

// machine follows one uniform execution: it knows which steps may be taken next. Nodes are given
// by the address of their State.
type machine struct {
	plan     *Plan
	schedule Schedule
	// late lets a message that isolation kept from its receiver be received in later rounds.
	late bool
	// after calls visit with the State after an instance. It does not where the instance exceeds a
	// capacity.
	after func(instance int, visit func(state unsafe.Pointer))

	round int // from 0
	part  part
	taken []int // instances that are not taken again in this part: they were taken, or refused
	sent  [][][]uint16
	// sent has the round after which each message in flight was sent, by channels and by
	// sender*Servers + receiver: 0 for those of the initial state, t for those of the t-th round,
	// which can be received from round t+1 on, counted from 1.
}

func (m *machine) begin(schedule Schedule, state unsafe.Pointer) {
	m.schedule, m.round, m.part, m.taken = schedule, 0, repairs, m.taken[:0]
	if m.sent == nil {
		for _, c := range m.plan.channels {
			m.sent = append(m.sent, make([][]uint16, c.Servers*c.Servers))
		}
	}
	for net := range m.plan.channels {
		c := &m.plan.channels[net]
		for i := range c.Servers {
			for j := range c.Servers {
				list := m.sent[net][i*c.Servers+j][:0]
				for range c.Len(state, i, j) {
					list = append(list, 0)
				}
				m.sent[net][i*c.Servers+j] = list
			}
		}
	}
}

// over reports whether all rounds have been taken.
func (m *machine) over() bool { return m.round == len(m.schedule) }

// isolated returns the set of servers that are isolated in this round.
func (m *machine) isolated() uint64 { return m.schedule[m.round] }

// optional reports whether the part may end although a step of it is possible.
func (m *machine) optional() bool { return m.part == faults || m.part == internals }

// next ends the part, and with the last part the round.
func (m *machine) next() {
	m.taken = m.taken[:0]
	if m.part++; m.part < parts {
		return
	}
	// What was due between servers of the kernel and not received, isolation did not keep from
	// them.
	for net := range m.plan.channels {
		n := m.plan.channels[net].Servers
		for i := range n {
			for j := range n {
				if m.isolated()&(1<<i|1<<j) == 0 {
					for k, sent := range m.sent[net][i*n+j] {
						if m.due(sent) {
							m.sent[net][i*n+j][k] = uint16(m.round + 1)
						}
					}
				}
			}
		}
	}
	m.part = repairs
	m.round++
}

// due reports whether a message that was sent in a round can be received in this one.
func (m *machine) due(sent uint16) bool {
	now := m.round + 1
	return int(sent) == now-1 || m.late && int(sent) < now
}

// admits reports whether an enabled instance may be taken in this part of the round at a State.
func (m *machine) admits(state unsafe.Pointer, k int) bool {
	in := &m.plan.of[k]
	away := m.isolated()
	switch m.part {
	case repairs:
		return in.role == Repair && in.servers&away == 0 && !slices.Contains(m.taken, k)
	case faults:
		return in.role == Fault && in.servers&away != 0 && !slices.Contains(m.taken, k) && m.addsNothing(state, k)
	case deliveries:
		return in.role == Delivery && in.servers&away == 0 && !slices.Contains(m.taken, k) && m.receives(state, in)
	}
	switch {
	case slices.Contains(m.taken, k) || bits.OnesCount64(in.servers) > 1 && in.servers&away != 0:
		return false
	case in.role == Delivery:
		return !m.sees(state, in)
	}
	return in.role == Internal
}

// receives reports whether a delivery finds a message that is due.
func (m *machine) receives(state unsafe.Pointer, in *instance) bool {
	for _, from := range in.from {
		c := &m.plan.channels[from.net]
		if m.isolated()&(1<<from.from|1<<from.to) != 0 {
			continue
		}
		sent := m.sent[from.net][from.from*c.Servers+from.to]
		if in.position >= len(sent) {
			continue
		}
		if m.due(sent[in.position]) {
			return true
		}
		// Of equal messages in a bag any one is received.
		for k := in.position + 1; c.Bag && k < len(sent) && bytes.Equal(c.At(state, from.from, from.to, k), c.At(state, from.from, from.to, in.position)); k++ {
			if m.due(sent[k]) {
				return true
			}
		}
	}
	return false
}

// sees reports whether a delivery finds any message. Without one it is a step of the server alone.
func (m *machine) sees(state unsafe.Pointer, in *instance) bool {
	for _, from := range in.from {
		if in.position < m.plan.channels[from.net].Len(state, from.from, from.to) {
			return true
		}
	}
	return false
}

// addsNothing reports whether a step leaves no more messages in any channel than there were.
func (m *machine) addsNothing(state unsafe.Pointer, k int) (ok bool) {
	m.after(k, func(then unsafe.Pointer) {
		ok = true
		for net := range m.plan.channels {
			c := &m.plan.channels[net]
			for i := range c.Servers {
				for j := range c.Servers {
					ok = ok && c.Len(then, i, j) <= c.Len(state, i, j)
				}
			}
		}
	})
	return ok
}

// took follows a step from a State to the one after.
func (m *machine) took(k int, before, after unsafe.Pointer) {
	received := false
	for net := range m.plan.channels {
		c := &m.plan.channels[net]
		if bytes.Equal(c.Bytes(before), c.Bytes(after)) {
			continue
		}
		for i := range c.Servers {
			for j := range c.Servers {
				at := i*c.Servers + j
				sent, got := m.follow(c, k, m.sent[net][at], i, j, before, after)
				m.sent[net][at] = sent
				received = received || got && (m.plan.of[k].role == Fault || slices.Contains(m.plan.of[k].from, channel{net, i, j}))
			}
		}
	}
	if m.part != deliveries && m.part != faults || !received {
		m.taken = append(m.taken, k)
	}
}

// refused says that a step was not taken. It is not tried again in this part.
func (m *machine) refused(k int) { m.taken = append(m.taken, k) }

// follow returns when the messages of a channel were sent, after a step, and whether the step took
// one out.
func (m *machine) follow(c *modules.Channels, instance int, sent []uint16, i, j int, before, after unsafe.Pointer) (out []uint16, got bool) {
	was, is := c.Len(before, i, j), c.Len(after, i, j)
	same := func(a, b int) bool { return bytes.Equal(c.At(before, i, j, a), c.At(after, i, j, b)) }
	now := uint16(m.round + 1)
	if !c.Bag && m.plan.of[instance].role != Fault && m.plan.of[instance].role != Repair {
		// First in, first out: what stays follows what was taken out, and precedes what was sent.
		for from := 0; ; from++ {
			stays := was - from
			ok := stays <= is
			for k := 0; ok && k < stays; k++ {
				ok = same(from+k, k)
			}
			if ok {
				out = append(sent[:0], sent[from:]...)
				for len(out) < is {
					out = append(out, now)
				}
				return out, from > 0
			}
		}
	}
	// A loss takes out any messages. A bag is sorted, and a step adds or takes out any of them:
	// what stays keeps its order.
	out = make([]uint16, 0, is)
	at := 0
	for k := range is {
		have := at
		for have < was && !same(have, k) && (!c.Bag || bytes.Compare(c.At(before, i, j, have), c.At(after, i, j, k)) < 0) {
			have++
		}
		if have < was && same(have, k) {
			out = append(out, sent[have])
			at = have + 1
		} else {
			out = append(out, now)
		}
	}
	if c.Bag {
		m.equals(c, sent, out, i, j, before, after)
	}
	return out, was > 0 && (is < was || at < was || !slices.Equal(out, sent))
}

// equals corrects which of several equal messages of a bag a step took: one that is due, if there
// is one.
func (m *machine) equals(c *modules.Channels, sent, out []uint16, i, j int, before, after unsafe.Pointer) {
	for from := 0; from < len(out); {
		message := c.At(after, i, j, from)
		to := from + 1
		for to < len(out) && bytes.Equal(c.At(after, i, j, to), message) {
			to++
		}
		var had []uint16
		for k := range sent {
			if bytes.Equal(c.At(before, i, j, k), message) {
				had = append(had, sent[k])
			}
		}
		if len(had) > to-from {
			for len(had) > to-from {
				k := max(slices.IndexFunc(had, m.due), 0)
				had = append(had[:k], had[k+1:]...)
			}
			copy(out[from:to], had)
		}
		from = to
	}
}
