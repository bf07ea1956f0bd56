// Package mcp is the verb mcp: it serves verbs of this command as tools for language models, by the
// Model Context Protocol over the standard input and output.
//
// A tool runs its verb with -json in a process of its own. The answer is made from the document of
// that run: exit code, verdict, all diagnostics, and the text that people get. See
// docs/decisions/0370.
//
// Invariant: a diagnostic of the document is in every part of its answer, however small the part.
package mcp
