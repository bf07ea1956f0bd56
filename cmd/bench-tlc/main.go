// Command bench-tlc explores the same state spaces with multigrain and with TLC, one after the
// other, and prints the ratio of their speeds. What it runs TLC on is given by the user, since
// neither TLC nor the published specifications are part of this project; without them our side is
// measured alone.
//
//	TLA2TOOLS  tla2tools.jar
//	RAFTS      RaftS.tla, the reference specification
//	MSPEC_2    MSPEC_2.tla, the published mixed specification
//
// On a machine with other work the ratio of processor time is the fairer one, in microseconds for
// each distinct state. Our side's time includes loading, starting and ending; that of TLC includes
// its garbage collection, without limits of memory.
//
// Run it in the project's folder, on an idle machine: make bench-tlc. The rows are explored one
// after the other, each by multigrain first; an argument chooses those whose name contains it.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// row is a state space.
type row struct {
	name     string
	manifest string
	vars     map[string]int
	tlc      func(dir string, r *row) (module string, err error) // writes what TLC reads into dir
}

var rows = []row{
	{"reference C", "configs/raft/reference.hcl", reference(2, 0, 0, 1), raft},
	{"reference MID", "configs/raft/reference.hcl", reference(2, 1, 1, 1), raft},
	{"reference BIG", "configs/raft/reference.hcl", reference(2, 0, 0, 2), raft},
	{"parity-mspec2", "configs/zab/parity-mspec2.hcl", map[string]int{"transactions": 5, "crashes": 1, "partitions": 1, "timeouts": 2}, mspec2},
}

func reference(requests, crashes, drops, queue int) map[string]int {
	return map[string]int{"terms": 2, "requests": requests, "crashes": crashes, "drops": drops, "queue": queue}
}

var (
	workers = flag.Int("workers", 2, "workers of either side")
	limit   = flag.Duration("limit", 2*time.Minute, "time for TLC on each state space; its speed up to then counts")
	repeat  = flag.Int("repeat", 3, "runs of our side; the fastest one counts")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench-tlc:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "bench-tlc-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	command := filepath.Join(dir, "multigrain")
	build := exec.Command("go", "build", "-o", command, "./cmd/multigrain")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	fmt.Printf("%-14s %10s %11s %8s %8s %7s %7s %11s | %10s %8s %8s %8s | %6s %6s\n",
		"", "distinct", "generated", "explore", "in all", "M/s", "CPU us", "B/st., end", "TLC dist.", "seconds", "dist./s", "CPU us", "ratio", "CPU")
	for k := range rows {
		r := &rows[k]
		if len(flag.Args()) > 0 && !strings.Contains(r.name, flag.Arg(0)) {
			continue
		}
		ours, err := r.explore(command)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		rate := float64(ours.Distinct) / ours.Seconds
		fmt.Printf("%-14s %10d %11d %7.2fs %7.2fs %7.2f %7.2f %5.1f %5.1f | ", r.name, ours.Distinct, ours.Generated, ours.Seconds, ours.all.Seconds(),
			rate/1e6, micros(ours.cpu, ours.Distinct), float64(ours.Memory)/float64(ours.Distinct), float64(ours.MemoryEnd)/float64(ours.Distinct))
		theirs, err := r.check(dir)
		switch {
		case err != nil:
			fmt.Println(err)
		case theirs.complete && theirs.distinct != ours.Distinct:
			return fmt.Errorf("%s: TLC finds %d distinct states", r.name, theirs.distinct)
		default:
			fmt.Printf("%10d %7.1fs %8.0f %8.0f | %6.0f %6.0f\n", theirs.distinct, theirs.seconds, theirs.rate(), micros(theirs.cpu, theirs.distinct),
				rate/theirs.rate(), micros(theirs.cpu, theirs.distinct)/micros(ours.cpu, ours.Distinct))
		}
	}
	return nil
}

// result is the document of multigrain check -json.
type result struct {
	Verdict             string
	Distinct, Generated int64
	Memory, MemoryEnd   int64 // bytes at the peak, and when all is explored
	Seconds             float64
	all                 time.Duration // from start to end of the process
	cpu                 time.Duration // of the process and those that it started
}

// micros returns the time for each state, in microseconds.
func micros(d time.Duration, states int64) float64 { return d.Seconds() / float64(states) * 1e6 }

// explore returns the fastest of some runs, after one that builds the program.
func (r *row) explore(command string) (best result, err error) {
	for k := range *repeat + 1 {
		args := []string{"check", r.manifest, "-json", "-quiet", "-workers", strconv.Itoa(*workers)}
		for name, value := range r.vars {
			args = append(args, "-var", fmt.Sprintf("%s=%d", name, value))
		}
		start := time.Now()
		cmd := exec.Command(command, args...)
		out, err := cmd.Output()
		got := result{all: time.Since(start)}
		if cmd.ProcessState != nil {
			got.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
		if jsonErr := json.Unmarshal(out, &got); jsonErr != nil || got.Verdict != "holds" {
			return best, fmt.Errorf("multigrain %s: %v, verdict %q", strings.Join(args, " "), err, got.Verdict)
		}
		switch {
		case k == 0: // the program may have been built
		case k == 1 || got.Seconds < best.Seconds:
			got.cpu = min(got.cpu, cmp.Or(best.cpu, got.cpu))
			best = got
		default:
			best.cpu = min(best.cpu, got.cpu)
		}
	}
	return best, nil
}
