package sampling

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

//go:embed Host.java
var hostSource []byte

// BuildHost compiles the host of the servers against the jars of a version into a folder.
func BuildHost(ctx context.Context, jars *control.Jars, dir string) error {
	source := filepath.Join(dir, "Host.java")
	if err := os.WriteFile(source, hostSource, 0o644); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "javac", "-nowarn", "-proc:none", "-cp", strings.Join(jars.Path, ":"), "-d", dir, source).CombinedOutput()
	if err != nil {
		return fmt.Errorf("javac, which a JDK has, does not compile the host: %w: %s", err, out)
	}
	return nil
}

// flags keep the JVM of an ensemble small.
var flags = []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xms32m", "-Xmx192m", "-XX:-UsePerfData", "-Xshare:auto",
	"-Djava.net.preferIPv4Stack=true", "-Dzookeeper.admin.enableServer=false", "-Dzookeeper.jmx.log4j.disable=true",
	"-Dzookeeper.forceSync=no", "-Dzookeeper.preAllocSize=64", "-Dzookeeper.4lw.commands.whitelist=srvr",
	"-Dorg.slf4j.simpleLogger.showDateTime=true", "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS"}

// host is the JVM of an ensemble.
type host struct {
	process *exec.Cmd
	input   io.WriteCloser
	ended   chan struct{} // closed when the JVM has ended
	mu      sync.Mutex
	answers map[string]chan string // by server: the next answer to a command
	lost    map[int]string         // servers that have ended by themselves, and the reason
}

func startHost(jars *control.Jars, classes, log string) (*host, error) {
	args := append([]string{}, flags...)
	args = append(args, "-cp", strings.Join(append([]string{classes}, jars.Path...), ":"), "Host")
	h := &host{process: exec.Command("java", args...), ended: make(chan struct{}), answers: map[string]chan string{}, lost: map[int]string{}}
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	h.process.Stderr = file
	output, err := h.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if h.input, err = h.process.StdinPipe(); err != nil {
		return nil, err
	}
	if err := h.process.Start(); err != nil {
		return nil, err
	}
	go func() {
		in := bufio.NewScanner(output)
		for in.Scan() {
			h.hear(in.Text())
		}
		h.process.Wait()
		close(h.ended)
	}()
	return h, nil
}

// hear takes a line of the JVM's output.
func (h *host) hear(line string) {
	line, ours := strings.CutPrefix(line, "@")
	what, rest, _ := strings.Cut(line, " ")
	server, reason, _ := strings.Cut(rest, " ")
	if !ours {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch what {
	case "ended":
		var i int
		fmt.Sscan(server, &i)
		h.lost[i] = reason
	case "failed":
		h.answers[server] <- reason
	default:
		h.answers[server] <- ""
	}
}

// do sends a command about a server and waits for its answer.
func (h *host) do(ctx context.Context, command string, server int, file string) error {
	answer := make(chan string, 1)
	h.mu.Lock()
	h.answers[fmt.Sprint(server)] = answer
	h.mu.Unlock()
	if _, err := fmt.Fprintf(h.input, "%s %d %s\n", command, server, file); err != nil {
		return errHostEnded
	}
	select {
	case reason := <-answer:
		if reason != "" {
			return errors.New(reason)
		}
		return nil
	case <-h.ended:
		return errHostEnded
	case <-ctx.Done():
		return ctx.Err()
	}
}

var errHostEnded = errors.New("the JVM of the servers has ended by itself")

// end ends the JVM.
func (h *host) end() {
	h.process.Process.Kill()
	<-h.ended
}

// ensemble is a set of servers. Their identities are 1, 2, ...; here they are numbered from 0.
type ensemble struct {
	*Options
	dir     string
	classes string // the folder of the compiled host
	client  []int  // ports
	peer    [][2]int
	links   map[[2]int][]*zookeeper.Link // by pair; none with Stop
	host    *host
	runs    Set // servers that were started and not stopped
	up      Set // those of them that are known to have started whole
	used    time.Duration
}

// Ports are below those of package control and those that kernels give to connections. A process
// has a block of them to itself: it listens at the first port of the block while it lives. Servers
// that are down do not listen, and another process must not take their ports.
const firstPort, portBlocks, portsPerBlock = 4_000, 16, 500

var ports struct {
	sync.Mutex
	guard net.Listener // at the first port of the block
	block int
	taken map[int]bool
}

// freePort returns a port on which nobody listens now, and which this process has not had before.
func freePort() (int, error) {
	ports.Lock()
	defer ports.Unlock()
	for k := 0; ports.guard == nil; k++ {
		if k == portBlocks {
			return 0, fmt.Errorf("%d processes of this machine sample already", portBlocks)
		}
		ports.block = firstPort + k*portsPerBlock
		ports.guard, _ = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", ports.block))
		ports.taken = map[int]bool{}
	}
	for range 10_000 {
		p := ports.block + 1 + rand.IntN(portsPerBlock-1)
		if ports.taken[p] {
			continue
		}
		l, err := net.Listen("tcp", fmt.Sprintf(":%d", p))
		if err != nil {
			continue
		}
		l.Close()
		ports.taken[p] = true
		return p, nil
	}
	return 0, errors.New("no port is free")
}

// newEnsemble prepares an ensemble whose files are below a folder. No server runs yet.
func newEnsemble(opt *Options, dir, classes string) (*ensemble, error) {
	e := &ensemble{Options: opt, dir: dir, classes: classes, links: map[[2]int][]*zookeeper.Link{}}
	for range opt.Servers {
		var p [3]int
		for k := range p {
			var err error
			if p[k], err = freePort(); err != nil {
				return nil, err
			}
		}
		e.client = append(e.client, p[0])
		e.peer = append(e.peer, [2]int{zookeeper.QuorumPort: p[1], zookeeper.ElectionPort: p[2]})
	}
	return e, nil
}

// connect puts links between the servers.
func (e *ensemble) connect() error {
	sink := zookeeper.NewSink(1) // nobody reads the events
	for from := range e.Servers {
		for to := range e.Servers {
			for _, port := range []zookeeper.Port{zookeeper.QuorumPort, zookeeper.ElectionPort} {
				if from == to {
					continue
				}
				l, err := zookeeper.Forward(zookeeper.Route{Port: port, From: int64(from + 1), To: int64(to + 1),
					Listen: "127.0.0.1:0", Target: fmt.Sprintf("127.0.0.1:%d", e.peer[to][port])}, sink)
				if err != nil {
					return err
				}
				e.links[[2]int{from, to}] = append(e.links[[2]int{from, to}], l)
			}
		}
	}
	return nil
}

// apart breaks or heals all links, so that only servers of a kernel are connected.
func (e *ensemble) apart(kernel Set) {
	for pair, links := range e.links {
		for _, l := range links {
			if kernel.Has(pair[0]) && kernel.Has(pair[1]) {
				l.Heal()
			} else {
				l.Cut()
			}
		}
	}
}

// late makes servers late: what is proposed to them does not arrive, and their logs wait. A leader
// proposes to itself, too: that is its own log.
func (e *ensemble) late(ctx context.Context, servers Set) error {
	for pair, links := range e.links {
		if servers.Has(pair[0]) {
			links[zookeeper.QuorumPort].Withhold(true)
		}
	}
	for _, i := range (servers & e.runs).Servers() {
		if err := e.host.do(ctx, "wait", i, ""); err != nil {
			return fmt.Errorf("the log of server %d: %w", i, err)
		}
	}
	return nil
}

// logsGoOn ends the waiting of all logs.
func (e *ensemble) logsGoOn(ctx context.Context) error {
	for _, i := range e.runs.Servers() {
		if err := e.host.do(ctx, "go", i, ""); err != nil {
			return fmt.Errorf("the log of server %d: %w", i, err)
		}
	}
	return nil
}

// breakQuorum breaks the connections of servers on the quorum port, which they make again.
func (e *ensemble) breakQuorum(servers Set) {
	for pair, links := range e.links {
		if servers.Has(pair[0]) || servers.Has(pair[1]) {
			links[zookeeper.QuorumPort].Break()
		}
	}
}

// reset begins anew: no server runs, and no server has files. A JVM that has ended is replaced.
func (e *ensemble) reset(ctx context.Context) error {
	if err := e.stop(ctx, e.runs); err != nil {
		e.end()
	}
	for _, links := range e.links {
		for _, l := range links {
			l.Close()
		}
	}
	clear(e.links)
	log := filepath.Join(e.dir, "log")
	if e.host == nil {
		if err := os.RemoveAll(e.dir); err != nil {
			return err
		}
	}
	for i := range e.Servers {
		data := e.data(i)
		if err := errors.Join(os.RemoveAll(data), os.MkdirAll(data, 0o755),
			os.WriteFile(filepath.Join(data, "myid"), fmt.Append(nil, i+1), 0o644)); err != nil {
			return err
		}
	}
	if e.host != nil {
		os.Truncate(log, 0)
	} else {
		var err error
		if e.host, err = startHost(e.Jars, e.classes, log); err != nil {
			return err
		}
	}
	e.host.mu.Lock()
	clear(e.host.lost)
	e.host.mu.Unlock()
	if e.Isolation != Stop {
		return e.connect()
	}
	return nil
}

// end ends the JVM and with it all servers.
func (e *ensemble) end() {
	if e.host != nil {
		e.host.end()
		e.used += e.host.process.ProcessState.UserTime() + e.host.process.ProcessState.SystemTime()
	}
	e.host, e.runs, e.up = nil, 0, 0
}

func (e *ensemble) data(i int) string { return filepath.Join(e.dir, fmt.Sprint("server", i), "data") }

// tick returns the length of a tick in milliseconds. A leader looks for its quorum every half tick.
// A request must reach a leader that has lost its followers before that. Without stops the leader
// is awaited, so the tick is short.
func (e *ensemble) tick() int {
	if e.Isolation == Disconnect {
		return 500
	}
	return 2000
}

// config returns the zoo.cfg of a server.
func (e *ensemble) config(i int) string {
	lines := []string{
		fmt.Sprint("tickTime=", e.tick()), "initLimit=10", "syncLimit=5", "dataDir=" + e.data(i),
		fmt.Sprint("clientPort=", e.client[i]), "clientPortAddress=127.0.0.1", "admin.enableServer=false",
		"4lw.commands.whitelist=srvr", "minSessionTimeout=1000", "maxSessionTimeout=3600000", "maxClientCnxns=0",
	}
	for to := range e.Servers {
		host, peer := "127.0.0.1", e.peer[to]
		if links := e.links[[2]int{i, to}]; to != i && links != nil {
			peer = [2]int{links[0].Addr().Port, links[1].Addr().Port}
		} else if e.Isolation != Stop {
			// Servers tell each other their addresses, and would dial these past the links.
			host = "0.0.0.0"
		}
		lines = append(lines, fmt.Sprintf("server.%d=%s:%d:%d", to+1, host, peer[0], peer[1]))
	}
	return strings.Join(lines, "\n") + "\n"
}

// start starts servers.
func (e *ensemble) start(ctx context.Context, servers Set) error {
	for _, i := range servers.Servers() {
		file := filepath.Join(e.dir, fmt.Sprint("server", i), "zoo.cfg")
		if err := os.WriteFile(file, []byte(e.config(i)), 0o644); err != nil {
			return err
		}
		e.runs |= 1 << i
		e.up &^= 1 << i
		if err := e.host.do(ctx, "start", i, file); err != nil {
			return err
		}
	}
	return nil
}

// stop stops servers that run, all at once.
func (e *ensemble) stop(ctx context.Context, servers Set) error {
	var all sync.WaitGroup
	errs := make([]error, e.Servers)
	for _, i := range (servers & e.runs).Servers() {
		all.Go(func() {
			if !e.up.Has(i) {
				e.awaitStart(ctx, i)
			}
			errs[i] = e.host.do(ctx, "stop", i, "")
		})
	}
	all.Wait()
	e.runs &^= servers
	for pair, links := range e.links {
		if servers.Has(pair[0]) {
			links[zookeeper.QuorumPort].Withhold(false)
		}
	}
	return errors.Join(errs...)
}

// awaitStart waits until a server listens for votes. A shutdown before that leaves
// threads of ZooKeeper that keep the port, and the server could not start again.
func (e *ensemble) awaitStart(ctx context.Context, i int) {
	address := fmt.Sprintf("127.0.0.1:%d", e.peer[i][zookeeper.ElectionPort])
	for end := time.Now().Add(e.Patience); ctx.Err() == nil && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if c, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			c.Close()
			return
		}
		e.host.mu.Lock()
		_, lost := e.host.lost[i]
		e.host.mu.Unlock()
		if lost {
			return
		}
	}
}

func (e *ensemble) address(i int) string { return fmt.Sprintf("127.0.0.1:%d", e.client[i]) }

// serves reports whether a server answers clients.
func (e *ensemble) serves(i int) bool {
	c, err := net.DialTimeout("tcp", e.address(i), time.Second)
	if err != nil {
		return false
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	if _, err := io.WriteString(c, "srvr"); err != nil {
		return false
	}
	answer, err := io.ReadAll(c)
	return err == nil && strings.Contains(string(answer), "\nMode: ")
}
