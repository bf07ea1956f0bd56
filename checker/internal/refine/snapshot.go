package refine

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"slices"
	"strconv"

	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
	"github.com/multigrain/multigrain/checker/internal/refine/internal/shown"
	"github.com/multigrain/multigrain/modules"
)

// image is a checker's state on disk.
type image struct {
	Version   int
	Shape     string // of the specification: another one cannot read it
	States    [][]byte
	Queues    []string
	Arena     []byte
	Ins, Outs []laneImage
	Avail     []uint32
	Ended     [][]int64
	Losses    [][]int64
	Cursor    []uint32
	Events    [][]byte // those that are not processed, as lines
	First     int64
	Done, Fed int64
	Patience  int64
	Blind     string
	Partial   string
	Given     []given
	Stats     Stats
	Shows     shown.Stream
}

type laneImage struct {
	Msgs   []byte
	Pos    []int64
	Same   []bool
	Peer   []int32
	Inputs [][]byte // lines; nil for messages
	Last   int64
}

const imageVersion = 5

// Snapshot returns all that the checker knows, for Restore. What later events may correct is not in
// it: the events since the mark are those of the snapshot that are not processed.
func (c *Checker[S]) Snapshot() ([]byte, error) {
	m := c.mark
	if m == nil {
		m = c.here()
	}
	im := image{Version: imageVersion, Shape: c.signature(), Queues: c.queues.Bytes, Avail: m.avail, Ended: m.ended, Losses: c.losses, Cursor: m.cursor,
		First: m.done, Done: m.done, Fed: c.fed, Patience: m.patience, Blind: m.blind, Partial: m.partial, Given: m.given, Stats: m.stats, Shows: c.shows}
	for _, r := range m.states {
		im.States = append(im.States, r)
	}
	for _, l := range c.ins {
		im.Ins = append(im.Ins, l.image())
	}
	for _, l := range c.outs {
		im.Outs = append(im.Outs, l.image())
	}
	for k := m.done - c.first; k < int64(len(c.events)); k++ {
		im.Events = append(im.Events, c.events[k].line)
	}
	var err error
	if im.Arena, err = c.arena.MarshalBinary(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = gob.NewEncoder(&b).Encode(&im)
	return b.Bytes(), err
}

// signature tells specifications apart whose states mean different things.
func (c *Checker[S]) signature() string {
	return fmt.Sprintf("%d %v %d %d %v %v", c.me, c.plan.Variables, c.Size, c.msgSize, c.opt.Total, c.opt.Steps)
}

func (l *lane[S]) image() laneImage {
	im := laneImage{Msgs: l.msgs, Pos: l.pos, Same: l.same, Peer: l.peer, Inputs: make([][]byte, len(l.in)), Last: l.last}
	for k, in := range l.in {
		if in != nil {
			im.Inputs[k] = in.line
		}
	}
	return im
}

// Restore makes a new checker continue from a Snapshot of one of the same composition, node and
// options. It returns an error for another snapshot or a damaged one; the checker must not be used
// then.
func (c *Checker[S]) Restore(b []byte) error {
	var im image
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&im); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	if im.Version != imageVersion || im.Shape != c.signature() || len(im.Ins) != len(c.ins) || len(im.Ended) != len(c.ins) || len(im.Losses) != len(c.losses) || len(im.Outs) != len(c.outs) || len(im.Given) != len(c.given) || len(im.Shows.Heard) != len(c.nets) {
		return fmt.Errorf("snapshot: it belongs to another composition, node or version")
	}
	arena := modules.NewArena()
	if err := arena.UnmarshalBinary(im.Arena, modules.ElementsOf[S]()); err != nil {
		return err
	}
	c.arena = arena
	c.forgetPossible()
	c.queues = record.NewLists(c.msgSize)
	for _, s := range im.Queues[1:] {
		c.queues.Of(s)
	}
	for k := range im.Ins {
		if err := c.ins[k].restore(&im.Ins[k], c.Decoder); err != nil {
			return err
		}
	}
	for k := range im.Outs {
		if err := c.outs[k].restore(&im.Outs[k], c.Decoder); err != nil {
			return err
		}
	}
	c.shows = im.Shows
	c.events, c.barriers = nil, nil
	c.first, c.done, c.fed = im.First, im.Done, im.Fed
	for _, line := range im.Events {
		e, err := c.Decoder.Decode(line)
		if err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
		c.Add(e)
	}
	c.ended, c.losses, c.given = im.Ended, im.Losses, im.Given
	c.avail, c.cursor, c.patience, c.blind, c.partial, c.Stats = im.Avail, im.Cursor, im.Patience, im.Blind, im.Partial, im.Stats
	c.explored, c.applied, c.explosion = im.Stats.Explored, im.Stats.Steps, im.Stats.Largest
	c.usedBefore = c.arena.Used() - im.Stats.Elements
	var rs []record.Record
	for _, r := range im.States {
		if len(r) != c.Size {
			return fmt.Errorf("snapshot: a state has %d bytes", len(r))
		}
		rs = append(rs, r)
	}
	c.keep(rs)
	c.part = part[S]{lost: true}
	return nil
}

func (l *lane[S]) restore(im *laneImage, d *Decoder[S]) error {
	n := len(im.Pos)
	if len(im.Msgs) != n*l.size || len(im.Same) != n || len(im.Peer) != n || len(im.Inputs) != n {
		return fmt.Errorf("snapshot: a lane is damaged")
	}
	l.msgs, l.pos, l.same, l.peer, l.in = im.Msgs, im.Pos, im.Same, im.Peer, make([]*input[S], n)
	l.last = im.Last
	for k, text := range im.Inputs {
		if len(text) == 0 {
			continue
		}
		e, err := d.Decode(text)
		if err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
		l.in[k] = e.Input
	}
	return nil
}

// Occasion is why a part of a stream is judged again.
type Occasion string

// Occasions.
const (
	OnAlarm     Occasion = "alarm"
	OnUndecided Occasion = "undecided" // the first message of an interval
	OnElection  Occasion = "election"
)

// Part is a part of a stream, as a stream of its own, that finer grains can judge again.
type Part struct {
	Occasion Occasion
	At       int64 // position of the event that is the occasion, from 1
	From     int64 // events before the part
	Lines    [][]byte
}

// part is the end of the stream since a moment at which the states of the node were known.
//
// At such a moment all that was received is taken and all that was sent is seen. So a state is the
// node's row alone, and another composition of the same specification can continue from it. A
// variable that only this other composition has gets its initial value. Other such moments are the
// begin of a stream and a restart that reports its whole state. There this value is right, so a
// part that begins there is kept longer: up to 4 times Options.Keep events.
//
// An election is an occasion when the node is quiet again, so that all of its messages are in the
// part. Until that event elected is its position.
type part[S any] struct {
	from   int64
	states [][]byte // lines of the states at from; none at the begin of a stream and at a restart
	lines  [][]byte
	lost   bool  // until the next such moment
	handed int64 // position of the last election that was an occasion

	leader  uint64 // the last election whose outcome the node knows
	looking bool   // since then it knew none
	elected int64  // position of the event of an election that is not an occasion yet; 0: none
	parts   []Part

	// state is where rows are loaded; nil before the first one. The stepper's states keep
	// what is loaded, so they cannot be used.
	state *S
}

// add adds an event that was processed. on is why the part is judged again; "" if nothing but an
// election may be the reason.
func (k *part[S]) add(c *Checker[S], e *Event[S], on Occasion) {
	most := c.opt.Keep
	if most == 0 {
		return
	}
	k.lines = append(k.lines, e.line)
	known := e.Kind == Restart && c.blind == "" && e.State != nil && c.tellsAll(e)
	k.note(c)
	switch {
	case on != "":
		k.occur(on, c.done+1, c.waiting())
	case k.elected > 0 && (known || e.Kind == End || c.quiet()):
		k.occur(OnElection, k.elected, nil)
	}
	limit := most
	if k.states == nil {
		limit = 4 * most
	}
	switch {
	case known:
		k.from, k.states, k.lines, k.lost = c.done, nil, [][]byte{e.line}, false
	case e.Kind == Lost:
		k.states, k.lines, k.lost = nil, nil, true
	case (k.lost || len(k.lines) > limit) && c.quiet():
		if states := c.lines(); states != nil {
			k.from, k.states, k.lines, k.lost = c.done+1, states, nil, false
		}
	}
	if len(k.lines) > 8*most {
		k.occurElection()
		k.states, k.lines, k.lost = nil, nil, true
	}
}

// note notes an election whose outcome the node knows in all its states.
func (k *part[S]) note(c *Checker[S]) {
	number, known := c.leader()
	switch {
	case !known:
	case number == 0:
		k.looking = true
	case number != k.leader || k.looking:
		k.leader, k.looking, k.elected = number, false, c.done+1
	}
}

// occur hands the part on, with lines that follow it. An election that waits is in it.
func (k *part[S]) occur(on Occasion, at int64, waiting [][]byte) {
	k.elected = 0
	if k.lost || on == OnElection && at <= k.handed { // checked again since a rest
		return
	}
	if on == OnElection {
		k.handed = at
	}
	k.parts = append(k.parts, Part{Occasion: on, At: at, From: k.from, Lines: slices.Concat(k.states, k.lines, waiting)})
}

func (k *part[S]) occurElection() {
	if k.elected > 0 {
		k.occur(OnElection, k.elected, nil)
	}
}

// quiet reports whether all that was received is taken and all that was sent is seen, in each
// state.
func (c *Checker[S]) quiet() bool {
	if c.blind != "" {
		return false
	}
	for _, r := range c.states {
		for l := range c.ins {
			if *c.High(r, l) != c.avail[l] {
				return false
			}
		}
		for l := range c.outs {
			if *c.Shape.Queue(r, l) != 0 {
				return false
			}
		}
	}
	return true
}

// leader returns the number of the election whose outcome the node knows: 0 if it knows none. known
// is false if the states disagree.
func (c *Checker[S]) leader() (number uint64, known bool) {
	if c.runtime.Elected == nil || c.blind != "" || len(c.states) == 0 {
		return 0, false
	}
	if c.part.state == nil {
		c.part.state = new(c.base)
	}
	s := c.part.state
	for x, r := range c.states {
		c.load(s, r[:c.rowSize])
		n := c.runtime.Elected(s, c.me)
		if x > 0 && n != number {
			return 0, false
		}
		number, known = n, true
	}
	return number, known
}

// lines returns the states as lines of a stream; nil if a part of a log is folded away.
func (c *Checker[S]) lines() (out [][]byte) {
	defer func() {
		if e := recover(); e != nil {
			if _, folded := e.(*modules.FoldedError); !folded {
				panic(e)
			}
			out = nil
		}
	}()
	for _, r := range c.states {
		b := AppendView([]byte(`{"event":"begin","state":`), c.stateView(r))
		out = append(out, append(b, '}'))
	}
	return out
}

// waiting returns the lines of the events after the one under check.
func (c *Checker[S]) waiting() (lines [][]byte) {
	for k := c.done + 1 - c.first; k < int64(len(c.events)); k++ {
		lines = append(lines, c.events[k].line)
	}
	return lines
}

// Parts returns the parts that finer grains should judge again, and forgets them. Each begins with
// headers, since the whole stream may have more than the part. There are none without Options.Keep.
func (c *Checker[S]) Parts() []Part {
	out := c.part.parts
	for k := range out {
		out[k].Lines = slices.Concat(c.shows.Lines(&c.compares), out[k].Lines)
	}
	c.part.parts = nil
	return out
}

// begin takes one of the states in which the node may be at the begin of a stream.
func (c *Checker[S]) begin(e *Event[S]) {
	if c.Stats.In+c.Stats.Out+c.Stats.Inputs+c.Stats.Restarts+c.Stats.Lost > 0 {
		c.goBlind("a state of the begin stands within the stream")
		return
	}
	var rs []record.Record
	if slices.ContainsFunc(c.recent, func(x Event[S]) bool { return x.Kind == Begin }) {
		rs = c.copies()
	}
	told := c.base
	e.State(&told)
	r := make(record.Record, c.Size)
	c.save(r, &told)
	c.keep(append(rs, r))
}

// AppendView appends a value as a stream has it.
func AppendView(b []byte, v *modules.View) []byte {
	switch v.Shape {
	case modules.Scalar:
		if _, err := strconv.ParseInt(v.Text, 10, 64); err == nil || v.Text == "true" || v.Text == "false" {
			return append(b, v.Text...)
		}
		return strconv.AppendQuote(b, v.Text)
	case modules.Record, modules.Mapping:
		b = append(b, '{')
		for k := range v.Elems {
			if k > 0 {
				b = append(b, ',')
			}
			b = append(strconv.AppendQuote(b, v.Names[k]), ':')
			b = AppendView(b, &v.Elems[k])
		}
		return append(b, '}')
	}
	b = append(b, '[')
	for k := range v.Elems {
		if k > 0 {
			b = append(b, ',')
		}
		b = AppendView(b, &v.Elems[k])
	}
	return append(b, ']')
}
