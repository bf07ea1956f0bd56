// Package shell surrounds a verb: the user's settings, flags, exit codes, files,
// interrupts, and the terminal with its progress line. It knows nothing of what a verb does.
//
// It imports checker/wire, whose progress it shows, configs, and the packages codes and words.
package shell
