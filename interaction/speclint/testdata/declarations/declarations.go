// Package declarations changes its declarations through pointers.
package declarations

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"

	"specs/declarations/other"
)

type State struct{ Up bool }

type Action = modules.Action[State, modules.None]

type Property = modules.Invariant[State]

var Flip = Action{Name: "Flip", Params: modules.Once, Effect: func(s, n *State, _ modules.None) { n.Up = !s.Up }}

var common = []Property{{ID: "I-1", State: always}}

var baseline = grains.Grain[State]{Name: "baseline", Actions: []modules.AnyAction[State]{&Flip}}

var System = grains.System[State]{
	Name:       "declarations",
	Init:       func(yield func(State) bool) { yield(State{}) },
	Grains:     []grains.Grain[State]{baseline},
	Invariants: slices.Concat(common, filled(), append(common, Property{ID: "I-4", State: always})),
}

func always(s *State) bool { return true }

func never(s *State, _ modules.None) bool { return false }

// filled makes a list and fills it, itself and with a function of this package.
func filled() []Property {
	list := make([]Property, 2)
	list[0] = Property{ID: "I-2", State: always}
	fill(&list[1], "I-3")
	one := &Property{}
	one.ID, one.State = "I-5", always
	return append(list, *one)
}

func fill(v *Property, id string) { v.ID, v.State = id, always }

// Functions that read declarations are free.

func titles() (out []string) {
	for _, v := range System.Invariants {
		out = append(out, v.ID)
	}
	return append(out, fmt.Sprint(System.Name, System.Grains))
}

func copied() grains.System[State] {
	mine := System
	mine.Name = "a copy of the struct"
	return mine
}

// What changes them is not.

type box struct{ p any }

func init() {
	other.Set(&Flip.Guard, never) // want `MG415: Flip is changed at run time: specs/declarations/other.Set may change what it is given; declare it complete`
	p := &System
	p.Invariants = nil // want `MG415: System is changed at run time; declare it complete`
	list := System.Invariants
	list[0].State = nil          // want `MG415: a declaration is changed at run time`
	set(&System.Name, "another") // want `MG415: System is changed at run time: set writes through its parameter`
	other.Reset(&Flip)           // want `MG415: Flip is changed at run time`
	other.Reset(box{&System})    // want `MG415: System is changed at run time`
	other.Sinks.Take(&baseline)  // want `MG415: baseline is changed at run time`
	slices.Reverse(common)       // want `MG415: a declaration is changed at run time: slices.Reverse may change`
	fill(&common[0], "I-9")      // want `MG415: a declaration is changed at run time: fill writes through its parameter`
	for k := range System.Grains {
		g := &System.Grains[k]
		g.Actions = g.Actions[:0] // want `MG415: a declaration is changed at run time`
	}
	do := func() { System = copied() } // want `MG415: System is assigned to at run time`
	do()
	own := slices.Clone(System.Grains)
	own[0].Name = "in a copy of the list"
	own[0].Actions[0] = nil // want `MG415: a declaration is changed at run time`
	clear(System.Grains)    // want `MG415: a declaration is changed at run time`
	copy(common, filled())  // want `MG415: a declaration is changed at run time`
}

func set[T any](p *T, v T) { *p = v }

var _ = renamed()

func renamed() bool {
	rename := &baseline.Name
	*rename = "renamed" // want `MG415: baseline is changed at run time`
	return true
}
