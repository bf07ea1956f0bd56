// Package grains describes a system: its modules, the grains at which each exists, the invariants,
// the bounds and the options, and where each grain lives in the implementation. A specification
// package declares it once:
//
//	var System = grains.System[State]{Name: "zab", ...}
//
// A grain is a variable of its own, next to its actions, and the catalog lists the names of these
// variables:
//
//	var syncCoarse = grains.Coarsen(grains.Grain[State]{Name: "coarse", Actions: ...}, syncBaseline)
//
//	var System = grains.System[State]{Grains: []grains.Grain[State]{syncBaseline, syncCoarse}, ...}
//
// The composer reads the catalog from the package's code. So the catalog is made of literals, of
// package-level variables, and of calls of the constructors in packages modules and grains. An
// assembled program uses the same value. It must not depend on the constants that bounds and
// options set.
//
// A list that extends another one is made with slices.Concat, which always copies:
//
//	Rules: slices.Concat(syncBaseline.Rules, []modules.Rule[State]{noted})
//
// append may let two grains share elements, so that the last one overwrites those of the other. It
// is refused (MG417) for slices that a package variable holds or that were appended to before.
package grains

import "github.com/multigrain/multigrain/modules"

// System is the catalog of one system.
type System[S any] struct {
	Name string
	Doc  string // one sentence
	// Init yields the initial states.
	Init func(yield func(S) bool)
	// Roles name the nodes in traces and diagrams, in the order of their numbers. Without roles,
	// node 0 is "server 0".
	Roles   []modules.Role
	Modules []Module
	Grains  []Grain[S]
	// Invariants hold at every granularity. Those of a grain are checked where the grain is chosen.
	Invariants  []modules.Invariant[S]
	Constraints []modules.Invariant[S]
	Goals       []modules.Invariant[S]
	// Liveness are properties of whole behaviours: a manifest names those that are checked.
	Liveness []modules.Liveness[S]
	// Rules keep the ghost variables that the invariants read, at every granularity.
	Rules []modules.Rule[S]
	// Meetings are pairs of quorums that have a member in common, for the sizes of every manifest.
	Meetings []Meeting
	Bounds   []Bound
	Options  []Option
	// Node holds the values of options and bounds next to one running node.
	Node []NodeSetting
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
//
// A module has one baseline. Every other grain says how it relates to the grains it was derived
// from: Coarsen and Refine declare that, or From with Coarsens or Refines in the literal.
type Grain[S any] struct {
	Name string // "baseline", "coarse", "follower-steps", ...
	// Was are names that the grain had before. A manifest may still use them: it gets this grain,
	// and a warning with the name of today.
	Was []string
	Doc string
	// Picked says that a manifest gets this grain by another one and the value of an option. No
	// manifest names it, except by a name of before.
	Picked Pick
	// Covers names the modules. The block of the first one in the manifest picks the grain. A
	// coarse grain may cover several.
	Covers []string
	// From lists the grains that this one was derived from, one for each covered module; a baseline
	// has none. A coarse grain is derived from finer ones, a refinement usually from a coarser one.
	From []Ref
	// Coarsens says that this grain leaves out some of what the grains of From do, so that
	// interaction preservation is checked against them. Refines says that it has more detail, or
	// other detail; nothing is compared. A grain that has From sets exactly one of the two.
	Coarsens, Refines bool
	// Requires are the grains of other modules that this one needs: thread queues change what a
	// crash does.
	Requires []Ref
	// Sets are the values of options and bounds that the grain compiles in wherever it is chosen. A
	// manifest leaves them out, or gives the same value.
	//
	// The two sides of a comparison at L1 or L2 are one program, so they share every constant. An
	// option that a comparison has to give to both sides belongs into the manifest.
	Sets []Setting
	// Needs are the values of options without which this grain is wrong, and that the manifest has
	// to set. NeedsBounds are bounds that must not be less.
	Needs       []OptionValue
	NeedsBounds []LeastBound
	// Excludes are values of options that the grain does not model: a composition with one is
	// refused.
	Excludes []Exclusion
	// Offers are values of options that the grain has steps for, and that a manifest can do
	// without. Changed code that the grain models is walked with them, too.
	Offers []OptionValue
	// Sizes are values of bounds with which the grain takes further steps than with those of most
	// manifests. Changed code that the grain models is walked with each of them, too.
	Sizes   []Sizes
	Actions []modules.AnyAction[S]
	Rules   []modules.Rule[S]
	// Stands says which actions of a coarse grain stand for steps that it replaces: a property of
	// such a step is judged on them. Level L0 refuses a selected property that is judged nowhere.
	Stands []modules.StandIn[S]
	// Invariants, Constraints and Goals come with the grain.
	Invariants  []modules.Invariant[S]
	Constraints []modules.Invariant[S]
	Goals       []modules.Invariant[S]
	Budgets     []modules.Budget[S]
	// Node is the form in which the grain runs next to one node. The zero Form is the grain.
	Node Form
	// Models are the functions of the implementation that the grain models, such as
	// org.apache...Learner.syncWithLeader. A change of the implementation is compared with them.
	Models []string
}

// Sizes are values of bounds that belong together, such as batches of two entries, and few faults
// so that batches are sent.
type Sizes struct {
	Bounds []Setting `json:"bounds"`
}

// Pick is how a manifest gets a grain that it does not name: it names Grain, of the same module,
// and gives the option its value. The zero Pick is that of a grain that manifests name.
//
// The grains that one grain and an option stand for are switches of that grain. A composition has
// the actions and variables of the picked grain alone.
type Pick struct {
	Grain  string `json:"grain"`
	Option string `json:"option"`
	Value  string `json:"value"` // not the default of the option
}

// Form is the form in which a grain runs next to one running node, for multigrain monitor. A node
// shows its own messages only, and all of them, so the grain itself may be unable to run there.
type Form struct {
	// As names the grains that run in its place. Together they cover the modules of the grain. A
	// grain of another module replaces that module's grain. None of them has a form.
	As []Ref
	// Sets has the values of options and bounds that this needs.
	Sets []NodeSetting
	Why  string // the text after "because"
}

// NodeSetting is the value of an option or a bound next to one node, whatever a manifest sets.
// Least says that a manifest may give a bound a larger value.
type NodeSetting struct {
	Name, Value string
	Least       bool
	Why         string // the text after "because"
}

// Setting is a value of an option or of a bound, as a manifest writes it: "at-once", "true", "1".
type Setting struct{ Name, Value string }

// Exclusion names values of an option that a grain does not model, as a manifest writes them.
type Exclusion struct {
	Option string   `json:"option"`
	Values []string `json:"values"`
	Why    string   `json:"why"` // the text after "because"
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
	// Const is the constant of the package that takes the value; "" where no code depends on it. A
	// bound may be the limit of a budget, a constant, or both.
	Const string
	// Inner says that grains set it, in Sets or for a node, and no person chooses it: list names it
	// without a line of its own.
	Inner bool `json:",omitempty"`
}

// Unlimited as the default of a budget's bound means that there is no limit.
const Unlimited = -1

// Option is a choice that a manifest makes in its options block.
type Option struct {
	Name string
	// Was are names that the option had before. A manifest may still use them: it gets this option,
	// and a warning with the name of today.
	Was     []string `json:",omitempty"`
	Doc     string
	Values  []string // allowed values; empty for a boolean
	Default string
	// Const is the constant of the package, a string or a boolean, that takes the value.
	Const string
	// Inner is as that of a Bound.
	Inner bool `json:",omitempty"`
	// Releases says which value stands for which version of the implementation.
	Releases []Release `json:",omitempty"`
}

// Release is a version of an implementation and the value of an option that stands for it.
type Release struct{ Version, Value string }

// Allowed returns the values that an option can have, as a manifest writes them.
func (o *Option) Allowed() []string {
	if len(o.Values) == 0 {
		return []string{"true", "false"}
	}
	return o.Values
}
