//go:build !multigrain_runtime

package replay

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/zab"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// composed composes grains of zab, by module.
func composed(t testing.TB, budgets map[string]int, refs ...grains.Ref) composition {
	t.Helper()
	spec, err := grains.Compose(&zab.System, grains.Choice{Grains: refs, Budgets: budgets})
	if err != nil {
		t.Fatal(err)
	}
	bound, err := checker.Of[zab.State, [16]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return composition{Spec: spec, Bound: bound}
}

// TestWalks does random walks on ZooKeeper 3.8.0: with Election and Discovery at their baselines,
// where the network delivers each notification by itself, and with coarse grains.
func TestWalks(t *testing.T) {
	needServers(t)
	budgets := map[string]int{"crashes": 0, "partitions": 0, "requests": 1, "epochs": 3, "fle_timeouts": 0, "timeouts": 1}
	for name, refs := range map[string][]grains.Ref{
		"baseline": {
			{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "baseline"},
			{Module: "synchronization", Grain: "baseline"}, {Module: "broadcast", Grain: "baseline"},
			{Module: "faults", Grain: "crash-partition"},
		},
		"coarse Discovery": {
			{Module: "election", Grain: "baseline"}, {Module: "discovery", Grain: "coarse"},
			{Module: "synchronization", Grain: "coarse"}, {Module: "broadcast", Grain: "baseline"},
			{Module: "faults", Grain: "crash-partition"},
		},
		"coarse Broadcast": {
			{Module: "election", Grain: "coarse-join"}, {Module: "synchronization", Grain: "coarse"},
			{Module: "broadcast", Grain: "coarse"}, {Module: "faults", Grain: "crash-partition"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := composed(t, budgets, refs...)
			seed, _ := strconv.ParseUint(os.Getenv("MULTIGRAIN_SEED"), 10, 64)
			res, err := conform.Run(c, Implementation, conform.Options{Depth: 30, Number: 2, Seed: seed, Workers: 1, Stop: 1, Setup: setup(t, c, "3.8.0", nil)})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v: %d steps of %d actions in %v", res.Verdict, res.Steps, fired(res.Fired), res.Duration)
			if res.Verdict != checker.Holds && res.Verdict != checker.Undecided || res.Reason != "" || len(res.Found) > 0 {
				t.Errorf("%v: %s %v", res.Verdict, res.Reason, found(res))
			}
		})
	}
}

// TestCoarseElection has servers lead and others follow them one by one, as in
// configs/zab/phases/discovery.hcl. Server 0 has a quorum for server 1 when that crashes. It then
// elects server 2.
func TestCoarseElection(t *testing.T) {
	needServers(t)
	c := composed(t, map[string]int{"crashes": 2, "partitions": 0, "requests": 1, "epochs": 4, "fle_timeouts": 0, "timeouts": 0},
		grains.Ref{Module: "election", Grain: "coarse-election"}, grains.Ref{Module: "discovery", Grain: "baseline"},
		grains.Ref{Module: "synchronization", Grain: "coarse"}, grains.Ref{Module: "broadcast", Grain: "baseline"},
		grains.Ref{Module: "faults", Grain: "crash-partition"})
	walk(t, c, [][]string{
		{"ElectLeader(I: 2, S: {1, 2})", "FollowElected(I: 2, J: 1)", "FollowElected(I: 2, J: 0)",
			"ConnectAndFollowerSendFOLLOWERINFO(I: 2, J: 1)", "LeaderProcessFOLLOWERINFO(I: 2, J: 1)",
			"FollowerProcessLEADERINFO(I: 1, J: 2)", "LeaderProcessACKEPOCH(I: 2, J: 1)",
			"ConnectAndFollowerSendFOLLOWERINFO(I: 2, J: 0)"},
		{"NodeCrash(I: 2, Tmp: false)", "ElectLeader(I: 1, S: {0, 1})", "NodeStart(I: 2)", "NodeCrash(I: 1, Tmp: false)"},
		{"ElectLeader(I: 2, S: {0, 2})", "FollowElected(I: 2, J: 0)", "ConnectAndFollowerSendFOLLOWERINFO(I: 2, J: 0)"},
	})
}

// fired is the number of actions that were taken.
func fired(counts []int64) (n int) {
	for _, k := range counts {
		if k > 0 {
			n++
		}
	}
	return n
}

// TestShipped does counterexamples of manifests on versions that have the bugs: those about disks
// and losses of power, and one with five servers. They need options or bounds of the
// specification, so they run in programs of their own.
func TestShipped(t *testing.T) {
	needServers(t)
	dir := t.TempDir()
	command := filepath.Join(dir, "multigrain")
	if out, err := exec.Command("go", "build", "-o", command, "../../../cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The shortest behaviour of 3.8.0 that ends with NodeLosesRolledLog.
	base, err := filepath.Abs("../../../configs/zab/bugs/rolled-log.hcl")
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("extends = %q\noptions {\n  fix = \"none\"\n  variant = \"v3.8.0\"\n}\ncheck {\n  invariants = [\"I-10\"]\n}\n", base)
	if err := os.WriteFile(filepath.Join(dir, "rolled.hcl"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		manifest, version string
		vars              []string
	}{
		{"bugs/memory-behind-log", "3.8.0", nil},
		{"bugs/truncate-keeps-record", "3.8.0", nil},
		{"bugs/zk-4837", "3.8.0", nil},
		{"versions/zk-5094", "3.9.5", nil},
		{"versions/zk-2354", "3.9.5", nil},
		{"bugs/unforced-log", "3.9.5", nil},
		{"bugs/rolled-log", "3.9.5", nil},
		{"bugs/unforced-tail", "3.9.5", nil},
		{"bugs/lost-epoch", "3.9.5", nil},
		{"versions/lost-truncation", "3.9.5", nil},
		{"hunt/rolled-leader", "3.9.5", nil},
		{filepath.Join(dir, "rolled"), "3.8.0", nil},
		{"versions/zk-4394", "3.8.0", []string{"-var", "servers=5", "-var", "version=v3.8.0"}},
	} {
		t.Run(x.manifest, func(t *testing.T) {
			if _, err := control.Find(control.Places{}, x.version); err != nil {
				t.Skip(err)
			}
			manifest := x.manifest + ".hcl"
			if !filepath.IsAbs(manifest) {
				manifest = "../../../configs/zab/" + manifest
			}
			exec.Command(command, append([]string{"check", manifest, "-traces", dir}, x.vars...)...).Run()
			traces, err := filepath.Glob(filepath.Join(dir, filepath.Base(x.manifest)+"-I-*.itf.json"))
			if err != nil || len(traces) != 1 {
				t.Fatalf("traces %v, %v", traces, err)
			}
			out, err := exec.Command(command, "replay", traces[0], "-impl", "zookeeper@"+x.version).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestHandedOn hands ZOOKEEPER-4394 on in a folder. The command of the folder's README confirms it
// again, in that folder.
func TestHandedOn(t *testing.T) {
	needServers(t)
	dir := t.TempDir()
	command := filepath.Join(dir, "multigrain")
	if out, err := exec.Command("go", "build", "-o", command, "../../../cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	folder := filepath.Join(dir, "handed on")
	confirms := func(in string, args ...string) {
		t.Helper()
		cmd := exec.Command(command, args...)
		cmd.Dir = in
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 12 {
			t.Fatalf("%q ends with %d, want 12\n%s", args, cmd.ProcessState.ExitCode(), out)
		}
	}
	confirms("", "confirm", "../../../configs/zab/bugs/zk-4394.hcl", "-impl", "zookeeper@3.8.0", "-controls", "0", "-out", folder, "-to", dir)
	text, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, line, some := strings.Cut(string(text), "\n    multigrain ")
	line, _, _ = strings.Cut(line, "\n")
	if !some {
		t.Fatalf("the README has no command:\n%s", text)
	}
	confirms(folder, strings.Fields(line)...)
}
