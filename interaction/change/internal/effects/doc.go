// Package effects computes what changed lines of Go code write that outlives the call, and what an
// adapter observes. It reads the SSA form of the implementation and of the adapter (package
// golang.org/x/tools/go/ssa), with a VTA call graph.
//
// # What a line writes
//
// Places that outlive a call are fields, package variables, results that go to the program, and
// arguments of code outside of the packages. An element of a slice, map or channel counts as the
// field that holds the container. A value that a changed line computes is followed to such places
// through local variables, memory that the function made, and calls. A result goes back to the call
// that the value came through. What a call on a changed line writes counts as written by it.
//
// A changed condition affects all that it decides (control dependence): what is written there, by
// calls too, and which of several values is taken. A condition that did not change and depends on a
// changed value is observed if one of the places that it decides is. Otherwise all of them are
// named.
//
// # What does not outlive a call
//
// Logs: calls that return nothing, take texts and values of any type alone, and have a name such as
// Debugf; and calls of known loggers and meters; see useOf. Nothing that they get comes back.
// Unexported fields and package variables that nothing modelled reads: see unread. What a call of
// Panicf or a panic does ends the run, which shows.
//
// # What an adapter observes
//
// Fields that the adapter reads and that reach a variable of the specification's state which walks
// compare, or an error of the adapter, by data or by a condition. Conditions that are constant in
// the composition count: see Source.Overlay. Fields that reflection finds count, too; see byName.
// Of a function of the implementation that the adapter calls, the fields count that it returns as
// they are. What is computed of a field by arithmetic or a comparison is not the field.
//
// # Limits
//
// Fields are distinguished by their declarations and not by the object that has them. Memory that
// unsafe or assembly writes is not followed. A result of an exported function that the packages
// themselves use is followed there, and does not count as one that goes to the program.
package effects
