package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// play is the part of a process in a test of faults.
func play(role string) error {
	store, port := os.Getenv("QUEUE_STORE"), os.Getenv("QUEUE_PORT")
	if role == "server" {
		number, err := strconv.Atoi(port)
		if err != nil {
			return err
		}
		opts := &server.Options{Host: hostName(), Port: number, JetStream: true, StoreDir: store, NoSigs: true, NoLog: true}
		if routes := os.Getenv("QUEUE_ROUTES"); routes != "" {
			opts.ServerName = os.Getenv("QUEUE_NAME")
			opts.Routes = server.RoutesFromStr(routes)
			opts.Cluster.Name, opts.Cluster.Host = "queue", "127.0.0.1"
			if opts.Cluster.Port, err = strconv.Atoi(os.Getenv("QUEUE_CLUSTER")); err != nil {
				return err
			}
		}
		s, err := server.NewServer(opts)
		if err != nil {
			return err
		}
		s.Start()
		s.WaitForShutdown()
		return nil
	}
	url := os.Getenv("QUEUE_URL")
	if url == "" {
		url = "nats://" + hostName() + ":" + port
	}
	patience := time.Minute
	if d, err := time.ParseDuration(os.Getenv("QUEUE_PATIENCE")); err == nil {
		patience = d
	}
	c, err := Access{URL: url, Patience: patience}.Dial()
	if err != nil {
		return err
	}
	if n, err := strconv.Atoi(os.Getenv("QUEUE_REPLICAS")); err == nil {
		c.Replicas = n
	}
	ctx := context.Background()
	if role == "coordinator" {
		n, err := strconv.Atoi(os.Getenv("QUEUE_JOBS"))
		if err != nil {
			return err
		}
		r, err := c.Submit(ctx, Record{ID: "squares", Sources: "none", Jobs: n}, squares(n), nil)
		if err != nil {
			return err
		}
		go func() { _ = r.Coordinating(ctx, fmt.Sprintf("c%d", os.Getpid()), splitNumbers, joinNumbers) }()
		if err := r.Wait(ctx, func(int) {}); err != nil {
			return err
		}
		text, err := r.Result(ctx)
		os.Stdout.Write(text)
		return err
	}
	name := fmt.Sprintf("w%d", os.Getpid())
	go func() { // any worker may coordinate
		for {
			if r, err := c.Find(ctx, "squares"); err == nil {
				_ = r.Coordinating(ctx, name, splitNumbers, joinNumbers)
			}
			time.Sleep(Beat)
		}
	}()
	work(ctx, c, "squares", name, func(_ context.Context, job []byte) Done {
		time.Sleep(40 * time.Millisecond)
		f, err := os.OpenFile(filepath.Join(store, "..", "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return Done{Failed: err.Error()}
		}
		defer f.Close()
		fmt.Fprintf(f, "%s %s\n", job, name)
		return Done{Result: square(job)}
	})
	return nil
}

// hostName is the address of the server.
func hostName() string {
	if h := os.Getenv("QUEUE_HOST"); h != "" {
		return h
	}
	return "127.0.0.1"
}

// crew are the processes of a test of faults.
type crew struct {
	t       *testing.T
	environ []string
}

func newCrew(t *testing.T, jobs int) *crew {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	store := filepath.Join(t.TempDir(), "store")
	return &crew{t, append(os.Environ(), "QUEUE_STORE="+store, "QUEUE_PORT="+port, "QUEUE_JOBS="+strconv.Itoa(jobs))}
}

// process is one of them.
type process struct {
	*exec.Cmd
	out, errs *bytes.Buffer
	ended     chan struct{}
	err       error
}

// start starts a process with more variables of the environment.
func (c *crew) start(role string, environ ...string) *process {
	c.t.Helper()
	return c.startIn(nil, role, environ...)
}

// startIn starts a process by another command.
func (c *crew) startIn(by []string, role string, environ ...string) *process {
	c.t.Helper()
	by = append(by, os.Args[0])
	p := &process{Cmd: exec.Command(by[0], by[1:]...), out: new(bytes.Buffer), errs: new(bytes.Buffer), ended: make(chan struct{})}
	p.Env = slices.Concat(c.environ, environ, []string{"QUEUE_ROLE=" + role})
	p.Stdout, p.Stderr = p.out, p.errs
	if err := p.Start(); err != nil {
		c.t.Fatal(err)
	}
	go func() { p.err = p.Wait(); close(p.ended) }()
	c.t.Cleanup(p.kill)
	if role == "server" {
		time.Sleep(300 * time.Millisecond)
	}
	return p
}

// kill ends a process as kill -9 does, and waits for its end.
func (p *process) kill() {
	_ = p.Process.Kill()
	<-p.ended
}

// store returns the folder of the server's files.
func (c *crew) store() string { return c.variable("QUEUE_STORE") }

// log returns how many times each job was done.
func (c *crew) log() map[string]int {
	text, err := os.ReadFile(filepath.Join(c.store(), "..", "log"))
	if err != nil {
		c.t.Fatal(err)
	}
	all := map[string]int{}
	for line := range strings.Lines(string(text)) {
		all[strings.Fields(line)[0]]++
	}
	return all
}

// TestKills kills workers, the coordinator and the server, and stops a worker for longer than
// Silence, where a system can do that. Each job is done and counts once: the document equals
// that of a run without faults.
func TestKills(t *testing.T) {
	t.Parallel()
	const jobs, kills = 150, 9
	c := newCrew(t, jobs)
	srv := c.start("server")
	coordinator := c.start("coordinator")
	workers := []*process{c.start("worker"), c.start("worker")}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	var asleep *process
	for k := range kills {
		select {
		case <-coordinator.ended: // the run was faster than the kills
			k = kills
		case <-time.After(time.Duration(200+random.IntN(500)) * time.Millisecond):
		}
		switch k % 3 {
		case 0:
			j := random.IntN(len(workers))
			workers[j].kill()
			workers[j] = c.start("worker")
		case 1:
			srv.kill()
			srv = c.start("server")
		case 2:
			coordinator.kill()
			coordinator = c.start("coordinator")
			if asleep == nil {
				asleep = workers[0]
				asleep.sleep(2 * Silence)
				workers = append(workers[1:], c.start("worker")) // a late joiner
			}
		}
	}
	select {
	case <-coordinator.ended:
	case <-time.After(3 * time.Minute):
		t.Fatal("the run does not end")
	}
	if coordinator.err != nil {
		t.Fatalf("%v\n%s", coordinator.err, coordinator.errs)
	}
	if got := coordinator.out.String(); got != document(jobs) {
		t.Errorf("seed %d: the document differs:\n%s", seed, got)
	}
	log := c.log()
	again := 0
	for _, n := range log {
		again += n - 1
	}
	if len(log) != jobs {
		t.Errorf("seed %d: %d jobs were done, want %d", seed, len(log), jobs)
	}
	t.Logf("%d jobs were done more than once, since their workers were taken for dead", again)
}

// TestTakeover: the coordinator dies for good, and the workers finish the run. A later
// coordinator gets the document.
func TestTakeover(t *testing.T) {
	t.Parallel()
	const jobs = 40
	c := newCrew(t, jobs)
	c.start("server")
	coordinator := c.start("coordinator")
	conn, err := func() (*Conn, error) {
		for {
			conn, err := Access{URL: "nats://127.0.0.1:" + c.port(), Patience: 10 * time.Second}.Dial()
			if err == nil {
				return conn, nil
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for { // it dies as soon as the run exists, which may be before all jobs are published
		if _, err := conn.Find(t.Context(), "squares"); err == nil {
			break
		} else if !errors.Is(err, ErrNoRun) {
			t.Log(err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	coordinator.kill()
	c.start("worker")
	deadline := time.Now().Add(time.Minute)
	for {
		r, err := conn.Find(t.Context(), "squares")
		if err == nil && r.Done {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("no worker finishes the run: %v", err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	again := c.start("coordinator")
	<-again.ended
	if got := again.out.String(); again.err != nil || got != document(jobs) {
		t.Errorf("%v %s\n%s", again.err, again.errs, got)
	}
}

func (c *crew) port() string { return c.variable("QUEUE_PORT") }

// variable returns the last value of a variable of the environment.
func (c *crew) variable(name string) (value string) {
	for _, e := range c.environ {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}
