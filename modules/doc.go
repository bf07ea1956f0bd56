// Package modules is the vocabulary in which a specification is written.
//
// A specification is a package with one flat State, package-level actions over it, and rules,
// budgets and invariants that ride on those actions:
//
//	type Action[P any] = modules.Action[State, P]
//
//	var FollowerProcessNEWLEADER = Action[Pair]{
//		Name:   "FollowerProcessNEWLEADER",
//		Params: EachPair,
//		Guard:  func(s *State, p Pair) bool { ... },
//		Effect: func(s, n *State, p Pair) { ... },
//	}
//
// In an effect s is the state before, read-only, and n the state after, which starts as a copy of
// s: TLA+'s unprimed and primed variables. A step is a function of the state and the parameters;
// everything a specification leaves open is a parameter. Package grains groups actions into modules
// and grains; package checker and its folders run the result.
//
// # State
//
// A State is a struct of fixed-size arrays, integers, booleans and the value types of this package.
// It has no pointers, maps, slices, strings or interfaces and no padding. So a state is its bytes:
// two states are equal exactly if their bytes are. [CheckState] reports what breaks this.
// Capacities come from the specification through the array type, as in Seq[Txn, [MaxHistory]Txn];
// an unused slot is zero. A full value panics with [*CapacityError], and an index out of range with
// [*RangeError]. The checkers turn the panic into an error that names the field and the bound to
// raise. It is never a guard and never silent.
package modules
