package raft

import (
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// seen returns a server's own variables and the messages to it and from it, as the coarse grain of
// Election has them. A candidate is a follower, and nobody counts votes.
func seen(s *State) State {
	n := *s
	for i := range Server(Servers) {
		if n.Role[i] == Candidate {
			n.Role[i] = Follower
		}
		n.Granted[i], n.Rejected[i] = 0, 0
	}
	return n
}

// TestElectLocally walks at random through elections of the baseline grain: what a step does, one
// or two of the local actions of Elect do, or none.
func TestElectLocally(t *testing.T) {
	t.Parallel()
	fine := modules.Bind([]modules.AnyAction[State]{&Timeout, &HandleVote, &HandleVoteResp, &Restart}, []modules.Rule[State]{boundTerms}, nil)
	other := modules.Bind([]modules.AnyAction[State]{&HandleApp, &HandleAppResp, &Drop}, nil, nil)
	local := modules.Bind(electLocally.Actions, nil, nil)
	rng := rand.New(rand.NewPCG(1, 1))
	checked := 0
	for range 300 {
		var s State
		for init := range Init {
			s = init
		}
		for range 40 {
			n, action := randomStep(&s, append(fine[:3:3], append(other, fine[3])...), rng)
			if action == "" {
				break
			}
			if action == "Timeout" || action == "HandleVote" || action == "HandleVoteResp" {
				checked++
				if !follows(seen(&s), seen(&n), local, 2) {
					t.Fatalf("no local action does what %s does\nbefore %+v\nbehind %+v", action, s, n)
				}
			}
			s = n
		}
	}
	if checked < 1000 {
		t.Errorf("%d steps were compared", checked)
	}
}

// randomStep takes one of the enabled steps that raises nothing; the name is "" where there is
// none.
func randomStep(s *State, actions []modules.Bound[State], rng *rand.Rand) (n State, name string) {
	count := 0
	for a := range actions {
		for k := range actions[a].Params {
			if !actions[a].Enabled(s, k) || crowded(s) && actions[a].Name != "Drop" {
				continue
			}
			next := *s
			actions[a].Apply(s, &next, k)
			if count++; next.Panics == (modules.Raised[Panic]{}) && rng.IntN(count) == 0 {
				n, name = next, actions[a].Name
			}
		}
	}
	return n, name
}

// crowded reports whether a channel has no room for what a step may send.
func crowded(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if i != j && s.inFlight(i, j) > MaxQueue-2 {
				return true
			}
		}
	}
	return s.lastIndex(0) >= MaxLog || s.lastIndex(1) >= MaxLog || s.lastIndex(2) >= MaxLog
}

// follows reports whether n is s or after s by up to so many steps.
func follows(s, n State, actions []modules.Bound[State], steps int) bool {
	if seen(&s) == n {
		return true
	}
	if steps == 0 {
		return false
	}
	for a := range actions {
		for k := range actions[a].Params {
			if !actions[a].Enabled(&s, k) {
				continue
			}
			next := s
			actions[a].Apply(&s, &next, k)
			if follows(next, n, actions, steps-1) {
				return true
			}
		}
	}
	return false
}
