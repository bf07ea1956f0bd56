package tap_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/modules"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/internal/taptest"
)

// monitor is an assembled manifest.
type monitor struct {
	path   string
	choice json.RawMessage
	prints []modules.Footprint
}

var (
	assembling sync.Mutex
	assembled  = map[string]*monitor{}
	cacheDir   string
)

// TestMain has all tests share one cache of programs, and packages if MULTIGRAIN_CACHE is set.
func TestMain(m *testing.M) {
	if cacheDir = os.Getenv("MULTIGRAIN_CACHE"); cacheDir == "" {
		dir, err := os.MkdirTemp("", "multigrain-tap-*")
		if err != nil {
			panic(err)
		}
		cacheDir = dir
		defer os.RemoveAll(dir)
	}
	m.Run() // it sets the exit code
}

// assemble builds the program of a manifest in configs/raft, once.
func assemble(t *testing.T, manifest string, vars ...string) *monitor {
	t.Helper()
	assembling.Lock()
	defer assembling.Unlock()
	key := manifest + strings.Join(vars, " ")
	if x := assembled[key]; x != nil {
		return x
	}
	var opt configs.Options
	for _, v := range vars {
		opt.Assignments = append(opt.Assignments, configs.Assignment{Var: v})
	}
	m, diags := configs.Load(filepath.Join("../../../configs/raft", manifest), opt)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	comp, diags := compose.Resolve(m, compose.Env{CacheDir: cacheDir})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	program, diags := comp.AssembleMonitor(context.Background())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	x := &monitor{program.Path, program.Choice, program.Footprints}
	assembled[key] = x
	return x
}

// result is the result of a monitor for a stream.
type result struct {
	verdict, reason string
	stats           spectest.Stats
	alarm           *spectest.Alarm
	verified        spectest.Verification
	seconds         float64
}

// check runs the monitor on a stream.
func (x *monitor) check(t *testing.T, node int, stream []byte, o wire.Monitor) result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "stream")
	if err := os.WriteFile(file, stream, 0o644); err != nil {
		t.Fatal(err)
	}
	return x.checkFile(t, node, file, o)
}

func (x *monitor) checkFile(t *testing.T, node int, file string, o wire.Monitor) result {
	t.Helper()
	o.Node, o.Source, o.Footprints = node, file, x.prints
	r, err := wire.Run(context.Background(), x.path, wire.Request{Verb: "monitor", Choice: x.choice, Options: wire.Options{Monitor: &o}}, nil)
	if err != nil {
		t.Fatalf("%v\n%+v", err, err)
	}
	res := result{verdict: r.Verdict, reason: r.Reason, seconds: r.Seconds}
	decode(t, r.Refinement.Stats, &res.stats)
	decode(t, r.Refinement.Verified, &res.verified)
	if r.Refinement.Alarm != nil {
		res.alarm = new(spectest.Alarm)
		decode(t, r.Refinement.Alarm, res.alarm)
	}
	return res
}

func decode(t *testing.T, from, to any) {
	b, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(b, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func slow(t *testing.T) bool {
	return os.Getenv("MULTIGRAIN_SLOW") == "1"
}

// TestNoAlarm runs clusters under faults: every message of every node is explained, and none is
// undecided.
func TestNoAlarm(t *testing.T) {
	all := taptest.Options{Drop: 0.01, Propose: 0.2, Crash: 0.002, Cut: 0.004, Tick: 0.6, AtStep: true, Inflight: 8}
	with := func(nodes int, seed uint64, messages int, change func(o *taptest.Options)) taptest.Options {
		o := all
		o.Nodes, o.Seed, o.Messages = nodes, seed, messages
		change(&o)
		return o
	}
	fine := func(o *taptest.Options) {
		o.PreVote, o.Quorum, o.Transfer = true, true, 0.01
		o.Calm = o.Nodes == 5
	}
	reads := func(o *taptest.Options) {
		fine(o)
		o.Read = 0.05
		if o.Nodes == 5 {
			o.Propose = 0.1
		}
	}
	etcd := func(o *taptest.Options) {
		reads(o)
		o.Applies, o.Steps, o.Change, o.Joint, o.Read = true, true, 0.02, true, 0.02
	}
	members := func(o *taptest.Options) {
		o.Voters, o.Change, o.Propose, o.Crash, o.Tick, o.Calm = 3, 0.02, 0.1, 0.001, 0.5, true
	}
	for _, c := range []struct {
		name, manifest string
		vars           []string
		slow           bool
		o              taptest.Options
	}{
		{"three nodes", "monitor.hcl", nil, false, with(3, 1, 4000, func(*taptest.Options) {})},
		{"three nodes, order of connections", "monitor.hcl", nil, false, with(3, 2, 1500, func(o *taptest.Options) { o.AtStep = false })},
		{"three nodes, lossy", "monitor.hcl", nil, false, with(3, 3, 1500, func(o *taptest.Options) { o.Drop = 0.15 })},
		{"three nodes, coarse election", "monitor-coarse-election.hcl", nil, false, with(3, 6, 2000, func(o *taptest.Options) { o.Calm = true })},
		{"three nodes, all that servers use", "monitor-etcd.hcl", nil, false, with(3, 25, 2000, etcd)},
		{"five nodes, all that servers use", "monitor-etcd.hcl", []string{"servers=5"}, true, with(5, 26, 2000, etcd)},
		{"five nodes", "monitor.hcl", []string{"servers=5"}, true, with(5, 4, 4000, func(o *taptest.Options) { o.Calm, o.Propose = true, 0.1 })},
		{"three nodes, PreVote, CheckQuorum, transfers", "monitor-fine.hcl", nil, true, with(3, 21, 4000, fine)},
		{"five nodes, PreVote, CheckQuorum, transfers", "monitor-fine.hcl", []string{"servers=5"}, true, with(5, 22, 4000, fine)},
		{"three nodes, reads", "monitor-reads.hcl", nil, true, with(3, 23, 4000, reads)},
		{"five nodes, reads", "monitor-reads.hcl", []string{"servers=5"}, true, with(5, 24, 4000, reads)},
		{"one voter at a time", "monitor-membership.hcl", nil, true, with(4, 10, 1000, members)},
		{"joint consensus", "monitor-membership.hcl", nil, true, with(4, 12, 1000, func(o *taptest.Options) { members(o); o.Joint = true })},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.slow && !slow(t) {
				t.Skip("its program takes long to build; set MULTIGRAIN_SLOW=1")
			}
			noAlarm(t, assemble(t, c.manifest, c.vars...), c.o)
		})
	}
}

func noAlarm(t *testing.T, x *monitor, o taptest.Options) {
	cluster := taptest.New(o)
	if p := cluster.Run(); p != nil {
		t.Fatalf("the library panicked: %v", p)
	}
	if o.Change > 0 && cluster.Changes == 0 {
		t.Error("no change of the voters was applied")
	}
	for i, stream := range cluster.Streams {
		r := x.check(t, i, stream, wire.Monitor{Total: o.AtStep, Steps: o.Steps, Window: 256})
		if r.verdict != "holds" || r.stats.Decided != r.stats.Out || r.stats.Out == 0 {
			t.Errorf("node %d: %s (%s), %d of %d decided\n%s", i, r.verdict, r.reason, r.stats.Decided, r.stats.Out, shown(r.alarm))
		}
		t.Logf("node %d: %d out, %d restarts, %.2f states, %.1f explored", i, r.stats.Out, r.stats.Restarts,
			float64(r.stats.SumStates)/float64(max(r.stats.Out, 1)), float64(r.stats.Explored)/float64(max(r.stats.Out, 1)))
	}
}

func shown(a *spectest.Alarm) string {
	b, _ := json.Marshal(a)
	return string(b)
}

// TestDerived compares what is derived of the composition with sampled states: the conditions on
// what is taken as soon as possible (Ellsberg, appendix A), and that steps are local.
func TestDerived(t *testing.T) {
	x := assemble(t, "monitor.hcl")
	cluster := taptest.New(taptest.Options{Nodes: 3, Seed: 5, Messages: 3000, Drop: 0.05, Propose: 0.1, Crash: 0.002, Cut: 0.02, Tick: 0.8, Inflight: 8, AtStep: true})
	cluster.Run()
	var asap, local int64
	for i, stream := range cluster.Streams {
		r := x.check(t, i, stream, wire.Monitor{Verify: 1, Total: true})
		if r.verdict != "holds" || r.verified.Broken != "" {
			t.Errorf("node %d: %s, %s", i, r.verdict, r.verified.Broken)
		}
		asap += r.verified.Asap
		local += r.verified.Local
	}
	if asap < 10 || local < 1000 {
		t.Errorf("%d pairs of messages and steps, %d steps: too few to say anything", asap, local)
	}
	t.Logf("%d pairs of messages and steps, %d steps", asap, local)
}

var each = flag.Int("messages", 0, "outgoing messages of each node in TestLong")

// TestLong checks long streams, whose logs are folded meanwhile. In their clusters nodes crash, are
// disconnected, hand over, are asked for reads, come and go as voters, and get snapshots, since
// others have folded their logs away. Next to coarse Election, which knows no PreVote, the clusters
// have fixed voters. A million messages of each node:
//
//	go test -v -timeout 2h -run TestLong ./raft/etcdraft/tap -messages 1000000
func TestLong(t *testing.T) {
	if *each == 0 && !slow(t) {
		t.Skip("its programs take long to build; set MULTIGRAIN_SLOW=1")
	}
	for _, nodes := range []int{3, 5} {
		o := taptest.Options{Nodes: nodes, Seed: 11, Each: *each, Drop: 0.005, Propose: 0.2, Crash: 0.0005, Cut: 0.0005, Tick: 0.5, AtStep: true,
			Calm: true, Inflight: 8, Steps: true}
		if o.Each == 0 {
			o.Each = 5_000
		}
		t.Run(fmt.Sprintf("%d nodes, coarse election", nodes), func(t *testing.T) {
			long(t, assemble(t, "monitor-coarse-election.hcl", variables(nodes)...), o)
		})
		o.PreVote, o.Quorum, o.Transfer, o.Read, o.Change, o.Joint, o.Stays, o.Applies = true, true, 0.002, 0.003, 0.002, true, true, true
		o.Compact, o.Report = 0.01, 0.002
		t.Run(fmt.Sprintf("%d nodes", nodes), func(t *testing.T) {
			// A leader that is disconnected for long is asked for more reads than the manifest has
			// room for, and may confirm all of them in one step.
			long(t, assemble(t, "monitor-etcd.hcl", append(variables(nodes), "reads=32", "queue=64")...), o)
		})
	}
}

func long(t *testing.T, x *monitor, o taptest.Options) {
	dir := t.TempDir()
	var files []*os.File
	for i := range o.Nodes {
		f, err := os.Create(filepath.Join(dir, fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files = append(files, f)
	}
	cluster := taptest.New(o)
	cluster.Out = func(i int, lines []byte) {
		if _, err := files[i].Write(lines); err != nil {
			t.Fatal(err)
		}
	}
	if p := cluster.Run(); p != nil {
		t.Fatalf("the library panicked: %v", p)
	}
	t.Logf("%d messages, %d crashes, %d changes applied, %d snapshots taken over", cluster.Sent, cluster.Crashes, cluster.Changes, cluster.Snaps)
	for i, f := range files {
		t.Run(fmt.Sprintf("node %d", i), func(t *testing.T) { longStream(t, x, i, f.Name(), o.Each) })
	}
}

// longStream checks the stream of a node in a file.
func longStream(t *testing.T, x *monitor, node int, file string, each int) {
	// a server that was no member for long gets entries from far back
	const history = 65_536
	r := x.checkFile(t, node, file, wire.Monitor{Total: true, Steps: true, History: history})
	if r.verdict == "violated" || r.stats.Decided*1000 < r.stats.Out*999 || r.stats.Out < int64(each) {
		t.Errorf("%s (%s), %d of %d decided\n%s", r.verdict, r.reason, r.stats.Decided, r.stats.Out, shown(r.alarm))
	}
	named := int64(0)
	for _, c := range r.stats.Causes {
		if c.Cause != "" {
			named += c.Out
		}
	}
	if named != r.stats.Undecided {
		t.Errorf("%d undecided messages, of which %d have a cause", r.stats.Undecided, named)
	}
	if r.stats.MostState > 1000 {
		t.Errorf("there were %d states at once", r.stats.MostState)
	}
	if r.stats.Entries > 4*history {
		t.Errorf("%d log entries are held", r.stats.Entries)
	}
	t.Logf("%d out, %d undecided, %d restarts, %.0f messages a second, %.2f states, %.1f explored, at most %d, %d entries", r.stats.Out,
		r.stats.Undecided, r.stats.Restarts, float64(r.stats.In+r.stats.Out)/r.seconds, float64(r.stats.SumStates)/float64(r.stats.Out),
		float64(r.stats.Explored)/float64(r.stats.Out), r.stats.Largest, r.stats.Entries)
}

// variables say how many servers there are.
func variables(nodes int) []string {
	if nodes == 3 {
		return nil
	}
	return []string{fmt.Sprintf("servers=%d", nodes)}
}

// TestRepeatable records a cluster twice: the streams are equal.
func TestRepeatable(t *testing.T) {
	o := taptest.Options{Nodes: 4, Voters: 3, Change: 0.05, Joint: true, Seed: 11, Messages: 3000, Drop: 0.02, Propose: 0.2, Crash: 0.005,
		Cut: 0.005, Tick: 0.5, PreVote: true, Quorum: true}
	var streams [2][]byte
	for k := range streams {
		c := taptest.New(o)
		c.Run()
		streams[k] = bytes.Join(c.Streams, nil)
	}
	if !bytes.Equal(streams[0], streams[1]) {
		t.Errorf("two recordings of equal options differ (%d and %d bytes)", len(streams[0]), len(streams[1]))
	}
}
