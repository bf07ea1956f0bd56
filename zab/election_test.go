package zab

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// TestVoteOrder compares votes with FastLeaderElection.totalOrderPredicate (723 to 747, 3.9.1): a
// higher epoch, or the same and a higher zxid, or both the same and a higher identity.
func TestVoteOrder(t *testing.T) {
	t.Parallel()
	if Variant == "v3.4.3" {
		t.Skip("see TestVoteCircle")
	}
	ascending := []Vote{
		{Leader: 0}, {Leader: 2},
		{Leader: 1, Zxid: Zxid{1, 1}}, {Leader: 0, Zxid: Zxid{1, 2}}, {Leader: 0, Zxid: Zxid{2, 1}},
		{Leader: 2, Epoch: 1}, {Leader: 0, Zxid: Zxid{1, 1}, Epoch: 1}, {Leader: 1, Zxid: Zxid{1, 1}, Epoch: 1},
		{Leader: 0, Epoch: 2},
	}
	for a, v := range ascending {
		for b, u := range ascending {
			if have := v.succeeds(u); have != (a > b) {
				t.Errorf("%+v succeeds %+v: %t", v, u, have)
			}
		}
	}
}

// TestAgrees compares ballots with Vote.equals (81 to 135, 3.9.1).
func TestAgrees(t *testing.T) {
	t.Parallel()
	vote := Vote{Leader: 2, Zxid: Zxid{1, 1}, Epoch: 1}
	other := Vote{Leader: 2, Zxid: Zxid{1, 2}, Epoch: 1}
	later := Vote{Leader: 2, Zxid: Zxid{1, 1}, Epoch: 2}
	for _, x := range []struct {
		name           string
		a, b           Ballot
		same, versions bool // agree with the same and with another format version
	}{
		{"equal", Ballot{Vote: vote, Round: 1}, Ballot{Vote: vote, Round: 1}, true, true},
		{"another round", Ballot{Vote: vote, Round: 1}, Ballot{Vote: vote, Round: 2}, false, false},
		{"another zxid", Ballot{Vote: vote, Round: 1}, Ballot{Vote: other, Round: 1}, false, false},
		{"one has left, another round", Ballot{Vote: vote, Round: 1}, Ballot{Vote: vote, Round: 2, State: LEADING}, false, false},
		{"both have left, another round and zxid", Ballot{Vote: vote, Round: 1, State: FOLLOWING},
			Ballot{Vote: other, Round: 2, State: LEADING}, true, true},
		{"both have left, another epoch", Ballot{Vote: vote, Round: 1, State: FOLLOWING},
			Ballot{Vote: later, Round: 1, State: LEADING}, false, true},
	} {
		if have := x.a.agrees(x.b, true); have != x.same {
			t.Errorf("%s, same version: %t", x.name, have)
		}
		if have := x.a.agrees(x.b, false); have != x.versions {
			t.Errorf("%s, other versions: %t", x.name, have)
		}
	}
}

// TestElection explores all elections of three servers that nothing disturbs, with Discovery: who
// is elected is the best of those who elected it, and every message is handled.
func TestElection(t *testing.T) {
	t.Parallel()
	if Servers != 3 {
		t.Skip("compiled for other sizes")
	}
	spec := compose(t, grains.Choice{
		Grains:     []grains.Ref{{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"}},
		Invariants: []string{"votes", "phase", "I-1"},
		Budgets:    map[string]int{"fle_timeouts": 0},
	})
	r, err := explore.Run(spec, explore.Options{Stop: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != checker.Holds {
		name, depth := found(t, spec, r)
		t.Errorf("%s is violated at depth %d", name, depth)
	}
	for k, a := range r.Actions {
		if spec.Actions[k].Name != "FLENotmsgTimeout" && a.Fired == 0 {
			t.Errorf("%s is never enabled", spec.Actions[k].Name)
		}
	}
}

// TestVoteCircle finds that in 3.4.3 votes can go round in a circle (ZOOKEEPER-1419).
func TestVoteCircle(t *testing.T) {
	t.Parallel()
	if Variant != "v3.4.3" {
		withSizes(t, "^TestVoteCircle$", map[string]string{"Variant": `"v3.4.3"`})
		return
	}
	a, b := Vote{Leader: 0, Epoch: 1}, Vote{Leader: 1}
	if !a.succeeds(b) || !b.succeeds(a) {
		t.Error("no circle")
	}
}

// TestSandTableTrace takes the steps of the trace that SandTable published for ZOOKEEPER-1419 (see
// published/sandtable). Each of them is a step of 3.4.3 here too. The last one takes server 0 back
// to a vote for another server that it has given up in the same round.
func TestSandTableTrace(t *testing.T) {
	t.Parallel()
	if Variant != "v3.4.3" || MaxNotifications < 12 {
		withSizes(t, "^TestSandTableTrace$", map[string]string{"Variant": `"v3.4.3"`, "MaxNotifications": "12"})
		return
	}
	spec, err := grains.Compose(&System, grains.Choice{Grains: []grains.Ref{
		{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"},
		{Module: "synchronization", Grain: "baseline"}, {Module: "broadcast", Grain: "baseline"},
		{Module: "faults", Grain: "crash-partition"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("published/sandtable/testdata/zookeeper-1.txt")
	if err != nil {
		t.Fatal(err)
	}
	var s State
	Init(func(x State) bool {
		s = x
		return false
	})
	var votes []Vote // of server 0, which stays in its first round
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if s = stepTo(t, spec, s, line); s.LogicalClock[0] != 1 {
			t.Fatalf("after %s server 0 is in round %d", line, s.LogicalClock[0])
		}
		if v := s.CurrentVote[0]; len(votes) == 0 || votes[len(votes)-1] != v {
			votes = append(votes, v)
		}
	}
	last := votes[len(votes)-1]
	if at := slices.Index(votes, last); at == len(votes)-1 || last.Leader == 0 {
		t.Errorf("server 0 goes back to no vote: %+v", votes)
	}
}

// stepTo takes a step that is given as Action(I: 0), with the parameters that are not false.
func stepTo(t *testing.T, spec *modules.Spec[State], s State, step string) State {
	t.Helper()
	for _, a := range spec.Actions {
		for k, p := range a.Params {
			params := strings.TrimSuffix(strings.TrimPrefix(itf.Text(modules.ViewOf(p, nil)), "{"), "}")
			if a.Name+"("+strings.TrimSuffix(params, ", Tmp: false")+")" != step || !a.Enabled(&s, k) {
				continue
			}
			n := s
			a.Apply(&s, &n, k)
			return n
		}
	}
	t.Fatalf("%s is not enabled", step)
	return s
}
