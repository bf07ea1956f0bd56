package library

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/raft"

	"github.com/multigrain/multigrain/checker/conform"
	spec "github.com/multigrain/multigrain/raft/hashicorpraft"
)

// experiment is steps whose outcome the library leaves to the scheduler. Those of prepare are done with turns, as always, the last one
// also without. Want is the outcome in the specification.
type experiment struct {
	name    string
	prepare []conform.Step[spec.State]
	last    conform.Step[spec.State]
	outcome func(s *spec.State) string
	want    string
}

func on(action string, i, j spec.Server) conform.Step[spec.State] {
	return conform.Step[spec.State]{Action: action, Params: spec.At{I: i, J: j, K: 1}, After: &spec.State{}}
}

func at(action string, i spec.Server) conform.Step[spec.State] {
	return conform.Step[spec.State]{Action: action, Params: spec.One{I: i}, After: &spec.State{Proposed: 1}}
}

// toOne returns the append from server 0 to server 1.
func toOne(s *spec.State) spec.Msg { return s.Net.Peek(0, 1, 1, spec.AppendEntries) }

var experiments = []experiment{
	{
		name:    "the first append of a term",
		prepare: []conform.Step[spec.State]{at("Timeout", 0), on("HandleVote", 1, 0)},
		last:    on("HandleVoteReply", 0, 1),
		outcome: func(s *spec.State) string { return fmt.Sprintf("entry: %v", toOne(s).Entry.Kind != 0) },
		want:    "entry: false",
	},
	{
		name: "the append behind the answer that commits",
		prepare: []conform.Step[spec.State]{at("Timeout", 0), on("HandleVote", 1, 0), on("HandleVoteReply", 0, 1), at("Propose", 0),
			on("HandleAppend", 1, 0), on("HandleAppendReply", 0, 1), on("HandleAppend", 1, 0)},
		last:    on("HandleAppendReply", 0, 1),
		outcome: func(s *spec.State) string { return fmt.Sprintf("commit: %d", toOne(s).Commit) },
		want:    "commit: 2",
	},
}

// outcomes does an experiment so many times and counts what comes of it.
func (e *experiment) outcomes(t *testing.T, times int, hasty bool) map[string]int {
	count := map[string]int{}
	for range times {
		synctest.Test(t, func(t *testing.T) {
			a := &adapter{net: &network{}}
			defer a.Stop()
			if err := a.Start(nil); err != nil {
				t.Fatal(err)
			}
			for _, s := range e.prepare {
				if err := a.Perform(s); err != nil {
					t.Fatalf("%s: %v", s.Action, err)
				}
			}
			a.net.hasty = hasty
			if err := a.Perform(e.last); err != nil {
				t.Fatal(err)
			}
			var s spec.State
			if err := a.Observe(&s); err != nil {
				t.Fatal(err)
			}
			count[e.outcome(&s)]++
		})
	}
	return count
}

// TestScheduler shows what the library leaves to the scheduler, and that turns decide it. What comes of it without them is logged: it is
// another thing from run to run, so that nothing can be held against it.
func TestScheduler(t *testing.T) {
	for _, e := range experiments {
		t.Run(e.name, func(t *testing.T) {
			const times = 200
			for outcome, n := range e.outcomes(t, times, false) {
				if outcome != e.want {
					t.Errorf("with turns, %d of %d: %s, want %s", n, times, outcome, e.want)
				}
			}
			count := e.outcomes(t, times, true)
			for _, outcome := range slices.Sorted(maps.Keys(count)) {
				t.Logf("without turns, %d of %d: %s", count[outcome], times, outcome)
			}
			if count[e.want] == times {
				t.Errorf("without turns, always %s: are they needed?", e.want)
			}
		})
	}
}

// TestFailedCall shows why calls do not fail in walks: when the call of a leader fails that has given up in the meantime, its goroutine
// finds two channels ready, and chooses one of them at random. No turn can decide that.
func TestFailedCall(t *testing.T) {
	const times = 100
	more := 0
	for range times {
		synctest.Test(t, func(t *testing.T) {
			a := &adapter{net: &network{}}
			defer a.Stop()
			if err := a.Start(nil); err != nil {
				t.Fatal(err)
			}
			for _, s := range []conform.Step[spec.State]{at("Timeout", 0), on("HandleVote", 1, 0), on("HandleVoteReply", 0, 1), at("Timeout", 2), at("Timeout", 2)} {
				if err := a.Perform(s); err != nil {
					t.Fatalf("%s: %v", s.Action, err)
				}
			}
			if role := a.servers[0].raft.State(); role != raft.Follower {
				t.Fatalf("server 0 is in the state %s", role)
			}
			first := key{0, 1, spec.AppendEntries, 2}
			a.calls[first].response <- errors.New("the connection is lost")
			delete(a.calls, first)
			a.net.settle()
			time.Sleep(lease) // longer than its backoff
			for _, c := range a.net.settle() {
				if r, ok := c.request.(*raft.AppendEntriesRequest); !ok || r.Term != 2 || c.from != 0 {
					t.Errorf("an unexpected call %+v", c.request)
				}
				more++
			}
		})
	}
	t.Logf("%d of %d former leaders send once more", more, times)
	if more == 0 || more == times {
		t.Error("always the same: calls could fail in walks")
	}
}
