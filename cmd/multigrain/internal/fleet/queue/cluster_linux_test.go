package queue

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slow skips a test that takes minutes.
func slow(t *testing.T) {
	t.Helper()
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it disturbs servers and workers for minutes; set MULTIGRAIN_SLOW=1")
	}
}

// run runs a command that needs the rights of root, and skips the test where it fails.
func run(t *testing.T, command ...string) {
	t.Helper()
	if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
		t.Skipf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
}

// ports returns free ports of loopback.
func ports(t *testing.T, n int) (out []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		out = append(out, port)
	}
	return out
}

// servers are the processes of a cluster of three.
type servers struct {
	crew *crew
	one  [3]*process
	env  [3][]string
}

// newServers starts a cluster of three servers on loopback for a crew.
func newServers(t *testing.T, c *crew) *servers {
	t.Helper()
	clients, routes := ports(t, 3), ports(t, 3)
	var urls, all []string
	for k := range 3 {
		urls = append(urls, "nats://127.0.0.1:"+clients[k])
		all = append(all, "nats://127.0.0.1:"+routes[k])
	}
	c.environ = append(c.environ, "QUEUE_URL="+strings.Join(urls, ","), "QUEUE_ROUTES="+strings.Join(all, ","), "QUEUE_REPLICAS=3")
	s := &servers{crew: c}
	for k := range 3 {
		s.env[k] = []string{"QUEUE_PORT=" + clients[k], "QUEUE_NAME=" + fmt.Sprint("n", k), "QUEUE_CLUSTER=" + routes[k], "QUEUE_STORE=" + filepath.Join(t.TempDir(), fmt.Sprint("n", k))}
		s.one[k] = c.start("server", s.env[k]...)
	}
	return s
}

// again kills a server as kill -9 does, and starts it again.
func (s *servers) again(k int) {
	s.one[k].kill()
	s.one[k] = s.crew.start("server", s.env[k]...)
}

// await waits until the workers have done a number of jobs.
func (c *crew) await(jobs int) {
	c.t.Helper()
	for range 1200 {
		text, _ := os.ReadFile(filepath.Join(c.store(), "..", "log"))
		if bytes.Count(text, []byte("\n")) >= jobs {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	c.t.Fatalf("%d jobs are not done in a minute", jobs)
}

// finished waits for the document of a run, and compares it with that of a run without faults.
func (c *crew) finished(coordinator *process, jobs int, within time.Duration) {
	c.t.Helper()
	select {
	case <-coordinator.ended:
	case <-time.After(within):
		c.t.Fatal("the run does not end")
	}
	if coordinator.err != nil {
		c.t.Fatalf("%v\n%s", coordinator.err, coordinator.errs)
	}
	if got := coordinator.out.String(); got != document(jobs) {
		c.t.Errorf("the document differs:\n%s", got)
	}
	if log := c.log(); len(log) != jobs {
		c.t.Errorf("%d jobs were done, want %d", len(log), jobs)
	}
}

// TestFortyKills: one run on a cluster of three servers, with forty random kills of workers,
// servers and coordinators. Each job is done and counts once.
func TestFortyKills(t *testing.T) {
	slow(t)
	const jobs, kills = 1200, 40
	c := newCrew(t, jobs)
	s := newServers(t, c)
	coordinator := c.start("coordinator")
	workers := []*process{c.start("worker"), c.start("worker"), c.start("worker")}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	count := map[string]int{}
	for range kills {
		select {
		case <-coordinator.ended:
			t.Fatalf("the run ended after %v of %d kills: %v %s", count, kills, coordinator.err, coordinator.errs)
		case <-time.After(time.Duration(300+random.IntN(900)) * time.Millisecond):
		}
		switch part := random.IntN(4); part {
		case 0, 1:
			k := random.IntN(len(workers))
			workers[k].kill()
			workers[k] = c.start("worker")
			count["worker"]++
		case 2:
			s.again(random.IntN(3))
			count["server"]++
		case 3:
			coordinator.kill()
			coordinator = c.start("coordinator")
			count["coordinator"]++
		}
	}
	c.finished(coordinator, jobs, 5*time.Minute)
	t.Logf("kills: %v", count)
}

// TestPartition: a worker in a network of its own is alone for longer than Silence, while it has a
// job. The job is done by another one. Later the worker takes part again.
func TestPartition(t *testing.T) {
	slow(t)
	const jobs = 400
	name := fmt.Sprintf("mg%d", os.Getpid())
	run(t, "ip", "netns", "add", name)
	t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", name).Run() })
	here, there := fmt.Sprintf("mgh%d", os.Getpid()%100000), fmt.Sprintf("mgt%d", os.Getpid()%100000)
	run(t, "ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
	t.Cleanup(func() { _ = exec.Command("ip", "link", "del", here).Run() })
	run(t, "ip", "addr", "add", "10.213.77.1/30", "dev", here)
	run(t, "ip", "link", "set", here, "up")
	run(t, "ip", "-n", name, "addr", "add", "10.213.77.2/30", "dev", there)
	run(t, "ip", "-n", name, "link", "set", there, "up")
	c := newCrew(t, jobs)
	c.environ = append(c.environ, "QUEUE_HOST=10.213.77.1")
	c.start("server")
	coordinator := c.start("coordinator")
	far := c.startIn([]string{"ip", "netns", "exec", name}, "worker")
	c.start("worker")
	done := func() (n int) { // jobs of the worker that is far
		text, _ := os.ReadFile(filepath.Join(c.store(), "..", "log"))
		return bytes.Count(text, fmt.Appendf(nil, " w%d\n", far.Process.Pid))
	}
	for range 600 {
		if done() > 3 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if done() == 0 {
		t.Fatalf("the worker in another network does no job\n%s", far.errs)
	}
	run(t, "ip", "link", "set", here, "down")
	time.Sleep(3 * Silence)
	before := done()
	run(t, "ip", "link", "set", here, "up")
	c.finished(coordinator, jobs, 3*time.Minute)
	if now := done(); now <= before {
		t.Errorf("the worker did %d jobs before the network was whole again, and %d in all", before, now)
	}
	t.Logf("%d jobs of the worker before the network was whole again, %d in all", before, done())
}

// TestFullDisk: the disk of the server is full. The run ends with an error that says so, or waits
// if it has patience. It continues when there is room and the server is started again, since
// JetStream ends on a full disk. No result is lost.
func TestFullDisk(t *testing.T) {
	slow(t)
	const jobs = 400
	disk := t.TempDir()
	run(t, "mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk)
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	c := newCrew(t, jobs)
	place := filepath.Join(disk, "store")
	srv := c.start("server", "QUEUE_STORE="+place)
	coordinator := c.start("coordinator")
	hasty := c.start("coordinator", "QUEUE_PATIENCE=2s")
	c.start("worker")
	c.start("worker")
	c.await(20)
	filler := filepath.Join(disk, "filler")
	f, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 1<<16)
	for size := len(block); size > 0; {
		if _, err := f.Write(block[:size]); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	select {
	case <-coordinator.ended:
		t.Errorf("the run ended although the disk was full: %v\n%s%s", coordinator.err, coordinator.out, coordinator.errs)
	case <-hasty.ended:
	case <-time.After(time.Minute):
		t.Error("a command without patience does not end")
	}
	if text := hasty.errs.String(); hasty.err == nil || !strings.Contains(text, "its disk is full") || hasty.out.Len() > 0 {
		t.Errorf("a command without patience ended with %v, %q", hasty.err, text)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	srv.kill()
	c.start("server", "QUEUE_STORE="+place)
	c.finished(coordinator, jobs, 3*time.Minute)
}

// TestClusterWithoutMajority: of three servers two are down, so nothing is acknowledged. When they
// are back the run continues.
func TestClusterWithoutMajority(t *testing.T) {
	slow(t)
	const jobs = 200
	c := newCrew(t, jobs)
	s := newServers(t, c)
	coordinator := c.start("coordinator")
	c.start("worker")
	c.await(10)
	s.one[0].kill()
	s.one[1].kill()
	select {
	case <-coordinator.ended:
		t.Errorf("the run ended without a majority of servers: %v\n%s%s", coordinator.err, coordinator.out, coordinator.errs)
	case <-time.After(2 * Silence):
	}
	s.one[0], s.one[1] = c.start("server", s.env[0]...), c.start("server", s.env[1]...)
	c.finished(coordinator, jobs, 3*time.Minute)
}
