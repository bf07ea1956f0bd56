// Package speclint holds specifications to the subset of Go that can be checked.
//
// speclint: report what keeps a specification from being analysed, stored or repeated
//
// A package is a specification where it declares actions of package modules or a system of package
// grains, or gives a function to one. Specification code there is every function that a checker or
// a monitor calls. It is guards and effects, Init, the domains of parameters, and the functions of
// Runtime. It is the functions of rules, invariants, constraints, goals, step properties and
// liveness properties, too. All functions of the package that these reach belong to it. The rest of
// the package (String methods, the catalog, test files) is free, except for the rules on
// declarations. So is an adapter of package conform, which runs the implementation.
//
// Every verb that loads a specification refuses what is reported here, with the same code and at
// the same line.
//
// The State contract: a state is its bytes.
//
//	MG401  a pointer, map, slice, string, interface, function or float in State
//	MG402  int, uint or uintptr in State, whose size depends on the machine
//	MG403  padding in State; the message gives an order of the fields that has none
//	MG404  a message of a Net or Bag whose first field is not its kind
//	MG405  two Raised fields, or one that is not directly in State
//	MG406  a parameter of an action that holds pointers, strings or the like
//
// Declarations: an action is found by its variable and identified by its name.
//
//	MG411  an action made in a function, a list or behind a pointer
//	MG412  a name that is empty or not a constant
//	MG413  a name that another action of the package has
//	MG414  an action without domain or effect
//	MG415  a change of an action or another part of the catalog: an assignment, a write through a
//	       pointer, or its address as an argument of a function of another package
//	MG416  a guard, effect or other function that cannot be found where it is given
//	MG417  an append, in what the catalog is made of, to a slice that a package variable holds or
//	       that was appended to before, or a write to an element that append may have copied
//
// Who writes what: guards and properties only read, effects read s and write n.
//
//	MG421  a guard, a When rule, a property or a function of Runtime that writes the state or the
//	       message that it gets, itself or through what it calls
//	MG422  an effect or an After rule that writes s
//	MG423  a package variable read by specification code
//	MG424  a package variable written by specification code
//	MG425  a variable captured from around a function of the specification, and written
//
// A table is a variable, too: write an array of constants within the function that reads it, or
// make it a function with a switch. Declarations (actions, domains, grains) are no variables in
// this sense.
//
// The subset: a step is a function of the state and the parameters.
//
//	MG431  go, select and channels
//	MG432  defer, panic and recover
//	MG433  maps
//	MG434  range over a function (Init and domains may)
//	MG435  floating point and complex numbers
//	MG436  calls through interfaces, of methods of type parameters too, type assertions and type switches
//	MG437  a call of a function value that is not known
//	MG438  a call into another package but modules, cmp, math/bits and the searching functions of
//	       slices. A function of any package that takes and returns values without pointers may be
//	       called if it keeps to the subset itself
//	MG439  a message kind that is not a constant
//
// Writes are found in the SSA form, without regard to the order of statements. A pointer counts as
// pointing to everything that was ever assigned to it. The fields of a struct that holds pointers
// count as one, and a closure as called where it is made. So a finding of MG421 or MG422 may be a
// write that no execution performs; a write is not missed, except one through a function that has
// its own finding.
//
// # Use
//
//	go install github.com/multigrain/multigrain/cmd/speclint@latest
//	speclint ./...
//	go vet -vettool=$(which speclint) ./...
//
// Package vettest does the same inside a test.
package speclint
