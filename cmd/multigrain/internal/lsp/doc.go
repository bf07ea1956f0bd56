// Package lsp is the verb lsp: a server of the Language Server Protocol for manifests, over the
// standard input and output.
//
// The text of the editor counts, and not the file on disk. Diagnostics are those of validate.
// Completion, hover, definition and references share one mechanism. File cursor.go says where in a
// manifest a position is. File names.go says which names may stand there, each with its
// documentation and its place in Go. What blocks and attributes mean is read
// from docs/reference/manifest.md.
// Invariant: a position is understood from the text before it alone, so unfinished text is fine.
package lsp
