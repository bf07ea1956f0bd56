// Package command holds the parts that verbs share: the command line, flags of several verbs, a
// call with its document, and the exit code.
//
// A verb is a file of package main: it has options of its own, which declare its flags and run
// it.
//
// It imports the packages session, shell and those below view.
package command
