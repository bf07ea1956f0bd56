package ensemble_test

import (
	"context"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/ensemble"
)

// BenchmarkWrite writes through a follower of an ensemble, and of one after links, in turns. A
// write crosses four links before it is answered: the request, a proposal, an acknowledgement and a
// commit.
func BenchmarkWrite(b *testing.B) {
	needServers(b)
	sink := zookeeper.NewSink(1 << 16)
	go sink.Drain(context.Background(), func(batch []zookeeper.Event) error { return zookeeper.WriteEvents(io.Discard, batch) })
	defer sink.Close()
	var clients [2]*ensemble.Client
	for k, s := range []*zookeeper.Sink{nil, sink} {
		e, err := ensemble.New(b.TempDir(), ensemble.Options{Sink: s})
		if err != nil {
			b.Fatal(err)
		}
		defer e.Close()
		if err := e.Start(); err != nil {
			b.Fatal(err)
		}
		leader, err := e.AwaitLeader(limit)
		if err != nil {
			b.Fatal(err)
		}
		if clients[k], err = ensemble.Dial(e.Node(leader%3+1).Address(), limit); err != nil {
			b.Fatal(err)
		}
		if err := clients[k].Create("/a", nil, limit); err != nil {
			b.Fatal(err)
		}
		for range 3000 { // until the servers' code is compiled
			if err := clients[k].Set("/a", make([]byte, 100), limit); err != nil {
				b.Fatal(err)
			}
		}
	}
	times := [2][]time.Duration{}
	for b.Loop() {
		for k, c := range clients {
			start := time.Now()
			if err := c.Set("/a", make([]byte, 100), limit); err != nil {
				b.Fatal(err)
			}
			times[k] = append(times[k], time.Since(start))
		}
	}
	for k, name := range []string{"direct", "links"} {
		slices.Sort(times[k])
		for q, of := range map[string]float64{"p50": 0.5, "p99": 0.99} {
			b.ReportMetric(float64(times[k][int(of*float64(len(times[k])-1))].Nanoseconds())/1000, name+"-"+q+"-µs")
		}
	}
}
