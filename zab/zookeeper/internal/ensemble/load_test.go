//go:build unix

package ensemble_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/spectest"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/ensemble"
)

// mixes are the workloads of YCSB that TestLoad has: balanced is A, half of the requests read;
// read-heavy is B, 95 of 100 read.
var mixes = []struct {
	name string
	read float64
}{{"balanced", 0.5}, {"read-heavy", 0.95}}

// The load of TestLoad: keys are drawn of a million, values have 100 bytes, and a client has one
// request at a time.
const (
	loadClients = 120
	loadKeys    = 1_000_000
)

// TestLoad measures what a monitor and a tap cost next to an ensemble under load. For each mix it
// compares the latency of requests with links and without them. Then a follower is killed,
// disconnected and comes back, again and again, with ZOOKEEPER-4394, while all messages are
// recorded. A monitor with one processor judges the stream of each server. Its rate is divided by
// the rate at which this server sent. MULTIGRAIN_SECONDS is the length of each part.
func TestLoad(t *testing.T) {
	needServers(t)
	seconds := 10
	if n, err := strconv.Atoi(os.Getenv("MULTIGRAIN_SECONDS")); err == nil {
		seconds = n
	}
	j := newLone(t)
	for _, mix := range mixes {
		t.Run(mix.name, func(t *testing.T) {
			latencies(t, mix.read, seconds)
			ratios(t, j, mix.name, mix.read, seconds)
		})
	}
}

// crowd is clients that have one request at a time.
type crowd struct {
	stop    chan struct{}
	done    sync.WaitGroup
	active  atomic.Bool
	mu      sync.Mutex
	took    []time.Duration
	answers atomic.Int64
}

// startCrowd starts clients of all servers. They wait while active is not set.
func startCrowd(e *ensemble.Ensemble, read float64, seed uint64) *crowd {
	c := &crowd{stop: make(chan struct{})}
	for k := range loadClients {
		rnd := rand.New(rand.NewPCG(seed, uint64(k)))
		c.done.Go(func() {
			for !c.ended() {
				s, err := ensemble.Dial(e.Node(k%3+1).Address(), 2*time.Second)
				if err != nil {
					time.Sleep(20 * time.Millisecond)
					continue
				}
				c.session(s, read, rnd)
				s.Close()
			}
		})
	}
	return c
}

func (c *crowd) ended() bool {
	select {
	case <-c.stop:
		return true
	default:
		return false
	}
}

// session makes requests until one fails.
func (c *crowd) session(s *ensemble.Client, read float64, rnd *rand.Rand) {
	value := make([]byte, 100)
	for !c.ended() {
		if !c.active.Load() {
			time.Sleep(time.Millisecond)
			continue
		}
		path := fmt.Sprintf("/key%06d", rnd.IntN(loadKeys))
		began := time.Now()
		var err error
		if rnd.Float64() < read {
			_, err = s.Get(path, 2*time.Second)
		} else if err = s.Set(path, value, 2*time.Second); errors.Is(err, ensemble.NoNode) {
			err = s.Create(path, value, 2*time.Second)
		}
		if err != nil && !errors.Is(err, ensemble.NoNode) && !errors.Is(err, ensemble.NodeExists) {
			return
		}
		c.answers.Add(1)
		c.mu.Lock()
		c.took = append(c.took, time.Since(began))
		c.mu.Unlock()
	}
}

// close ends the clients and returns how long requests took.
func (c *crowd) close() []time.Duration {
	close(c.stop)
	c.done.Wait()
	return c.took
}

// latencies compares an ensemble without links with one after links. Their clients work in turns,
// a second each.
func latencies(t *testing.T, read float64, seconds int) {
	sink := zookeeper.NewSink(1 << 16)
	go sink.Drain(context.Background(), func(batch []zookeeper.Event) error { return nil })
	defer sink.Close()
	var crowds [2]*crowd
	for k, s := range []*zookeeper.Sink{nil, sink} {
		e, err := ensemble.New(t.TempDir(), ensemble.Options{Sink: s})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if err := e.Start(); err != nil {
			t.Fatal(err)
		}
		settle(t, e)
		crowds[k] = startCrowd(e, read, uint64(k))
	}
	for turn := range 2*seconds + 6 {
		c := crowds[(turn+turn/2)%2] // there and back: a drift falls on both
		c.active.Store(true)
		time.Sleep(time.Second)
		c.active.Store(false)
		time.Sleep(50 * time.Millisecond)
		if turn == 5 { // until the servers' code is compiled
			for _, c := range crowds {
				c.mu.Lock()
				c.took = nil
				c.mu.Unlock()
			}
		}
	}
	for k, name := range []string{"without links", "with links"} {
		took := crowds[k].close()
		if len(took) == 0 {
			t.Fatalf("%s: no request was answered", name)
		}
		slices.Sort(took)
		at := func(q float64) time.Duration { return took[int(q*float64(len(took)-1))].Round(time.Microsecond) }
		t.Logf("%s: %d requests, %.0f a second; p50 %v, p99 %v", name, len(took), float64(len(took))/float64(seconds), at(0.5), at(0.99))
	}
}

// ratios judges the streams of three servers while a follower comes back again and again.
func ratios(t *testing.T, j *lone, name string, read float64, seconds int) {
	r := record(t, ensemble.Options{})
	c := startCrowd(r.Ensemble, read, 9)
	c.active.Store(true)
	rnd := rand.New(rand.NewPCG(7, 1))
	leader := r.leader()
	i, joins := other(rnd, leader), 0
	began := time.Now()
	for ; time.Since(began) < time.Duration(seconds)*time.Second; joins++ {
		if joins%2 == 0 {
			r.Node(i).Kill()
			time.Sleep(time.Duration(rnd.IntN(300)) * time.Millisecond)
			r.restart(i)
		} else {
			r.Isolate(i)
			time.Sleep(time.Duration(rnd.IntN(300)) * time.Millisecond)
			r.Rejoin(i)
		}
		// it may throw, and come back by itself
		for end := time.Now().Add(limit); r.Node(i).Mode() == "" && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Duration(rnd.IntN(1000)) * time.Millisecond)
	}
	took := time.Since(began)
	answers := c.answers.Load()
	c.close()
	last := 0
	if l, err := r.AwaitLeader(time.Second); err == nil {
		last = l
	}
	events := r.finish()
	thrown := 0
	for i := 1; i <= 3; i++ {
		log, err := os.ReadFile(r.Node(i).Log())
		if err != nil {
			t.Fatal(err)
		}
		thrown += bytes.Count(log, []byte("java.lang.NullPointerException"))
	}
	t.Logf("%.0f requests answered a second, %d events, %d joins, %d exceptions; server %d leads at the beginning, %d at the end", float64(answers)/took.Seconds(),
		len(events), joins, thrown, leader, last)
	for node := range 3 {
		role := "follower"
		switch node + 1 {
		case leader:
			role = "leader"
		case i:
			role = "follower that comes back"
		}
		v := j.judge(t, name, node, events)
		sends := float64(v.stats.Out) / took.Seconds()
		peak := busiest(events, node+1)
		rate := float64(v.stats.Out) / v.processor.Seconds()
		t.Logf("%s: sends %.0f a second, %d in its busiest second; the monitor does %.0f a second of one processor: %.1f times, %.1f times the busiest second; %d of %d decided; %.2f states on average, %d at most; %d MiB",
			role, sends, peak, rate, rate/max(sends, 1), rate/float64(max(peak, 1)), v.stats.Decided, v.stats.Out, float64(v.stats.SumStates)/float64(max(v.stats.Decided, 1)), v.stats.MostState, v.memory>>20)
	}
}

// busiest returns how many messages a server sent in the second in which it sent most.
func busiest(events []zookeeper.Event, server int) (most int64) {
	count := map[int64]int64{}
	for k := range events {
		if e := &events[k]; e.What == zookeeper.EventPacket && e.Port == zookeeper.QuorumPort && e.From == int64(server) {
			count[e.Time.Unix()]++
			most = max(most, count[e.Time.Unix()])
		}
	}
	return most
}

// lone is the assembled monitor of configs/zab/zookeeper.hcl, which gets one processor.
type lone struct {
	program *compose.Monitor
	dir     string
}

func newLone(t *testing.T) *lone {
	t.Helper()
	m, diags := configs.Load("../../../../configs/zab/zookeeper.hcl", configs.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	cache := os.Getenv("MULTIGRAIN_CACHE")
	if cache == "" {
		cache = t.TempDir()
	}
	c, diags := compose.Resolve(m, compose.Env{CacheDir: cache})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	program, diags := c.AssembleMonitor(t.Context())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	dir := os.Getenv("MULTIGRAIN_STREAMS")
	if dir == "" {
		dir = t.TempDir()
	}
	return &lone{program, dir}
}

// alone has the monitor's result for a stream.
type alone struct {
	stats     spectest.Stats
	processor time.Duration
	memory    int64
}

func (j *lone) judge(t *testing.T, name string, node int, events []zookeeper.Event) (v alone) {
	t.Helper()
	var b bytes.Buffer
	s, err := zookeeper.NewStream(int64(node+1), []int64{1, 2, 3}, &b)
	if err != nil {
		t.Fatal(err)
	}
	s.Numbered = true
	for k := range events {
		if err := s.Take(&events[k]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.End(0); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(j.dir, fmt.Sprintf("load-%s-%d.ndjson", name, node))
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMAXPROCS", "1")
	before := childSeconds(t)
	report, err := wire.Run(t.Context(), j.program.Path, wire.Request{Verb: "monitor", Choice: j.program.Choice,
		Options: wire.Options{Monitor: &wire.Monitor{Node: node, Source: path, Footprints: j.program.Footprints, History: 4096}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	v.processor, v.memory = childSeconds(t)-before, report.Refinement.Memory
	stats, err := json.Marshal(report.Refinement.Stats)
	if err == nil {
		err = json.Unmarshal(stats, &v.stats)
	}
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict == "violated" {
		t.Errorf("node %d: an alarm: %v", node, report.Refinement.Alarm)
	}
	if report.Reason != "" {
		t.Logf("node %d: %s, %s", node, report.Verdict, report.Reason)
	}
	return v
}

// childSeconds returns the processor time of the processes that this one has started and that have
// ended.
func childSeconds(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
