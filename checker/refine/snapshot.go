package refine

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"strconv"

	"github.com/multigrain/multigrain/checker/refine/record"
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
	Cursor    []uint32
	Events    [][]byte // those that are not processed, as lines
	First     int64
	Done, Fed int64
	Patience  int64
	Blind     string
	Partial   string
	Given     []given
	Stats     Stats
}

type laneImage struct {
	Msgs   []byte
	Pos    []int64
	Same   []bool
	Peer   []int32
	Inputs [][]byte // lines; nil for messages
}

const imageVersion = 3

// Snapshot returns all that the checker knows, for Restore.
func (c *Checker[S]) Snapshot() ([]byte, error) {
	im := image{Version: imageVersion, Shape: c.signature(), Queues: c.queues.Bytes, Avail: c.avail, Ended: c.ended, Cursor: c.cursor,
		First: c.done, Done: c.done, Fed: c.fed, Patience: c.patience, Blind: c.blind, Partial: c.partial, Given: c.given, Stats: c.Stats}
	for _, r := range c.states {
		im.States = append(im.States, r)
	}
	for _, l := range c.ins {
		im.Ins = append(im.Ins, l.image())
	}
	for _, l := range c.outs {
		im.Outs = append(im.Outs, l.image())
	}
	for k := c.done - c.first; k < int64(len(c.events)); k++ {
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
	im := laneImage{Msgs: l.msgs, Pos: l.pos, Same: l.same, Peer: l.peer, Inputs: make([][]byte, len(l.in))}
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
	if im.Version != imageVersion || im.Shape != c.signature() || len(im.Ins) != len(c.ins) || len(im.Ended) != len(c.ins) || len(im.Outs) != len(c.outs) || len(im.Given) != len(c.given) {
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
	c.events, c.barriers = nil, nil
	c.first, c.done, c.fed = im.First, im.Done, im.Fed
	for _, line := range im.Events {
		e, err := c.Decoder.Decode(line)
		if err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
		c.Add(e)
	}
	c.ended, c.given = im.Ended, im.Given
	c.avail, c.cursor, c.patience, c.blind, c.partial, c.Stats = im.Avail, im.Cursor, im.Patience, im.Blind, im.Partial, im.Stats
	c.explored, c.applied, c.explosion = im.Stats.Explored, im.Stats.Steps, im.Stats.Largest
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

// part is the end of the stream since a moment at which the states of the node were known.
//
// At such a moment all that was received is taken and all that was sent is seen. So a state is the
// node's row alone, and another composition of the same specification can continue from it. A
// variable that only this other composition has gets its initial value. Other such moments are the
// begin of a stream and a restart that reports its whole state.
type part[S any] struct {
	from   int64
	states [][]byte // lines of the states at from; none at the begin of a stream and at a restart
	lines  [][]byte
	lost   bool // until the next such moment
}

// add adds an event that was processed.
func (k *part[S]) add(c *Checker[S], e *Event[S]) {
	most := c.opt.Keep
	if most == 0 {
		return
	}
	if e.Kind == Restart && c.blind == "" && e.State != nil && c.tellsAll(e) {
		*k = part[S]{from: c.done, lines: [][]byte{e.line}}
		return
	}
	if k.lines = append(k.lines, e.line); (k.lost || len(k.lines) > most) && c.blind == "" {
		k.begin(c)
	}
	if len(k.lines) > 8*most {
		*k = part[S]{lost: true}
	}
}

// begin begins a new part after the event that was processed last, if the states are known.
func (k *part[S]) begin(c *Checker[S]) {
	for _, r := range c.states {
		for l := range c.ins {
			if *c.High(r, l) != c.avail[l] {
				return
			}
		}
		for l := range c.outs {
			if *c.Shape.Queue(r, l) != 0 {
				return
			}
		}
	}
	if states := c.lines(); states != nil {
		*k = part[S]{from: c.done + 1, states: states}
	}
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

// Part returns the end of the stream as a stream of its own, with events that wait, and how many
// events come before it. It is nil without Options.Keep, and if no moment is known to begin at.
func (c *Checker[S]) Part() (lines [][]byte, from int64) {
	if c.opt.Keep == 0 || c.part.lost {
		return nil, 0
	}
	lines = append(lines, c.part.states...)
	lines = append(lines, c.part.lines...)
	for k := c.done - c.first; k < int64(len(c.events)); k++ {
		lines = append(lines, c.events[k].line)
	}
	return lines, c.part.from
}

// begin takes one of the states in which the node may be at the begin of a stream.
func (c *Checker[S]) begin(e *Event[S]) {
	if c.Stats.In+c.Stats.Out+c.Stats.Inputs+c.Stats.Restarts+c.Stats.Lost > 0 {
		c.goBlind("a state of the begin stands within the stream")
		return
	}
	var rs []record.Record
	if c.done > 0 {
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
