//go:build !multigrain_runtime

package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/ensemble"
)

type node = checker.Node[zab.State, [16]uint8]

type composition = conform.Composition[zab.State, [16]uint8]

// chosen has the choices of a bug's manifest.
type chosen struct {
	election, synchronization, broadcast string
	crashes, partitions, requests        int
	except                               []string
}

// TestOtherVersions opens the adapter with releases that it does not support, by their name and by
// the names of the jars in a folder. The error names the versions that it supports.
func TestOtherVersions(t *testing.T) {
	for _, v := range []string{"3.3.6", "3.10.0", "4.0.0"} {
		_, err := open(conform.Setup{Version: v})
		if err == nil || !strings.Contains(err.Error(), v+" is not supported: the adapter supports "+Supports) {
			t.Errorf("%s: %v", v, err)
		}
	}
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"zookeeper-3.10.1", "zookeeper-jute-3.10.1", "slf4j-api-2.0.13", "slf4j-simple-2.0.13", "metrics-core-4.1.12.1", "snappy-java-1.1.10.5"} {
		if err := os.WriteFile(filepath.Join(dir, name+".jar"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err := open(conform.Setup{Settings: map[string]string{"zookeeper": dir}})
	if err == nil || !strings.Contains(err.Error(), "3.10.1 is not supported: the adapter supports "+Supports) {
		t.Errorf("a folder with 3.10.1: %v", err)
	}
}

// compose composes grains of zab as the manifests of configs/zab/bugs do.
func compose(t testing.TB, x chosen, invariants ...string) composition {
	t.Helper()
	epochs := 1 + x.crashes + x.partitions
	spec, err := grains.Compose(&zab.System, grains.Choice{
		Grains: []grains.Ref{
			{Module: "election", Grain: x.election}, {Module: "synchronization", Grain: x.synchronization},
			{Module: "broadcast", Grain: x.broadcast}, {Module: "faults", Grain: "crash-partition"},
		},
		Budgets: map[string]int{
			"crashes": x.crashes, "partitions": x.partitions, "requests": x.requests, "epochs": epochs,
		},
		Invariants: invariants, Except: x.except,
	})
	if err != nil {
		t.Fatal(err)
	}
	bound, err := checker.Of[zab.State, [16]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return composition{Spec: spec, Bound: bound}
}

// counterexample is a shortest one of the composition, as instances.
func counterexample(t testing.TB, c composition, invariant string) (steps []int) {
	t.Helper()
	r, err := explore.Run(c.Bound, explore.Options{Stop: 1, Workers: 1})
	if err != nil || len(r.Violations) == 0 {
		t.Fatalf("%v: no counterexample: %v", r.Verdict, err)
	}
	if name := c.Bound.Invariants[r.Violations[0].Invariant].Name(); name != invariant {
		t.Fatalf("%s is violated, not %s", name, invariant)
	}
	for _, s := range r.Violations[0].Trace.Steps {
		steps = append(steps, s.Instance)
	}
	return steps
}

// needServers skips a test that takes seconds of servers, unless long tests are asked for.
func needServers(t testing.TB) {
	t.Helper()
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real servers for seconds; set MULTIGRAIN_SLOW=1")
	}
	if _, err := control.Find(control.Places{}, ""); err != nil {
		t.Skip(err)
	}
}

// setup chooses a version, and skips the test without it.
func setup(t testing.TB, c composition, version string, settings map[string]string) conform.Setup {
	t.Helper()
	if _, err := control.Find(control.Places{}, version); err != nil {
		t.Skip(err)
	}
	var actions []string
	for _, a := range c.Bound.Actions {
		actions = append(actions, a.Name)
	}
	return conform.Setup{Actions: actions, Settings: settings, Version: version}
}

// masked are the assertions that the manifests of these bugs mask.
var masked = []string{"I-14.npe", "I-11.epoch"}

var zk4643 = chosen{"coarse", "follower-steps", "baseline", 3, 0, 2, masked}

// TestZK4643 does the shortest behaviour with ZOOKEEPER-4643 on servers of several versions: those
// without its fix do all of it, and the others depart where the fix changes them.
func TestZK4643(t *testing.T) {
	needServers(t)
	c := compose(t, zk4643, "I-8")
	steps := counterexample(t, c, "I-8")
	for _, x := range []struct {
		version    string
		settings   map[string]string
		difference string // "" if there is none
		step       int
	}{
		{version: "3.8.0"},
		{version: "3.9.1"},
		{version: "3.7.2"},
		// Learner keeps its socket when it closes it, so SendAckRequestProcessor does not fail, and
		// the server's memory stays as it was before the log.
		{version: "3.6.4", difference: "LastProcessed[1]", step: 18},
		{version: "3.5.10", difference: "LastProcessed[1]", step: 18},
		{version: "3.4.14", difference: "ServingState[0]", step: 4},
		{version: "3.8.6", difference: "History[1][1]", step: 15},
		{version: "3.9.5", difference: "ServingState[0]", step: 4},
		{version: "3.8.0", settings: map[string]string{"prelude": "false"}, difference: "Msgs[2][1][1].Kind", step: 8},
	} {
		t.Run(x.version+" "+x.difference, func(t *testing.T) {
			opt := conform.Options{Setup: setup(t, c, x.version, x.settings)}
			res, err := conform.Replay(c, Implementation, steps, opt)
			if err != nil {
				t.Fatal(err)
			}
			if res.Version != x.version {
				t.Errorf("version %s was run", res.Version)
			}
			if x.difference == "" {
				if res.Verdict != checker.Holds || res.Steps != int64(len(steps)) {
					t.Fatalf("%v after %d of %d steps: %s %v", res.Verdict, res.Steps, len(steps), res.Reason, found(res))
				}
				return
			}
			if len(res.Found) != 1 || res.Found[0].Name() != x.difference || len(res.Found[0].Trace.Steps) != x.step {
				t.Fatalf("%v: %s %v", res.Verdict, res.Reason, found(res))
			}
			if log := strings.Join(res.Found[0].Log, "\n"); !strings.Contains(log, "quorum.QuorumPeer.run") {
				t.Errorf("the log does not show where threads stand:\n%s", log)
			}
		})
	}
}

// TestOtherBugs does the shortest behaviours with other bugs on ZooKeeper 3.8.0, which has them
// all. Two of them end in an assertion of the code, which the servers have to report.
func TestOtherBugs(t *testing.T) {
	needServers(t)
	but := func(more ...string) []string { return append(more, masked...) }
	threads := func(crashes int, except []string) chosen {
		return chosen{"coarse", "follower-threads", "follower-threads", crashes, 0, 2, except}
	}
	for _, x := range []struct {
		bug       string
		chosen    chosen
		invariant string
	}{
		{"ZOOKEEPER-4394", chosen{"coarse", "baseline", "baseline", 0, 0, 2, nil}, "I-14.npe"},
		{"ZOOKEEPER-4685", threads(1, masked), "I-12.epoch"},
		{"ZOOKEEPER-4712", threads(1, but("I-12.epoch")), "I-10"},
		{"ZOOKEEPER-3023", threads(1, but("I-12.epoch", "I-10")), "I-11.uptodate"},
	} {
		t.Run(x.bug, func(t *testing.T) {
			c := compose(t, x.chosen, x.invariant)
			steps := counterexample(t, c, x.invariant)
			res, err := conform.Replay(c, Implementation, steps, conform.Options{Setup: setup(t, c, "3.8.0", nil)})
			if err != nil {
				t.Fatal(err)
			}
			if res.Verdict != checker.Holds || res.Steps != int64(len(steps)) {
				t.Fatalf("%v after %d of %d steps: %s %v", res.Verdict, res.Steps, len(steps), res.Reason, found(res))
			}
		})
	}
}

// instance finds a step of a composition by its text.
func instance(t testing.TB, c composition, text string) int {
	t.Helper()
	k := slices.IndexFunc(c.Bound.Instances, func(in checker.Instance) bool {
		return c.Bound.Actions[in.Action].Name+conform.ParamsText(in.Params) == text
	})
	if k < 0 {
		t.Fatalf("the composition has no step %s", text)
	}
	return k
}

// TestLostQuorum crashes both followers: a leader that serves notices by itself that it has lost
// its quorum, and one that waits for acknowledgements times out.
func TestLostQuorum(t *testing.T) {
	needServers(t)
	c := compose(t, chosen{"coarse", "follower-steps", "baseline", 4, 1, 2, masked})
	serves := []string{
		"LeaderSyncFollower(I: 2, J: 0)", "FollowerProcessSyncMessage(I: 0, J: 2)",
		"FollowerProcessNEWLEADERUpdateEpoch(I: 0, J: 2)", "FollowerProcessNEWLEADERLog(I: 0, J: 2)",
		"LeaderProcessACKLD(I: 2, J: 0)", "FollowerProcessUPTODATE(I: 0, J: 2)", "LeaderProcessRequest(I: 2)",
	}
	ends := []string{
		"NodeCrash(I: 1, Tmp: false)", "NodeStart(I: 1)", "PartitionStart(I: 2, J: 0)", "PartitionRecover(I: 0, J: 2)",
		"ElectionAndDiscovery(I: 2, S: {0, 1, 2})",
	}
	for name, during := range map[string][]string{"waits": nil, "serves": serves} {
		t.Run(name, func(t *testing.T) {
			opened, err := open(setup(t, c, "3.8.0", nil))
			if err != nil {
				t.Fatal(err)
			}
			a := opened.(*adapter)
			defer a.Stop()
			var steps []int
			for _, text := range slices.Concat([]string{"ElectionAndDiscovery(I: 2, S: {0, 1, 2})"}, during, ends) {
				steps = append(steps, instance(t, c, text))
			}
			behave(t, c, a, steps)
		})
	}
}

// TestTruncated does the behaviours of configs/zab/bugs/truncated-ack.hcl and truncated-commit.hcl.
// A follower that has acknowledged a proposal joins again and truncates it. The leader answers the
// client that the write is done. It is in no log of the servers that elect.
//
// In the shortest counterexamples the third server is never synchronised. Its vote then has another
// epoch than the leader's. A server that looks for a leader finds no quorum of equal votes, unless
// votes of an earlier election reach it. Here the third server is synchronised first.
func TestTruncated(t *testing.T) {
	needServers(t)
	synced := func(j string) []string {
		return []string{
			"LeaderSyncFollower(I: 1, J: " + j + ")", "FollowerProcessSyncMessage(I: " + j + ", J: 1)",
			"FollowerProcessNEWLEADERUpdateEpoch(I: " + j + ", J: 1)", "FollowerProcessNEWLEADERReplyAck(I: " + j + ", J: 1)",
			"LeaderProcessFirstACK(I: 1, J: " + j + ")", "FollowerProcessUPTODATEAsync(I: " + j + ", J: 1)",
		}
	}
	for grain, x := range map[string]struct{ request, ack, log, apply string }{
		"leader-threads leader_threads=log":   {"LeaderProcessRequestAsync", "LeaderProcessNextACK", "LeaderSyncProcessorLogRequestApply(I: 1)", ""},
		"leader-threads leader_threads=apply": {"LeaderProcessRequest", "LeaderProcessNextACKAsync", "", "LeaderCommitProcessorCommit(I: 1)"},
	} {
		t.Run(grain, func(t *testing.T) {
			c := compose(t, chosen{"coarse-join", "follower-threads", grain, 1, 1, 1, masked})
			opened, err := open(setup(t, c, "3.8.0", nil))
			if err != nil {
				t.Fatal(err)
			}
			a := opened.(*adapter)
			defer a.Stop()
			texts := slices.Concat([]string{"QuorumElection(I: 1, S: {0, 1})"}, synced("0"), []string{"JoinLeader(I: 1, J: 2)"}, synced("2"),
				[]string{
					x.request + "(I: 1)", "FollowerProcessPROPOSALAsync(I: 2, J: 1)", "FollowerSyncProcessorLogRequest(I: 2, J: 1)",
					x.ack + "(I: 1, J: 2)", x.ack + "(I: 1, J: 2)", "PartitionStart(I: 1, J: 2)", "PartitionRecover(I: 1, J: 2)",
					"JoinLeader(I: 1, J: 2)", "LeaderSyncFollower(I: 1, J: 2)", x.log, "FollowerProcessSyncMessage(I: 2, J: 1)", x.apply,
				})
			var steps []int
			for _, text := range texts {
				if text != "" {
					steps = append(steps, instance(t, c, text))
				}
			}
			behave(t, c, a, steps)
			for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
				if err, ok := a.clients.answer(path(0)); ok {
					if err != nil {
						t.Fatalf("the client was answered %v", err)
					}
					break
				}
				if time.Now().After(end) {
					t.Fatal("the client was not answered")
				}
			}
			for _, i := range []zab.Server{0, 2} {
				d, err := a.node(i).Disk()
				if err != nil || len(d.History) != 1 || d.History[0].Path != control.PreludePath {
					t.Errorf("server %d has %v, %v; want the prelude only", i, d.History, err)
				}
			}
		})
	}
}

// TestGivesUp: a follower that throws at a COMMIT (ZOOKEEPER-4394) looks for a leader again, as the
// specification does after the exception. Then its memory lacks transactions that its log has. The
// option disk = "one" cannot express that, so LastProcessed is not compared
// (configs/zab/bugs/memory-behind-log.hcl has disks apart). The leader continues with the other
// follower, or gives up if that one has gone, too.
func TestGivesUp(t *testing.T) {
	needServers(t)
	for name, gone := range map[string][]string{
		"the leader continues": nil,
		"the leader gives up":  {"PartitionStart(I: 1, J: 0)"},
	} {
		t.Run(name, func(t *testing.T) {
			c := compose(t, chosen{"coarse-join", "baseline", "baseline", 0, 1, 1, masked})
			opened, err := open(setup(t, c, "3.8.0", nil))
			if err != nil {
				t.Fatal(err)
			}
			a := opened.(*adapter)
			defer a.Stop()
			var steps []int
			for _, text := range slices.Concat([]string{
				"QuorumElection(I: 1, S: {0, 1})", "LeaderSyncFollower(I: 1, J: 0)", "FollowerProcessSyncMessage(I: 0, J: 1)",
				"FollowerProcessNEWLEADER(I: 0, J: 1)", "LeaderProcessACKLD(I: 1, J: 0)", "FollowerProcessUPTODATE(I: 0, J: 1)",
				"LeaderProcessRequest(I: 1)", "JoinLeader(I: 1, J: 2)", "LeaderSyncFollower(I: 1, J: 2)",
				"FollowerProcessPROPOSAL(I: 0, J: 1)", "LeaderProcessACK(I: 1, J: 0)", "FollowerProcessSyncMessage(I: 2, J: 1)",
				"FollowerProcessPROPOSALInSync(I: 2, J: 1)", "FollowerProcessNEWLEADER(I: 2, J: 1)",
			}, gone) {
				steps = append(steps, instance(t, c, text))
			}
			before := behave(t, c, a, steps)
			last := instance(t, c, "FollowerGivesUp(I: 2, J: 1)")
			if !c.Bound.Enabled(&before, last) {
				t.Fatal("the follower does not give up")
			}
			n := before
			c.Bound.Apply(&before, &n, last)
			if leads := n.State.State[1] == zab.LEADING; leads != (gone == nil) {
				t.Fatalf("the leader leads: %v", leads)
			}
			s := conform.Step[zab.State]{Action: zab.FollowerGivesUp.Name, Params: zab.Pair{I: 2, J: 1}, Before: &before.State, After: &n.State}
			if err := a.Perform(s); err != nil {
				t.Fatal(err)
			}
			var have zab.State
			if err := a.Observe(&have); err != nil {
				t.Fatal(err)
			}
			if have.LastProcessed[2] == n.State.LastProcessed[2] {
				t.Error("the memory of the follower has what its log has: compare LastProcessed, too")
			}
			have.LastProcessed[2] = n.State.LastProcessed[2]
			if !a.agrees(&have, &n.State) {
				t.Errorf("the follower looks for a leader, and the states differ: %v, learners %v", have.State, have.Learners)
			}
		})
	}
}

// found are the differences of a result, for people.
func found(res conform.Result[node]) (out []string) {
	for _, d := range res.Found {
		out = append(out, fmt.Sprintf("%s after step %d: %v %s\n%s", d.Name(), len(d.Trace.Steps), d.Values, d.Message, strings.Join(d.Log, "\n")))
	}
	return out
}

// TestZK4643Loses continues where the behaviour ends. With nothing held any more, the write that
// both leaders have acknowledged to a client is gone from the servers that elect.
func TestZK4643Loses(t *testing.T) {
	needServers(t)
	c := compose(t, zk4643, "I-8")
	opened, err := open(setup(t, c, "3.8.0", nil))
	if err != nil {
		t.Fatal(err)
	}
	a := opened.(*adapter)
	defer a.Stop()
	behave(t, c, a, counterexample(t, c, "I-8"))
	written := path(1)
	if err, ok := a.clients.answer(written); err != nil || !ok {
		t.Fatalf("the client of %s was answered %v, %t", written, err, ok)
	}
	if err := a.ensemble.Network.Open(true); err != nil {
		t.Fatal(err)
	}
	for _, n := range a.ensemble.Nodes() {
		if n.Gates == nil {
			continue
		}
		if err := n.OpenAll(); err != nil {
			t.Fatal(err)
		}
	}
	for _, i := range []zab.Server{0, 1} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := a.clients.open(ctx, a.node(i)); err != nil {
			t.Fatal(err)
		}
		reader := a.clients.idle[int(i)+1][0]
		if _, err := reader.Get(path(0), time.Minute); err != nil {
			t.Errorf("server %d has lost %s, which both have: %v", i, path(0), err)
		}
		if _, err := reader.Get(written, time.Minute); !errors.Is(err, ensemble.NoNode) {
			t.Errorf("server %d answers %v for %s, which a client was told is written; it is lost there", i, err, written)
		}
	}
}

// behave does steps on an adapter and compares after each. It returns the last state.
func behave(t testing.TB, c composition, a *adapter, steps []int) (n node) {
	t.Helper()
	c.Bound.Init(func(init *node) bool { n = *init; return false })
	if err := a.Start(&n.State); err != nil {
		t.Fatal(err)
	}
	return proceed(t, c, a, n, steps)
}

// proceed does steps from a node on and compares after each. It returns the last state.
func proceed(t testing.TB, c composition, a *adapter, n node, steps []int) node {
	t.Helper()
	var params []any
	for k := range c.Spec.Actions {
		params = append(params, c.Spec.Actions[k].Params...)
	}
	for k, s := range steps {
		before := n
		if !c.Bound.Enabled(&before, s) {
			t.Fatalf("step %d is not enabled", k+1)
		}
		c.Bound.Apply(&before, &n, s)
		name := c.Bound.Actions[c.Bound.Instances[s].Action].Name
		var have zab.State
		err := a.Perform(conform.Step[zab.State]{Action: name, Params: params[s], Before: &before.State, After: &n.State})
		if err == nil {
			err = a.Observe(&have)
		}
		if err != nil || !a.agrees(&have, &n.State) {
			a.Explain(os.Stderr)
			t.Fatalf("step %d, %s: %v\nexpected %+v\nobserved %+v", k+1, name, err, n.State, have)
		}
	}
	return n
}

// TestRows compares the table with the catalog: each action of zab has a row, and each row is that
// of an action.
func TestRows(t *testing.T) {
	t.Parallel()
	var all, driven []string
	for k := range zab.System.Grains {
		for _, x := range zab.System.Grains[k].Actions {
			if !strings.HasPrefix(zab.System.Grains[k].Name, "node") {
				driven = append(driven, modules.NameOf(x))
			}
			if name := modules.NameOf(x); !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	for _, name := range all {
		if !Drivable(name) && !slices.Contains(monitored, name) && undriven[name] == "" {
			t.Errorf("%s has no row", name)
		}
	}
	for name := range undriven {
		if Drivable(name) || !slices.Contains(all, name) {
			t.Errorf("%s has a row, or is no action of zab", name)
		}
	}
	for _, name := range monitored {
		if Drivable(name) || !slices.Contains(all, name) || slices.Contains(driven, name) {
			t.Errorf("%s has a row, or is no action of grains node alone", name)
		}
	}
	for _, name := range Actions() {
		if !slices.Contains(all, name) {
			t.Errorf("%s has a row and is no action of zab", name)
		}
	}
}

// TestLeftOut holds which steps walks do without.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	a := &adapter{}
	for _, x := range []struct {
		step  step
		drive bool
	}{
		{step{Action: "NodeVanishes", Params: zab.One{}}, false},
		{step{Action: zab.NodeCrash.Name, Params: zab.Crash{I: 1, Tmp: true}}, true},
		{step{Action: zab.NodeCrash.Name, Params: zab.Crash{I: 1}}, true},
		{step{Action: zab.NodeStart.Name, Params: zab.One{I: 1}}, true},
	} {
		if reason := a.LeavesOut(x.step); (reason == "") != x.drive {
			t.Errorf("%s %v: %q", x.step.Action, x.step.Params, reason)
		}
	}
}

// TestLeftOutSnap: after the prelude each server has a transaction in its log, so a leader does not
// send SNAP to a server for having none. Both actions in which a leader decides are left out then.
// If only the snapshots have that transaction, a leader that serves sends SNAP.
func TestLeftOutSnap(t *testing.T) {
	t.Parallel()
	for _, action := range []string{zab.LeaderSyncFollower.Name, zab.LeaderOpensSync.Name} {
		for _, x := range []struct {
			prelude string
			kind    zab.Kind
			last    zab.Zxid
			left    bool
		}{
			{"true", zab.SNAP, zab.Zxid{}, true},
			{"false", zab.SNAP, zab.Zxid{}, false},
			{"snapshot", zab.SNAP, zab.Zxid{}, false},
			{"true", zab.DIFF, zab.Zxid{}, false},
			{"true", zab.SNAP, zab.Zxid{Epoch: 1, Counter: 1}, false},
		} {
			var before, after zab.State
			before.Electing[2].Put(1, zab.Elector{PeerLastZxid: x.last})
			after.Msgs.Send(2, 1, zab.Msg{Kind: x.kind})
			a := &adapter{prelude: x.prelude}
			if reason := a.LeavesOut(step{Action: action, Params: zab.Pair{I: 2, J: 1}, Before: &before, After: &after}); (reason != "") != x.left {
				t.Errorf("%s %+v: %q", action, x, reason)
			}
		}
	}
}

// TestAckOfUPTODATE: the first acknowledgement with counter 0 is that of NEWLEADER, and the next
// one that of UPTODATE, which the specification has only with a follower's threads.
func TestAckOfUPTODATE(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		message control.Message
		want    bool
	}{
		{control.Message{Packet: zookeeper.Packet{Type: zookeeper.ACK, Zxid: control.Zxid(2, 0)}}, false},
		{control.Message{Packet: zookeeper.Packet{Type: zookeeper.ACK, Zxid: control.Zxid(2, 0)}, Again: true}, true},
		{control.Message{Packet: zookeeper.Packet{Type: zookeeper.ACK, Zxid: control.Zxid(2, 1)}, Again: true}, false},
		{control.Message{Packet: zookeeper.Packet{Type: zookeeper.UPTODATE}, Again: true}, false},
	} {
		if got := ofUPTODATE(&x.message); got != x.want {
			t.Errorf("%+v: %t", x.message, got)
		}
	}
}

// TestRefused holds what is refused before a server starts.
func TestRefused(t *testing.T) {
	t.Parallel()
	for want, x := range map[string]conform.Setup{
		`no setting "preludes"`:          {Settings: map[string]string{"preludes": "true"}},
		`the setting prelude is "maybe"`: {Settings: map[string]string{"prelude": "maybe"}},
		`snapshot_size_factor is "half"`: {Settings: map[string]string{"snapshot_size_factor": "half"}},
		`snapshot_size_factor is "1.5"`:  {Settings: map[string]string{"snapshot_size_factor": "1.5"}},
		`snap_count is "1"`:              {Settings: map[string]string{"snap_count": "1"}},
		"write three numbers":            {Version: "3.8"},
		"has no zookeeper.jar":           {Settings: map[string]string{"zookeeper": t.TempDir()}},
		"make zookeeper-jars":            {Version: "3.8.99"},
	} {
		if _, err := open(x); err == nil || !strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "java is not on the PATH") {
			t.Errorf("%+v: %v; want %q", x, err, want)
		}
	}
}
