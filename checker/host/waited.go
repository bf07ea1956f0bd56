package host

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// What it computes. How long this process could have run and had no processor. A limit of time that
// leaves this out ends at the same work on a machine that others use as on an idle one.
//
// Why it is right. The kernel of Linux counts for each thread how long it was on a queue of
// runnable threads. As many threads of a process as it may use processors are runnable at once,
// so that the time is their part of the sum.
//
// What it costs. A small file is read for each thread.
//
// Limits. Where a system does not tell, nothing was waited. Threads that have ended do not count.
// A process that the system halts as a whole, such as a virtual machine, does not know of it.

// Stopwatch measures the time of work.
type Stopwatch struct {
	start   time.Time
	threads time.Duration               // that run at once, at most
	asked   func() (wait time.Duration) // what tests ask instead of the system

	mu     sync.Mutex
	begun  time.Duration // what threads had waited at the start
	waited time.Duration // the most that was seen
}

// NewStopwatch starts to measure. Threads are how many run at once, at most; at least 1.
func NewStopwatch(threads int) *Stopwatch { return stopwatch(threads, waited) }

func stopwatch(threads int, asked func() time.Duration) *Stopwatch {
	return &Stopwatch{start: Now(), threads: time.Duration(max(threads, 1)), asked: asked, begun: asked()}
}

// Read returns the time since the start, and that of it in which the work waited for processors.
func (s *Stopwatch) Read() (elapsed, waited time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	elapsed = Since(s.start)
	s.waited = max(s.waited, (s.asked()-s.begun)/s.threads)
	return elapsed, min(s.waited, elapsed)
}

// Before returns how long the process had waited when the stopwatch started, with one thread at
// work.
func (s *Stopwatch) Before() time.Duration { return min(s.begun, s.start.Sub(began)) }

// began is when the process began, about.
var began = Now()

// Worked returns the time since the start without that of waiting.
func (s *Stopwatch) Worked() time.Duration {
	elapsed, waited := s.Read()
	return elapsed - waited
}

// waited returns the sum of what all threads of this process have waited for a processor.
func waited() (sum time.Duration) {
	const tasks = "/proc/self/task"
	all, err := os.ReadDir(tasks)
	if err != nil {
		return 0
	}
	for _, t := range all {
		text, err := os.ReadFile(tasks + "/" + t.Name() + "/schedstat")
		if fields := strings.Fields(string(text)); err == nil && len(fields) == 3 {
			ns, _ := strconv.ParseInt(fields[1], 10, 64)
			sum += time.Duration(ns)
		}
	}
	return sum
}
