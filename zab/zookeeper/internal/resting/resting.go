// Package resting judges from outside whether processes wait: what the kernel says of their threads
// does not depend on how much time a machine under load gives them.
package resting

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// What it computes. Whether processes rest: each of their threads waits for something that only
// another process or a time-out can bring.
//
// Why it is right. A thread that could continue and gets no processor is not asleep for the kernel:
// it is runnable. So load never makes a thread seem to wait. An observation reads all threads
// twice. If none has left the processor in between, none has run, and all of them slept at one
// time. No time-out was over then either: it would have made its thread runnable. Between two
// observations only time-outs can have begun something. If the state is the same in many of them,
// over longer than any time-out of the processes, these come to nothing.
//
// What it costs. One small file for each thread, twice.
//
// Limits. A process that counts its time-outs, or has longer ones, can still continue later. A
// process that never sleeps is not judged to rest, whatever it repeats.

// Proof.
const (
	// Fewest is how many observations find the processes at rest and in one state.
	Fewest = 40
	// Longest is for how long they do so at least. ZooKeeper's servers wait 5 s for a connection
	// (zookeeper.cnxTimeout), and 0.4 s between two notifications as they are started here. Their
	// other limits are hours.
	Longest = 15 * time.Second
	// Pause is the time between two observations.
	Pause = 200 * time.Millisecond
)

// thread has what the kernel says of one.
type thread struct {
	name     string
	sleeps   bool
	switches int // how often it has left a processor
}

// Awake returns the name of a thread of the processes that does not wait; "" where all wait.
func Awake(pids []int) (name string, err error) {
	first, err := threads(pids)
	if err != nil {
		return "", err
	}
	again, err := threads(pids)
	if err != nil {
		return "", err
	}
	for id, t := range again {
		if before, some := first[id]; !t.sleeps || !some || before != t {
			return t.name, nil
		}
	}
	for id, t := range first {
		if _, some := again[id]; !some {
			return t.name, nil // it has ended
		}
	}
	return "", nil
}

// threads reads the threads of processes, by their numbers.
func threads(pids []int) (map[int]thread, error) {
	out := map[int]thread{}
	for _, pid := range pids {
		dir := filepath.Join("/proc", strconv.Itoa(pid), "task")
		all, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range all {
			text, err := os.ReadFile(filepath.Join(dir, e.Name(), "status"))
			if errors.Is(err, fs.ErrNotExist) || len(text) == 0 {
				continue // it has ended
			}
			if err != nil {
				return nil, err
			}
			id, err := strconv.Atoi(e.Name())
			if err != nil {
				return nil, err
			}
			if out[id], err = parse(text); err != nil {
				return nil, fmt.Errorf("thread %d: %w", id, err)
			}
		}
	}
	return out, nil
}

// parse reads a file status of a thread: see proc_pid_status(5).
func parse(text []byte) (t thread, err error) {
	found := 0
	for line := range bytes.Lines(text) {
		key, value, _ := bytes.Cut(bytes.TrimRight(line, "\n"), []byte(":"))
		value = bytes.TrimSpace(value)
		switch string(key) {
		case "Name":
			t.name = string(value)
		case "State":
			t.sleeps = bytes.HasPrefix(value, []byte("S"))
		case "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches":
			k, bad := strconv.Atoi(string(value))
			if bad != nil {
				return t, bad
			}
			t.switches += k
		default:
			continue
		}
		found++
	}
	if found != 4 {
		err = fmt.Errorf("%d of 4 lines are there", found)
	}
	return t, err
}

// Watch takes observations until they prove that processes rest.
type Watch struct {
	state       string
	since, last time.Time
	same        int // observations that found the processes at rest in this state
	count       int
	rests       int            // that found them at rest in any state
	awake       map[string]int // by the name of the thread that did not wait
	begun       time.Time
}

// Took takes an observation at a time: a thread that did not wait, or "" and the state of the
// processes. It reports whether all of them prove that the processes rest.
func (w *Watch) Took(awake, state string, at time.Time) bool {
	if w.count == 0 {
		w.begun, w.awake = at, map[string]int{}
	}
	w.count++
	w.last = at
	if awake != "" {
		w.awake[awake]++
		return false
	}
	w.rests++
	if w.same == 0 || w.state != state {
		w.state, w.since, w.same = state, at, 0
	}
	w.same++
	return w.same >= Fewest && at.Sub(w.since) >= Longest
}

// String says what was seen; "" without an observation.
func (w *Watch) String() string {
	if w.count == 0 {
		return ""
	}
	text := fmt.Sprintf("in %d of %d observations during %v every thread of the servers waited", w.rests, w.count, w.last.Sub(w.begun).Round(time.Second))
	if w.rests > 0 {
		text += fmt.Sprintf(", and in the last %d of these nothing had changed", w.same)
	}
	most := ""
	for name, n := range w.awake {
		if n > w.awake[most] || n == w.awake[most] && name < most {
			most = name
		}
	}
	if most != "" {
		text += fmt.Sprintf("; the thread %q ran, or waited for a processor, in %d", most, w.awake[most])
	}
	return text
}
