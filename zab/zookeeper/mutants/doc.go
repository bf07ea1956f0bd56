// Package mutants makes small mistakes in ZooKeeper's classes, to see whether a comparison with the
// specification finds them.
//
// A mutant replaces one line of one method. The table mutants.hcl has the name of the method, the
// line and its replacement. Everything else of the source is read from the sources jar of the
// release when a mutant is built. Then javac compiles the changed file against the jars of the
// release into a folder. With control.Options.Patch the folder comes first in the class path.
//
// A line that is not in the method, or is in it twice, is an error that names the mutant. So is a
// method that the class does not have, or has several times.
//
// Repairs of findings are made in the same way, see TestRepairs. What replaces their line may have
// several lines.
//
// # Limits
//
// A method is found by the shape of Java's source: comments, texts and braces. Methods of nested
// classes are not found.
package mutants
