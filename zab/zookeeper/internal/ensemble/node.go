package ensemble

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper"
)

// Node is one server.
type Node struct {
	ID       int
	ensemble *Ensemble
	dir      string
	client   int    // port for clients
	peer     [2]int // quorum and election port
	process  *exec.Cmd
	ended    chan struct{}
	starts   int
	// Emptied counts the starts before which the last file of the log was empty and was removed.
	Emptied int
}

// flags keep a server small and quick to start.
var flags = []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xms32m", "-Xmx128m", "-XX:-UsePerfData", "-Xshare:auto",
	"-Djava.net.preferIPv4Stack=true", "-Dzookeeper.admin.enableServer=false", "-Dzookeeper.jmx.log4j.disable=true",
	"-Dzookeeper.forceSync=no", "-Dorg.slf4j.simpleLogger.showDateTime=true",
	"-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS"}

// Start starts the server unless it runs.
func (n *Node) Start() error {
	if n.process != nil {
		return nil
	}
	config := filepath.Join(n.dir, "zoo.cfg")
	if err := os.WriteFile(config, []byte(n.config()), 0o644); err != nil {
		return err
	}
	log, err := os.OpenFile(n.Log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	if name := removeEmptyLog(filepath.Join(n.dir, "data", "version-2")); name != "" {
		n.Emptied++
		fmt.Fprintf(log, "%s is empty and was removed (ZOOKEEPER-2332)\n", name)
	}
	args := append([]string{}, flags...)
	for _, p := range n.ensemble.Properties {
		args = append(args, "-D"+p)
	}
	path := n.ensemble.ClassPath
	for k := 0; k < len(jars) && len(n.ensemble.ClassPath) == 0; k++ {
		path = append(path, filepath.Join(Jars(), jars[k]))
	}
	args = append(args, "-cp", strings.Join(path, ":"), "org.apache.zookeeper.server.quorum.QuorumPeerMain", config)
	cmd := exec.Command("java", args...)
	cmd.Stdout, cmd.Stderr = log, log
	endWithParent(cmd)
	if n.starts++; n.starts > 1 && n.ensemble.Sink != nil {
		n.ensemble.Sink.Restarted(int64(n.ID))
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	n.process, n.ended = cmd, ended
	return nil
}

// removeEmptyLog removes the last file of a transaction log if it has 0 bytes. It returns the name,
// "" where there is no such file. A server that is killed after it has created a file and before
// the header is written does not start again: FileTxnLog.append, FileTxnIterator.init
// (FileTxnLog.java:279-285@3.8.0, ZOOKEEPER-2332). An operator removes the file, as versions from
// 3.9.3 on do.
func removeEmptyLog(dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "log.*"))
	if err != nil {
		return ""
	}
	last, latest := "", int64(-1)
	for _, f := range files {
		if zxid, err := strconv.ParseInt(strings.TrimPrefix(filepath.Base(f), "log."), 16, 64); err == nil && zxid > latest {
			last, latest = f, zxid
		}
	}
	if info, err := os.Stat(last); last == "" || err != nil || info.Size() > 0 || os.Remove(last) != nil {
		return ""
	}
	return filepath.Base(last)
}

// config returns the server's zoo.cfg. Through links its own line has the address of all
// interfaces: servers tell each other their addresses when an election begins, and those of larger
// identity dial back.
func (n *Node) config() string {
	e := n.ensemble
	lines := []string{
		fmt.Sprint("tickTime=", e.Tick), fmt.Sprint("initLimit=", e.Limit), fmt.Sprint("syncLimit=", e.Limit),
		"dataDir=" + filepath.Join(n.dir, "data"), fmt.Sprint("clientPort=", n.client), "clientPortAddress=127.0.0.1",
		"admin.enableServer=false", "4lw.commands.whitelist=srvr", "localSessionsEnabled=true",
		"fastleader.maxNotificationInterval=400", "minSessionTimeout=1000", "maxSessionTimeout=3600000", "maxClientCnxns=0",
	}
	lines = append(lines, e.Config...)
	for _, to := range e.nodes {
		host, peer := "127.0.0.1", to.peer
		if e.Sink != nil && to == n {
			host = "0.0.0.0"
		} else if e.Sink != nil {
			for _, port := range []zookeeper.Port{zookeeper.QuorumPort, zookeeper.ElectionPort} {
				peer[port] = e.links[way{port, n.ID, to.ID}].Addr().Port
			}
		}
		lines = append(lines, fmt.Sprintf("server.%d=%s:%d:%d", to.ID, host, peer[0], peer[1]))
	}
	return strings.Join(lines, "\n") + "\n"
}

// Kill ends the process as kill -9 does, and waits for it.
func (n *Node) Kill() {
	if n.process == nil {
		return
	}
	n.process.Process.Kill()
	<-n.ended
	n.process = nil
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

// Log returns the file that the server logs to.
func (n *Node) Log() string { return filepath.Join(n.dir, "log") }

// lastLines returns some lines from the end of the server's log.
func (n *Node) lastLines() string {
	b, err := os.ReadFile(n.Log())
	if err != nil {
		return err.Error()
	}
	lines := strings.SplitAfter(string(b), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "")
}

// Address returns where clients connect.
func (n *Node) Address() string { return fmt.Sprintf("127.0.0.1:%d", n.client) }

// Mode is "leader", "follower", or "" while the server does not serve.
func (n *Node) Mode() string {
	c, err := net.DialTimeout("tcp", n.Address(), time.Second)
	if err != nil {
		return ""
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := io.WriteString(c, "srvr"); err != nil {
		return ""
	}
	answer, _ := io.ReadAll(c)
	for line := range strings.Lines(string(answer)) {
		if mode, ok := strings.CutPrefix(line, "Mode: "); ok {
			return strings.TrimSpace(mode)
		}
	}
	return ""
}
