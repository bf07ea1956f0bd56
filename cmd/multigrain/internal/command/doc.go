// Package command is what verbs have in common: the command line with the flags that several verbs have,
// a call with its document, what is shown and written at its end, and the exit code.
//
// A verb is a file of package main: it has options of its own, which declare its flags and run it.
//
// It imports the packages session, shell and those below view.
package command
