// Command cost measures what a tap and a monitor cost next to a real server: the key-value store of testdata/kv, in clusters on the
// loopback interface, on the same machine and in the same run. It prints rows of a table; docs/results/monitor-raft.md has them.
//
//	go run ./raft/etcdraft/tap/testdata/cost -run peak,idle,lossy,crashes     messages a second, next to the server's own
//	go run ./raft/etcdraft/tap/testdata/cost -run balanced,read-heavy         the same with YCSB's workloads A and B
//	go run ./raft/etcdraft/tap/testdata/cost -run latency                     the server's latency with and without a tap
//	go run ./raft/etcdraft/tap/testdata/cost -run long -seconds 600           a monitor's memory next to a server that runs
//
// Run it in the repository's folder. A monitor gets one core (GOMAXPROCS=1); the servers and their clients, all in one process, have
// what the machine has.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/modules"
)

var (
	runs    = flag.String("run", "peak,idle,lossy,crashes,latency", "what to measure: balanced, read-heavy, peak, idle, lossy, crashes, latency, long")
	seconds = flag.Int("seconds", 10, "seconds of each cluster")
	servers = flag.Int("servers", 3, "servers of a cluster")
	clients = flag.Int("clients", 120, "clients, each with one request at a time")
	pause   = flag.Duration("pause", 0, "a client's mean pause between requests, of latency and long")
	one     = flag.Bool("one", false, "a tap at the leader alone, of latency: the other servers, which have processors of their own elsewhere, share these here")
	pairs   = flag.Int("pairs", 15, "windows with a tap, as many without one, and as many again, of latency")
	read    = flag.Float64("read", 0, "share of requests that read, of latency and long: 0.5 and 0.95 for YCSB's workloads A and B")
	scratch = flag.String("dir", "", "folder for logs and streams, where the streams stay; default: a new one, which goes")
)

func main() {
	flag.Parse()
	if os.Getenv(watchEnv) != "" {
		fmt.Fprintln(os.Stderr, watchPauses())
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(ctx context.Context) error {
	dir := *scratch
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "multigrain-cost-*"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	m, err := assemble(ctx, dir)
	if err != nil {
		return err
	}
	os.Setenv("GOMAXPROCS", "1") // for the monitors: this process has read it already
	named := map[string]func() error{
		"peak":       func() error { return m.throughput(ctx, dir, peak) },
		"balanced":   func() error { return m.throughput(ctx, dir, balanced) },
		"read-heavy": func() error { return m.throughput(ctx, dir, readHeavy) },
		"idle":       func() error { return m.throughput(ctx, dir, idle) },
		"lossy":      func() error { return m.throughput(ctx, dir, lossy) },
		"crashes":    func() error { return m.throughput(ctx, dir, crashes) },
		"latency":    func() error { return latency(ctx, dir) },
		"long":       func() error { return m.long(ctx, dir) },
	}
	for _, name := range strings.Split(*runs, ",") {
		run := named[name]
		if run == nil {
			return fmt.Errorf("nothing is named %q", name)
		}
		if err := run(); err != nil || ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// inflight is how many appends with entries a leader has on the way to a follower, the most that the specification has.
const inflight = 8

// monitor is the assembled program of configs/raft/monitor-reads.hcl, whose cluster has no PreVote and no CheckQuorum.
type monitor struct {
	path   string
	choice json.RawMessage
	prints []modules.Footprint
}

func assemble(ctx context.Context, dir string) (*monitor, error) {
	opt := configs.Options{Assignments: []configs.Assignment{{Var: fmt.Sprintf("servers=%d", *servers)}, {Var: fmt.Sprintf("inflight=%d", inflight)},
		{Var: "pre_vote=false"}, {Var: "check_quorum=false"}}}
	manifest, diags := configs.Load("configs/raft/monitor-reads.hcl", opt)
	if diags.HasErrors() {
		return nil, diags
	}
	comp, diags := compose.Resolve(manifest, compose.Env{CacheDir: filepath.Join(dir, "cache")})
	if diags.HasErrors() {
		return nil, diags
	}
	program, diags := comp.AssembleMonitor(ctx)
	if diags.HasErrors() {
		return nil, diags
	}
	return &monitor{program.Path, program.Choice, program.Footprints}, nil
}

// stats are those of refine.Stats that are printed.
type stats struct {
	In        int64 `json:"in"`
	Out       int64 `json:"out"`
	Restarts  int64 `json:"restarts"`
	Decided   int64 `json:"decided"`
	Explored  int64 `json:"explored"`
	Largest   int   `json:"largest_search"`
	SumStates int64 `json:"sum_states"`
	Most      int   `json:"most_states"`
	Pending   int64 `json:"sum_pending"`
	Entries   int   `json:"log_entries"`
}

// judged is what a monitor says of a stream.
type judged struct {
	stats
	verdict, reason string
	seconds         float64
	memory          int64 // bytes, at the end
}

// check holds a server's stream against the specification. heard, where it is not nil, is told each second how far the monitor is.
func (m *monitor) check(ctx context.Context, node int, source string, stop <-chan struct{}, heard func(wire.Refinement)) (j judged, err error) {
	p := wire.Program{Path: m.path, Stop: stop, Refinement: heard}
	o := &wire.Monitor{Node: node, Source: source, Footprints: m.prints, Total: true, Steps: true, History: history}
	report, err := p.Run(ctx, wire.Request{Verb: "monitor", Choice: m.choice, Options: wire.Options{Monitor: o}})
	if err != nil {
		return j, err
	}
	j.verdict, j.reason, j.seconds, j.memory = report.Verdict, report.Reason, report.Seconds, report.Refinement.Memory
	j.stats, err = statsOf(report.Refinement)
	if report.Refinement.Alarm != nil {
		b, _ := json.Marshal(report.Refinement.Alarm)
		err = fmt.Errorf("an alarm at server %d: %s", node, b)
	}
	return j, err
}

// history is how many committed entries a monitor keeps.
const history = 4096

func statsOf(r *wire.Refinement) (s stats, err error) {
	b, err := json.Marshal(r.Stats)
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	return s, err
}

// wait waits, or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
