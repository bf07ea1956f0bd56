package control

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/ensemble"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/observes"
)

// gated starts an ensemble after a prelude. All servers stand at Election.
func gated(t *testing.T, servers int) (*Ensemble, context.Context) {
	t.Helper()
	jars, err := Find(Places{}, "")
	if err != nil {
		t.Skip(err)
	}
	e, ctx := prepared(t, servers, jars, slices.DeleteFunc(AllPlaces(), func(p Place) bool {
		return slices.Contains([]Place{Opened, Save, Poll, Finalize, Connect, Send, Final, GiveUp}, p)
	})) // the tests release no thread at the other places
	check(t, e.Prelude(ctx))
	for _, n := range e.Nodes() {
		check(t, n.Start(ctx))
	}
	for _, n := range e.Nodes() {
		check(t, e.Await(ctx, func() (bool, error) { return e.Stands(n.ID, Election) }))
	}
	return e, ctx
}

// prepared is an ensemble whose threads stop at some places. No server runs yet.
func prepared(t *testing.T, servers int, jars *Jars, stops []Place) (*Ensemble, context.Context) {
	t.Helper()
	e, err := New(Options{Servers: servers, Jars: jars, Dir: t.TempDir(), Places: stops})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(func() {
		if t.Failed() {
			for _, n := range e.Nodes() {
				if n.Gates != nil {
					t.Logf("server %d:\n%s", n.ID, n.Stacks())
				}
				t.Logf("the last lines of server %d:\n%s", n.ID, n.LastLines(15))
			}
		}
		cancel()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e, ctx
}

// TestAnswer holds the sender of a LearnerHandler before it writes, and FinalRequestProcessor
// before it answers. No step of the specification ends at these places.
func TestAnswer(t *testing.T) {
	t.Parallel()
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real servers for seconds; set MULTIGRAIN_SLOW=1")
	}
	jars, err := Find(Places{}, "")
	if err != nil {
		t.Skip(err)
	}
	e, ctx := prepared(t, 3, jars, []Place{Election, Send, Final})
	for _, n := range e.Nodes() {
		check(t, n.Start(ctx))
	}
	for _, n := range e.Nodes() {
		check(t, e.Await(ctx, func() (bool, error) { return e.Stands(n.ID, Election) }))
	}
	check(t, e.Network.Open(true))
	for _, n := range e.Nodes() {
		check(t, n.Peer().Release())
	}
	var senders []*Stop
	var leader *Node
	check(t, e.Await(ctx, func() (bool, error) {
		for _, n := range e.Nodes() {
			if standing := n.Standing(Send); len(standing) > 0 {
				senders, leader = standing, n
			}
		}
		return len(senders) > 0, errOr(e.Nodes()...)
	}))
	if m := memoryOf(t, leader); m.State != "LEADING" || m.Serving == "RUNNING" {
		t.Errorf("the sender's server has %+v", m)
	}
	// From here on senders are released as soon as they stand. The leader serves then.
	answered := make(chan error, 1)
	asked := false
	check(t, e.Await(ctx, func() (bool, error) {
		for _, s := range leader.Standing(Send) {
			check(t, s.Release())
		}
		if !asked && leader.serves() {
			asked = true
			go func() {
				c, err := ensemble.Dial(leader.ClientAddress(), time.Minute)
				if err == nil {
					c.Close()
				}
				answered <- err
			}()
		}
		return len(leader.Standing(Final)) > 0, errOr(e.Nodes()...)
	}))
	select {
	case err := <-answered:
		t.Fatalf("the client has its session before FinalRequestProcessor has answered: %v", err)
	default:
	}
	check(t, leader.OpenAll())
	check(t, <-answered)
}

// TestFixed reads the fields of servers that the analysis of changes takes to be fixed.
func TestFixed(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real servers for seconds; set MULTIGRAIN_SLOW=1")
	}
	jars, err := Find(Places{}, "3.9.1")
	if err != nil {
		t.Skip(err)
	}
	e, ctx := prepared(t, 3, jars, []Place{Election})
	for _, n := range e.Nodes() {
		check(t, n.Start(ctx))
	}
	for _, n := range e.Nodes() {
		check(t, e.Await(ctx, func() (bool, error) { return e.Stands(n.ID, Election) }))
		fixedIn(t, n)
	}
}

// fixedIn compares a server's QuorumPeer with what the analysis of changes takes to be fixed.
func fixedIn(t *testing.T, n *Node) {
	t.Helper()
	check(t, n.vm.Freeze())
	defer n.vm.Thaw()
	seen := 0
	for place, is := range observes.Of(nil).Fixed {
		if _, setting, is := strings.Cut(place, ".parseProperties equals "); is && strings.Contains("\n"+n.config(), "\n"+setting+"=") {
			t.Errorf("a server has the setting %s", setting)
		}
		field, peer := strings.CutPrefix(place, observes.Root+"server.quorum.QuorumPeer.")
		if !peer {
			continue
		}
		seen++
		r := fields{at: n.Gates.peer}
		o, err := r.value(r.at, field).Object()
		if is.There {
			if check(t, r.err); err != nil || o.IsNull() {
				t.Errorf("%s is null, %v", field, err)
			}
			continue
		}
		if err == nil && !o.IsNull() { // an atomic object
			field += ".value"
		}
		got := int(r.int(field))
		if r.err != nil { // a truth value
			r.err = nil
			if got = 0; r.bool(field) {
				got = 1
			}
		}
		if r.err != nil || !slices.Contains(is.Only, got) {
			t.Errorf("%s is %d, %v, and none of %v", field, got, r.err, is.Only)
		}
	}
	if seen < 3 {
		t.Errorf("only %d fields were compared", seen)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestHold elects a leader and takes one follower through NEWLEADER, until its QuorumPeer stands
// after it has accepted the epoch. The epoch is on its disk, and nothing is logged yet. Then the
// test kills that follower and starts it again. The epoch is still there.
func TestHold(t *testing.T) {
	t.Parallel()
	e, ctx := gated(t, 3)
	votes, err := e.Elect(ctx, 3, []int{1, 2, 3}, []int{1, 2, 3})
	check(t, err)
	if len(votes) != 3 || votes[1].Leader != 1 || votes[3].Zxid != votes[2].Zxid {
		t.Errorf("the servers begin with the votes %+v", votes)
	}
	leader, follower := e.Node(3), e.Node(1)
	m := memoryOf(t, leader)
	if m.State != "LEADING" || m.Phase != "SYNCHRONIZATION" || len(m.Leader.Unsynced) != 2 || m.Leader.Unsynced[1] != Zxid(1, 1) {
		t.Fatalf("the leader has %+v, %+v", m, m.Leader)
	}
	if !slices.Equal(m.Leader.Electing, []int{1, 3}) || !slices.Equal(m.Leader.Acked, []int{3}) {
		t.Errorf("the leader counts %v and %v; want 1 and 3, and itself", m.Leader.Electing, m.Leader.Acked)
	}
	h, err := leader.Handler(1, Sync)
	check(t, err)
	check(t, h.Release())
	check(t, e.await(ctx, 3, 1, zookeeper.DIFF))
	check(t, e.Await(ctx, func() (bool, error) { return len(e.Network.Kept(3, 1)) == 2, nil }))
	for _, next := range []Place{Read, Snapshot, Epoch} {
		if next != Epoch {
			_, err := e.Network.Deliver(3, 1)
			check(t, err)
		}
		check(t, follower.Peer().Release())
		check(t, e.Await(ctx, func() (bool, error) { return e.Stands(1, next) }))
		if d := diskOf(t, follower); (d.CurrentEpoch == 2) != (next == Epoch) {
			t.Errorf("at %v the disk has %+v", next, d)
		}
	}
	if m := memoryOf(t, follower); m.State != "FOLLOWING" || m.Serving != "INITIAL" || !m.Processors {
		t.Errorf("the follower has %+v", m)
	}
	if len(e.Network.Kept(1, 3)) != 0 {
		t.Errorf("the follower has sent %v", e.Network.Kept(1, 3))
	}
	if text := follower.Stacks(); !strings.Contains(text, "syncWithLeader") {
		t.Errorf("the stacks do not show where it stands:\n%s", text)
	}
	follower.Kill()
	check(t, follower.Start(ctx))
	check(t, e.Await(ctx, func() (bool, error) { return e.Stands(1, Election) }))
	if d := diskOf(t, follower); d.CurrentEpoch != 2 || !slices.Equal(d.History, []Txn{{Zxid(1, 1), PreludePath}}) {
		t.Errorf("after a restart the disk has %+v", d)
	}
	if _, err := e.Network.Deliver(3, 1); err == nil {
		t.Error("a packet of a connection that has ended is delivered")
	}
	torn(t, leader)
}

// torn reads every prefix of a server's log and newest snapshot, as a crash can leave them. Of a
// log the whole records count. A snapshot that is not whole does not count.
func torn(t *testing.T, n *Node) {
	t.Helper()
	dir := filepath.Join(n.data(), "version-2")
	logs, err := numbered(dir, "log.")
	check(t, err)
	snapshots, err := numbered(dir, "snapshot.")
	check(t, err)
	if len(logs) == 0 || len(snapshots) == 0 {
		t.Fatalf("the server has %d logs and %d snapshots", len(logs), len(snapshots))
	}
	path := filepath.Join(t.TempDir(), "torn")
	prefixes := func(file string, limit int, read func(size int, whole bool)) {
		b, err := os.ReadFile(file)
		check(t, err)
		b = b[:min(len(b), limit)]
		for size := 0; size <= len(b); size++ {
			check(t, os.WriteFile(path, b[:size], 0o644))
			read(size, size == len(b))
		}
	}
	want, err := readLog(logs[0].path)
	check(t, err)
	prefixes(logs[0].path, 400, func(size int, whole bool) {
		got, err := readLog(path)
		if err != nil || len(got) > len(want) || !slices.Equal(got, want[:len(got)]) || whole && len(got) != len(want) {
			t.Fatalf("%d bytes of a log are %v, %v; the log has %v", size, got, err, want)
		}
	})
	last := snapshots[len(snapshots)-1].path
	prefixes(last, 1<<20, func(size int, all bool) {
		got, whole, err := readSnapshot(path)
		if err != nil || all && (!whole || !slices.Equal(got, []Txn{{Zxid(1, 1), PreludePath}})) || size < 100 && whole {
			t.Fatalf("%d bytes of a snapshot are %v, whole: %t, %v", size, got, whole, err)
		}
	})
}

func memoryOf(t *testing.T, n *Node) Memory {
	t.Helper()
	m, err := n.Memory()
	check(t, err)
	return m
}

func diskOf(t *testing.T, n *Node) Disk {
	t.Helper()
	d, err := n.Disk()
	check(t, err)
	return d
}

// TestNothingLeft starts servers in another process and kills it: the servers, their ports and the
// folder are gone soon after.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	if _, err := Find(Places{}, ""); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelperServers$", "-test.v")
	cmd.Env = append(os.Environ(), "MULTIGRAIN_TEST_SERVERS="+t.TempDir())
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	var pids []int
	var ports []string
	folder := ""
	for in := bufio.NewScanner(out); in.Scan(); {
		words := strings.Fields(in.Text())
		if len(words) == 2 && words[0] == "pid" {
			pid, err := strconv.Atoi(words[1])
			check(t, err)
			pids = append(pids, pid)
		}
		if len(words) == 2 && words[0] == "port" {
			ports = append(ports, words[1])
		}
		if len(words) == 2 && words[0] == "folder" {
			folder = words[1]
			break
		}
	}
	taken := func() int { return len(slices.DeleteFunc(slices.Clone(ports), listenable)) }
	if len(pids) != 2 || !exists(folder) || !runs(pids[0]) || !runs(pids[1]) || len(ports) != 4 || taken() != 4 {
		t.Fatalf("the other process has started %v in %q, and of its ports %v %d are taken", pids, folder, ports, taken())
	}
	check(t, cmd.Process.Kill())
	cmd.Wait()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		left := slices.DeleteFunc(slices.Clone(pids), func(pid int) bool { return !runs(pid) })
		if len(left) == 0 && !exists(folder) && taken() == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("processes %v are left, folder %s: %t, %d ports of %v", left, folder, exists(folder), taken(), ports)
		}
	}
}

// listenable reports whether nobody listens on a port of this machine's loopback interface.
func listenable(port string) bool {
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		return false
	}
	l.Close()
	return true
}

// runs reports whether a process exists and has not ended.
func runs(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// TestHelperServers is the other process of TestNothingLeft.
func TestHelperServers(t *testing.T) {
	dir := os.Getenv("MULTIGRAIN_TEST_SERVERS")
	if dir == "" {
		t.Skip("it is a part of TestNothingLeft")
	}
	jars, err := Find(Places{}, "")
	check(t, err)
	e, err := New(Options{Servers: 2, Jars: jars, Dir: dir})
	check(t, err)
	for _, n := range e.Nodes() {
		check(t, n.Start(t.Context()))
		fmt.Println("pid", n.PID())
	}
	for _, n := range e.Nodes() { // each has reached its election when its port for it is open
		port := fmt.Sprint(n.peer[zookeeper.ElectionPort])
		check(t, e.Await(t.Context(), func() (bool, error) { return !listenable(port), n.Err() }))
		fmt.Println("port", port)
	}
	for _, kind := range []zookeeper.Port{zookeeper.QuorumPort, zookeeper.ElectionPort} {
		fmt.Println("port", e.Network.port(kind, 1, 2))
	}
	fmt.Println("folder", e.Folder())
	time.Sleep(5 * time.Minute)
}

// TestUnresolved starts a server whose table has a point that no class has: the server cannot be
// held, and the error names the point.
func TestUnresolved(t *testing.T) {
	t.Parallel()
	jars, err := Find(Places{}, "")
	if err != nil {
		t.Skip(err)
	}
	e, err := New(Options{Servers: 3, Jars: jars, Dir: t.TempDir()})
	check(t, err)
	defer e.Close()
	e.points = append(slices.Clone(e.points), &Point{Place: Epoch, Class: "quorum.QuorumPeer", Method: "run", Site: Site{Kind: AfterCall, Target: "noSuchMethod"}})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	check(t, e.Node(1).Start(ctx))
	err = e.Await(ctx, func() (bool, error) { return false, e.Node(1).Err() })
	if err == nil || !strings.Contains(err.Error(), `point "epoch" (quorum.QuorumPeer.run)`) || !strings.Contains(err.Error(), "noSuchMethod") {
		t.Errorf("the error is %v", err)
	}
}
