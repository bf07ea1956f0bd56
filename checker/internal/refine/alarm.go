package refine

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
	"github.com/multigrain/multigrain/modules"
)

// Alarm is a message that the node must not have sent.
type Alarm struct {
	Node     int     `json:"node"`
	Position int64   `json:"position"` // of the event in the stream, from 1
	Outgoing int64   `json:"outgoing"` // which of the outgoing messages it is, from 1
	At       int64   `json:"at,omitempty"`
	Peer     int     `json:"peer"`
	Message  Shown   `json:"message"`
	Expected []Shown `json:"expected"` // what schedules would have sent in its place
	// Why says what keeps schedules from sending anything in its place; "" where Expected has
	// something. State is then one of the states in which the node may be before, of the variables
	// that are its own.
	Why   string        `json:"why,omitempty"`
	State *modules.View `json:"state,omitempty"`
	Last  []Shown       `json:"last"` // the events before it, the oldest first
	// Sent is the position of Message if the node restarts without what Message says is on disk,
	// and 0 in other alarms. Position is then that of the restart, and State the one at its start.
	Sent int64 `json:"sent,omitempty"`
}

// Shown is an event or a message for people.
type Shown struct {
	Event  string        `json:"event,omitempty"`
	Peer   *int          `json:"peer,omitempty"`
	Action string        `json:"action,omitempty"` // that would have sent it
	Value  *modules.View `json:"value,omitempty"`
	Text   string        `json:"text,omitempty"`
	// Differs names the fields in which a message differs from the one that was sent.
	Differs string `json:"differs,omitempty"`
}

// fail ends the stream's check at event p, where no state is left. before are the states that there
// were.
func (c *Checker[S]) fail(p int64, before []record.Record) {
	if cause := c.excuse(); cause != "" {
		c.goBlind(cause)
		c.undecided(p, cause)
		return
	}
	last := c.visible
	at, met := c.lastClash(p)
	if before != nil {
		at, met = c.blame(p, before)
	}
	e := &c.events[at-c.first]
	a := &Alarm{Node: c.me, Position: at + 1, Outgoing: c.Stats.Out, At: e.At, Peer: e.Peer, Message: Shown{Value: c.view(e.Msg)}, Expected: []Shown{}}
	for k := p + 1; k <= at; k++ {
		if c.events[k-c.first].Kind == Out {
			a.Outgoing++
		}
	}
	for _, m := range met {
		a.Expected = append(a.Expected, Shown{Action: m.action, Value: c.view(m.msg), Differs: c.differing(m.msg, e.Msg)})
	}
	switch {
	case c.cut:
		a.Why = fmt.Sprintf("an interrupt came while the message was searched for: it is this one or another one up to event %d", last+1)
	case len(met) == 0:
		a.Why = c.why(e, before)
		if len(before) > 0 {
			a.State = c.stateView(before[0])
		}
	}
	c.raise(a, at)
}

// raise raises an alarm at event at, after the one under check or that one itself.
func (c *Checker[S]) raise(a *Alarm, at int64) {
	for k := max(0, len(c.recent)-maxRecent); k < len(c.recent); k++ {
		a.Last = append(a.Last, c.show(&c.recent[k]))
	}
	for k := c.done; k < at; k++ {
		if e := &c.events[k-c.first]; e.Kind != LeftOut && e.Kind != Header {
			a.Last = append(a.Last, c.show(e))
		}
	}
	c.alarm = a
	c.goBlind("an alarm was raised")
}

// excuse returns why the lack of a state is not the node's fault; "" where it is.
func (c *Checker[S]) excuse() string {
	f, b := c.faults, c.faultsBefore
	missing := c.shows.Missing(&c.compares, c.opt.Complete, false)
	switch {
	case missing != "":
		return missing
	case c.partial != "":
		return c.partial
	case f.folded > b.folded || f.crowded > b.crowded:
		return cmp.Or(f.why, "a limit was reached")
	case f.partial > b.partial:
		return "a peer broke the protocol: " + f.why
	}
	return ""
}

// blame finds the first message that cannot be explained: the shortest window for which there is no
// schedule.
func (c *Checker[S]) blame(p int64, before []record.Record) (int64, []mismatch) {
	last, avail, ended := c.visible, slices.Clone(c.avail), slices.Clone(c.ended)
	c.asked = everybody
	defer func() {
		c.expect, c.asked = -1, nobody
		copy(c.avail, avail)
		copy(c.ended, ended)
	}()
	for at := p; at <= last; at++ {
		e := &c.events[at-c.first]
		switch {
		case e.Kind == In:
			c.avail[c.inLane(e)]++
		case e.Kind == Input && e.Input != nil:
			if !c.runtime.Early {
				c.avail[len(c.avail)-1]++
			}
			for l, last := c.endsIn(e.Input); l < last; l++ {
				c.ended[l] = append(c.ended[l], at)
			}
		}
		if e.Kind != Out {
			continue
		}
		l := c.outLane(e)
		number := c.outs[l].before(at)
		c.visible, c.lenient, c.doomed, c.met, c.barred = at, true, false, nil, false
		c.expect, c.number = l, number
		found, complete := c.search(before, func(r record.Record) bool { return c.visibleDone(r, at+1) })
		if len(found) == 0 || !complete {
			return at, c.met
		}
	}
	return p, nil
}

func (c *Checker[S]) view(msg []byte) *modules.View {
	if msg == nil {
		return nil
	}
	b := slices.Clone(msg)
	v := modules.ViewOf(reflect.NewAt(c.netOf(b).Message, pointer(b)).Elem().Interface(), c.names)
	return &v
}

func (c *Checker[S]) show(e *Event[S]) Shown {
	s := Shown{Event: e.Kind.String(), Value: c.view(e.Msg)}
	if e.Kind == In || e.Kind == Out {
		peer := e.Peer // the event's place is used again
		s.Peer = &peer
	}
	if e.Input != nil {
		s.Text = e.Input.text()
	}
	return s
}

// given is the greatest promise of a kind that the node has given: modules.Runtime.Promises.
type given struct {
	Major, Minor       uint64
	Position, Outgoing int64 // of the message, from 1; 0 where none was given
	Peer               int
	Msg                []byte // without its Chains
}

// promise takes down what an outgoing message at event p promises.
func (c *Checker[S]) promise(p int64, e *Event[S]) {
	for k, x := range c.runtime.Promises {
		major, minor, ok := x.Made(e.Peer, pointer(e.Msg))
		g := &c.given[k]
		if !ok || g.Position > 0 && cmp.Or(cmp.Compare(major, g.Major), cmp.Compare(minor, g.Minor)) <= 0 {
			continue
		}
		*g = given{major, minor, p + 1, c.Stats.Out, e.Peer, bytes.Clone(e.Msg)}
		for _, at := range c.netOf(g.Msg).chains {
			*record.Word(g.Msg, at) = 0
		}
	}
}

// breach raises an alarm if a restart at event p tells a state that breaks a promise. complete says
// that no order of writes explains that state; where the stream lacks something, that is not known.
func (c *Checker[S]) breach(p int64, e *Event[S], complete bool) bool {
	complete = complete && c.shows.Missing(&c.compares, c.opt.Complete, true) == ""
	for k, x := range c.runtime.Promises {
		g := &c.given[k]
		if g.Position == 0 || x.Torn && !complete || x.Kept(e.told, c.me, g.Major, g.Minor) {
			continue
		}
		a := &Alarm{Node: c.me, Position: p + 1, Sent: g.Position, Outgoing: g.Outgoing, At: e.At, Peer: g.Peer,
			Message: Shown{Value: c.view(g.Msg)}, Expected: []Shown{},
			Why: fmt.Sprintf("the restart at event %d starts without %s, which the message at event %d says is on disk", p+1, x.Name, g.Position)}
		r := make(record.Record, c.Size)
		c.save(r, e.told)
		a.State = c.stateView(r)
		c.raise(a, p)
		return true
	}
	return false
}

// clash is a message that a state has produced where the stream has another one.
type clash struct {
	pos      int64
	produced []byte
}

// clashed notes that a state produced a message that was not visible then, and differs from what
// the stream has at position pos.
func (c *Checker[S]) clashed(pos int64, produced []byte) {
	if len(c.clashes) < 8*maxAlternatives {
		c.clashes = append(c.clashes, clash{pos, bytes.Clone(produced)})
	}
}

// lastClash returns the last position at which a state produced something else, and what.
func (c *Checker[S]) lastClash(p int64) (at int64, met []mismatch) {
	at = p
	for _, x := range c.clashes {
		at = max(at, x.pos)
	}
	for _, x := range c.clashes {
		same := func(m mismatch) bool { return bytes.Equal(m.msg, x.produced) }
		if x.pos == at && len(met) < maxAlternatives && !slices.ContainsFunc(met, same) {
			met = append(met, mismatch{x.produced, ""})
		}
	}
	return at, met
}

// why says of an alarm for which there is no alternative what keeps schedules from sending anything
// in its place.
func (c *Checker[S]) why(e *Event[S], before []record.Record) string {
	if c.barred {
		return "schedules send this message, but only after others to that server that the stream has later"
	}
	text := fmt.Sprintf("no schedule sends anything to server %d here", e.Peer)
	if c.lanes > 1 {
		text = fmt.Sprintf("no schedule sends a message of its lane to server %d here", e.Peer)
	}
	if n := len(before); n > 0 {
		text += fmt.Sprintf(", from any of the %d states in which the node may be", n)
	}
	return text
}

// differing returns the fields in which two messages differ.
func (c *Checker[S]) differing(a, b []byte) string {
	x, y := c.view(a), c.view(b)
	var names []string
	for k, name := range x.Names {
		if !reflect.DeepEqual(x.Elems[k], y.Elems[k]) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// stateView returns a state's row.
func (c *Checker[S]) stateView(r record.Record) *modules.View {
	*c.s = c.base
	c.load(c.s, r[:c.rowSize])
	defer func() { *c.s, c.at = c.base, c.at[:0] }()
	v := modules.View{Shape: modules.Record}
	of := reflect.ValueOf(c.s).Elem()
	for _, name := range c.plan.Variables {
		v.Names = append(v.Names, name)
		v.Elems = append(v.Elems, modules.ViewOf(of.FieldByName(name).Index(c.me).Interface(), c.names))
	}
	return &v
}
