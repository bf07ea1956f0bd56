// Package actions declares actions and a catalog as they cannot be read.
package actions

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

type State struct{ Up bool }

type Action = modules.Action[State, modules.None]

func flip(s, n *State, _ modules.None) { n.Up = !s.Up }

var Good = Action{Name: "Good", Params: modules.Once, Effect: flip}

// Made elsewhere than in a package-level variable.

var Pointer = &Action{Name: "Pointer", Params: modules.Once, Effect: flip} // want `MG411: action Pointer is not the value of a package-level variable; declare each action as var X`

var List = []Action{
	{Name: "First", Params: modules.Once, Effect: flip}, // want `MG411: action First is not the value`
}

var _ = Action{Name: "Blank", Params: modules.Once, Effect: flip} // want `MG411: action Blank is not the value`

var Zero Action // want `MG411: action Zero is not declared by a literal`

var Called = named("Called") // want `MG411: action Called is not declared by a literal`

func named(name string) Action {
	return Action{Name: name, Params: modules.Once, Effect: flip} // want `MG411: an action is made where it has no variable` `MG412: the name of an action is computed`
}

func register() {
	for range 2 {
		a := Action{Name: "Looped", Params: modules.Once, Effect: flip} // want `MG411: action Looped is not the value`
		_ = &a
	}
	copied := Good // want `MG411: copied is an action inside a function, or a copy of one`
	_ = copied
	_ = new(Action) // want `MG411: new makes an action without declaring it`
}

// Names.

var prefix = "Pre"

var Computed = Action{Name: prefix + "fix", Params: modules.Once, Effect: flip} // want `MG412: the name of action Computed is computed; give the name as a string constant`

var Empty = Action{Name: "", Params: modules.Once, Effect: flip} // want `MG412: the name of action Empty is empty`

var Nameless = Action{Params: modules.Once, Effect: flip} // want `MG412: action Nameless has no name`

var Twice = Action{Name: "Good", Params: modules.Once, Effect: flip} // want `MG413: the name "Good" is taken; choose another name`

// Missing parts.

var NoDomain = Action{Name: "NoDomain", Effect: flip} // want `MG414: action NoDomain has no Params; give it one: without parameters its domain is modules.Once`

var NoEffect = Action{Name: "NoEffect", Params: modules.Once, Effect: nil} // want `MG414: action NoEffect has no Effect`

// Changes at run time.

var System = grains.System[State]{Name: "actions", Init: func(yield func(State) bool) { yield(State{}) }}

var EveryDomain = modules.Domain[modules.None](modules.Once)

func init() {
	Good.Guard = func(s *State, _ modules.None) bool { return s.Up } // want `MG415: Good.Guard is assigned to at run time; declare it complete`
	Good = Twice                                                     // want `MG415: Good is assigned to at run time`
	p := &Good
	p.Name = "Renamed"                                         // want `MG415: p.Name is assigned to at run time`
	List[0].Name = "Renamed"                                   // want `MG415: List\[0\].Name is assigned to at run time`
	System.Rules = append(System.Rules, modules.Rule[State]{}) // want `MG415: System.Rules is assigned to at run time`
	EveryDomain = nil                                          // want `MG415: EveryDomain is assigned to at run time`
	local := []modules.Invariant[State]{{ID: "I-1"}}
	local[0].Doc = "a local list may be filled"
}

// Functions that cannot be found.

var isUp = func(s *State, _ modules.None) bool { return s.Up }

type table struct {
	effect func(s, n *State, _ modules.None)
}

var effects = table{flip}

func (t table) method(s, n *State, _ modules.None) {}

var Variable = Action{Name: "Variable", Params: modules.Once, Guard: isUp, Effect: flip} // want `MG416: the guard of Variable is given as isUp, which is no function of this package; use a function literal`

var Field = Action{Name: "Field", Params: modules.Once, Effect: effects.effect} // want `MG416: the effect of Field is given as effects.effect`

var Method = Action{Name: "Method", Params: modules.Once, Effect: effects.method} // want `MG416: the effect of Method is given as effects.method`

func Rule(ok func(s *State, _ modules.None) bool) modules.Rule[State] {
	return modules.When(&Good, ok) // want `MG416: the When rule is given as ok`
}

func choose(up bool) func(s, n *State, _ modules.None) {
	if up {
		return flip
	}
	return effects.effect
}

var Chosen = Action{Name: "Chosen", Params: modules.Once, Effect: choose(true)} // want `MG416: the effect of Chosen is given as choose\(true\)`

// SameGuard has the guard of another action, and that of Chain is found through two.
var SameGuard = Action{Name: "SameGuard", Params: modules.Once, Guard: Guarded.Guard, Effect: flip}

var Chain = Action{Name: "Chain", Params: modules.Once, Guard: SameGuard.Guard, Effect: SameGuard.Effect}

var Guarded = Action{Name: "Guarded", Params: modules.Once, Guard: func(s *State, _ modules.None) bool { return s.Up }, Effect: flip}

var Unguarded = Action{Name: "Unguarded", Params: modules.Once, Guard: Good.Guard, Effect: flip} // want `MG416: the guard of Unguarded is given as Good.Guard`
