// Package session runs manifests. A Run is what became of one manifest; its stages are Resolve, Preserve,
// Reduce, Assemble and Explore, and others in place of the last for walks, comparisons, logs and
// implementations. A Run describes itself as a result.Document.
//
// What a stage needs to know is said by its parameters: the package knows no flags, no terminal and no
// exit codes. What a run needs of its surroundings is in Env.
//
// It imports compose, which resolves and assembles, and the packages result, narrate, codes, files and words.
package session
