package tap_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/testdata/kv"
)

// TestServer runs the key-value server of testdata/kv under load, with a crash of each server and
// messages that are lost. It checks the stream of every server: there is no alarm, and all is
// decided. What it costs is measured by testdata/cost.
func TestServer(t *testing.T) {
	x := assemble(t, "monitor-reads.hcl", "pre_vote=false", "check_quorum=false")
	dir := t.TempDir()
	var taps []*tap.Tap
	file := func(i int) string { return filepath.Join(dir, "tap-"+strconv.Itoa(i)) }
	for i := range 3 {
		taps = append(taps, tap.New(tap.File(file(i)), tap.Options{}))
	}
	c, err := kv.StartCluster(dir, kv.Options{Servers: 3, Inflight: 8, Drop: 0.002, Tick: 5 * time.Millisecond, Taps: taps})
	if err != nil {
		t.Fatal(err)
	}
	load := kv.StartLoad(c.Addresses, 20, 0, 0.3)
	written := func(n int64) {
		for end := time.Now().Add(time.Minute); load.Count() < n; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d of %d requests were answered in a minute", load.Count(), n)
			}
		}
	}
	written(200)
	for i := range 3 {
		before := load.Count()
		if err := c.Crash(i, 50*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		written(before + 200)
	}
	load.Stop()
	if err := c.Stop(); err != nil {
		t.Error(err)
	}
	for i := range 3 {
		if err := taps[i].Close(); err != nil {
			t.Errorf("server %d: %v", i, err)
		}
		stream, err := os.ReadFile(file(i))
		if err != nil {
			t.Fatal(err)
		}
		r := x.check(t, i, stream, wire.Monitor{Total: true, Steps: true})
		if r.verdict != "holds" || r.stats.Out == 0 || r.stats.Restarts != 1 {
			t.Errorf("server %d: %s (%s), %d of %d decided, %d restarts\n%s", i, r.verdict, r.reason, r.stats.Decided, r.stats.Out, r.stats.Restarts, shown(r.alarm))
		}
		t.Logf("server %d: %d messages sent, %.2f states, %.1f explored, %.1f s", i, r.stats.Out, float64(r.stats.SumStates)/float64(r.stats.Out),
			float64(r.stats.Explored)/float64(r.stats.Out), r.seconds)
	}
}

// TestSteps checks streams that have the nodes' own steps, of clusters in which a node does much
// between a Ready and its end. It also checks the same streams without those steps.
func TestSteps(t *testing.T) {
	seeds := uint64(1)
	if slow(t) {
		seeds = 6
	}
	for _, c := range []struct {
		name, manifest string
		o              taptest.Options
	}{
		{"three nodes", "monitor.hcl", taptest.Options{Nodes: 3, Drop: 0.01, Propose: 0.4, Crash: 0.004, Cut: 0.004, Tick: 0.5, SlowApply: 0.2}},
		{"lossy", "monitor.hcl", taptest.Options{Nodes: 3, Drop: 0.15, Propose: 0.3, Crash: 0.002, Cut: 0.002, Tick: 0.7}},
		{"PreVote, CheckQuorum, transfers", "monitor-fine.hcl", taptest.Options{Nodes: 3, Drop: 0.02, Propose: 0.2, Crash: 0.004, Cut: 0.005, Tick: 0.7,
			Transfer: 0.01, PreVote: true, Quorum: true, SlowApply: 0.1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.manifest != "monitor.hcl" && !slow(t) {
				t.Skip("its program takes long to build; set MULTIGRAIN_SLOW=1")
			}
			x := assemble(t, c.manifest)
			for seed := range seeds {
				c.o.Seed, c.o.Messages, c.o.AtStep, c.o.Steps, c.o.Inflight = 40+seed, 2000, true, true, 8
				cluster := taptest.New(c.o)
				if p := cluster.Run(); p != nil {
					t.Fatalf("the library panicked: %v", p)
				}
				var explored [2]int64
				for i, stream := range cluster.Streams {
					for k, steps := range []bool{true, false} {
						if !steps && seed > 0 {
							continue // it takes long
						}
						r := x.check(t, i, stream, wire.Monitor{Total: true, Steps: steps, Budget: 2000})
						explored[k] += r.stats.Explored
						if r.alarm != nil || steps && r.stats.Decided == 0 && r.stats.Out > 0 {
							t.Errorf("seed %d, node %d, steps %v: %s (%s)\n%s", c.o.Seed, i, steps, r.verdict, r.reason, shown(r.alarm))
						}
					}
				}
				if seed == 0 {
					t.Logf("%d states explored with the nodes' steps, %d without", explored[0], explored[1])
				}
			}
		})
	}
}

// TestMissed says what a stream has after a kill.
func TestMissed(t *testing.T) {
	t.Parallel()
	lines := make(chan []byte, 16)
	x := tap.New(tap.Channel(lines), tap.Options{})
	x.Missed("killed")
	x.Restart()
	go x.Close()
	var got []byte
	for b := range lines {
		got = append(got, b...)
	}
	if want := string(tap.AppendHeader(nil, tap.Options{})) + "{\"event\":\"lost\",\"count\":1,\"cause\":\"killed\"}\n{\"event\":\"restart\"}\n{\"event\":\"end\"}\n"; string(got) != want {
		t.Errorf("the stream differs:\n%s", udiff.Unified("want", "got", want, string(got)))
	}
}
