// Package methods makes the table of methods of configs/zab/changes: the lines of each class,
// method and field of a version of ZooKeeper, and who calls, overrides and uses what.
//
// Lines come from the sources, by the parser of the JDK (Lines.java). Everything else comes from
// the class files of the release, by package bytecode. TestWrite writes the table.
//
// # What counts as a method
//
// Methods are named without their types, so that overloaded ones count as one. A constructor has
// the name of its class. Some code belongs to another method, as its lines do:
//
//   - the methods of a local or anonymous class: to the method around it, or to the constructor of
//     the class around it;
//   - the body of a lambda, and what a method reference names: to the method that makes it;
//   - methods that the compiler makes, such as bridges: to those that call them.
//
// # What counts as a call
//
// A call is one of the method that the class file names, resolved to the class that declares it.
// Methods that override it are listed with it ("over"): by class hierarchy analysis a call of a
// method may be one of each method that overrides it. Source: Dean, Grove and Chambers,
// "Optimization of Object-Oriented Programs Using Static Class Hierarchy Analysis", 1995.
//
// Code outside of the release calls methods, too. An example is Thread, which calls run. A class
// with a supertype outside of the release may have such methods, and every class may have those of
// java.lang.Object. A method that calls a constructor of the class counts as the caller of all of
// them. A static initialiser has the name <clinit>. All methods of its class and all that use a
// field of it count as its callers; the table does not list these calls.
//
// Reflection is not seen. What it makes counts as called where a supertype of the release has the
// method.
package methods
