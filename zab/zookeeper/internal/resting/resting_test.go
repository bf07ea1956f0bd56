package resting

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestAwake: a process that sleeps waits. One that runs does not, and neither does one that is
// stopped, as by an operator: it may continue at any time.
func TestAwake(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says what threads do")
	}
	start := func(args ...string) int {
		cmd := exec.Command(args[0], args[1:]...)
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		return cmd.Process.Pid
	}
	sleeps, runs := start("sleep", "600"), start("sh", "-c", "while :; do :; done")
	stopped := start("sh", "-c", "kill -STOP $$; sleep 600")
	until := func(what string, holds func() bool) {
		t.Helper()
		for range 2000 {
			if holds() {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Error(what)
	}
	awake := func(pids ...int) string {
		name, err := Awake(pids)
		if err != nil {
			t.Error(err)
		}
		return name
	}
	until("a process that sleeps does not wait", func() bool { return awake(sleeps) == "" })
	until("a process that runs waits", func() bool { return awake(sleeps, runs) == "sh" })
	until("a process that is stopped waits", func() bool { return awake(stopped) == "sh" })
	for range 100 {
		if awake(runs) == "" || awake(stopped, sleeps) == "" {
			t.Fatal("a process that runs, or is stopped, waits")
		}
	}
	if _, err := Awake([]int{-1}); err == nil {
		t.Error("a process that is not there")
	}
}

// TestParse reads what the kernel says of a thread.
func TestParse(t *testing.T) {
	t.Parallel()
	const text = "Name:\tQuorumPeer[myid\nUmask:\t0022\nState:\tS (sleeping)\nvoluntary_ctxt_switches:\t7\nnonvoluntary_ctxt_switches:\t3\n"
	got, err := parse([]byte(text))
	if want := (thread{"QuorumPeer[myid", true, 10}); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for _, state := range []string{"R (running)", "D (disk sleep)", "T (stopped)", "t (tracing stop)", "Z (zombie)"} {
		if got, err := parse([]byte(strings.Replace(text, "S (sleeping)", state, 1))); err != nil || got.sleeps {
			t.Errorf("%s: %+v, %v", state, got, err)
		}
	}
	for _, bad := range []string{"", "Name:\ta\nState:\tS\n", strings.Replace(text, "\t7", "\tx", 1)} {
		if _, err := parse([]byte(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestWatch: many observations in one state over a long time prove that processes rest. Fewer,
// shorter ones, others in between with a new state, and those of threads that run do not.
func TestWatch(t *testing.T) {
	t.Parallel()
	at := time.Now()
	see := func(w *Watch, n int, every time.Duration, awake, state string) bool {
		proven := false
		for range n {
			at = at.Add(every)
			proven = w.Took(awake, state, at)
		}
		return proven
	}
	var w Watch
	if see(&w, 3*Fewest, Pause, "QuorumPeer", "") {
		t.Error("a thread that never waits rests")
	}
	if see(&w, Fewest-1, Longest, "", "a") {
		t.Error("too few observations")
	}
	if see(&w, 3*Fewest, time.Millisecond, "", "b") {
		t.Error("too short a time")
	}
	for k := range 10 * Fewest {
		if see(&w, 1, Longest, "", strings.Repeat("c", k)) {
			t.Error("a state that changes rests")
		}
	}
	for range Fewest - 2 { // others in between do no harm
		if see(&w, 1, Pause, "", "d") || see(&w, 2, Pause, "GC", "") {
			t.Error("proven early")
		}
	}
	if !see(&w, 3, Pause, "", "d") {
		t.Errorf("not proven: %v", &w)
	}
	if text := w.String(); !strings.Contains(text, "every thread of the servers waited, and in the last 41 of these nothing had changed; the thread \"QuorumPeer\" ran") {
		t.Errorf("it says %q", text)
	}
}
