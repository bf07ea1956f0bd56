// Package normal writes the code of a specification in a normal form, and finds what is reachable
// from some functions and values. It makes digests of that for lock files.
//
// What it computes. A digest of roots, which are values of the catalog, and of all functions, types
// and package variables that they mention, directly or through others. Parts is a digest of each of
// these by name, so that a changed one can be named.
//
// The normal form. A declaration is written from its syntax with types, as a sequence of words:
//
//   - Comments, layout, parentheses, imports, the place of a declaration and its own name are left
//     out. A declaration is mentioned by its number in the order in which the roots lead to it.
//   - A local name is a number, in the order in which the names appear.
//   - A constant expression is its value and its type. A constant of a named type has its name,
//     too: names of kinds stand in results.
//   - What a constant condition excludes is left out: branches, cases of a switch, operands of
//     && and ||, statements after a return.
//
// Names of fields stay, since variables and parameters of actions have them in results.
//
// Why it is right. Two sources with the same digest have the same roots up to the numbering of
// declarations. Their functions have the same syntax, their identifiers denote the same objects,
// and their constants have the same values. So they do the same. What Go runs without being
// mentioned is added: see asked.go for methods that are called through interfaces, and written.go
// for what an initialiser writes. A package whose files mean more than their syntax is covered as a
// whole, with all that it imports.
//
// The standard library and the framework are mentioned by name and not covered.
//
// What it costs. One pass over the reachable declarations, about 20 milliseconds for Zab.
//
// Example. With Servers = 3 the two functions have one form:
//
//	func full(s *State) bool { return s.Votes.Len() > Servers/2 }
//
//	func full(state *State) bool {
//		if Servers == 1 { return false }
//		return state.Votes.Len() > 1 // a majority
//	}
package normal
