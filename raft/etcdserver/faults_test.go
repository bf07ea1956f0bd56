package etcdserver

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestFaults runs clusters under load while members are killed, paused and disconnected. No stream
// has an alarm. The variables MULTIGRAIN_RUNS, MULTIGRAIN_SEED and MULTIGRAIN_VERSION choose the
// runs, and MULTIGRAIN_RECORD names a folder for the streams of all runs.
func TestFaults(t *testing.T) {
	faults(t)
	versions := []string{"v3.5", "v3.6", "v3.7"}
	if v := os.Getenv("MULTIGRAIN_VERSION"); v != "" {
		versions = []string{v}
	}
	for _, version := range versions {
		for k := range number("MULTIGRAIN_RUNS", 1) {
			seed := number("MULTIGRAIN_SEED", 1) + k
			t.Run(fmt.Sprint(version, "-", seed), func(t *testing.T) {
				c := newCluster(t, version, 3)
				c.disturb(rand.New(rand.NewPCG(uint64(seed), 1)))
				c.stop()
				if to := os.Getenv("MULTIGRAIN_RECORD"); to != "" {
					c.save(filepath.Join(to, filepath.Base(t.Name())))
				}
				if os.Getenv("MULTIGRAIN_JUDGE") != "no" {
					c.noAlarm()
				}
			})
		}
	}
}

// disturb runs three members with clients, and faults one after the other.
func (c *cluster) disturb(rng *rand.Rand) {
	for i := range 3 {
		c.start(i, 3, "new")
	}
	c.await(0)
	over := make(chan struct{})
	var clients sync.WaitGroup
	for k := range 3 {
		clients.Go(func() {
			for x := 0; ; x++ {
				select {
				case <-over:
					return
				case <-time.After(20 * time.Millisecond):
					// some fail
					_ = c.put(k, fmt.Sprint("k", x%100), fmt.Sprint("v", k, x), time.Second)
				}
			}
		})
	}
	for range 6 {
		i := rng.IntN(3)
		wait := time.Duration(300+rng.IntN(2200)) * time.Millisecond
		switch kind := rng.IntN(5); kind {
		case 0, 1:
			c.t.Logf("kill %d", i)
			c.kill(i)
			time.Sleep(wait)
			c.start(i, 3, "new")
		case 2:
			c.t.Logf("pause %d for %v", i, wait)
			_ = c.procs[i].Process.Signal(syscall.SIGSTOP)
			time.Sleep(wait)
			_ = c.procs[i].Process.Signal(syscall.SIGCONT)
		case 3:
			c.t.Logf("cut link %d for %v", i, wait)
			c.links[i].Cut()
			time.Sleep(wait)
			c.links[i].Heal()
		case 4:
			c.t.Logf("cut link %d and another", i)
			c.links[i].Cut()
			c.links[(i+1)%3].Cut()
			time.Sleep(wait)
			c.links[i].Heal()
			c.links[(i+1)%3].Heal()
		}
		time.Sleep(time.Duration(rng.IntN(1500)) * time.Millisecond)
		c.await((i + 1) % 3)
	}
	close(over)
	clients.Wait()
}

// save keeps the streams in a folder.
func (c *cluster) save(dir string) {
	c.t.Helper()
	err := os.MkdirAll(dir, 0o755)
	for i := range c.procs {
		b, bad := os.ReadFile(c.stream(i))
		if err == nil {
			err = bad
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(c.stream(i))), b, 0o644)
		}
	}
	if err != nil {
		c.t.Fatal(err)
	}
	if c.raw != nil {
		c.raw.save(c.t, filepath.Join(dir, "events.gob"))
	}
}
