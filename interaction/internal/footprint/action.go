package footprint

import (
	"go/constant"
	"maps"
	"slices"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// An analysis asks for the footprint of one action several times: bare, with the rules of its own
// modules, and with those of the environment after them. The lists of effects begin alike. So a
// chain keeps what was found after each effect of a list, and a longer list continues from there.

// chain is the interpretation of a list of effects, one after the other.
type chain struct {
	effects []*initial.Func
	found   []*Result // after each effect
	in      *interp
	states  [2]*object
	m       *memory
	stuck   bool // an effect never ends
}

// guarded is the result of interpreting one guard.
type guarded struct {
	in    *interp
	reads []Read
	picks []Pick
	never bool
}

// Action interprets guards and effects.
func (a *Analyzer) Action(c Code) *Result {
	r := &Result{Touched: make([]bool, len(a.Variables))}
	for _, g := range c.Guards {
		x := a.guard(g)
		r.Guard = append(r.Guard, x.reads...)
		r.Never = r.Never || x.never
		r.Picks = append(r.Picks, x.picks...)
		r.add(x.in)
	}
	if len(c.Effects) > 0 {
		x := a.effects(c.Effects)
		r.Writes, r.Sends, r.Receives = x.Writes, x.Sends, x.Receives
		r.Picks = append(r.Picks, x.Picks...)
		r.ways.add(x.ways)
		r.addFound(x.Touched, x.Issues, x.Steps)
	}
	return r
}

// guard interprets a guard, once.
func (a *Analyzer) guard(g *initial.Func) *guarded {
	if x := a.guards[g]; x != nil {
		return x
	}
	in := a.newInterp(g.Fn, true)
	v, _ := in.start(g, in.parameters(g.Fn, false), nil)
	x := &guarded{in: in, reads: in.readsOf(in.sources(v)), picks: in.picked()}
	if c, ok := in.known(v); ok && c.Kind() == constant.Bool {
		x.never = !constant.BoolVal(c)
	}
	a.guards[g] = x
	return x
}

// effects interprets a list of effects. It continues from the last list that began with the first
// of them if that is the start of this one.
func (a *Analyzer) effects(effects []*initial.Func) *Result {
	x := a.chains[effects[0]]
	if x != nil && len(x.effects) >= len(effects) && slices.Equal(x.effects[:len(effects)], effects) {
		return x.found[len(effects)-1]
	}
	if x == nil || len(x.effects) > len(effects) || !slices.Equal(x.effects, effects[:len(x.effects)]) {
		in := a.newInterp(effects[0].Fn, false)
		x = &chain{in: in, m: &memory{epoch: in.newEpoch()}, states: in.states()}
		a.chains[effects[0]] = x
	}
	for _, e := range effects[len(x.effects):] {
		x.step(e)
	}
	return x.found[len(effects)-1]
}

// step interprets one more effect.
func (x *chain) step(e *initial.Func) {
	in := x.in
	if !x.stuck {
		_, out := in.start(e, in.parametersOf(e.Fn, x.states, true), x.m)
		if x.stuck = out == nil; x.stuck {
			in.cannot(e.Fn.Pos(), "the effect never ends")
		} else {
			x.m = out
		}
	}
	x.effects = append(x.effects, e)
	read := newWays()
	read.add(in.ways)
	x.found = append(x.found, &Result{
		Writes: in.result(x.m, x.states[1]), Sends: maps.Clone(in.sends), Receives: maps.Clone(in.receives), Picks: in.picked(), ways: read,
		Touched: slices.Clone(in.touched), Issues: slices.Clone(in.issues), Steps: in.steps,
	})
}
