package oracle

import (
	"fmt"
	"slices"
)

// MustKeep returns a variable that a coarse grain may not leave out at level L0, and leaves out: an
// action of the baseline writes it, the guard of a step under test, or a rule that forbids such a
// step, reads it, and nothing in the coarse grain writes it. It returns "" where there is none. The
// kinds of messages of a network are variables of their own.
func (s *Spec) MustKeep(coarse int) string {
	g := s.Coarse[coarse]
	c := s.Composition(coarse)
	written := map[string]bool{}
	for a := range s.Actions {
		if s.Actions[a].Module == g.Module {
			s.writes(s.Actions[a].Effect, written)
		}
	}
	kept := map[string]bool{}
	for a := range c.Actions {
		if c.Actions[a].Module != g.Module {
			continue
		}
		c.writes(c.Actions[a].Effect, kept)
		for k := range c.Rules {
			if r := &c.Rules[k]; r.rides(a) {
				c.writes(r.After, kept)
			}
		}
	}
	read := map[string]bool{}
	for a := range c.Actions {
		if !c.Modules[c.Actions[a].Module].Target {
			continue
		}
		c.reads(c.Actions[a].Guard, read)
		for k := range c.Rules {
			if r := &c.Rules[k]; r.rides(a) {
				c.reads(r.When, read)
			}
		}
	}
	var lost []string
	for v := range written {
		if read[v] && !kept[v] {
			lost = append(lost, v)
		}
	}
	slices.Sort(lost)
	if len(lost) == 0 {
		return ""
	}
	return lost[0]
}

func (s *Spec) writes(list []*Node, to map[string]bool) {
	for _, e := range list {
		e.Walk(func(x *Node) {
			switch x.Op {
			case "setnum", "setflag", "setref", "setelem", "setflagof", "put", "delete", "addto", "removefrom",
				"addtoof", "removefromof", "append", "pop", "clear", "addrec", "removerec":
				to[s.Vars[x.Var].Name] = true
			case "send":
				to[fmt.Sprintf("%s#K%d", s.Vars[x.Var].Name, x.N)] = true
			}
		})
	}
}

func (s *Spec) reads(e *Node, to map[string]bool) {
	e.Walk(func(x *Node) {
		switch x.Op {
		case "num", "elem", "sum", "count", "countof", "len", "last", "mapat", "maplen", "flag", "flagof", "has",
			"hasof", "refis", "inmap", "inrecs":
			to[s.Vars[x.Var].Name] = true
		case "is", "isat":
			to[fmt.Sprintf("%s#K%d", s.Vars[x.Var].Name, x.N)] = true
		}
	})
}
