// Package shared makes the lists of its catalog with append. Package interaction reports the same
// places.
package shared

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

type State struct{ Up bool }

type (
	Action = modules.Action[State, modules.None]
	Rules  = []modules.Rule[State]
)

var Flip = Action{Name: "Flip", Params: modules.Once, Effect: func(s, n *State, _ modules.None) { n.Up = !s.Up }}

func always(s *State) bool { return true }

// Lists that append made have spare capacity, as common has.
var (
	first  = modules.WhenAny(always)
	common = append(Rules{first, first}, first)
	names  = []string{"a"}
)

var flips = []modules.AnyAction[State]{&Flip}

var baseline = grains.Grain[State]{
	Name: "baseline", Covers: []string{"all"}, Actions: flips,
	Rules:  append(common, first), // want `MG417: append to a slice that a package variable holds, so that the result may share its elements; write slices.Concat\(x, \[\]T{y}\), which always copies`
	Models: names,
}

var other = grains.Refine(grains.Grain[State]{
	Name: "other", Actions: flips,
	Rules:   with(common, first),          // want `MG415: a declaration is changed at run time: with writes through its parameter`
	Models:  append(baseline.Models, "b"), // want `MG417: append to a slice that a package variable holds`
	Budgets: nil,
}, baseline)

func with(rules Rules, more modules.Rule[State]) Rules {
	return append(rules, more) // want `MG417: append to a slice that a package variable holds`
}

var third = grains.Refine(grains.Grain[State]{
	Name: "third", Actions: flips,
	Rules:  twice(),
	Models: written(),
}, baseline)

func twice() Rules {
	list := append(Rules{first, first}, first)
	_ = append(list, first)
	return append(list, first) // want `MG417: append to a slice that was appended to before, so that the results may share their elements`
}

func written() []string {
	list := append([]string{"a", "b"}, "c")
	longer := append(list, "d")
	list[0] = "e" // want `MG417: write to an element that a result of append may share with the slice that it was given`
	return longer
}

// What copies or is nobody else's may be appended to.
var fourth = grains.Refine(grains.Grain[State]{
	Name: "fourth", Actions: append([]modules.AnyAction[State]{}, flips...),
	Rules:  append(slices.Concat(common, Rules{first}), first),
	Models: append(names[:1:1], several("b", 3)...),
}, baseline)

func several(name string, n int) (out []string) {
	for range n {
		out = append(out, name)
	}
	return out
}

// What the catalog has nothing to do with is free.
var table = append(names, "x")

func use() []string { return append(table, "y") }

var System = grains.System[State]{
	Name: "shared", Init: func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "all"}},
	Grains:  []grains.Grain[State]{baseline, other, third, fourth},
	Rules:   slices.Clone(common),
}
