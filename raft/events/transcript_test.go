package events

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/modules"
)

// eventNames are the names of enumerations.
var eventNames = spectest.Names(map[string][]string{
	"Role": {"Follower", "Candidate", "Leader", "PreCandidate"},
	"Kind": {"", "MsgVote", "MsgVoteResp", "MsgApp", "MsgAppResp", "MsgHeartbeat", "MsgHeartbeatResp", "MsgSnap"},
	"Duty": {"Nothing", "RaiseTerm", "StepBack", "GiveUp", "TakeOffice", "Vote", "Acknowledge", "Beat", "Install", "Count"},
})

// event returns a step that takes an action with a parameter.
func event[P any](a *Action[P], p P) func(s *State) (State, bool) {
	return func(s *State) (State, bool) {
		if a.Guard != nil && !a.Guard(s, p) {
			return *s, false
		}
		n := *s
		a.Effect(s, &n, p)
		return n, true
	}
}

// TestTranscript checks the run in testdata/transcript.txt: an election of three servers.
// Parameters of events are not enumerated, so the steps of the file are named here.
func TestTranscript(t *testing.T) {
	t.Parallel()
	if Servers < 3 {
		t.Skip("the run is for three servers")
	}
	request := Mail{I: 0, J: 1, Kind: MsgVote, Term: 1}
	taken := Mail{I: 1, J: 0, Kind: MsgVote, Term: 1}
	vote := Mail{I: 1, J: 0, Kind: MsgVoteResp, Term: 1}
	counted := Mail{I: 0, J: 1, Kind: MsgVoteResp, Term: 1}
	own := Mail{I: 0, J: 0, Kind: MsgVoteResp, Term: 1}
	steps := map[string]func(s *State) (State, bool){
		"Campaign 0":           event(&Campaign, One{0}),
		"SendOwnVote 0":        event(&SendOwnVote, own),
		"SendVoteRequest 0 1":  event(&SendVoteRequest, request),
		"Ready 0":              event(&Ready, One{0}),
		"ReceiveVote 0 0":      event(&ReceiveVote, own),
		"ReceiveVoteRequest 1": event(&ReceiveVoteRequest, taken),
		"Follow 1 term 1":      event(&Follow, Term{1, 1}),
		"SendVote 1 0":         event(&SendVote, vote),
		"Ready 1":              event(&Ready, One{1}),
		"ReceiveVote 0 1":      event(&ReceiveVote, counted),
		"Lead 0":               event(&Lead, One{0}),
	}
	for i := range Server(3) {
		steps[fmt.Sprintf("Boot %d", i)] = event(&Boot, Found{I: i, Vote: None, Voters: 0b111})
	}
	var now State
	Init(func(s State) bool { now = s; return false })
	spectest.CompareTranscript(t, "testdata/transcript.txt", func(step string) ([]string, error) {
		take, ok := steps[step]
		if !ok {
			return nil, fmt.Errorf("there is no step %q", step)
		}
		next, ok := take(&now)
		if !ok {
			return []string{"is not enabled"}, nil
		}
		before, after := modules.ViewOf(now, eventNames), modules.ViewOf(next, eventNames)
		now = next
		return spectest.Changes(&before, &after), nil
	})
}
