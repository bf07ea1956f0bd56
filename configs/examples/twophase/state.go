package twophase

import "github.com/multigrain/multigrain/modules"

// RM is a resource manager, from 0.
type RM int8

// Members are resource managers.
type Members = modules.Set[RM]

// Phase is where a resource manager is.
type Phase uint8

// The phases of a resource manager.
const (
	Working Phase = iota
	Ready         // it has prepared, and waits for the decision
	Committed
	Aborted
)

// Decision is a decision of the transaction manager.
type Decision uint8

// The decisions.
const (
	Undecided Decision = iota
	ToCommit
	ToAbort
)

// State holds the variables, each with its owner.
type State struct {
	Phase [RMs]Phase // resource manager

	Decision Decision // transaction manager
	Known    Members  // transaction manager: those that it knows to have prepared

	Prepared Members // network: who has sent that it has prepared
	Commits  bool    // network: the message Commit has been sent
	Aborts   bool    // network: the message Abort has been sent
}

func start(yield func(State) bool) { yield(State{}) }

// enough reports whether the transaction manager may commit with some that have prepared.
func enough(m Members) bool {
	if Early {
		return m.IsQuorum(RMs)
	}
	return m == modules.Below[RM](RMs)
}

// consistent is TCConsistent: none has committed while another has aborted.
func consistent(s *State) bool {
	committed, aborted := false, false
	for _, p := range s.Phase {
		committed = committed || p == Committed
		aborted = aborted || p == Aborted
	}
	return !committed || !aborted
}
