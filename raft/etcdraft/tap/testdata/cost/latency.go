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
	var leader atomic.Int64
	c, err := kv.StartCluster(folder, kv.Options{Servers: *servers, Inflight: inflight, Tap: func(i int) *tap.Tap {
		if tapped.Load() && (!*one || int64(i) == leader.Load()) {
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
	load := kv.StartLoad(c.Addresses, *clients, *pause, *read)
	defer load.Stop()
	wait(ctx, 2*time.Second)
	load.Took()
	var windows [3][][]kv.Request // without taps, with taps, and without again, which says what differs by itself
	for k := range 3 * max(*pairs, 1) {
		kind := k % 3
		if k/3%2 == 1 { // forth and back: a drift falls on all
			kind = 2 - kind
		}
		leader.Store(int64(c.Leader(time.Second)))
		tapped.Store(kind == 1)
		wait(ctx, time.Duration(*seconds)*time.Second)
		windows[kind] = append(windows[kind], load.Took())
	}
	fmt.Printf("latency, %d servers, %d clients, %.0f %% reads, %d windows of %d s each without taps, with taps and without again\n", *servers, *clients, 100**read, *pairs, *seconds)
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

// report prints what requests took in windows without taps, with taps and without again.
func report(windows [3][][]kv.Request) {
	var all [3][]kv.Request
	for kind, name := range []string{"without", "with", "without again"} {
		all[kind] = slices.Concat(windows[kind]...)
		if kind == 0 {
			fmt.Println("| taps | requests | p50 | p99 | p99.9 |")
		}
		fmt.Printf("| %s | %d | %v | %v | %v |\n", name, len(all[kind]), kv.Quantile(all[kind], 0.5).Round(time.Microsecond),
			kv.Quantile(all[kind], 0.99).Round(time.Microsecond), kv.Quantile(all[kind], 0.999).Round(time.Microsecond))
	}
	both := slices.Concat(all[0], all[2])
	fmt.Printf("with taps, beside all without: p50 %+.1f %%, p99 %+.1f %%; without again, beside without: p50 %+.1f %%, p99 %+.1f %%\n",
		slower(both, all[1], 0.5), slower(both, all[1], 0.99), slower(all[0], all[2], 0.5), slower(all[0], all[2], 0.99))
}

// slower is by how many per cent a quantile of one list is above that of another.
func slower(than, is []kv.Request, q float64) float64 {
	return 100 * (float64(kv.Quantile(is, q))/float64(max(kv.Quantile(than, q), 1)) - 1)
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
