package footprint

import (
	"go/constant"
	"maps"
	"slices"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// An analysis asks for the footprint of one action several times: bare, with the rules of its own
// modules, and with those of the environment behind them. Each list of effects is a prefix of the next, so
// a chain keeps the interpretation at the end of the last list, and a longer list goes on from there.

// chain is the interpretation of a list of effects, one after the other.
type chain struct {
	effects []*initial.Func
	in      *interp
	states  [2]*object
	m       *memory
	stuck   bool // an effect never ends
}

// guarded is what the interpretation of one guard found.
type guarded struct {
	in    *interp
	reads []Read
	never bool
}

// Action interprets guards and effects.
func (a *Analyzer) Action(c Code) *Result {
	r := &Result{Touched: make([]bool, len(a.Variables))}
	for _, g := range c.Guards {
		x := a.guard(g)
		r.Guard = append(r.Guard, x.reads...)
		r.Never = r.Never || x.never
		r.add(x.in)
	}
	if len(c.Effects) > 0 {
		x := a.chainOf(c.Effects)
		r.Writes = x.in.result(x.m, x.states[1])
		r.Sends, r.Receives = maps.Clone(x.in.sends), maps.Clone(x.in.receives)
		r.add(x.in)
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
	x := &guarded{in: in, reads: in.readsOf(in.sources(v))}
	if c, ok := in.known(v); ok && c.Kind() == constant.Bool {
		x.never = !constant.BoolVal(c)
	}
	a.guards[g] = x
	return x
}

// chainOf interprets a list of effects. It goes on from the last list if that is the start of this one.
func (a *Analyzer) chainOf(effects []*initial.Func) *chain {
	x := a.last
	if x == nil || len(x.effects) > len(effects) || !slices.Equal(x.effects, effects[:len(x.effects)]) {
		in := a.newInterp(effects[0].Fn, false)
		x = &chain{in: in, m: &memory{epoch: in.newEpoch()}, states: in.states()}
	}
	for _, e := range effects[len(x.effects):] {
		x.effects = append(x.effects, e)
		if x.stuck {
			continue
		}
		_, out := x.in.start(e, x.in.parametersOf(e.Fn, x.states, true), x.m)
		if x.stuck = out == nil; x.stuck {
			x.in.cannot(e.Fn.Pos(), "the effect never ends")
			continue
		}
		x.m = out
	}
	a.last = x
	return x
}
