// Package session runs manifests. A Run collects what became of one manifest. Its stages are
// Resolve, Preserve, Reduce, Assemble and Explore. Walks, comparisons, logs and implementations
// have another last stage. A Run describes itself as a result.Document.
//
// Stages get what they need as parameters: the package knows no flags, no terminal and no exit
// codes. What a run needs of its surroundings is in Env.
//
// It imports compose, which resolves and assembles, and the packages result, narrate, codes,
// files and words.
package session
