package wire

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// init does not return in the behaviour "silent".
func init() {
	if os.Getenv(behaviour) == "silent" {
		spin()
	}
}

// spin does not return, as the user's code might not.
func spin() {
	for n := 0; ; n++ {
		if n < 0 {
			n = 0
		}
	}
}

// TestChatter: what the user's code prints is no result, even if it looks like one.
func TestChatter(t *testing.T) {
	p := program(t, "chatter")
	report, err := p.Run(t.Context(), Request{})
	if err != nil || report.Verdict != "violated" || report.Distinct != 7 {
		t.Errorf("report %+v, error %v", report, err)
	}
}

// TestStuck: a program that does not begin is ended, and says where it is. Outside of Linux the Go
// runtime may have no stack of a goroutine that runs on another thread at that moment. Then the
// program is run again.
func TestStuck(t *testing.T) {
	p := program(t, "silent")
	p.Patience = 300 * time.Millisecond
	for _, asked := range []bool{false, true} {
		if asked {
			stop := make(chan struct{})
			close(stop)
			p.Stop, p.Patience = stop, time.Hour
		}
		var err error
		var e *CrashError
		for range 5 {
			_, err = p.Run(t.Context(), Request{})
			if !errors.As(err, &e) || runtime.GOOS == "linux" || !strings.Contains(e.Output, "stack unavailable") {
				break
			}
		}
		if e == nil || !e.Stuck || e.Asked != asked || e.After == 0 {
			t.Fatalf("asked %v: error %v", asked, err)
		}
		if at := e.Place(); !strings.HasPrefix(at.Func, "github.com/multigrain/multigrain/checker/wire.") || at.Line < 2 || !at.Init || at.Users() {
			t.Errorf("asked %v: place %+v in\n%s", asked, at, e.Output)
		}
	}
}

// TestPlace reads what the Go runtime prints of the user's code.
func TestPlace(t *testing.T) {
	const (
		panicked = "panic: no configuration\n\ngoroutine 1 [running]:\nexample.com/x.load(...)\n\t/home/u/x/load.go:17\nexample.com/x.init.0()\n\t/home/u/x/x.go:9 +0x1d\n" +
			"runtime.doInit1(0x5a)\n\t/usr/lib/go/src/runtime/proc.go:7000 +0xd8\n"
		library = "panic: x\n\ngoroutine 1 [running]:\nos.Getenv(...)\n\t/usr/lib/go/src/os/env.go:5\nx.f()\n\t/home/u/src/x/x.go:9 +0x1d\nruntime.main()\n\t/usr/lib/go/src/runtime/proc.go:7\n"
		ranged  = "panic: index [recovered]\n\tpanic: again\n\ngoroutine 1 [running]:\npanic({0x4, 0x5})\n\t/usr/lib/go/src/runtime/panic.go:770 +0x1\n" +
			"github.com/multigrain/multigrain/modules.(*Seq[...]).At(...)\n\t/m/modules/seq.go:3\nexample.com/x.glob..func1(0x1)\n\t/home/u/x/x.go:30 +0x2\n" +
			"github.com/multigrain/multigrain/checker/explore.run()\n\t/m/checker/explore/run.go:1\n"
		deep = "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\nruntime stack:\nruntime.throw({0x1})\n\t/usr/lib/go/src/runtime/panic.go:1 +0x1\n\n" +
			"goroutine 1 gp=0xc0 m=0 mp=0x5 [running]:\nexample.com/x.(*T).grow(0x1)\n\t/home/u/x/grow.go:4 +0x1 fp=0xc sp=0xd pc=0xe\n...additional frames elided...\n" +
			"created by main\n\ngoroutine 2 [running]:\nother.f()\n\t/o.go:1\n"
	)
	for text, want := range map[string]Place{
		panicked: {"example.com/x.load", "/home/u/x/load.go", 17, true},
		ranged:   {"example.com/x.glob..func1", "/home/u/x/x.go", 30, false},
		deep:     {"example.com/x.(*T).grow", "/home/u/x/grow.go", 4, false},
		library:  {"x.f", "/home/u/src/x/x.go", 9, false},
		"fatal":  {},
	} {
		e := CrashError{Output: text}
		if got := e.Place(); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestLifeline: a program ends when the command's end of the lifeline is closed, also if its code
// does not return.
func TestLifeline(t *testing.T) {
	p := program(t, "for ever")
	cmd := exec.Command(p.Path)
	ch, err := open(cmd, false)
	if err != nil {
		t.Fatal(err)
	}
	defer ch.close()
	cmd.Stdin = strings.NewReader("{}\n")
	wait, err := start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	ch.release()
	if line, err := bufio.NewReader(ch.results).ReadString('\n'); err != nil || !strings.Contains(line, "begun") {
		t.Fatalf("%q, %v", line, err)
	}
	ch.lifeline.Close()
	var ended *exec.ExitError
	if err := wait(); !errors.As(err, &ended) || ended.ExitCode() != 1 {
		t.Errorf("the program ended with %v", err)
	}
}
