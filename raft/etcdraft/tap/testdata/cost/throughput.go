package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/testdata/kv"
)

// scene is what happens to a cluster whose streams are recorded.
type scene struct {
	name    string
	clients func() int
	drop    float64
	crash   time.Duration // how often a server crashes; 0: never
	read    float64       // the share of requests that read
}

var (
	balanced  = scene{name: "balanced", clients: func() int { return *clients }, read: 0.5}
	readHeavy = scene{name: "read-heavy", clients: func() int { return *clients }, read: 0.95}
	peak      = scene{name: "peak", clients: func() int { return *clients }}
	idle      = scene{name: "idle", clients: func() int { return 0 }}
	lossy     = scene{name: "15 % lost", clients: func() int { return *clients }, drop: 0.15}
	crashes   = scene{name: "a crash each 3 s", clients: func() int { return *clients }, crash: 3 * time.Second}
)

// recorded is what a cluster has done.
type recorded struct {
	rates   []float64 // messages sent a second, by server, under load
	answers float64   // requests answered a second
	leader  int       // at the beginning; -1 where it did not lead to the end
}

// throughput runs a cluster without taps, for its own rates, and then another one whose streams it holds against the specification.
func (m *monitor) throughput(ctx context.Context, dir string, s scene) error {
	own, err := s.run(ctx, filepath.Join(dir, "own"), nil)
	if err != nil {
		return err
	}
	folder := filepath.Join(dir, "tapped")
	tapped, err := s.run(ctx, folder, func(i int) *tap.Tap { return tap.New(tap.File(stream(folder, i)), tap.Options{}) })
	if err != nil {
		return err
	}
	if *scratch == "" {
		defer os.RemoveAll(folder)
	}
	fmt.Printf("%s, %d servers: %.0f requests a second without taps, %.0f with\n", s.name, *servers, own.answers, tapped.answers)
	fmt.Println("| server | sends a second, no tap | with a tap | monitor, one core | times | states | explored | pending | memory |")
	for i := range *servers {
		j, err := m.check(ctx, i, stream(folder, i), nil, nil)
		if err != nil {
			return err
		}
		out := float64(max(j.Out, 1))
		rate := out / max(j.seconds, 1e-9)
		most := max(role(own, i, tapped), 1e-9)
		fmt.Printf("| %s %s | %.0f | %.0f | %.0f | %.1f | %.2f, at most %d | %.1f, at most %d | %.1f | %d MiB | %d of %d decided, %d restarts, %s %s\n",
			s.name, tapped.name(i), most, tapped.rates[i], rate, rate/most, float64(j.SumStates)/out, j.Most, float64(j.Explored)/out, j.Largest,
			float64(j.Pending)/out, j.memory>>20, j.Decided, j.Out, j.Restarts, j.verdict, j.reason)
	}
	return nil
}

func stream(dir string, i int) string { return filepath.Join(dir, fmt.Sprint("stream-", i)) }

func (r *recorded) name(i int) string {
	switch {
	case r.leader < 0:
		return fmt.Sprint("server ", i)
	case r.leader == i:
		return "leader"
	}
	return "follower"
}

// role returns the rate that a server of the same role as server i of another cluster had without a tap: of the leader, of the fastest
// follower, or of the fastest server where leaders changed.
func role(own *recorded, i int, other *recorded) (most float64) {
	for k, rate := range own.rates {
		if own.leader >= 0 && other.leader >= 0 && (k == own.leader) != (i == other.leader) {
			continue
		}
		most = max(most, rate)
	}
	return most
}

// run runs a cluster for a while.
func (s *scene) run(ctx context.Context, dir string, newTap func(i int) *tap.Tap) (*recorded, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	o := kv.Options{Servers: *servers, Inflight: inflight, Drop: s.drop}
	if newTap != nil {
		for i := range *servers {
			o.Taps = append(o.Taps, newTap(i))
		}
	}
	c, err := kv.StartCluster(dir, o)
	if err != nil {
		return nil, err
	}
	defer func() {
		for i := range *servers {
			os.Remove(filepath.Join(dir, fmt.Sprint("wal-", i)))
		}
	}()
	r := &recorded{leader: c.Leader(30 * time.Second)}
	if r.leader < 0 {
		return nil, fmt.Errorf("no leader in 30 s")
	}
	load := kv.StartLoad(c.Addresses, s.clients(), 0, s.read)
	if s.clients() > 0 {
		wait(ctx, time.Second) // until connections are made
	}
	if err := s.watch(ctx, c, load, r); err != nil {
		return nil, err
	}
	load.Stop()
	if err := c.Stop(); err != nil {
		return nil, err
	}
	for _, t := range o.Taps {
		if err := t.Close(); err != nil {
			return nil, err
		}
	}
	return r, ctx.Err()
}

// watch counts what is sent and answered while servers crash, as the scene says.
func (s *scene) watch(ctx context.Context, c *kv.Cluster, load *kv.Load, r *recorded) error {
	began, answered := time.Now(), load.Count()
	sent, before := make([]int64, *servers), c.Sent()
	for k := 0; time.Since(began) < time.Duration(*seconds)*time.Second && ctx.Err() == nil; k++ {
		if s.crash == 0 {
			wait(ctx, time.Duration(*seconds)*time.Second)
			break
		}
		wait(ctx, s.crash)
		i := k % *servers
		sent[i] += c.Servers[i].Sent() - before[i]
		if err := c.Crash(i, 200*time.Millisecond); err != nil {
			return err
		}
		before[i] = 0
	}
	took := time.Since(began).Seconds()
	for i, n := range c.Sent() {
		r.rates = append(r.rates, float64(sent[i]+n-before[i])/took)
	}
	r.answers = float64(load.Count()-answered) / took
	if s.crash > 0 || s.drop > 0 || !c.Servers[r.leader].Leads() {
		r.leader = -1
	}
	return nil
}
