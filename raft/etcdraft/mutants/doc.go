// Package mutants makes mistakes in go.etcd.io/raft/v3: mutants that differ from the library in one
// line each. mutants.hcl is the table.
//
// # Build
//
// The source of the library comes from the module cache. Make copies it into a folder and replaces
// one line there. A workspace file (go.work) in the same folder lets the go command build
// multigrain with that copy, if the environment variable GOWORK names the file. Nothing of the
// library is in this repository apart from the lines of the table.
//
// # A line
//
// A mutant names a function or method, such as raft.Step, and a line that occurs in it exactly
// once. Change reports a line that is not there, so that another version of the library is noticed.
//
// # Limits
//
// That a mutant differs in its text does not mean that it behaves differently. Tests and the
// experiment say which ones walks have found.
package mutants
