// Package grains describes a system: its modules, the grains at which each exists, the invariants, the bounds and the
// options, and where each grain lives in the implementation. A specification package declares it once:
//
//	var System = grains.System[State]{Name: "zab", ...}
//
// The composer reads this value from the package's code, so it is made of literals and of calls of the constructors in
// package modules; an assembled program uses the same value.
package grains

import "github.com/multigrain/multigrain/modules"

// System is the catalog of one system.
type System[S any] struct {
	Name string
	Doc  string // one sentence
	// Init yields the initial states.
	Init    func(yield func(S) bool)
	Modules []Module
	Grains  []Grain[S]
	// Invariants hold at every granularity. Those of a grain are checked where the grain is chosen.
	Invariants  []modules.Invariant[S]
	Constraints []modules.Invariant[S]
	Goals       []modules.Invariant[S]
	// Liveness are properties of whole behaviours: a manifest names those that are checked.
	Liveness []modules.Liveness[S]
	// Rules keep the ghost variables that the invariants read, at every granularity.
	Rules   []modules.Rule[S]
	Bounds  []Bound
	Options []Option
}

// Module is a phase of the protocol or a part of its environment.
type Module struct {
	Name string // as manifests spell it: "synchronization"
	Doc  string
	// Environment marks faults, network and bounds: never a target, and never coarsened.
	Environment bool
	// Optional modules may be left out of a manifest.
	Optional bool
}

// Grain is one or more modules at one granularity.
type Grain[S any] struct {
	Name string // "baseline", "coarse", "fine-atomic", ...
	Doc  string
	// Covers names the modules, the one whose block in the manifest picks the grain first. A coarse grain may cover several.
	Covers []string
	// From is the finer (for a coarse grain) or coarser grain, one for each covered module, that this one was derived from; empty for a baseline.
	From []Ref
	// Coarsens says that this grain leaves out what From does, so that interaction preservation is checked against From.
	Coarsens bool
	// Requires are the grains of other modules that this one needs: thread queues change what a crash does.
	Requires []Ref
	// Needs are the values of options without which this grain is wrong, NeedsBounds bounds that must not be less.
	Needs       []OptionValue
	NeedsBounds []LeastBound
	Actions     []modules.AnyAction[S]
	Rules       []modules.Rule[S]
	// Invariants, Constraints and Goals come with the grain.
	Invariants  []modules.Invariant[S]
	Constraints []modules.Invariant[S]
	Goals       []modules.Invariant[S]
	Budgets     []modules.Budget[S]
	// Models are the functions of the implementation that the grain models, as org.apache...Learner.syncWithLeader: what a change
	// of the implementation is held against.
	Models []string
}

// OptionValue is a value of an option, as a manifest writes it; of a boolean, "true" or "false".
type OptionValue struct{ Option, Value string }

// LeastBound is the least value of a bound that is enough.
type LeastBound struct {
	Bound string
	Least int
}

// Ref names a grain of a module.
type Ref struct{ Module, Grain string }

// Bound is a number that a manifest sets in its bounds block.
type Bound struct {
	Name     string
	Doc      string
	Min, Max int
	Default  int
	// Const is the constant of the package that takes the value; "" where no code depends on it. A bound may be the limit of
	// a budget, a constant, or both.
	Const string
}

// Unlimited as the default of a budget's bound means that there is no limit.
const Unlimited = -1

// Option is a choice that a manifest makes in its options block.
type Option struct {
	Name    string
	Doc     string
	Values  []string // allowed values; empty for a boolean
	Default string
	// Const is the constant of the package, a string or a boolean, that takes the value.
	Const string
}
