package oracle

import (
	"fmt"
	"slices"
	"strings"
)

// What an observer sees depends on which reads an analysis of the code finds, and an analysis may
// find more than the code needs, or less than it says. So views are computed twice. The narrow view
// of a step has what its guard and the rules that forbid it read. The wide view has all that its
// code names, reads and writes alike. Every sound analysis is between the two: a narrow view tells
// apart no more than the analysis does, and a wide one no less. (So a guard must not compare
// constants: an analysis may know the answer, and then what follows is not read.)

// cell is a part of the state: elements from to before to of a slot, or all of it if to is -1. Of a
// channel it may be the first message, if it is of a kind.
type cell struct {
	slot, from, to int
	kind           int // of a channel: only the first message, if it is of this kind
}

// cells collects the parts of the state that code names.
type cells struct {
	m    *Machine
	p    Param
	wide bool
	list []cell
}

// nodes returns the nodes that a name can mean.
func (c *cells) nodes(who string) []int {
	switch who {
	case "q":
		all := make([]int, c.m.Spec.Nodes)
		for i := range all {
			all[i] = i
		}
		return all
	case "nobody":
		return nil
	}
	return []int{(&scope{p: c.p}).node(who)}
}

func (c *cells) add(x cell) {
	if !slices.Contains(c.list, x) {
		c.list = append(c.list, x)
	}
}

// take adds what a node names, and what the nodes below it name.
func (c *cells) take(e *Node) {
	e.Walk(c.name)
}

// name adds what one node names.
func (c *cells) name(e *Node) {
	n, slot := c.m.Spec.Nodes, 0
	if e.Var < len(c.m.first) {
		slot = c.m.first[e.Var]
	}
	whole := cell{slot: slot, to: -1}
	switch e.Op {
	case "num", "flag", "refis", "sum", "count", "len", "last", "inrecs", "maplen", "append", "pop", "addrec", "removerec":
		c.add(whole)
	case "setnum", "setflag", "setref", "clear":
		if c.wide {
			c.add(whole)
		}
	case "elem", "flagof", "has", "inmap", "mapat":
		for _, i := range c.nodes(e.Who) {
			c.add(cell{slot: slot, from: i, to: i + 1})
		}
	case "setelem", "setflagof", "put", "delete", "addto", "removefrom":
		for _, i := range c.nodes(e.Who) {
			if c.wide {
				c.add(cell{slot: slot, from: i, to: i + 1})
			}
		}
	case "countof":
		for _, i := range c.nodes(e.Who) {
			c.add(cell{slot: slot, from: i * n, to: i*n + n})
		}
	case "hasof", "addtoof", "removefromof":
		for _, i := range c.nodes(e.Who) {
			for _, j := range c.nodes(e.Peer) {
				if e.Op == "hasof" || c.wide {
					c.add(cell{slot: slot, from: i*n + j, to: i*n + j + 1})
				}
			}
		}
	case "flight", "is", "isat", "broken", "send", "recv", "lose", "duplicate", "cut", "mend":
		for _, i := range c.nodes(e.Who) {
			for _, j := range c.nodes(e.Peer) {
				c.traffic(e, slot, i, j)
			}
		}
	}
}

// traffic adds what a node names of one channel.
func (c *cells) traffic(e *Node, slot, i, j int) {
	channel := cell{slot: c.m.channel(e.Var, i, j), to: -1}
	at := i*c.m.Spec.Nodes + j
	if c.wide {
		c.add(channel)
		c.add(cell{slot: slot, from: at, to: at + 1})
		return
	}
	switch e.Op {
	case "flight":
		c.add(channel)
	case "is":
		channel.kind = e.N
		c.add(channel)
	case "broken":
		c.add(cell{slot: slot, from: at, to: at + 1})
	}
}

// text prints the values of the cells in a state.
func (c *cells) text(v *Value) string {
	var b strings.Builder
	for _, x := range c.list {
		list := v.Slot[x.slot]
		switch {
		case x.kind > 0 && (len(list) == 0 || list[0]/16 != x.kind):
			list = nil
		case x.kind > 0:
			list = list[:1]
		case x.to >= 0:
			list = list[x.from:x.to]
		}
		fmt.Fprint(&b, list, ";")
	}
	return b.String()
}

// stepView returns the view of an instance of a module under test.
func (m *Machine) stepView(in Instance, wide bool) *cells {
	c := &cells{m: m, p: in.Param, wide: wide}
	a := &m.Spec.Actions[in.Action]
	c.take(a.Guard)
	for k := range m.Spec.Rules {
		if r := &m.Spec.Rules[k]; r.When != nil && r.rides(in.Action) {
			c.take(r.When)
		}
	}
	if wide {
		for _, e := range a.Effect {
			c.take(e)
		}
	}
	return c
}

// look returns what a state invariant sees of a state: narrowly whether it holds.
func (m *Machine) look(k int, v *Value, wide bool) string {
	broken := m.BreaksState(k, v)
	text := fmt.Sprint(broken)
	if wide {
		c := &cells{m: m, wide: true}
		c.take(m.Spec.Properties[k].Holds)
		text += c.text(v)
	}
	return text
}
