package ensemble_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/ensemble"
)

// TestComesBack has a follower join a busy ensemble again and again. Where a COMMIT follows
// NEWLEADER whose proposal came before, the follower throws (ZOOKEEPER-4394), looks for a leader
// and joins again, often several times in a row. The monitor explains every message of every
// server. MULTIGRAIN_PACKETS says how many events are recorded.
func TestComesBack(t *testing.T) {
	needServers(t)
	packets := int64(40_000)
	if n, err := strconv.ParseInt(os.Getenv("MULTIGRAIN_PACKETS"), 10, 64); err == nil {
		packets = n
	}
	seed := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("MULTIGRAIN_SEED"), 10, 64); err == nil {
		seed = n
	}
	r := record(t, ensemble.Options{})
	for k := range 12 {
		r.write(k%3+1, k)
	}
	rnd := rand.New(rand.NewPCG(7, seed))
	i := other(rnd, r.leader())
	joins := 0
	for ; r.packets.Load() < packets; joins++ {
		if l := r.leader(); i == l {
			i = other(rnd, l)
		}
		if joins%2 == 0 {
			r.Node(i).Kill()
			r.await(r.packets.Load() + int64(rnd.IntN(400)))
			r.restart(i)
		} else {
			r.Isolate(i)
			r.await(r.packets.Load() + int64(rnd.IntN(400)))
			r.Rejoin(i)
		}
		r.await(min(packets, r.packets.Load()+int64(rnd.IntN(1500))))
		time.Sleep(time.Duration(rnd.IntN(50)) * time.Millisecond)
	}
	events := r.finish()
	thrown := 0
	for i := 1; i <= 3; i++ {
		log, err := os.ReadFile(r.Node(i).Log())
		if err != nil {
			t.Fatal(err)
		}
		n := bytes.Count(log, []byte("java.lang.NullPointerException"))
		t.Logf("server %d threw %d times, and had an empty log file %d times", i, n, r.Node(i).Emptied)
		thrown += n
		if os.Getenv("MULTIGRAIN_STREAMS") != "" {
			os.WriteFile(os.Getenv("MULTIGRAIN_STREAMS")+"/log"+strconv.Itoa(i), log, 0o644)
		}
	}
	t.Logf("%d events, %d writes, %d joins, %d exceptions", len(events), r.writes.Load(), joins, thrown)
	if thrown == 0 {
		t.Error("no follower threw: ZOOKEEPER-4394 did not happen")
	}
	j := newJudge(t)
	for node := range 3 {
		j.judge(t, "back", node, events)
	}
}
