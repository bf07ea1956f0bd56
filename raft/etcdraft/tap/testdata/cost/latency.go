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
	watched, err := startWatch(ctx)
	if err != nil {
		return err
	}
	load := kv.StartLoad(c.Addresses, *clients, *pause)
	defer load.Stop()
	wait(ctx, 2*time.Second)
	load.Took()
	var windows [2][][]kv.Request // without and with taps
	for k := range 2 * max(*pairs, 1) {
		on := (k + k/2) % 2 // off on on off off on on off: a drift falls on both
		tapped.Store(on == 1)
		wait(ctx, time.Duration(*seconds)*time.Second)
		windows[on] = append(windows[on], load.Took())
	}
	fmt.Printf("latency, %d servers, %d clients, %d windows of %d s each with and without taps, in turns\n", *servers, *clients, *pairs, *seconds)
	report(windows)
	pauses, err := watched()
	if err != nil {
		return err
	}
	for _, of := range windows {
		for k := range of {
			of[k] = outside(of[k], pauses)
		}
	}
	fmt.Printf("\nof these, requests that met none of the machine's %d pauses of more than %v\n", len(pauses), watchLate)
	report(windows)
	return ctx.Err()
}

// report prints what requests took in windows without and with taps.
func report(windows [2][][]kv.Request) {
	all := [2][]kv.Request{slices.Concat(windows[0]...), slices.Concat(windows[1]...)}
	fmt.Println("| taps | requests | p50 | p99 | p99.9 |")
	for on, name := range []string{"without", "with"} {
		fmt.Printf("| %s | %d | %v | %v | %v |\n", name, len(all[on]), kv.Quantile(all[on], 0.5).Round(time.Microsecond),
			kv.Quantile(all[on], 0.99).Round(time.Microsecond), kv.Quantile(all[on], 0.999).Round(time.Microsecond))
	}
	slower := func(without, with []kv.Request, q float64) float64 {
		return 100 * (float64(kv.Quantile(with, q))/float64(max(kv.Quantile(without, q), 1)) - 1)
	}
	var ratios []float64
	for k := range min(len(windows[0]), len(windows[1])) {
		ratios = append(ratios, slower(windows[0][k], windows[1][k], 0.99))
	}
	slices.Sort(ratios)
	n := len(ratios)
	fmt.Printf("with taps: p50 %+.1f %%, p99 %+.1f %%; p99 by pairs of neighbouring windows: median %+.1f %%, quartiles %+.1f %% and %+.1f %%\n",
		slower(all[0], all[1], 0.5), slower(all[0], all[1], 0.99), ratios[n/2], ratios[n/4], ratios[n*3/4])
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
