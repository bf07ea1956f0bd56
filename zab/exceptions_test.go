package zab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// raises reports whether a step of a from s raises an assertion.
func raises(a *Action[Pair], s *State, p Pair, e Assertion) bool {
	if !a.Guard(s, p) {
		return false
	}
	n := *s
	a.Effect(s, &n, p)
	return n.Raised.Has(e)
}

// TestAfterExceptions: in each state that is reached, a step that follows an exception is enabled
// exactly where the step of the protocol raises it.
func TestAfterExceptions(t *testing.T) {
	t.Parallel()
	type pair struct {
		what         string
		raise, after *Action[Pair]
		e            Assertion
		atLeast      int
	}
	baseline := []pair{
		{"COMMIT in Synchronization", &FollowerProcessCOMMITInSync, &FollowerGivesUp, CommitUnmatched, 1},
		{"TRUNC", &FollowerProcessSyncMessage, &FollowerExitsAtTRUNC, CannotTruncate, 0},
		{"COMMIT in Broadcast", &FollowerProcessCOMMIT, &FollowerExitsAtCOMMIT, CommitNotNext, 0},
	}
	threads := []pair{
		baseline[0], baseline[1],
		{"COMMIT in Broadcast", &FollowerProcessCOMMITAsync, &FollowerExitsAtCOMMITAsync, CommitNotNext, 0},
		{"first ACK", &LeaderProcessFirstACK, &LeaderIgnoresFirstACK, AckOtherEpoch, 1},
	}
	for _, c := range []struct {
		grain, broadcast string
		pairs            []pair
	}{
		{"baseline", "baseline", baseline},
		{"fine-atomic", "baseline", baseline},
		{"fine-concurrent", "fine-concurrent", threads},
	} {
		counts, differs := make([]int, len(c.pairs)), ""
		compare := modules.AfterAny(func(s, n *State) {
			if n.Raised != s.Raised {
				return
			}
			for i := range Server(Servers) {
				for j := range Server(Servers) {
					p := Pair{I: i, J: j}
					for k, x := range c.pairs {
						raised, enabled := i != j && raises(x.raise, n, p, x.e), i != j && x.after.Guard(n, p)
						if raised {
							counts[k]++
						}
						if raised != enabled {
							differs = x.what
						}
					}
				}
			}
		})
		choice := choose(c.grain, map[string]int{"requests": 2, "crashes": 1, "partitions": 0, "epochs": 3})
		choice.Grains[2] = grains.Ref{Module: "broadcast", Grain: c.broadcast}
		choice.Invariants = []string{"I-1"}
		explore.Run(compose(t, choice, compare), explore.Options{Workers: 1, MaxStates: 60000})
		if differs != "" {
			t.Errorf("%s: at %s the step that raises and the one that follows differ", c.grain, differs)
		}
		for k, x := range c.pairs {
			if counts[k] < x.atLeast {
				t.Errorf("%s: no exception at %s", c.grain, x.what)
			}
		}
	}
}

// TestGivesUpAndComesBack: a follower that has thrown at COMMIT looks for a leader and its process
// lives. One that cannot truncate exits, and starts again.
func TestGivesUpAndComesBack(t *testing.T) {
	t.Parallel()
	x := txn(1, 1)
	s := synchronizing(t, history(x), History{}, history(x))
	s.Msgs.Send(2, 0, Msg{Kind: COMMIT, Zxid: Zxid{1, 1}})
	take(t, &FollowerGivesUp, &s, Pair{I: 0, J: 2})
	if !s.isOn(0) || !s.isLooking(0) || s.Learners[2].Has(0) || !s.isLeader(2) || s.Msgs.Len(2, 0) != 0 {
		t.Errorf("follower 0: %v, learners of 2: %v", s.State[0], s.Learners[2])
	}
	s.Msgs.Send(2, 1, Msg{Kind: TRUNC, Zxid: Zxid{1, 1}})
	take(t, &FollowerExitsAtTRUNC, &s, Pair{I: 1, J: 2})
	if s.isOn(1) || s.isLeader(2) {
		t.Errorf("follower 1 has not exited, or leader 2 leads without a quorum: %v", s.State)
	}
	take(t, &NodeStart, &s, One{I: 1})
}

// TestIgnoresFirstACK: a leader that gets the ACK of a proposal first does not count the follower.
// It sends it UPTODATE when others are a quorum.
func TestIgnoresFirstACK(t *testing.T) {
	t.Parallel()
	s := synchronizing(t, History{}, History{}, History{})
	s.Msgs.Send(0, 2, Msg{Kind: ACK, Zxid: Zxid{2, 1}})
	s.Msgs.Send(1, 2, Msg{Kind: ACKLD, Zxid: epochZxid(s.AcceptedEpoch[2])})
	take(t, &LeaderIgnoresFirstACK, &s, Pair{I: 2, J: 0})
	if s.AckldRecv[2].Sids.Has(0) || s.ZabState[2] != SYNCHRONIZATION {
		t.Fatal("the ACK of a proposal counts for NEWLEADER")
	}
	take(t, &LeaderProcessFirstACK, &s, Pair{I: 2, J: 1})
	if s.ZabState[2] != BROADCAST || !s.Msgs.Is(2, 0, UPTODATE) || !s.Msgs.Is(2, 1, UPTODATE) {
		t.Errorf("messages to 0: %v, to 1: %v", s.kinds(2, 0), s.kinds(2, 1))
	}
}

// TestMasks: no shipped manifest masks an assertion for which exceptions.go has no further step.
func TestMasks(t *testing.T) {
	t.Parallel()
	continued := map[string]bool{"I-14.npe": true, "I-11.epoch": true}
	var masks int
	err := filepath.WalkDir("../configs/zab", func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".hcl" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(data)) {
			line, _, _ = strings.Cut(line, "#")
			name, list, ok := strings.Cut(line, "=")
			if !ok || strings.TrimSpace(name) != "except" {
				continue
			}
			for _, m := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune("[]\", \n", r) }) {
				if masks++; !continued[m] {
					t.Errorf("%s masks %s, and no step of exceptions.go follows it: take it out of except, or add the step", path, m)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if masks == 0 {
		t.Error("no manifest has a mask")
	}
}
