package merging

import (
	"slices"

	"github.com/multigrain/multigrain/interaction/internal/footprint"
)

// What it computes. For a coarse action and a kept variable: whether the mergings that the action
// can stand for leave the variable with a value that the action gives it, too.
//
// Why it is right. A merging begins with what the action's guard requires. It must end with the
// constants that the action assigns, cover what the action certainly does, and change no other kept
// variable for good. All such sequences of fine steps are walked. The value of the variable at the
// end is its own, a constant, or computed from sources. If no walk ends with a value of the action,
// the action has lost an update for certain. If only some do, nobody knows.
//
// What it costs. At most mostWays sets of facts for each pair.
//
// Example. Get stands for Call and Ask, and must end with Phase = Sent:
//
//	fine    Call  Phase = Called, Floor = Known   Ask  Phase = Sent   Finish  Phase = Idle, Floor = 0
//	coarse  Get   Phase = Sent
//
// Finish hides Floor = Known, but ends with Idle. From there only Call leads to Sent.

// mostWays bounds a walk. With more sets of facts nothing is known about the pair.
const mostWays = 2000

// onEveryWay returns the variables of properties that a coarse action leaves with a value that some
// of its mergings do not give, beyond losses that are known. Where no merging has the value the
// loss is certain. Variables on which a module depends are left to levels L1 and L2, which compare
// their values.
func (p *Program) onEveryWay(b *Step, found []Loss) (out []Loss) {
	for v, of := range p.Variables {
		known := slices.ContainsFunc(found, func(l Loss) bool { return l.Certain && l.Variable == v })
		written := slices.ContainsFunc(p.allowed[b], func(a *Step) bool { return a.writes[v] != nil })
		if known || !written || !p.Judged[v] || of.Kind != "" || of.Net != "" {
			continue
		}
		w := p.walked(b, v)
		if w != nil && w.unlike() {
			out = append(out, w.loss())
		}
	}
	return out
}

// walked walks for an action and a variable. If the action does too little for any merging, other
// variables of properties may be lost as well. It returns nil if there is too much to count.
func (p *Program) walked(b *Step, v int) *walk {
	var w *walk
	for _, exempt := range []func(u int) bool{
		func(u int) bool { return u == v },
		func(u int) bool { return p.Judged[u] },
	} {
		w = &walk{p: p, b: b, v: v, steps: p.fitting(b, exempt)}
		if !w.run() {
			return nil
		}
		if w.explained || len(w.lost) > 0 {
			break
		}
	}
	return w
}

// unlike reports whether the walks and the action leave the variable with different values. The
// action must also have a way for each of its own: what it leaves as it is, so does a merging.
func (w *walk) unlike() bool {
	x := w.b.writes[w.v]
	if w.explained { // another action can stand for a step that this one does without
		w.lost = slices.DeleteFunc(w.lost, func(v value) bool { return w.without>>(v.by-1)&1 != 0 && w.elsewhereGiven(v) })
	}
	if w.open {
		w.last = 1 + slices.IndexFunc(w.steps, func(a *Step) bool { return a.writes[w.v] != nil && !sameCode(a.writes[w.v], x) })
		return w.last > 0 && (x == nil || x.Keeps || slices.ContainsFunc(w.sources, func(u int) bool { return !w.has(u) }))
	}
	return len(w.lost) > 0 || w.last > 0 && x != nil && x.Keeps && (!w.kept || w.unwritten && w.conditional(x))
}

// conditional reports whether the action writes the variable on some of its ways only. Mergings
// that do without the write may be others than those for which the action leaves it out. Code that
// a step has as well is none. Where the element is not known, each write may keep it: there the
// action's write depends on a condition, and those of the steps do not.
func (w *walk) conditional(x *footprint.Write) bool {
	_, exact := index(x)
	sometimes := func(y *footprint.Write) bool {
		if exact {
			return y.Keeps
		}
		return len(y.Control) > 0
	}
	return sometimes(x) && !slices.ContainsFunc(w.steps, func(a *Step) bool {
		y := a.writes[w.v]
		return y != nil && (sometimes(y) || sameCode(y, x))
	})
}

// sameCode reports whether the code of one write is part of another: a rule that rides on both
// actions, for example.
func sameCode(a, b *footprint.Write) bool {
	return b != nil && !slices.ContainsFunc(a.Places, func(p footprint.Place) bool { return !slices.Contains(b.Places, p) })
}

// elsewhereGiven reports whether some coarse action gives the variable a value.
func (w *walk) elsewhereGiven(v value) bool {
	return slices.ContainsFunc(w.p.Coarse, func(b *Step) bool {
		x := b.writes[w.v]
		if x == nil || v.kind == isConstant {
			return x != nil && (x.Computed || slices.Contains(x.Constants, v.constant))
		}
		for k, u := range w.sources {
			if v.from>>k&1 != 0 && !w.p.computes(b, w.v, u) {
				return false
			}
		}
		return x.Computed
	})
}

// loss returns the loss that the walks show.
func (w *walk) loss() Loss {
	first := value{by: w.last}
	if len(w.lost) > 0 {
		first = w.lost[0]
	}
	l := Loss{Kind: LostWrite, Coarse: w.b, Fine: w.steps[first.by-1], Variable: w.v, Certain: !w.explained, OnAWay: w.explained}
	if w.b.writes[w.v] == nil {
		return l
	}
	l.Kind = LostSource
	for k, x := range w.sources {
		if first.from>>k&1 != 0 && !w.has(x) {
			l.Sources = append(l.Sources, x)
		}
	}
	if len(l.Sources) == 0 { // a constant
		l.Kind = LostWrite
	}
	return l
}

// fitting returns the fine steps that a merging for b can have: what they certainly change of kept
// variables, b changes, or another of the steps can put back. A kind that they always send, b
// sends, or another one takes. Losses of exempt variables are looked for, so these count for
// nothing.
func (p *Program) fitting(b *Step, exempt func(u int) bool) []*Step {
	steps := slices.Clone(p.allowed[b])
	for {
		n := len(steps)
		steps = slices.DeleteFunc(steps, func(a *Step) bool {
			others := func(does func(c *Step) bool) bool {
				return slices.ContainsFunc(steps, func(c *Step) bool { return c != a && does(c) })
			}
			for u, w := range a.writes {
				if w == nil || !p.Kept[u] || w.Keeps || b.writes[u] != nil || exempt(u) {
					continue
				}
				switch of := p.Variables[u]; {
				case of.Kind == "" && of.Net == "" && !others(func(c *Step) bool { return c.writes[u] != nil }):
					return true
				case of.Kind != "" && p.always(a, u) && !others(func(c *Step) bool { return c.Print.Receives[u] != nil }):
					return true
				}
			}
			return false
		})
		if len(steps) == n {
			return steps
		}
	}
}

// always reports whether a step always sends a kind, as far as its channel takes messages.
func (p *Program) always(a *Step, kind int) bool {
	return a.Print.Sends[kind] != nil && p.unconditional(a, kind)
}

// unconditional reports whether a step changes the messages of a kind whatever other variables are.
func (p *Program) unconditional(a *Step, kind int) bool {
	w := a.writes[kind]
	return w != nil && !slices.ContainsFunc(w.Control, func(r footprint.Read) bool { return p.Variables[r.Variable].Net != p.Variables[kind].Net })
}
