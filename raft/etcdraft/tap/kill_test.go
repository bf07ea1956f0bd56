package tap_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/raft/etcdraft/tap/testdata/kv"
)

// processes are servers of testdata/kvd, with the listeners that outlive them.
type processes struct {
	t         *testing.T
	dir       string
	program   string
	addresses []string
	listeners []*os.File
	running   []*exec.Cmd
}

func (p *processes) file(kind string, i int) string {
	return filepath.Join(p.dir, kind+strconv.Itoa(i))
}

func (p *processes) start(i int) {
	p.t.Helper()
	c := exec.Command(p.program, "-id", strconv.Itoa(i), "-peers", strings.Join(p.addresses, ","), "-wal", p.file("wal", i), "-tap", p.file("tap", i))
	c.ExtraFiles = []*os.File{p.listeners[i]}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.running[i] = c
}

// end ends server i by a signal and waits for it.
func (p *processes) end(i int, by os.Signal) error {
	if err := p.running[i].Process.Signal(by); err != nil {
		return err
	}
	return p.running[i].Wait()
}

// TestKill runs key-value servers as processes, kills each under load, and starts it again:
// SIGKILL, in which a tap has not written all. Every message that is in a stream is decided, also
// after the kill.
func TestKill(t *testing.T) {
	if !slow(t) {
		t.Skip("it runs processes for many seconds; set MULTIGRAIN_SLOW=1")
	}
	x := assemble(t, "monitor.hcl")
	p := &processes{t: t, dir: t.TempDir(), running: make([]*exec.Cmd, 3)}
	p.program = filepath.Join(p.dir, "kvd")
	if out, err := exec.Command("go", "build", "-o", p.program, "./testdata/kvd").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		f, err := l.(*net.TCPListener).File()
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		p.addresses, p.listeners = append(p.addresses, l.Addr().String()), append(p.listeners, f)
	}
	for i := range 3 {
		p.start(i)
		defer func() { p.running[i].Process.Kill() }()
	}
	load := kv.StartLoad(p.addresses, 20, 0, 0)
	written := func(n int64) {
		for end := time.Now().Add(5 * time.Minute); load.Count() < n; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d of %d requests were answered in five minutes", load.Count(), n)
			}
		}
	}
	written(500)
	for i := range 3 {
		if err := p.end(i, os.Kill); err == nil {
			t.Errorf("server %d ended by itself", i)
		}
		p.start(i)
		written(load.Count() + 500)
	}
	load.Stop()
	for i := range 3 {
		if err := p.end(i, os.Interrupt); err != nil {
			t.Errorf("server %d: %v", i, err)
		}
	}
	for i := range 3 {
		r := x.checkFile(t, i, p.file("tap", i), wire.Monitor{Total: true, Steps: true})
		if r.verdict != "undecided" || r.stats.Decided != r.stats.Out || r.stats.Out == 0 || r.stats.Restarts != 1 || r.stats.Lost == 0 {
			t.Errorf("server %d: %s (%s), %d of %d decided, %d restarts, %d lost\n%s", i, r.verdict, r.reason, r.stats.Decided, r.stats.Out,
				r.stats.Restarts, r.stats.Lost, shown(r.alarm))
		}
		t.Logf("server %d: %d messages sent, all decided, one kill", i, r.stats.Out)
	}
}
