package jdwp_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

// limit ends a test whose JVM does not do what is expected.
const limit = 60 * time.Second

// compiled compiles testdata/Probe.java once, into a folder that the last test removes.
var compiled = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "jdwp-probe")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("javac", "-g", "-encoding", "UTF-8", "-d", dir, filepath.Join("testdata", "Probe.java")).CombinedOutput()
	if err != nil {
		return dir, errors.New("javac: " + err.Error() + "\n" + string(out))
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if haveJava() == nil {
		if dir, _ := compiled(); dir != "" {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

func haveJava() error {
	for _, tool := range []string{"javac", "java"} {
		if _, err := exec.LookPath(tool); err != nil {
			return err
		}
	}
	return nil
}

// probe is a JVM that runs Probe.
type probe struct {
	t   *testing.T
	vm  *jdwp.VM
	cmd *exec.Cmd
	out string // file with its output
	ctx context.Context
}

// launch starts Probe with arguments. It stands before its first instruction.
func launch(t *testing.T, args ...string) *probe {
	t.Helper()
	if err := haveJava(); err != nil {
		t.Skipf("a JVM and a Java compiler are needed: %v", err)
	}
	classes, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	l, err := jdwp.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p := &probe{t: t, out: filepath.Join(t.TempDir(), "out")}
	file, err := os.Create(p.out)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	options := []string{l.Option(), "-Xmx64m", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8", "-cp", classes, "Probe"}
	p.cmd = exec.Command("java", append(options, args...)...)
	p.cmd.Stdout, p.cmd.Stderr = file, file
	p.cmd.Dir = filepath.Dir(p.out) // a crash report goes there
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.cmd.Wait()
	})
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	p.ctx = ctx
	if p.vm, err = l.Accept(ctx); err != nil {
		t.Fatalf("%v\n%s", err, p.output())
	}
	t.Cleanup(func() { p.vm.Close() })
	return p
}

// output returns what the JVM has printed.
func (p *probe) output() string {
	p.t.Helper()
	text, err := os.ReadFile(p.out)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// load resumes the JVM until class Probe is loaded, and returns Probe. Its first thread stands.
func (p *probe) load() (jdwp.Class, jdwp.Thread) {
	p.t.Helper()
	must(p.vm.SetClassPrepare("Probe", jdwp.EventThread))
	check(p.t, p.vm.Resume())
	set := p.next()
	if set.Events[0].Kind != jdwp.ClassPrepare || set.Policy != jdwp.EventThread {
		p.t.Fatalf("got %v with policy %d, a CLASS_PREPARE of Probe should come first", set, set.Policy)
	}
	return set.Events[0].Class, set.Thread()
}

// next waits for the next event.
func (p *probe) next() jdwp.EventSet {
	p.t.Helper()
	set, err := p.vm.Next(p.ctx)
	if err != nil {
		p.t.Fatalf("%v\n%s", err, p.output())
	}
	return set
}

// stopAt sets a breakpoint at the first instruction of a method of Probe.
func (p *probe) stopAt(class jdwp.Class, method string, policy jdwp.SuspendPolicy, only ...jdwp.Thread) jdwp.RequestID {
	p.t.Helper()
	m := must(class.Method(method, ""))
	return must(p.vm.SetBreakpoint(m.At(0), policy, only...))
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// must returns the result of a call, and panics if the call failed.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestStart starts a JVM with suspend=y: nothing runs until Resume.
func TestStart(t *testing.T) {
	p := launch(t, "exit")
	name, err := p.vm.Main().Name()
	if err != nil || name != "main" {
		t.Errorf("VM_START names thread %q, want main; %v", name, err)
	}
	time.Sleep(100 * time.Millisecond)
	if out := p.output(); strings.Contains(out, "main runs") {
		t.Errorf("the program ran before Resume:\n%s", out)
	}
	if n, err := p.vm.Main().SuspendCount(); err != nil || n != 1 {
		t.Errorf("the first thread has suspend count %d, want 1; %v", n, err)
	}
	check(t, p.vm.Resume())
	set := p.next()
	if set.Events[0].Kind != jdwp.VMDeath {
		t.Errorf("got %v, want VM_DEATH", set)
	}
	if _, err := p.vm.Next(p.ctx); !errors.Is(err, jdwp.ErrClosed) {
		t.Errorf("after the exit of the JVM, Next returned %v", err)
	}
	if out := p.output(); !strings.Contains(out, "main runs") {
		t.Errorf("the program has not run after Resume:\n%s", out)
	}
}

// TestKill kills a JVM while one goroutine waits for an event and others send commands.
func TestKill(t *testing.T) {
	p := launch(t, "threads")
	class, main := p.load()
	check(t, main.Resume())
	results := make(chan error, 3)
	go func() {
		_, err := p.vm.Next(p.ctx)
		results <- err
	}()
	for range 2 {
		go func() {
			for {
				if _, err := class.Static("ticks"); err != nil {
					results <- err
					return
				}
			}
		}()
	}
	check(t, p.cmd.Process.Kill())
	for range 3 {
		err := <-results
		if !errors.Is(err, jdwp.ErrClosed) || !strings.Contains(err.Error(), "killed") {
			t.Errorf("after kill -9: %v", err)
		}
	}
	<-p.vm.Done()
	err := p.vm.Resume()
	if !errors.Is(err, jdwp.ErrClosed) || !strings.Contains(err.Error(), "VirtualMachine.Resume") {
		t.Errorf("a command after the end: %v", err)
	}
}

// TestPatience stops the whole process, so that a command gets no reply.
func TestPatience(t *testing.T) {
	p := launch(t, "threads")
	check(t, p.cmd.Process.Signal(syscall.SIGSTOP))
	p.vm.SetPatience(50 * time.Millisecond)
	var err error
	for err == nil { // its threads stop one after the other
		_, err = p.vm.Threads()
	}
	if !strings.Contains(err.Error(), "AllThreads: the JVM did not answer within 50ms") {
		t.Errorf("a JVM that stands: %v", err)
	}
	p.vm.SetPatience(limit)
	name := make(chan string, 1)
	go func() {
		s, err := p.vm.Main().Name()
		name <- fmt.Sprint(s, " ", err)
	}()
	time.Sleep(50 * time.Millisecond) // the second command waits when the late reply comes
	check(t, p.cmd.Process.Signal(syscall.SIGCONT))
	if got := <-name; got != "main <nil>" {
		t.Errorf("a JVM that runs again answered %s, want main", got)
	}
	p.vm.Close()
	if _, err := p.vm.Threads(); !errors.Is(err, jdwp.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := p.vm.Next(p.ctx); !errors.Is(err, jdwp.ErrClosed) {
		t.Errorf("after Close, Next: %v", err)
	}
}

// TestAccept gives the listener no JVM, and peers that are none.
func TestAccept(t *testing.T) {
	l, err := jdwp.Listen()
	check(t, err)
	defer l.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := l.Accept(ctx); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no JVM has dialled") {
		t.Errorf("nobody dialled: %v", err)
	}
	for sent, want := range map[string]string{
		"GET / HTTP/1.1":                        `handshake: got "GET / HTTP/1.1"`,
		"JDWP":                                  "deadline",
		"JDWP-Handshake\xff\xff\xff\xffxxxxxxx": "a packet claims 4294967295 bytes",
	} {
		conn, err := net.Dial("tcp", l.Address())
		check(t, err)
		_, err = conn.Write([]byte(sent))
		check(t, err)
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		if _, err := l.Accept(ctx); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a peer that sends %q: %v, want %s", sent, err, want)
		}
		cancel()
		conn.Close()
	}
}

// TestLoopback holds that a debugger's port is open on the loopback interface only, and that the
// JVM opens none: it dials.
func TestLoopback(t *testing.T) {
	l, err := jdwp.Listen()
	check(t, err)
	defer l.Close()
	host, _, err := net.SplitHostPort(l.Address())
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		t.Errorf("the listener is at %s, %v", l.Address(), err)
	}
	if !strings.Contains(l.Option(), "server=n") {
		t.Errorf("the JVM listens: %s", l.Option())
	}
}
