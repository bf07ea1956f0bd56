package raft

import "github.com/multigrain/multigrain/modules"

// These rules end a behaviour's elections with the last term.
var (
	boundTerms = modules.When(&Timeout, func(s *State, p One) bool { return s.Term[p.I] < lastTerm })
	// A pre-candidate continues with the next term, which HandlePreVoteResp cannot be kept from:
	// there is none in the last term.
	boundTransfers = modules.When(&HandleTimeoutNow, func(s *State, p At) bool { return s.Term[p.I] < lastTerm })
	boundElect     = modules.When(&Elect, func(s *State, p Party) bool { return s.newTerm(p.S) <= lastTerm })
)

// wire is a state constraint: nothing is explored after a state with more than MaxWire messages in
// flight.
func wire(s *State) bool {
	total := 0
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if i != j {
				total += s.inFlight(i, j)
			}
		}
	}
	return total <= MaxWire
}
