package host

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"
	"time"
)

// TestStopwatch: what the threads have waited does not count.
func TestStopwatch(t *testing.T) {
	before := time.Now().Add(-100 * time.Second)
	for _, test := range []struct {
		name        string
		threads     int
		waits, want time.Duration
	}{
		{"an idle machine", 2, 0, 100 * time.Second},
		{"two threads that wait for half of the time", 2, 100 * time.Second, 50 * time.Second},
		{"one thread that waits for half of the time", 1, 50 * time.Second, 50 * time.Second},
		{"less than at the start, since threads have ended", 1, -7 * time.Second, 100 * time.Second},
		{"hardly a processor", 2, 199 * time.Second, 500 * time.Millisecond},
	} {
		asked := 3 * time.Second
		s := stopwatch(test.threads, func() time.Duration { return asked })
		s.start, asked = before, asked+test.waits
		if got := s.Worked(); got < test.want || got > test.want+time.Second {
			t.Errorf("%s: worked %s, want %s", test.name, got, test.want)
		}
	}
	for waits, want := range map[time.Duration]time.Duration{time.Second: time.Second, time.Hour: 100 * time.Second} {
		s := stopwatch(2, func() time.Duration { return waits })
		if s.start = began.Add(100 * time.Second); s.Before() != want {
			t.Errorf("before a start after 100s with waits of %s: %s, want %s", waits, s.Before(), want)
		}
	}
	asked := time.Duration(0)
	s := stopwatch(1, func() time.Duration { return asked })
	s.start, asked = before, 50*time.Second
	s.Worked()
	asked = 0 // a thread has ended
	if got := s.Worked(); got > 51*time.Second {
		t.Errorf("what was waited is forgotten: %s", got)
	}
}

// TestWaited: threads that want more processors than there are wait, and an idle process does not.
func TestWaited(t *testing.T) {
	if _, err := os.Stat("/proc/self/schedstat"); err != nil {
		t.Skip("the system does not tell how long threads wait")
	}
	before := waited()
	idle := time.Now()
	time.Sleep(100 * time.Millisecond)
	if got := waited() - before; got > time.Since(idle) {
		t.Errorf("a process that sleeps has waited %s", got)
	}
	// Other processes that run without end.
	var others []*exec.Cmd
	for range 2 * runtime.NumCPU() {
		c := exec.Command("sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			t.Skip(err)
		}
		others = append(others, c)
	}
	defer func() {
		for _, c := range others {
			c.Process.Kill()
			c.Wait()
		}
	}()
	s := NewStopwatch(runtime.GOMAXPROCS(0))
	until := time.Now().Add(2 * time.Second)
	var busy sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		busy.Go(func() {
			for n := 0; time.Now().Before(until); n++ {
			}
		})
	}
	busy.Wait()
	if elapsed, waited := s.Read(); waited < elapsed/4 {
		t.Errorf("with two others for each processor it has waited %s of %s", waited, elapsed)
	}
}
