package refine

import (
	"bytes"
	"encoding/gob"
	"fmt"

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
