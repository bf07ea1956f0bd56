package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/testdata/kv"
)

// long runs a cluster with a monitor next to each server, live through Unix sockets, and prints how the monitors' memory goes.
func (m *monitor) long(ctx context.Context, dir string) error {
	folder := filepath.Join(dir, "long")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	w := &watched{last: make([]wire.Refinement, *servers), results: make([]judged, *servers), errs: make([]error, *servers), began: time.Now()}
	stop := make(chan struct{})
	var done sync.WaitGroup
	o := kv.Options{Servers: *servers, Inflight: inflight}
	for i := range *servers {
		socket := filepath.Join(folder, fmt.Sprint("tap-", i))
		done.Go(func() {
			w.results[i], w.errs[i] = m.check(ctx, i, "unix:"+socket, stop, func(r wire.Refinement) { w.heard(i, r) })
		})
		o.Taps = append(o.Taps, tap.New(tap.Unix(socket), tap.Options{}))
	}
	c, err := kv.StartCluster(folder, o)
	if err != nil {
		return err
	}
	load := kv.StartLoad(c.Addresses, *clients, *pause, *read)
	fmt.Printf("%d s, %d servers, a monitor beside each: every 30 s, by server: events, waiting ones, log entries, memory\n", *seconds, *servers)
	for k := 0; k < *seconds && ctx.Err() == nil; k++ {
		if k%30 == 29 {
			w.print(c)
		}
		wait(ctx, time.Second)
	}
	load.Stop()
	err = c.Stop()
	for _, t := range o.Taps {
		if closed := t.Close(); closed != nil && err == nil {
			err = closed
		}
	}
	wait(ctx, 2*time.Second)
	close(stop)
	done.Wait()
	for i, j := range w.results {
		if w.errs[i] != nil && err == nil {
			err = w.errs[i]
		}
		out := float64(max(j.Out, 1))
		fmt.Printf("server %d: %d of %d messages sent decided, %s %s; %.2f states, at most %d; %.1f pending; %d log entries, %d MiB\n", i, j.Decided, j.Out,
			j.verdict, j.reason, float64(j.SumStates)/out, j.Most, float64(j.Pending)/out, j.Entries, j.memory>>20)
	}
	return err
}

// watched is what monitors say while they run.
type watched struct {
	began   time.Time
	results []judged
	errs    []error

	mu   sync.Mutex
	last []wire.Refinement
}

func (w *watched) heard(i int, r wire.Refinement) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.Stats != nil {
		w.last[i] = r
	}
}

func (w *watched) print(c *kv.Cluster) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Printf("%4.0f s", time.Since(w.began).Seconds())
	for i := range w.last {
		s, _ := statsOf(&w.last[i])
		role := "follower"
		if c.Servers[i].Leads() {
			role = "leader"
		}
		fmt.Printf(" | %s %d, %d, %d, %.1f MiB", role, s.In+s.Out, w.last[i].Waiting, s.Entries, float64(w.last[i].Memory)/(1<<20))
	}
	fmt.Println()
}
