package refine

import (
	"bytes"
	"fmt"
	"maps"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
)

// Verification counts what was compared with its conditions at sampled states.
type Verification struct {
	Asap  int64 `json:"asap"`  // pairs of a message taken as soon as possible and another step
	Local int64 `json:"local"` // steps that were compared with the node's row
	// Eager, Lazy and Hidden count pairs of a declared step and another one. Says counts states in
	// which Says excludes something, Sends those in which it does, and Merge steps whose state it
	// changes. Waits counts pairs of a message that waits and another step.
	Eager  int64  `json:"eager"`
	Lazy   int64  `json:"lazy"`
	Hidden int64  `json:"hidden"`
	Says   int64  `json:"says"`
	Sends  int64  `json:"sends"`
	Merge  int64  `json:"merge"`
	Waits  int64  `json:"waits"`
	Gates  int64  `json:"gates"`  // guards that were asked although their gate is closed
	Crash  int64  `json:"crash"`  // states after crashes, as all steps before them lead there
	Behind int64  `json:"behind"` // the same with the steps that are taken
	Broken string `json:"broken"` // the first condition that did not hold; "" where all did

	err *ConditionError
}

// Err says what does not hold: a *ConditionError where it is a declaration, nil where all that was
// tried does.
func (v *Verification) Err() error {
	switch {
	case v.err != nil:
		return v.err
	case v.Broken != "":
		return fmt.Errorf("what is derived does not hold: %s", v.Broken)
	}
	return nil
}

// Condition returns the declaration that does not hold; nil where all that was tried do.
func (v *Verification) Condition() *ConditionError { return v.err }

// sample compares what is derived and declared with a state, each Options.Verify-th that there is.
func (c *Checker[S]) sample(r record.Record) {
	if c.samples++; c.samples%int64(c.opt.Verify) != 0 {
		return
	}
	faults, applied := c.faults, c.applied // which a search reports
	c.verify(r)
	c.verifyDeclared(r)
	c.faults, c.applied = faults, applied
}

// verify compares derived facts with a state. Messages that are taken as soon as possible must
// satisfy the conditions of Ellsberg, appendix A. Steps must touch nothing but the node's row and
// channels.
//
// A state dominates another one here if their rows are equal, so condition A.1 (order preserving)
// holds by itself. A.3 (expansion) is that the step sends nothing and leaves the row as it is. A.2
// (constraints preserving) and A.4 (reorder safety) are tested with every step that the state has.
func (c *Checker[S]) verify(r record.Record) {
	row := bytes.Clone(r[:c.rowSize])
	var stale []int // lanes whose next message is taken as soon as possible
	for l := range c.ins {
		if low := *c.Low(r, l); low < c.avail[l] && c.ins[l].in[low] == nil && c.never(row, l, low) {
			stale = append(stale, l)
			c.verifyExpansion(row, l, low)
		}
	}
	step := func(name string, after []byte) {
		c.verifyLocal(name)
		for _, l := range stale {
			c.Verified.Asap++
			if low := *c.Low(r, l); !c.never(after, l, low) {
				c.broken("A.2: %s makes a message matter that was taken as soon as possible", name)
			}
		}
	}
	for l := range c.ins {
		low := *c.Low(r, l)
		if low >= c.avail[l] {
			continue
		}
		c.effect(row, l, low, func(in *instance[S], res *result) { step(in.name, bytes.Clone(res.row)) })
	}
	for x := range c.spontaneous {
		if res := c.take(&c.spontaneous[x], row, nil, nil); res.outcome == stepped {
			step(c.spontaneous[x].name, bytes.Clone(res.row))
		}
	}
}

// verifyExpansion compares the action that takes a message away with those that it stands for: they
// must do the same. With equal rows before and after it, and that being so after every other step
// (A.2), the order of the two does not matter: A.4.
func (c *Checker[S]) verifyExpansion(row []byte, l int, k uint32) {
	from := c.ins[l]
	msg := from.at(k)
	handlers := c.handlers[int(from.peer[k])*256+int(kind(msg))]
	for x := range handlers {
		res := c.take(&handlers[x], row, msg, nil)
		if res.outcome != refused && (res.outcome != stepped || len(res.out) > 0 || !bytes.Equal(res.row, row)) {
			c.broken("A.3: %s does more than %s", handlers[x].name, handlers[0].name)
		}
	}
}

// verifyCrash compares the states after a crash with those to which all steps before it lead.
func (c *Checker[S]) verifyCrash(states []record.Record, p int64, e *Event[S], known bool) {
	if known {
		return // one is enough
	}
	exact, complete := c.ends(c.course, p, e, known)
	if !complete {
		return
	}
	c.Verified.Behind += int64(len(states))
	among := map[string]bool{}
	for _, t := range states {
		maps.Copy(among, c.chosen(t))
	}
	for _, t := range exact {
		if c.Verified.Crash++; !subset(c.chosen(t), among) && c.Verified.Err() == nil {
			c.broken("steps that are left out before a crash lead to another state after it, at event %d", p+1)
		}
	}
}

// verifyLocal compares the state after the last step with the one before it, outside the row.
func (c *Checker[S]) verifyLocal(name string) {
	c.Verified.Local++
	after := *c.n
	base := make([]byte, c.rowSize)
	c.save(base, &c.base)
	c.load(&after, base)
	p := func(s *S) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s)) }
	c.node.clearChannels(&after)
	for _, s := range c.outside {
		clear(p(&after)[s.Offset : s.Offset+s.Size])
		copy(p(&after)[s.Offset:s.Offset+s.Size], p(&c.base)[s.Offset:s.Offset+s.Size])
	}
	for _, s := range c.values { // what is between them means nothing
		if !bytes.Equal(p(&after)[s.Offset:s.Offset+s.Size], p(&c.base)[s.Offset:s.Offset+s.Size]) {
			c.broken("%s changes something that is not the node's", name)
			return
		}
	}
}

// clearChannels empties the node's channels, with what is left in their arrays.
func (n *node[S]) clearChannels(p *S) {
	for _, net := range n.nets {
		for _, j := range n.peers {
			for _, x := range [2]layout.Wire{net.Of[n.me][j], net.Of[j][n.me]} {
				clear(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), x.First)), net.Capacity*net.size))
				*(*uint8)(unsafe.Add(unsafe.Pointer(p), x.Count)) = 0
			}
		}
	}
}

func (c *Checker[S]) broken(format string, args ...any) {
	if c.Verified.Broken == "" {
		c.Verified.Broken = fmt.Sprintf(format, args...)
	}
}
