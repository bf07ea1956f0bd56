package etcdserver

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/multigrain/multigrain/raft/etcdraft/tap"
)

// cluster is an etcd cluster of processes with a link before each member, and the streams of all.
type cluster struct {
	t       testing.TB
	version string // such as "v3.6"
	server  string // the program
	dir     string
	watch   *Watch
	backlog *Backlog
	links   []*Link
	peers   []string // the peer ports
	at      []string // where the members say that they listen: at the links, if there are any
	clients []string
	procs   []*exec.Cmd
	used    map[int]time.Duration // of processors, by members that have ended
	flags   []string
	secure  *options    // certificates of the members, which talk by TLS; nil: they do not
	raw     *seenEvents // of all links; nil: not kept
}

// newCluster makes links and streams for n members. None runs.
func newCluster(t testing.TB, version string, n int, flags ...string) *cluster {
	t.Helper()
	return plainCluster(t, version, n, flags...).linked(nil)
}

// plainCluster returns a cluster of n members without a tap. None runs.
func plainCluster(t testing.TB, version string, n int, flags ...string) *cluster {
	t.Helper()
	c := &cluster{t: t, version: version, server: server(t, version), dir: t.TempDir(), procs: make([]*exec.Cmd, n), flags: flags}
	for range n {
		c.peers = append(c.peers, freePort(t))
		c.clients = append(c.clients, freePort(t))
	}
	c.at = slices.Clone(c.peers)
	t.Cleanup(c.stop)
	return c
}

// linked gives a cluster that does not run links and streams.
func (c *cluster) linked(certificates *Certificates) *cluster {
	t := c.t
	t.Helper()
	c.backlog = NewBacklog()
	c.watch = NewWatch(func(e Event) { t.Logf("link %d: %s", e.Number, e.Cause) })
	for i := range c.procs {
		c.watch.Add(NewStream(i, tap.New(tap.File(c.stream(i)), tap.Options{Messages: true, Buffer: 256 << 20})))
	}
	note := c.watch.Note
	if os.Getenv("MULTIGRAIN_RECORD") != "" {
		c.raw = &seenEvents{}
		note = func(e Event) {
			c.raw.mu.Lock()
			defer c.raw.mu.Unlock()
			c.raw.note(e)
			c.watch.Note(e)
		}
	}
	for i := range c.procs {
		l, err := Forward(i, "127.0.0.1:0", c.peers[i], certificates, c.backlog, note)
		if err != nil {
			t.Fatal(err)
		}
		c.links = append(c.links, l)
		c.at[i] = l.Addr()
	}
	return c
}

// tapped starts the program multigrain tap etcd, as a process, before a cluster that does not run.
// The streams are files with a name. It returns functions that end the tap and kill it.
func (c *cluster) tapped(name string) (end, kill func()) {
	c.t.Helper()
	var args []string
	for i := range c.procs {
		if c.at[i] == c.peers[i] {
			c.at[i] = freePort(c.t)
		}
		args = append(args, "-link", c.at[i]+","+c.peers[i], "-node", fmt.Sprintf("%d=%s", i, c.stream(i)+name))
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), tapEnv+"=1")
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	wait := sync.OnceFunc(func() {
		cmd.Wait()
		if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			c.t.Logf("the tap has used %v of a processor, waited %d times, and was interrupted %d times", time.Duration(u.Utime.Nano()+u.Stime.Nano()), u.Nvcsw, u.Nivcsw)
		}
	})
	end = func() {
		stdin.Close()
		wait()
	}
	kill = func() {
		cmd.Process.Kill()
		wait()
	}
	c.t.Cleanup(end)
	for _, at := range c.at {
		for n := 0; ; n++ {
			conn, err := net.Dial("tcp", at)
			if err == nil {
				conn.Close()
				break
			}
			if n > 1000 {
				c.t.Fatalf("the tap does not listen at %s: %v", at, err)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return end, kill
}

func (c *cluster) stream(i int) string { return filepath.Join(c.dir, fmt.Sprintf("node%d.ndjson", i)) }

// initial are the first members, as etcd takes them.
func (c *cluster) initial(n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf("m%d=%s", i, c.peerURL(c.at[i])))
	}
	return strings.Join(parts, ",")
}

// peerURL returns the URL of a peer port.
func (c *cluster) peerURL(at string) string {
	if c.secure != nil {
		return "https://" + at
	}
	return "http://" + at
}

// start starts a member of a cluster that begins with n members, or joins it.
func (c *cluster) start(i, n int, state string) {
	c.t.Helper()
	url := func(a string) string { return "http://" + a }
	args := []string{"--name", fmt.Sprint("m", i), "--data-dir", filepath.Join(c.dir, fmt.Sprint("data", i)),
		"--listen-peer-urls", c.peerURL(c.peers[i]), "--initial-advertise-peer-urls", c.peerURL(c.at[i]),
		"--listen-client-urls", url(c.clients[i]), "--advertise-client-urls", url(c.clients[i]),
		"--initial-cluster", c.initial(n), "--initial-cluster-state", state, "--initial-cluster-token", "tap",
		"--log-level", "warn", "--logger", "zap", "--log-outputs", filepath.Join(c.dir, fmt.Sprintf("log%d", i))}
	if o := c.secure; o != nil {
		args = append(args, "--peer-cert-file", o.cert, "--peer-key-file", o.key, "--peer-trusted-ca-file", o.ca, "--peer-client-cert-auth")
	}
	cmd := exec.Command(c.server, append(args, c.flags...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.procs[i] = cmd
}

func (c *cluster) kill(i int) {
	if p := c.procs[i]; p != nil {
		p.Process.Kill()
		p.Wait()
		c.procs[i] = nil
		if c.used == nil {
			c.used = map[int]time.Duration{}
		}
		c.used[i] += p.ProcessState.UserTime() + p.ProcessState.SystemTime()
	}
}

// stop ends all members and the streams.
func (c *cluster) stop() {
	for i := range c.procs {
		c.kill(i)
	}
	for _, l := range c.links {
		l.Close()
	}
	c.links = nil
	if c.watch == nil {
		return
	}
	c.backlog.Close()
	if err := c.watch.Close(); err != nil {
		c.t.Log(err)
	}
}

// client keeps connections: one for each of many clients.
var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}

// post calls the JSON gateway of a member.
func (c *cluster) post(i int, path string, in, out any, wait time.Duration) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+c.clients[i]+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, b)
	}
	if err == nil && out != nil {
		err = json.Unmarshal(b, out)
	}
	return err
}

func (c *cluster) put(i int, key, value string, wait time.Duration) error {
	text := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	return c.post(i, "/v3/kv/put", map[string]string{"key": text(key), "value": text(value)}, nil, wait)
}

// await waits until a member takes a write.
func (c *cluster) await(i int) {
	c.t.Helper()
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if err = c.put(i, "ready", "yes", 2*time.Second); err == nil {
			return
		}
	}
	log, _ := os.ReadFile(filepath.Join(c.dir, fmt.Sprintf("log%d", i)))
	c.t.Fatalf("member %d takes no write within a minute: %v\n%s", i, err, log[max(0, len(log)-4000):])
}

// load puts n values through members in turns, by some clients at once. It returns what they took.
func (c *cluster) load(n, clients int) (took []time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for k := range clients {
		all.Go(func() {
			for x := k; x < n; x += clients {
				i := x % len(c.procs)
				if c.procs[i] == nil {
					continue
				}
				began := time.Now()
				if err := c.put(i, fmt.Sprint("k", x%100), fmt.Sprint("v", x), 5*time.Second); err == nil {
					mu.Lock()
					took = append(took, time.Since(began))
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return took
}

func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
