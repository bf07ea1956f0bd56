package etcdserver

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// TestRecord runs a cluster under load, and keeps the streams in the folder that MULTIGRAIN_RECORD
// names. The variables MULTIGRAIN_PUTS, MULTIGRAIN_CLIENTS and MULTIGRAIN_VERSION set the load.
func TestRecord(t *testing.T) {
	to, version := os.Getenv("MULTIGRAIN_RECORD"), os.Getenv("MULTIGRAIN_VERSION")
	if to == "" || version == "" {
		t.Skip("MULTIGRAIN_RECORD names no folder, or MULTIGRAIN_VERSION no version such as v3.6")
	}
	c := newCluster(t, version, 3)
	for i := range 3 {
		c.start(i, 3, "new")
	}
	c.await(0)
	began := time.Now()
	took := c.load(number("MULTIGRAIN_PUTS", 100), number("MULTIGRAIN_CLIENTS", 2))
	t.Logf("%d puts in %v", len(took), time.Since(began))
	c.stop()
	for i := range 3 {
		b, err := os.ReadFile(c.stream(i))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, filepath.Base(c.stream(i))), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// number returns the value of an environment variable.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// TestHealthy: a healthy cluster of each version has no alarm, and all that its members send in an
// order that is known is decided. On a busy machine a member may send before its streams stand.
func TestHealthy(t *testing.T) {
	for _, version := range []string{"v3.5", "v3.6", "v3.7"} {
		t.Run(version, func(t *testing.T) {
			if version != "v3.7" {
				slow(t)
			}
			c := newCluster(t, version, 3)
			for i := range 3 {
				c.start(i, 3, "new")
			}
			c.await(0)
			if took := c.load(60, 2); len(took) < 60 {
				t.Fatalf("%d of 60 writes came through", len(took))
			}
			c.stop()
			c.holds()
		})
	}
}

// slow skips a test that builds another server.
func slow(t *testing.T) {
	t.Helper()
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds a real server of another version; set MULTIGRAIN_SLOW=1")
	}
}

// faults skips a test of faults, which takes minutes.
func faults(t *testing.T) {
	t.Helper()
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it disturbs real servers for minutes; set MULTIGRAIN_SLOW=1")
	}
}

// TestKilled: a member that is killed and starts again has no alarm.
func TestKilled(t *testing.T) {
	faults(t)
	c := newCluster(t, "v3.6", 3)
	for i := range 3 {
		c.start(i, 3, "new")
	}
	c.await(0)
	for i := range 3 {
		c.load(20, 2)
		c.kill(i)
		c.await((i + 1) % 3)
		c.load(20, 2)
		c.start(i, 3, "new")
		c.await(i)
	}
	c.stop()
	c.noAlarm()
}

// TestHeld: a member whose traffic is held back, and one that is disconnected, have no alarm.
func TestHeld(t *testing.T) {
	faults(t)
	c := newCluster(t, "v3.6", 3)
	for i := range 3 {
		c.start(i, 3, "new")
	}
	c.await(0)
	for i := range 3 {
		c.links[i].Hold()
		c.load(20, 2)
		c.links[i].Release()
		c.await(i)
		c.links[(i+1)%3].Cut()
		c.load(20, 2)
		c.links[(i+1)%3].Heal()
		c.await((i + 1) % 3)
	}
	c.stop()
	c.noAlarm()
}

// noAlarm fails where a stream has an alarm. After a connection was lost a part may be undecided.
func (c *cluster) noAlarm() { c.judge(false) }

// holds fails where a stream has an alarm, or something undecided that its member has sent in an
// order that is known.
func (c *cluster) holds() { c.judge(true) }

func (c *cluster) judge(all bool) {
	c.t.Helper()
	x := assemble(c.t, c.version)
	for i := range c.procs {
		b, err := os.ReadFile(c.stream(i))
		if err != nil {
			c.t.Fatal(err)
		}
		r := x.check(c.t, i, b)
		c.t.Logf("node %d: %s, %d of %d decided, %d states at most; %s", i, r.verdict, r.stats.Decided, r.stats.Out, r.stats.MostState, r.reason)
		without := int64(unordered(b))
		if r.alarm != nil || all && r.stats.Undecided > without {
			c.t.Errorf("node %d: %s, %d undecided and %d sent without an order, %s", i, r.verdict, r.stats.Undecided, without, r.reason)
			if r.alarm != nil {
				c.t.Logf("%+v", r.alarm)
			}
			if to := os.Getenv("MULTIGRAIN_RECORD"); to != "" {
				_ = os.WriteFile(filepath.Join(to, filepath.Base(c.t.Name())+filepath.Base(c.stream(i))), b, 0o644)
			}
		}
	}
}

// unordered returns how many messages of a stream its member has sent in requests of their own.
func unordered(stream []byte) int {
	n := 0
	for line := range bytes.Lines(stream) {
		if bytes.HasPrefix(line, []byte(`{"stream":`)) && bytes.Contains(line, []byte(`"event":"out"`)) {
			n++
		}
	}
	return n
}
