// Package mcp is the verb mcp: it serves verbs of this command as tools for language models, by the
// Model Context Protocol over the standard input and output.
//
// A tool runs the command in a process of its own, with the arguments that a person would type. So
// an answer is the text that people get, and has the exit code of the verdict table. A cancelled
// call is an interrupt, which ends a run with its results. See docs/decisions/0363.
//
// Invariant: errors and warnings come before all other text of an answer, and its second line
// counts them. Text that does not fit is kept and read with a cursor.
package mcp
