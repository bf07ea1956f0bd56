package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/testdata/kv"
)

// latency measures one cluster under load in windows with and without taps, in turns, so that what else the machine does falls on both.
// Taps write to Unix sockets, as beside monitors; who reads there throws it away.
func latency(ctx context.Context, dir string) error {
	folder := filepath.Join(dir, "latency")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	taps := make([]*tap.Tap, *servers)
	for i := range taps {
		path := filepath.Join(folder, fmt.Sprint("tap-", i))
		l, err := net.Listen("unix", path)
		if err != nil {
			return err
		}
		defer l.Close()
		go drain(l)
		taps[i] = tap.New(tap.Unix(path), tap.Options{})
		defer taps[i].Close()
	}
	var tapped atomic.Bool
	c, err := kv.StartCluster(folder, kv.Options{Servers: *servers, Inflight: inflight, Tap: func(i int) *tap.Tap {
		if tapped.Load() {
			return taps[i]
		}
		return nil
	}})
	if err != nil {
		return err
	}
	defer c.Stop()
	if c.Leader(30*time.Second) < 0 {
		return fmt.Errorf("no leader in 30 s")
	}
	load := kv.StartLoad(c.Addresses, *clients, *pause)
	defer load.Stop()
	wait(ctx, 2*time.Second)
	load.Took()
	var all [2][]time.Duration
	var p99 [2][]time.Duration
	for k := range 2 * max(*pairs, 1) {
		on := (k + k/2) % 2 // off on on off off on on off: a drift falls on both
		tapped.Store(on == 1)
		wait(ctx, time.Duration(*seconds)*time.Second)
		took := load.Took()
		all[on] = append(all[on], took...)
		p99[on] = append(p99[on], kv.Quantile(took, 0.99))
	}
	paired := [2][]time.Duration{slices.Clone(p99[0]), slices.Clone(p99[1])} // Quantile sorts
	fmt.Printf("latency, %d servers, %d clients, %d windows of %d s each with and without taps, in turns\n", *servers, *clients, *pairs, *seconds)
	fmt.Println("| taps | writes a second | p50 | p99 | p99.9 | median of the windows' p99 |")
	for on, name := range []string{"without", "with"} {
		fmt.Printf("| %s | %.0f | %v | %v | %v | %v |\n", name, float64(len(all[on]))/float64(*pairs**seconds), kv.Quantile(all[on], 0.5).Round(time.Microsecond),
			kv.Quantile(all[on], 0.99).Round(time.Microsecond), kv.Quantile(all[on], 0.999).Round(time.Microsecond), kv.Quantile(p99[on], 0.5).Round(time.Microsecond))
	}
	ratios := make([]float64, len(paired[0]))
	for k := range ratios {
		ratios[k] = 100 * (float64(paired[1][k])/float64(max(paired[0][k], 1)) - 1)
	}
	slices.Sort(ratios)
	n := len(ratios)
	fmt.Printf("p99 with taps, by pairs of neighbouring windows: median %+.1f %%, quartiles %+.1f %% and %+.1f %%\n", ratios[n/2], ratios[n/4], ratios[n*3/4])
	for _, q := range []float64{0.5, 0.99} {
		fmt.Printf("p%.0f with taps: %+.1f %%\n", q*100, 100*(float64(kv.Quantile(all[1], q))/float64(max(kv.Quantile(all[0], q), 1))-1))
	}
	return ctx.Err()
}

// drain reads what taps write.
func drain(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go io.Copy(io.Discard, conn)
	}
}
