package etcdserver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestLatency measures what requests take with a tap and without one. It has two clusters. One has
// the program multigrain tap etcd between its members. Clients ask one of them at a time,
// in windows that take turns, so that what else the machine does falls on both. Each third window
// has no tap again: it says by how much equal windows differ.
//
// MULTIGRAIN_PAIRS is the number of windows of each kind. MULTIGRAIN_SECONDS (2) is how long one
// is, MULTIGRAIN_SERVERS (3) the members of a cluster. MULTIGRAIN_CLIENTS (120) ask, and pause
// MULTIGRAIN_PAUSE (0) milliseconds on average between two requests.
func TestLatency(t *testing.T) {
	pairs, n := number("MULTIGRAIN_PAIRS", 0), number("MULTIGRAIN_SERVERS", 3)
	if pairs == 0 {
		t.Skip("it measures for minutes; MULTIGRAIN_PAIRS sets how many windows")
	}
	clients := number("MULTIGRAIN_CLIENTS", 120)
	pause := time.Duration(number("MULTIGRAIN_PAUSE", 0)) * time.Millisecond
	window := time.Duration(number("MULTIGRAIN_SECONDS", 2)) * time.Second
	plain, tapped := plainCluster(t, "v3.6", n), plainCluster(t, "v3.6", n)
	end, _ := tapped.tapped("")
	for _, c := range []*cluster{plain, tapped} {
		for i := range n {
			c.start(i, n, "new")
		}
		c.await(0)
		c.ask(clients, pause, time.Second)
	}
	of := [3]*cluster{plain, tapped, plain}
	var took [3][]time.Duration
	for k := range 3 * pairs {
		kind := k % 3
		if k/3%2 == 1 {
			kind = 2 - kind // forth and back: a drift falls on all
		}
		took[kind] = append(took[kind], of[kind].ask(clients, pause, window)...)
	}
	tapped.stop()
	end()
	t.Logf("%d members, %d clients that pause for %v, %d windows of %v of each kind", n, clients, pause, pairs, window)
	for kind, name := range []string{"without a tap", "with a tap", "without again"} {
		t.Logf("%s: %d requests, %.0f a second, p50 %v, p99 %v, p99.9 %v", name, len(took[kind]), float64(len(took[kind]))/(float64(pairs)*window.Seconds()),
			quantile(took[kind], 0.5), quantile(took[kind], 0.99), quantile(took[kind], 0.999))
	}
	both := slices.Concat(took[0], took[2])
	for _, q := range []float64{0.5, 0.99, 0.999} {
		t.Logf("p%g: with a tap %+.1f %%; without again %+.1f %% of without", 100*q, 100*(quantile(took[1], q).Seconds()/quantile(both, q).Seconds()-1),
			100*(quantile(took[2], q).Seconds()/quantile(took[0], q).Seconds()-1))
	}
	for i := range n {
		if len(recordOf(t, tapped, i)) < len(took[1]) {
			t.Errorf("the tap has written %d bytes of member %d for %d requests", len(recordOf(t, tapped, i)), i, len(took[1]))
		}
	}
}

// ask lets clients put values for some time, and returns what the requests took that came through.
func (c *cluster) ask(clients int, pause, lasts time.Duration) (took []time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	end := time.Now().Add(lasts)
	for k := range clients {
		all.Go(func() {
			var own []time.Duration
			for x := k; time.Now().Before(end); x++ {
				began := time.Now()
				if err := c.put(x%len(c.procs), fmt.Sprint("k", k), fmt.Sprint("v", x), 5*time.Second); err == nil {
					own = append(own, time.Since(began))
				}
				if pause > 0 {
					time.Sleep(time.Duration(rand.ExpFloat64() * float64(pause)))
				}
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, own...)
		})
	}
	all.Wait()
	return took
}

// quantile returns a quantile, 0 of no requests.
func quantile(took []time.Duration, q float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	took = slices.Sorted(slices.Values(took))
	return took[min(int(q*float64(len(took))), len(took)-1)].Round(time.Microsecond)
}
