package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/noted"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/resting"
)

// Options of an ensemble.
type Options struct {
	Servers int // from 2 to 7; ZooKeeper runs one server without an ensemble
	Jars    *Jars
	Places  []Place // where threads stop; nil: everywhere
	Trees   bool    // Memory reads the nodes of data trees
	Forces  bool    // servers force their logs to disk: without the option forceSync=no
	// SnapshotSizeFactor is that of ZooKeeper: a leader reads a learner's transactions from its log
	// if the log is at most so many times as large as its newest snapshot. "0" is a log of any
	// size, and "" is ZooKeeper's default, 0.33.
	SnapshotSizeFactor string
	// SnapCount is that of ZooKeeper: a server that serves takes a snapshot after about so many
	// transactions, at least half of it. 0 is the least one if threads stop at Save, and else
	// ZooKeeper's default.
	SnapCount int
	// Patch is a folder of classes, or a jar, that comes before the jars in the class path; "" is
	// none. The classes in it replace those of the jars.
	Patch string
	// Notes are the instructions of changed lines whose runs are noted; nil is none.
	Notes *noted.Taken
	// Archive is a file that MakeArchive has made for servers of the same jars; "" is none.
	Archive string
	// Java is the command that starts a JVM; "" is java.
	Java string
	// Dir is where the servers' folder is made; "" is the system's temporary folder.
	Dir string
}

// Ticks: short, since a leader looks for its quorum every half tick. Limits are hours, since
// time-outs are steps.
const (
	tick  = 100 // milliseconds
	limit = 36_000
)

// Ensemble is a set of servers with the identities 1, 2, ....
type Ensemble struct {
	Options
	Network  *Network
	points   []*Point
	folder   *folder
	nodes    []*Node
	reserved []io.Closer   // for each port
	listing  bool          // servers that start list the classes that they load
	classes  []string      // loaded by the servers of the last prelude, as Java lists them
	stops    chan struct{} // has a token if a thread has stopped since it was taken
}

// New prepares an ensemble. No server runs yet. Close ends it.
func New(opt Options) (*Ensemble, error) {
	if opt.Servers < 2 || opt.Servers > 7 {
		return nil, fmt.Errorf("an ensemble of %d servers: choose 2 to 7", opt.Servers)
	}
	if opt.Java == "" {
		opt.Java = "java"
	}
	if opt.Places == nil {
		opt.Places = AllPlaces()
	}
	points, err := Points(opt.Jars.Version, opt.Places)
	if err != nil {
		return nil, err
	}
	f, err := newFolder(opt.Dir)
	if err != nil {
		return nil, err
	}
	e := &Ensemble{Options: opt, points: points, folder: f, stops: make(chan struct{}, 1)}
	ports, err := e.reserve(3 * opt.Servers)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	for i := 1; i <= opt.Servers; i++ {
		n := &Node{ID: i, ensemble: e, dir: filepath.Join(f.path, fmt.Sprint("server", i)), client: ports[3*i-3],
			peer: [2]int{zookeeper.QuorumPort: ports[3*i-2], zookeeper.ElectionPort: ports[3*i-1]}}
		if err := n.makeFolder(); err != nil {
			return nil, errors.Join(err, e.Close())
		}
		e.nodes = append(e.nodes, n)
	}
	e.Network, err = newNetwork(opt.Servers, func(kind zookeeper.Port, server int) string {
		return fmt.Sprintf("127.0.0.1:%d", e.Node(server).peer[kind])
	})
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Ports are drawn from a range below those that kernels give to connections. A server binds its
// ports again after each restart. A connection must not have taken one of them while it was down.
const firstPort, portAfterLast = 12_000, 32_000

// reserve returns ports on which nobody listens now. No other ensemble takes them before Close: a
// server that is down, or does not lead, leaves ports of its own unbound.
func (e *Ensemble) reserve(n int) (out []int, err error) {
	for tries := 0; len(out) < n; tries++ {
		p := firstPort + rand.IntN(portAfterLast-firstPort)
		l, err := net.Listen("tcp", fmt.Sprintf(":%d", p))
		if err == nil {
			defer l.Close()
			var r io.Closer
			if r, err = reservePort(p); err == nil {
				e.reserved = append(e.reserved, r)
				out = append(out, p)
			}
		}
		if err != nil && tries >= 100*n {
			return nil, err
		}
	}
	return out, nil
}

// Node returns server i, from 1.
func (e *Ensemble) Node(i int) *Node { return e.nodes[i-1] }

// Nodes returns all servers.
func (e *Ensemble) Nodes() []*Node { return e.nodes }

// Folder returns the folder with the servers' files.
func (e *Ensemble) Folder() string { return e.folder.path }

// Keep copies the files of all servers into a folder, and what MakeArchive needs. No server may
// run.
func (e *Ensemble) Keep(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, classList), []byte(strings.Join(e.classes, "\n")), 0o644); err != nil {
		return err
	}
	for _, n := range e.nodes {
		if err := os.CopyFS(filepath.Join(dir, fmt.Sprint(n.ID)), os.DirFS(n.data())); err != nil {
			return err
		}
	}
	return nil
}

// Known takes from a folder that Keep has written what MakeArchive needs. It reports whether the
// folder has that.
func (e *Ensemble) Known(dir string) bool {
	b, err := os.ReadFile(filepath.Join(dir, classList))
	if err != nil {
		return false
	}
	e.classes = strings.Split(string(b), "\n")
	return true
}

// Reset gives all servers the files that Keep has copied into a folder; "" is no files. No server
// may run.
func (e *Ensemble) Reset(dir string) error {
	e.Network.forget()
	for _, n := range e.nodes {
		if err := os.RemoveAll(n.dir); err != nil {
			return err
		}
		if err := n.makeFolder(); err != nil {
			return err
		}
		if dir != "" {
			if err := os.RemoveAll(n.data()); err != nil {
				return err
			}
			if err := os.CopyFS(n.data(), os.DirFS(filepath.Join(dir, fmt.Sprint(n.ID)))); err != nil {
				return err
			}
		}
		if err := n.forceAll(); err != nil {
			return err
		}
	}
	return nil
}

// Start starts all servers at once.
func (e *Ensemble) Start(ctx context.Context) error {
	var all sync.WaitGroup
	errs := make([]error, len(e.nodes))
	for k, n := range e.nodes {
		all.Go(func() { errs[k] = n.Start(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// Close ends all servers and removes their files.
func (e *Ensemble) Close() error {
	for _, n := range e.nodes {
		n.Kill()
	}
	if e.Network != nil {
		e.Network.Close()
	}
	for _, r := range e.reserved {
		r.Close()
	}
	return e.folder.remove()
}

// stopped notes that a thread has stopped or that a server has ended.
func (e *Ensemble) stopped() {
	select {
	case e.stops <- struct{}{}:
	default:
	}
}

// RestError says that a condition does not hold and that nothing more comes: all threads of the
// servers wait, and what the servers have stays the same. Only a further step, or a time-out of
// hours, could bring something.
type RestError struct{ Seen string }

func (e *RestError) Error() string { return "the servers are at rest before that: " + e.Seen }

// Is makes it the end of a time that was given, too.
func (e *RestError) Is(target error) bool { return target == context.DeadlineExceeded }

// undisturbed is how long a condition is awaited before the servers are observed: their memory is
// read while all threads stand.
const undisturbed = 2 * time.Second

// Await waits until a condition holds. It is looked at when a thread stops, a packet comes, and
// every few milliseconds. If the servers come to rest without it, the error is a *RestError.
func (e *Ensemble) Await(ctx context.Context, holds func() (bool, error)) error {
	next := time.Now().Add(undisturbed)
	var seen resting.Watch
	for {
		ok, err := holds()
		if ok || err != nil {
			return err
		}
		if time.Now().After(next) && e.provable() {
			if awake, state := e.watched(); seen.Took(awake, state, time.Now()) {
				return &RestError{seen.String()}
			}
			next = time.Now().Add(resting.Pause)
		}
		e.Network.mu.Lock()
		changed := e.Network.changed
		e.Network.mu.Unlock()
		select {
		case <-ctx.Done():
			if text := seen.String(); text != "" {
				return fmt.Errorf("%w: %s", ctx.Err(), text)
			}
			return ctx.Err()
		case <-e.stops:
		case <-changed:
		case <-time.After(3 * time.Millisecond):
		}
	}
}

// answered is how long nobody asks the servers anything before they are observed: the thread of a
// server that answers does not wait.
const answered = 10 * time.Millisecond

// provable reports whether servers that wait long enough rest: packets are kept, and no time-out of
// the servers but those of hours is longer than resting.Longest.
func (e *Ensemble) provable() bool {
	e.Network.mu.Lock()
	defer e.Network.mu.Unlock()
	return !e.Network.open && e.Jars.Version.BoundsNotifications()
}

// watched returns a thread of the servers that does not wait; "" where all wait, with what the
// servers and the network have then.
func (e *Ensemble) watched() (awake, state string) {
	var pids []int
	for _, n := range e.nodes {
		if n.Runs() {
			pids = append(pids, n.PID())
		}
	}
	time.Sleep(answered)
	awake, err := resting.Awake(pids)
	if err != nil {
		awake = err.Error()
	}
	if awake != "" {
		return awake, ""
	}
	var b strings.Builder
	for _, n := range e.nodes {
		if !n.Runs() || n.Gates == nil {
			fmt.Fprintln(&b, n.ID, "does not run")
			continue
		}
		fmt.Fprintln(&b, n.ID, n.text(), e.Network.LeaderOf(n.ID))
	}
	e.Network.mu.Lock()
	defer e.Network.mu.Unlock()
	fmt.Fprintln(&b, e.Network.messages, e.Network.lost)
	return "", b.String()
}
