package zab

import (
	"os"
	"path/filepath"
	"regexp"
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

// spoiled yields s, and states in which the next message from j to i has another zxid, or j's
// COMMITs in Synchronization end with another one.
func spoiled(s *State, i, j Server, yield func(*State)) {
	yield(s)
	zs := []Zxid{{1, 1}, {1, 2}, {2, 1}, {2, 2}}
	for _, m := range []Msg{{Kind: DIFF}, {Kind: PROPOSAL}, {Kind: COMMIT}, {Kind: ACK}, {Kind: UPTODATE}} {
		for _, z := range zs {
			n := *s
			n.Msgs.Clear(j, i)
			m.Zxid = z
			n.Msgs.Send(j, i, m)
			yield(&n)
			if q := &n.PacketsSync[i].Committed; n.ConnectInfo[i].NlRcv && q.Len() < MaxHistory {
				q.Append(z)
				yield(&n)
			}
		}
	}
}

// TestAfterExceptions: in each state that is reached, a step that follows an exception is enabled
// exactly where the step of the protocol raises it. Some states are spoiled: no behaviour comes to
// most of these exceptions.
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
		{"COMMIT in Broadcast", &FollowerProcessCOMMIT, &FollowerExitsAtCOMMIT, CommitNotNext, 1},
		{"DIFF in another phase", &FollowerProcessSyncMessage, &FollowerIgnoresSync, SyncInOtherPhase, 1},
		{"PROPOSAL in Synchronization", &FollowerProcessPROPOSALInSync, &FollowerHoldsBackAfterGap, ProposalGapInSync, 1},
		{"another COMMIT in Synchronization", &FollowerProcessCOMMITInSync, &FollowerIgnoresCOMMIT, CommitMismatched, 0},
		{"PROPOSAL in Broadcast", &FollowerProcessPROPOSAL, &FollowerLogsAfterGap, ProposalGap, 1},
		{"ACK", &LeaderProcessACK, &LeaderIgnoresACK, AckUnknown, 1},
		{"UPTODATE", &FollowerProcessUPTODATE, &FollowerExitsAtUPTODATE, CommitNotNext, 1},
	}
	threads := []pair{
		baseline[0], baseline[1],
		{"COMMIT in Broadcast", &FollowerProcessCOMMITAsync, &FollowerExitsAtCOMMITAsync, CommitNotNext, 1},
		baseline[3],
		{"PROPOSAL in Synchronization", &FollowerHoldBackPROPOSAL, &FollowerHoldsBackAfterGapAsync, ProposalGapInSync, 1},
		baseline[5],
		{"PROPOSAL in Broadcast", &FollowerProcessPROPOSALAsync, &FollowerLogsAfterGapAsync, ProposalGap, 1},
		{"ACK", &LeaderProcessNextACK, &LeaderIgnoresNextACK, AckUnknown, 1},
		{"UPTODATE", &FollowerProcessUPTODATEAsync, &FollowerExitsAtUPTODATEAsync, CommitNotNext, 1},
		{"first ACK", &LeaderProcessFirstACK, &LeaderIgnoresFirstACK, AckOtherEpoch, 1},
	}
	for _, c := range []struct {
		grain, broadcast string
		pairs            []pair
	}{
		{"baseline", "baseline", baseline},
		{"follower-steps", "baseline", baseline},
		{"follower-threads", "follower-threads", threads},
	} {
		counts, differs, steps := make([]int, len(c.pairs)), "", 0
		compare := modules.AfterAny(func(s, n *State) {
			if n.Raised != s.Raised {
				return
			}
			steps++
			for i := range Server(Servers) {
				for j := range Server(Servers) {
					p := Pair{I: i, J: j}
					check := func(n *State) {
						for k, x := range c.pairs {
							raised, enabled := raises(x.raise, n, p, x.e), x.after.Guard(n, p)
							if raised {
								counts[k]++
							}
							if raised != enabled {
								differs = x.what
							}
						}
					}
					switch {
					case i == j:
					case steps%40 == 0:
						spoiled(n, i, j, check)
					default:
						check(n)
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

// TestContinuesAfterWarnings: what follows where the code only warns.
func TestContinuesAfterWarnings(t *testing.T) {
	t.Parallel()
	x := txn(1, 1)
	s := synchronizing(t, history(x), History{}, history(x))
	s.ConnectInfo[0].SyncMode = TRUNC
	s.Msgs.Send(2, 0, Msg{Kind: PROPOSAL, Zxid: Zxid{1, 3}, Data: 13})
	take(t, &FollowerHoldsBackAfterGap, &s, Pair{I: 0, J: 2})
	if q := s.PacketsSync[0].NotCommitted; q.Len() != 1 || q.At(1) != txn(1, 3) {
		t.Fatalf("held back: %v", q)
	}
	s.Msgs.Send(2, 0, Msg{Kind: COMMIT, Zxid: Zxid{1, 2}})
	take(t, &FollowerIgnoresCOMMIT, &s, Pair{I: 0, J: 2})
	if q := s.PacketsSync[0]; q.NotCommitted.Len() != 1 || !q.Committed.Empty() || s.Msgs.Len(2, 0) != 0 {
		t.Errorf("after another COMMIT: %v", q)
	}
	s.ConnectInfo[0] = ConnectInfo{NlRcv: true}
	s.InitialHistory[0] = 1
	s.PacketsSync[0].Committed.Append(Zxid{1, 2})
	s.Msgs.Send(2, 0, Msg{Kind: UPTODATE, Zxid: Zxid{2, 0}})
	take(t, &FollowerExitsAtUPTODATE, &s, Pair{I: 0, J: 2})
	if s.isOn(0) {
		t.Error("follower 0 has not exited")
	}
}

// TestMasks: no shipped manifest masks an assertion for which exceptions.go has no further step.
func TestMasks(t *testing.T) {
	t.Parallel()
	continued := map[string]bool{
		"I-11.epoch": true, "I-11.sync": true, "I-11.truncate": true, "I-12.epoch": true, "I-12.unknown": true,
		"I-13.sync": true, "I-13.broadcast": true, "I-14.npe": true, "I-14.mismatch": true, "I-14.order": true,
		"I-9": true, // a property of states ends no behaviour
	}
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

// TestTimesOutAtNEWLEADER: at the grains with threads a leader that waits for ACKs of NEWLEADER in
// vain looks for a leader again, and leads a later epoch.
func TestTimesOutAtNEWLEADER(t *testing.T) {
	t.Parallel()
	choice := choose("follower-threads", map[string]int{"requests": 1, "crashes": 0, "partitions": 0, "timeouts": 1, "epochs": 2})
	choice.Grains[2] = grains.Ref{Module: "broadcast", Grain: "follower-threads"}
	choice.Grains[3] = grains.Ref{Module: "faults", Grain: "crash-partition disk_faults=snapshots"}
	choice.Invariants = []string{"I-1"}
	later := 0
	count := modules.After(&LeaderProcessFirstACK, func(s, n *State, p Pair) {
		if s.AcceptedEpoch[p.I] == 2 && n.ZabState[p.I] == BROADCAST {
			later++
		}
	})
	spec := compose(t, choice, count)
	r, err := explore.Run(spec, explore.Options{Workers: 1, MaxStates: 60000})
	if err != nil {
		t.Fatal(err)
	}
	for k, a := range r.Actions {
		if spec.Actions[k].Name == LeaderTimesOutAtNEWLEADER.Name && a.Fired == 0 {
			t.Error("no leader waits in vain")
		}
	}
	if later == 0 {
		t.Error("nobody serves after a leader has waited in vain")
	}
}

// TestMismatchIsCompared: a search at grain leader-threads comes to COMMITs between TRUNC or SNAP
// and NEWLEADER. So I-14.mismatch compares two zxids there; nothing else shows that it is not
// vacuous. At grain follower-threads, where NEWLEADER is queued in the same step, no state comes to
// that.
func TestMismatchIsCompared(t *testing.T) {
	t.Parallel()
	for grain, want := range map[string]bool{"leader-threads": true, "follower-threads": false} {
		compared := 0
		count := modules.AfterAny(func(s, n *State) {
			for i := range Server(Servers) {
				for j := range Server(Servers) {
					p := Pair{I: i, J: j}
					if i != j && FollowerProcessCOMMITInSync.Guard(n, p) && n.appliesInMemory(i) && !n.commitIsUnmatched(i) {
						compared++
					}
				}
			}
		})
		choice := choose(grain, map[string]int{"requests": 2, "crashes": 0, "partitions": 1, "epochs": 2})
		choice.Grains[0] = grains.Ref{Module: "election", Grain: "coarse-join"}
		choice.Grains[2] = grains.Ref{Module: "broadcast", Grain: "follower-threads"}
		choice.Invariants = []string{"I-1"}
		explore.Run(compose(t, choice, count), explore.Options{Workers: 1, MaxStates: 60000})
		if compared > 0 != want {
			t.Errorf("%s: zxids are compared %d times", grain, compared)
		}
	}
}

// TestInvariantsNamePlaces: each invariant after the ten of the protocol names the place that
// promises it, in the code or in ZooKeeper's documentation.
func TestInvariantsNamePlaces(t *testing.T) {
	t.Parallel()
	place := regexp.MustCompile(`\.java:\d+(-\d+)?@\d|zookeeper\w+\.md|DataTree\.java`)
	for k := range System.Grains {
		for _, x := range System.Grains[k].Invariants {
			if strings.HasPrefix(x.ID, "I-") && !place.MatchString(x.Doc) {
				t.Errorf("%s.%s names no place: %s", x.ID, x.Instance, x.Doc)
			}
		}
	}
}
