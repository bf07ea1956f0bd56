package ensemble_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/ensemble"
)

// needServers skips a test that runs real servers where it cannot or should not.
func needServers(t testing.TB) {
	t.Helper()
	if os.Getenv("MULTIGRAIN_SLOW") != "1" {
		t.Skip("starts real ZooKeeper servers: set MULTIGRAIN_SLOW=1")
	}
	if m := ensemble.Missing(); m != "" {
		t.Skip("no ZooKeeper here: ", m)
	}
}

// limit bounds how long an ensemble may take to elect a leader, or to answer.
const limit = 30 * time.Second

// recording is an ensemble after links, with all of its events.
type recording struct {
	*ensemble.Ensemble
	t       testing.TB
	sink    *zookeeper.Sink
	events  []zookeeper.Event
	drained chan error
	packets atomic.Int64
	writers sync.WaitGroup
	writes  atomic.Int64
	pause   atomic.Bool // writers wait
	stop    chan struct{}
}

// record starts an ensemble after links and writers, which write until finish.
func record(t testing.TB, opt ensemble.Options) *recording {
	t.Helper()
	r := &recording{t: t, sink: zookeeper.NewSink(1 << 20), drained: make(chan error, 1), stop: make(chan struct{})}
	opt.Sink = r.sink
	e, err := ensemble.New(t.TempDir(), opt)
	if err != nil {
		t.Fatal(err)
	}
	r.Ensemble = e
	t.Cleanup(e.Close)
	go func() {
		r.drained <- r.sink.Drain(context.Background(), func(b []zookeeper.Event) error {
			r.events = append(r.events, b...)
			r.packets.Add(int64(len(b)))
			return nil
		})
	}()
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	r.leader()
	return r
}

// leader waits until all of ids, or all servers, follow one of them.
func (r *recording) leader(ids ...int) int {
	r.t.Helper()
	return settle(r.t, r.Ensemble, ids...)
}

// settle waits until all of ids, or all servers, follow one of them. ZooKeeper does not always come
// up by itself. A leader may take the ACK of a proposal for that of NEWLEADER (ZOOKEEPER-4685). It
// then waits for another one until initLimit, and the next leader may do the same. So servers that
// do not serve are killed and restarted after a while.
func settle(t testing.TB, e *ensemble.Ensemble, ids ...int) int {
	t.Helper()
	if len(ids) == 0 {
		ids = []int{1, 2, 3}
	}
	for try := 0; ; try++ {
		l, err := e.AwaitLeader(limit, ids...)
		switch {
		case err == nil:
			return l
		case try == 3:
			t.Fatal(err)
		}
		for _, i := range ids {
			if e.Node(i).Mode() != "" {
				continue
			}
			t.Logf("server %d does not serve and is restarted", i)
			e.Node(i).Kill()
			if err := e.Node(i).Start(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// write writes through server i, a session at a time, until finish.
func (r *recording) write(i, writer int) {
	r.writers.Go(func() {
		path := fmt.Sprint("/writer", writer)
		for k := 0; ; {
			select {
			case <-r.stop:
				return
			default:
			}
			c, err := ensemble.Dial(r.Node(i).Address(), 2*time.Second)
			if err != nil {
				time.Sleep(20 * time.Millisecond)
				continue
			}
			for ; ; k++ {
				select {
				case <-r.stop:
					c.Close()
					return
				default:
				}
				if r.pause.Load() {
					time.Sleep(time.Millisecond)
					continue
				}
				err := c.Set(path, fmt.Append(nil, i, k), 2*time.Second)
				if errors.Is(err, ensemble.NoNode) {
					err = c.Create(path, nil, 2*time.Second)
				}
				if err != nil {
					break
				}
				r.writes.Add(1)
			}
			c.Close()
		}
	})
}

// await waits until so many events have been recorded.
func (r *recording) await(events int64) {
	for end := time.Now().Add(2 * time.Minute); r.packets.Load() < events; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("%d events, want %d", r.packets.Load(), events)
		}
	}
}

// finish ends writers, servers and links, in this order, and returns all events.
func (r *recording) finish() []zookeeper.Event {
	r.t.Helper()
	close(r.stop)
	r.writers.Wait()
	r.Close()
	r.sink.Close()
	if err := <-r.drained; err != nil {
		r.t.Fatal(err)
	}
	if path := os.Getenv("MULTIGRAIN_RECORD"); path != "" {
		f, err := os.Create(path)
		if err != nil {
			r.t.Fatal(err)
		}
		defer f.Close()
		if err := zookeeper.WriteEvents(f, r.events); err != nil {
			r.t.Fatal(err)
		}
	}
	return r.events
}

// other is a server that is not i.
func other(rnd *rand.Rand, i int) int { return (i+rnd.IntN(2))%3 + 1 }

// faults are the disturbances of a running ensemble; each ends with all servers serving again.
var faults = []struct {
	name string
	do   func(r *recording, rnd *rand.Rand)
}{
	{"follower crashes", func(r *recording, rnd *rand.Rand) {
		i := other(rnd, r.leader())
		r.Node(i).Kill()
		r.await(r.packets.Load() + 500)
		r.restart(i)
	}},
	{"leader crashes", func(r *recording, rnd *rand.Rand) {
		i := r.leader()
		r.Node(i).Kill()
		r.leader(i%3+1, (i+1)%3+1)
		r.restart(i)
	}},
	{"follower is cut off", func(r *recording, rnd *rand.Rand) {
		i := other(rnd, r.leader())
		r.Isolate(i)
		r.await(r.packets.Load() + 500)
		r.Rejoin(i)
		r.leader()
	}},
	{"leader is cut off", func(r *recording, rnd *rand.Rand) {
		i := r.leader()
		r.Isolate(i)
		r.leader(i%3+1, (i+1)%3+1)
		r.Rejoin(i)
		r.leader()
	}},
	{"leader is cut off with a write of its own", func(r *recording, rnd *rand.Rand) {
		r.pause.Store(true)
		defer r.pause.Store(false)
		time.Sleep(50 * time.Millisecond)
		i := r.leader()
		c, err := ensemble.Dial(r.Node(i).Address(), limit)
		if err != nil {
			r.t.Fatal(err)
		}
		r.Isolate(i)
		// which it logs, and nobody else does
		c.Set("/writer0", []byte("lost"), 100*time.Millisecond)
		r.leader(i%3+1, (i+1)%3+1)
		r.Rejoin(i)
		r.leader()
	}},
	{"all crash", func(r *recording, rnd *rand.Rand) {
		for i := 1; i <= 3; i++ {
			r.Node(i).Kill()
		}
		for i := 1; i <= 3; i++ {
			r.restart(i)
		}
		r.leader()
	}},
	{"follower misses much", func(r *recording, rnd *rand.Rand) {
		i := other(rnd, r.leader())
		r.Node(i).Kill()
		r.await(r.packets.Load() + 6000)
		r.restart(i)
		r.leader()
	}},
}

func (r *recording) restart(i int) {
	r.t.Helper()
	if err := r.Node(i).Start(); err != nil {
		r.t.Fatal(err)
	}
}
