// Package effects computes what changed lines of Java code write that outlives the call. It reads
// the class files of both sides of a change (package bytecode). Package
// interaction/change/internal/effects does the same for Go.
//
// # What counts as a change
//
// Steps of the two versions of a method are compared, not lines. A step is an instruction with the
// values that it gets, wherever they were stored meanwhile, and with the conditions that decide
// whether it runs. So new names, temporary variables, negated conditions with exchanged branches,
// and extracted methods change nothing. The order of two steps counts if one writes what the other
// reads or writes. See file same.go.
//
// # What a step writes
//
// Places that outlive a call are fields, static fields, results, and arguments of code outside of
// the classes that are read. An element of a collection or an array counts as the field that holds
// it. A changed value is followed to such places through local variables, objects that the method
// made, and calls (rapid type analysis: see file instances.go). A call that one side alone has
// counts with all that it writes. See files trace.go and footprint.go.
//
// A changed condition affects all that it decides. A condition that did not change and depends on a
// changed value is observed if one of the places that it decides is. Otherwise all of them are
// named.
//
// # What does not outlive a call
//
// Calls of loggers and meters, whose classes the adapter names. Fields that no code reads, except
// to write them again, or for what the specification does not have. A value that a lambda captures
// and does not use: see file captures.go.
//
// # What cannot run
//
// Code for what the specification does not have, where fields have other values than they ever
// have, and methods that no server reaches: see file fixed.go.
//
// # What nothing can notice
//
// Files whose classes do all as before are inert: see file inert.go. They are known without walks,
// by a stricter rule, in which the order of all reads, calls and exceptions counts.
//
// # Limits
//
// Fields are distinguished by their declarations and not by the object that has them. Two objects
// that calls with equal arguments return are not distinguished. Reflection is not followed. Lambdas
// count where they are made. Values are not followed through fields: the field itself must be
// observed.
package effects
