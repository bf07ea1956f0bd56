// Package ensemble runs a ZooKeeper ensemble of real server processes on the loopback interface,
// for tests and measurements. It starts servers, kills and restarts them. With links of package
// zookeeper between them it disconnects them from each other. It needs Java and the jars that
// Debian's packages zookeeper and libzookeeper-java install.
package ensemble

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
)

// jars are the files in Jars that QuorumPeerMain needs.
var jars = []string{"zookeeper.jar", "zookeeper-jute.jar", "slf4j-api.jar", "slf4j-simple.jar", "metrics-core.jar", "snappy-java.jar"}

// Jars returns the folder of the jars: that of the environment variable ZOOKEEPER_JARS, or else
// /usr/share/java.
func Jars() string {
	if dir := os.Getenv("ZOOKEEPER_JARS"); dir != "" {
		return dir
	}
	return "/usr/share/java"
}

// Missing says what is missing on this machine to run servers, "" if nothing is.
func Missing() string {
	if _, err := exec.LookPath("java"); err != nil {
		return "java is not on the PATH"
	}
	for _, jar := range jars {
		if _, err := os.Stat(filepath.Join(Jars(), jar)); err != nil {
			return filepath.Join(Jars(), jar) + " is missing: install zookeeper and libzookeeper-java"
		}
	}
	return ""
}

// Options of an ensemble. The zero value is three servers that see each other directly.
type Options struct {
	Servers int // 3 if it is 0
	// Sink makes the servers see each other through links, whose events it takes down.
	Sink *zookeeper.Sink
	// Tick is tickTime in milliseconds, 200 if it is 0. Limit is initLimit and syncLimit in ticks,
	// 50 if it is 0.
	Tick, Limit int
	Config      []string // further lines of zoo.cfg
	ClassPath   []string // the jars of the servers; none stands for those of Jars
	Properties  []string // further system properties, name=value
}

// Ensemble is a set of servers with the identities 1, 2, ....
type Ensemble struct {
	Options
	Dir   string
	nodes []*Node
	links map[way]*zookeeper.Link
}

// way identifies a link: it stands for a port of server to, as server from sees it.
type way struct {
	port     zookeeper.Port
	from, to int
}

// New prepares an ensemble whose files are below dir. No server runs yet. Close ends it.
func New(dir string, opt Options) (*Ensemble, error) {
	if opt.Servers == 0 {
		opt.Servers = 3
	}
	if opt.Tick == 0 {
		opt.Tick = 200
	}
	if opt.Limit == 0 {
		opt.Limit = 50
	}
	e := &Ensemble{Options: opt, Dir: dir, links: map[way]*zookeeper.Link{}}
	ports, err := freePorts(3 * opt.Servers)
	if err != nil {
		return nil, err
	}
	for i := 1; i <= opt.Servers; i++ {
		n := &Node{ID: i, ensemble: e, dir: filepath.Join(dir, fmt.Sprint("server", i)),
			client: ports[3*i-3], peer: [2]int{ports[3*i-2], ports[3*i-1]}}
		if err := os.MkdirAll(filepath.Join(n.dir, "data"), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(n.dir, "data", "myid"), []byte(fmt.Sprint(i)), 0o644); err != nil {
			return nil, err
		}
		e.nodes = append(e.nodes, n)
	}
	if opt.Sink == nil {
		return e, nil
	}
	for _, from := range e.nodes {
		for _, to := range e.nodes {
			if err := e.connect(from, to); err != nil {
				e.Close()
				return nil, err
			}
		}
	}
	return e, nil
}

// connect puts links before the ports of server to, as server from sees them.
func (e *Ensemble) connect(from, to *Node) error {
	if from == to {
		return nil
	}
	for _, port := range []zookeeper.Port{zookeeper.QuorumPort, zookeeper.ElectionPort} {
		l, err := zookeeper.Forward(zookeeper.Route{Port: port, From: int64(from.ID), To: int64(to.ID),
			Listen: "127.0.0.1:0", Target: fmt.Sprintf("127.0.0.1:%d", to.peer[port])}, e.Sink)
		if err != nil {
			return err
		}
		e.links[way{port, from.ID, to.ID}] = l
	}
	return nil
}

// freePorts returns ports of the loopback interface on which nobody listens now.
func freePorts(n int) ([]int, error) {
	var out []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		out = append(out, l.Addr().(*net.TCPAddr).Port)
	}
	return out, nil
}

// Node returns server i, from 1.
func (e *Ensemble) Node(i int) *Node { return e.nodes[i-1] }

// Start starts all servers that do not run. It returns the error of the first one that cannot be
// started; the others are not started then.
func (e *Ensemble) Start() error {
	for _, n := range e.nodes {
		if err := n.Start(); err != nil {
			return err
		}
	}
	return nil
}

// Close kills all servers and ends all links.
func (e *Ensemble) Close() {
	for _, n := range e.nodes {
		n.Kill()
	}
	for _, l := range e.links {
		l.Close()
	}
}

// Isolate cuts the links between server i and all others; without links it does nothing.
func (e *Ensemble) Isolate(i int) { e.each(i, (*zookeeper.Link).Cut) }

// Rejoin heals the links between server i and all others.
func (e *Ensemble) Rejoin(i int) { e.each(i, (*zookeeper.Link).Heal) }

func (e *Ensemble) each(i int, do func(*zookeeper.Link)) {
	for w, l := range e.links {
		if w.from == i || w.to == i {
			do(l)
		}
	}
}

// AwaitLeader waits until a server leads and all the others of ids follow it, and returns it.
// Without ids it is about all servers.
func (e *Ensemble) AwaitLeader(limit time.Duration, ids ...int) (int, error) {
	if len(ids) == 0 {
		for _, n := range e.nodes {
			ids = append(ids, n.ID)
		}
	}
	end := time.Now().Add(limit)
	var modes []string
	for time.Now().Before(end) {
		leader, serving := 0, 0
		modes = modes[:0]
		for _, i := range ids {
			mode := e.Node(i).Mode()
			modes = append(modes, fmt.Sprintf("%d: %q", i, mode))
			switch mode {
			case "leader":
				leader = i
				serving++
			case "follower":
				serving++
			}
		}
		if leader != 0 && serving == len(ids) {
			return leader, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, i := range ids {
		if e.Node(i).Mode() == "" {
			modes = append(modes, fmt.Sprintf("the last lines of %d, which runs: %v, are\n%s", i, e.Node(i).Runs(), e.Node(i).lastLines()))
		}
	}
	return 0, errors.New("no leader that all follow: " + strings.Join(modes, ", "))
}
