// Package command is what verbs have in common. It reads the command line with the flags that
// several verbs have. It holds a call with its document, and shows and writes results at its end.
//
// A verb is a file of package main: it has options of its own, which declare its flags and run it.
//
// It imports the packages session, shell and those below view.
package command
