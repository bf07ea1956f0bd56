package etcdserver

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRecord runs a cluster under load, and keeps the streams in the folder that MULTIGRAIN_RECORD
// names. It prints how fast the members sent messages and how fast monitors, one after the other
// and with one processor each, judge them. The variables MULTIGRAIN_PUTS, MULTIGRAIN_CLIENTS,
// MULTIGRAIN_SERVERS and MULTIGRAIN_VERSION set the load. MULTIGRAIN_JUDGE=no leaves out the
// monitors.
func TestRecord(t *testing.T) {
	to, version := os.Getenv("MULTIGRAIN_RECORD"), os.Getenv("MULTIGRAIN_VERSION")
	if to == "" || version == "" {
		t.Skip("MULTIGRAIN_RECORD names no folder, or MULTIGRAIN_VERSION no version such as v3.6")
	}
	n := number("MULTIGRAIN_SERVERS", 3)
	c := newCluster(t, version, n)
	for i := range n {
		c.start(i, n, "new")
	}
	c.await(0)
	began := time.Now()
	took := c.load(number("MULTIGRAIN_PUTS", 100), number("MULTIGRAIN_CLIENTS", 2))
	lasted := time.Since(began)
	t.Logf("%d puts in %v", len(took), lasted)
	c.stop()
	for i := range n {
		if err := os.WriteFile(filepath.Join(to, filepath.Base(c.stream(i))), recordOf(t, c, i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if os.Getenv("MULTIGRAIN_JUDGE") == "no" {
		return
	}
	x := assembleFor(t, version, n)
	t.Setenv("GOMAXPROCS", "1") // of the monitors
	for i := range n {
		before, _ := ofChildren()
		began := time.Now()
		r := x.check(t, i, recordOf(t, c, i))
		judged := time.Since(began)
		after, memory := ofChildren()
		t.Logf("node %d: %s %s; %d sent, %d received, %d decided; %.2f states, %.1f explored for a message, %d at most", i, r.verdict, r.reason, r.stats.Out, r.stats.In, r.stats.Decided,
			float64(r.stats.SumStates)/float64(max(r.stats.Decided, 1)), float64(r.stats.Explored)/float64(max(r.stats.Out, 1)), r.stats.Largest)
		t.Logf("node %d: sent in %v by %v of a processor, judged in %v by %v: %.1f times as fast, %.1f times by processors; %d MiB at most",
			i, lasted, c.used[i], judged, after-before, lasted.Seconds()/judged.Seconds(), c.used[i].Seconds()/(after-before).Seconds(), memory>>20)
		if r.alarm != nil {
			t.Errorf("node %d: %+v", i, r.alarm)
		}
	}
}

// ofChildren returns the time of processors that processes of the test have had which have ended,
// and the memory of the largest one in bytes.
func ofChildren() (time.Duration, int64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), u.Maxrss << 10
}

// recordOf returns the stream of a member.
func recordOf(t testing.TB, c *cluster, i int) []byte {
	t.Helper()
	b, err := os.ReadFile(c.stream(i))
	if err != nil {
		t.Fatal(err)
	}
	return b
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

// TestTapAgain: a tap that ends, or is killed, and starts again next to running members raises no
// alarm. What was sent before is judged, also where it is wrong. What is sent later is undecided
// with that cause.
func TestTapAgain(t *testing.T) {
	faults(t)
	for _, how := range []string{"ends", "is killed"} {
		t.Run(how, func(t *testing.T) {
			c := plainCluster(t, "v3.6", 3)
			end, kill := c.tapped(".1")
			for i := range 3 {
				c.start(i, 3, "new")
			}
			c.await(0)
			c.load(60, 2)
			time.Sleep(200 * time.Millisecond) // the tap writes each 10 ms
			if how == "ends" {
				end()
			} else {
				kill()
			}
			end, _ = c.tapped(".2")
			c.await(1)
			c.load(60, 2)
			c.stop()
			end()
			x := assemble(t, c.version)
			for i := range c.procs {
				first, err := os.ReadFile(c.stream(i) + ".1")
				if err != nil {
					t.Fatal(err)
				}
				second, err := os.ReadFile(c.stream(i) + ".2")
				if err != nil {
					t.Fatal(err)
				}
				r := x.check(t, i, slices.Concat(first, second))
				t.Logf("node %d: %s %s, %d sent, %d decided, %+v", i, r.verdict, r.reason, r.stats.Out, r.stats.Decided, r.stats.Causes)
				sent := int64(bytes.Count(first, []byte(`"event":"out"`)))
				again := false
				for _, x := range r.stats.Causes {
					again = again || strings.Contains(x.Cause, "the tap began next to a member that ran already")
				}
				if r.alarm != nil || r.stats.Decided < sent*9/10 || r.stats.Decided == r.stats.Out || !again {
					t.Errorf("node %d: %s, %d of %d decided, %d sent before; %+v", i, r.verdict, r.stats.Decided, r.stats.Out, sent, r.stats.Causes)
				}
				lines := bytes.Split(bytes.TrimSpace(first), []byte("\n"))
				if find(lines, `"event":"out"`, `"Kind":"MsgAppResp"`, 20) < 0 {
					continue // it leads
				}
				lines = edit(t, lines, `"event":"out"`, `"Kind":"MsgAppResp"`, 20, func(m map[string]any) { m["Index"] = m["Index"].(float64) + 50 })
				if r := x.check(t, i, slices.Concat(bytes.Join(lines, []byte("\n")), []byte("\n"), second)); r.alarm == nil {
					t.Errorf("node %d: %s %s, and a changed message must be an alarm", i, r.verdict, r.reason)
				}
			}
		})
	}
}

// noAlarm fails where a stream has an alarm. After a connection was lost a part may be undecided.
func (c *cluster) noAlarm() { c.judge(false) }

// holds fails where a stream has an alarm, or something undecided that its member has sent in an
// order that is known.
func (c *cluster) holds() { c.judge(true) }

func (c *cluster) judge(all bool) {
	c.t.Helper()
	x := assembleFor(c.t, c.version, len(c.procs))
	for i := range c.procs {
		b := recordOf(c.t, c, i)
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
