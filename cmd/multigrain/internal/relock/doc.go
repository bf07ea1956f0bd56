// Package relock looks after the lock files of whole folders: it lists stale entries, and rewrites
// entries of an earlier format. It compares no behaviours and runs no code of a specification.
package relock
