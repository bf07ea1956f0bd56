// Package fleet runs many jobs on many workers. It is the verbs run and worker.
//
// The verb run expands its arguments into jobs, puts them into a queue and prints their results. A
// worker takes jobs from the queue and runs each as a command of its own. No program travels: a
// worker builds specifications from its own checkout, or from sources whose digest it was given.
// All state of a run is on the server of the queue, so any process can continue it.
//
// It imports package command.
package fleet
