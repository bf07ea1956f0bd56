package control

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

// Node is one server.
type Node struct {
	ID       int
	ensemble *Ensemble
	dir      string
	client   int    // port for clients
	peer     [2]int // ports for servers
	process  *exec.Cmd
	ended    chan struct{} // is closed when the process has ended
	forced   forced
	*Gates   // nil while the server does not run
}

// flags keep a server small and quick to start. Logs are not made 64 MB long at once, since each
// observation reads them.
var flags = []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xms32m", "-Xmx128m", "-XX:-UsePerfData", "-Xshare:auto",
	"-Djava.net.preferIPv4Stack=true", "-Dzookeeper.admin.enableServer=false", "-Dzookeeper.jmx.log4j.disable=true",
	"-Dzookeeper.preAllocSize=64", "-Dzookeeper.maxBatchSize=1", "-Dzookeeper.fastleader.maxNotificationInterval=400",
	"-Dorg.slf4j.simpleLogger.showDateTime=true", "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS"}

// data returns the server's dataDir.
func (n *Node) data() string { return filepath.Join(n.dir, "data") }

func (n *Node) makeFolder() error {
	if err := os.MkdirAll(n.data(), 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(n.data(), "myid"), []byte(fmt.Sprint(n.ID)), 0o644)
}

// config returns the server's zoo.cfg. Its own line has the address of all interfaces: servers tell
// each other their addresses when an election begins, and those of larger identity would dial them
// past the network.
func (n *Node) config() string {
	e := n.ensemble
	lines := []string{
		fmt.Sprint("tickTime=", tick), fmt.Sprint("initLimit=", limit), fmt.Sprint("syncLimit=", limit),
		"dataDir=" + n.data(), fmt.Sprint("clientPort=", n.client), "clientPortAddress=127.0.0.1",
		"admin.enableServer=false", "localSessionsEnabled=true", "minSessionTimeout=1000", "maxSessionTimeout=3600000",
		"maxClientCnxns=0",
	}
	for _, to := range e.nodes {
		host, quorum, election := "0.0.0.0", n.peer[zookeeper.QuorumPort], n.peer[zookeeper.ElectionPort]
		if to != n {
			host = "127.0.0.1"
			quorum = e.Network.port(zookeeper.QuorumPort, n.ID, to.ID)
			election = e.Network.port(zookeeper.ElectionPort, n.ID, to.ID)
		}
		lines = append(lines, fmt.Sprintf("server.%d=%s:%d:%d", to.ID, host, quorum, election))
	}
	return strings.Join(lines, "\n") + "\n"
}

// Start starts the server and arms the points. It returns when the JVM runs. It fails if the server
// runs already, if it ends at once, or if the context ends first.
func (n *Node) Start(ctx context.Context) error {
	if n.process != nil {
		return fmt.Errorf("server %d runs already", n.ID)
	}
	config := filepath.Join(n.dir, "zoo.cfg")
	if err := os.WriteFile(config, []byte(n.config()), 0o644); err != nil {
		return err
	}
	log, err := os.OpenFile(n.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	listener, err := jdwp.Listen()
	if err != nil {
		return err
	}
	defer listener.Close()
	args := append([]string{listener.Option()}, flags...)
	if !n.ensemble.Forces {
		args = append(args, "-Dzookeeper.forceSync=no")
	}
	if n.ensemble.listing {
		args = append(args, n.listed())
	}
	if n.ensemble.Archive != "" {
		args = append(args, "-XX:SharedArchiveFile="+n.ensemble.Archive)
	}
	if f := n.ensemble.SnapshotSizeFactor; f != "" {
		args = append(args, "-Dzookeeper.snapshotSizeFactor="+f)
	}
	count := n.ensemble.SnapCount
	if count == 0 && slices.Contains(n.ensemble.Places, Save) {
		count = 2 // the least number: a snapshot is due after each second transaction
	}
	if count > 0 {
		args = append(args, fmt.Sprint("-Dzookeeper.snapCount=", count))
	}
	args = append(args, "-cp", n.ensemble.classPath(), "org.apache.zookeeper.server.quorum.QuorumPeerMain", config)
	cmd := exec.Command(n.ensemble.Java, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := startChild(cmd); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
		n.ensemble.stopped()
	}()
	n.process, n.ended = cmd, ended
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	go func() {
		select {
		case <-ended:
			cancel()
		case <-ctx.Done():
		}
	}()
	vm, err := listener.Accept(ctx)
	if err != nil {
		return fmt.Errorf("server %d does not start: %w; its last lines are\n%s", n.ID, err, n.LastLines(12))
	}
	n.Gates, err = newGates(ctx, n, vm)
	return err
}

// classPath returns the class path of the servers.
func (e *Ensemble) classPath() string {
	path := e.Jars.Path
	if e.Patch != "" {
		path = append([]string{e.Patch}, path...)
	}
	return strings.Join(path, ":")
}

// Kill ends the process as kill -9 does, and waits for it.
func (n *Node) Kill() {
	if n.process == nil {
		return
	}
	n.process.Process.Kill()
	<-n.ended
	if n.Gates != nil {
		n.Gates.close()
	}
	n.process, n.Gates = nil, nil
}

// Runs reports whether the process runs.
func (n *Node) Runs() bool {
	if n.process == nil {
		return false
	}
	select {
	case <-n.ended:
		return false
	default:
		return true
	}
}

// PID returns the number of the process, 0 while the server does not run.
func (n *Node) PID() int {
	if n.process == nil {
		return 0
	}
	return n.process.Process.Pid
}

// ErrEnded says that a server has ended by itself.
var ErrEnded = errors.New("the server has ended by itself")

// log returns the file that the server logs to.
func (n *Node) log() string { return filepath.Join(n.dir, "log") }

// LastLines returns the last lines of the server's log.
func (n *Node) LastLines(count int) string {
	b, err := os.ReadFile(n.log())
	if err != nil {
		return err.Error()
	}
	lines := strings.SplitAfter(strings.TrimRight(string(b), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "")
}

// LogSize returns the size of the server's own log, of its messages for people, in bytes. It is 0
// without a log.
func (n *Node) LogSize() int64 {
	info, err := os.Stat(n.log())
	if err != nil {
		return 0
	}
	return info.Size()
}

// LoggedSince reports whether the server's own log has a text after its first size bytes.
func (n *Node) LoggedSince(size int64, text string) bool {
	b, err := os.ReadFile(n.log())
	return err == nil && int64(len(b)) >= size && strings.Contains(string(b[size:]), text)
}

// ClientAddress returns where clients connect.
func (n *Node) ClientAddress() string { return fmt.Sprintf("127.0.0.1:%d", n.client) }

// startPatience bounds how long a JVM takes to start on a machine under load.
const startPatience = 60 * time.Second
