package starts

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// Outcome says how a start ended.
type Outcome struct {
	Zxid    int64  // the last one, with which the server looks for a leader
	Loaded  int    // transactions that were read from the log; -1 if the release does not log it
	Refused string // why it ended, as it logged; "" if it looks for a leader
}

// String returns the outcome as the table has it.
func (o Outcome) String() string {
	if o.Refused != "" {
		return "refuses: " + o.Refused
	}
	out := fmt.Sprintf("starts with %d:%d", uint64(o.Zxid)>>32, o.Zxid&0xffffffff)
	if o.Loaded >= 0 {
		out += fmt.Sprintf(", %d from the log", o.Loaded)
	}
	return out
}

// server starts servers of one release.
type server struct {
	jars     *control.Jars
	dir      string // an empty folder
	snapshot []byte
}

// newServer makes a server. A first start without files writes the snapshot that others get. A
// release that writes none has nil.
func newServer(ctx context.Context, version, dir string) (*server, error) {
	jars, err := control.Find(control.Places{}, version)
	if err != nil {
		return nil, err
	}
	s := &server{jars: jars, dir: dir}
	if o, err := s.start(ctx, "first", func(*files) {}); err != nil || o.Refused != "" {
		return nil, fmt.Errorf("a start without files: %v, %w", o, err)
	}
	s.snapshot, err = os.ReadFile(filepath.Join(dir, "first", "version-2", "snapshot.0"))
	if os.IsNotExist(err) {
		err = nil
	}
	return s, err
}

// Lines of a server's log. The first is of an election, the second of a database that is loaded.
// The others are of a process that ends while it loads its files.
var (
	electing = regexp.MustCompile(`New election\. My id = +1, (?:Proposed|proposed) zxid=0x([0-9a-f]+)`)
	loaded   = regexp.MustCompile(`(\d+) txns loaded in`)
	unable   = regexp.MustCompile(`Unable to load database on disk\s+(?:java\.[a-z.]*\.)?([^\n]+)\n`)
	abnormal = regexp.MustCompile(`Unexpected exception, exiting abnormally\s+(?:java\.[a-z.]*\.)?([^\n]+)\n`)
)

// start writes files into a new folder and starts a server there. It waits until the server looks
// for a leader or ends, and ends it.
func (s *server) start(ctx context.Context, name string, write func(*files)) (o Outcome, err error) {
	data := filepath.Join(s.dir, name)
	f := &files{dir: filepath.Join(data, "version-2"), snapshot: s.snapshot}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return o, err
	}
	if write(f); f.err != nil {
		return o, f.err
	}
	var ports [3]int
	for k := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return o, err
		}
		defer l.Close()
		ports[k] = l.Addr().(*net.TCPAddr).Port
		l.Close()
	}
	config := fmt.Sprintf("tickTime=2000\ninitLimit=10\nsyncLimit=5\ndataDir=%s\nclientPort=%d\nclientPortAddress=127.0.0.1\n"+
		"admin.enableServer=false\nserver.1=127.0.0.1:%d:%d\nserver.2=127.0.0.1:1:2\nserver.3=127.0.0.1:3:4\n", data, ports[0], ports[1], ports[2])
	if err := os.WriteFile(filepath.Join(data, "myid"), []byte("1"), 0o644); err != nil {
		return o, err
	}
	if err := os.WriteFile(filepath.Join(data, "zoo.cfg"), []byte(config), 0o644); err != nil {
		return o, err
	}
	log, err := os.Create(filepath.Join(data, "log"))
	if err != nil {
		return o, err
	}
	defer log.Close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "java", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-Dzookeeper.jmx.log4j.disable=true", "-Dzookeeper.admin.enableServer=false",
		"-cp", strings.Join(s.jars.Path, ":"), "org.apache.zookeeper.server.quorum.QuorumPeerMain", filepath.Join(data, "zoo.cfg"))
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return o, err
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	defer func() { cancel(); <-ended }()
	for {
		over := false
		select {
		case <-ended:
			over = true
		case <-time.After(50 * time.Millisecond):
		}
		text, err := os.ReadFile(log.Name())
		if err != nil {
			return o, err
		}
		if o, ok := read(string(text)); ok {
			return o, nil
		}
		if over {
			return o, fmt.Errorf("the server has ended, and its log does not say why:\n%s", text)
		}
	}
}

// read reads an outcome from a server's log. It reports false if the log does not have it yet.
func read(text string) (o Outcome, ok bool) {
	for _, line := range []*regexp.Regexp{unable, abnormal} {
		if m := line.FindStringSubmatch(text); m != nil {
			return Outcome{Refused: strings.TrimSpace(m[1])}, true
		}
	}
	m := electing.FindStringSubmatch(text)
	if m == nil {
		return o, false
	}
	z, _ := strconv.ParseUint(m[1], 16, 64) // hexadecimal digits
	o.Zxid, o.Loaded = int64(z), -1
	if m := loaded.FindStringSubmatch(text); m != nil {
		o.Loaded, _ = strconv.Atoi(m[1])
	}
	return o, true
}
