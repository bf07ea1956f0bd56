package main

import (
	"fmt"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

// coarseGrains adds coarse grains of the module that is neither under test nor environment: one that
// composes two steps into one, and one with a random mistake.
func (g *generator) coarseGrains() {
	var all []int
	for k, a := range g.s.Actions {
		if a.Module == 0 {
			all = append(all, k)
		}
	}
	if len(all) == 0 {
		return
	}
	add := func(how string, keep []int, own ...oracle.Action) {
		k := len(g.s.Coarse)
		for x := range own {
			own[x].Name = fmt.Sprintf("%sCoarse%d", own[x].Name, k)
		}
		g.s.Coarse = append(g.s.Coarse, oracle.Coarse{Name: fmt.Sprintf("coarse%d", k), Keep: keep, Own: own, How: how})
	}
	without := func(out ...int) (keep []int) {
		for _, k := range all {
			ok := true
			for _, x := range out {
				ok = ok && x != k
			}
			if ok {
				keep = append(keep, k)
			}
		}
		return keep
	}
	first, second := pick(g, all...), pick(g, all...)
	if c, ok := g.composed(&g.s.Actions[first], &g.s.Actions[second]); ok {
		if g.chance(50) {
			add("two steps are one, and the first is kept", without(second), c)
		} else {
			add("two steps are one", without(first, second), c)
		}
	}
	for range 2 {
		g.mistaken(all, without, add)
	}
}

// mistaken adds a coarse grain with one random mistake.
func (g *generator) mistaken(all []int, without func(out ...int) []int, add func(how string, keep []int, own ...oracle.Action)) {
	k := pick(g, all...)
	c := clone(&g.s.Actions[k])
	switch g.r.IntN(4) {
	case 0:
		c.Guard = not(c.Guard)
		if !receives(&c) {
			add("a guard is negated", without(k), c)
			return
		}
		fallthrough
	case 1:
		add("an action is left out", without(k))
	case 2:
		at := g.r.IntN(len(c.Effect))
		if c.Effect[at].Op != "recv" && c.Effect[at].Op != "let" {
			c.Effect = append(c.Effect[:at:at], c.Effect[at+1:]...)
			add("a statement is left out", without(k), c)
			return
		}
		fallthrough
	default:
		g.begin(c.Domain)
		c.Guard = and(c.Guard, g.condition(1))
		add("a guard is stricter", without(k), c)
	}
}

func clone(a *oracle.Action) oracle.Action {
	c := *a
	c.Guard, c.Effect = a.Guard.Clone(), oracle.CloneAll(a.Effect)
	return c
}

// receives reports whether an action takes a message, which its guard must ask for.
func receives(a *oracle.Action) bool {
	found := false
	for _, e := range a.Effect {
		e.Walk(func(x *node) { found = found || x.Op == "recv" })
	}
	return found
}

// composed returns the step that is a and then, if it is enabled, b. Both have the same parameter.
// The second one reads what it has written itself, so it is nearly b and not always.
func (g *generator) composed(a, b *oracle.Action) (oracle.Action, bool) {
	if a.Domain != b.Domain || receives(b) || a == b {
		return oracle.Action{}, false
	}
	c := clone(a)
	later := func(e *node) { e.Next = true }
	second := clone(b)
	second.Guard.Walk(later)
	for _, e := range second.Effect {
		e.Walk(later)
		e.Walk(func(x *node) { // locals of the second one follow those of the first
			if x.Op == "let" || x.Op == "local" {
				x.N += 10
			}
		})
	}
	c.Name = a.Name + "Then" + b.Name
	c.Effect = append(c.Effect, &node{Op: "if", Args: []*node{second.Guard}, Body: second.Effect})
	return c, true
}
