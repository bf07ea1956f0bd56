// Package bench explores the same state spaces with multigrain and with other model checkers, one
// after the other, and prints a Markdown table of times, memory and ratios. Counts that differ are
// an error.
//
//	two-phase 9  SPIN by depth and by parallel breadth, stateright, TLC
//	paxos        the example paxos of stateright with three clients
//	the others   TLC, on published specifications
//
// A tool that is not there is left out, with the reason. SPIN needs spin and a C compiler. For
// stateright, cargo gets the crate. Models of two-phase commit for all tools are in the folder
// models. What is not part of this project is given by the user:
//
//	TLA2TOOLS  tla2tools.jar
//	RAFTS      RaftS.tla, the reference specification
//	MSPEC_2    MSPEC_2.tla, the published mixed specification
//
// Seconds are those of exploring, as each tool measures them: without loading and, for TLC, without
// the start of the Java machine. Processor time and memory are those of the whole process. Builds
// are not measured. On a machine with other work the ratio of processor time is the fairer one.
//
// Run it in the project's folder, on an idle machine: make bench. The state spaces are explored one
// after the other, each by multigrain first; an argument chooses those whose name contains it.
package bench

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/multigrain/multigrain/.ci/pages/kept"
)

// row is a state space.
type row struct {
	name     string
	manifest string
	vars     map[string]int
	others   []tool
}

// tool is another model checker.
type tool struct {
	name string
	run  func(dir string, r *row) (measured, error) // dir is a folder for the files of this run
}

// measured is a run of a tool.
type measured struct {
	distinct int64
	complete bool          // all states were explored
	seconds  float64       // of exploring
	cpu      time.Duration // of the process and those that it started
	memory   int64         // bytes: the largest resident set of one of them; 0 is not known
}

// rate returns distinct states a second.
func (m measured) rate() float64 { return float64(m.distinct) / m.seconds }

// micros returns the processor time for each state, in microseconds.
func (m measured) micros() float64 { return m.cpu.Seconds() / float64(m.distinct) * 1e6 }

var rows = []row{
	{"two-phase 9", "configs/examples/twophase.hcl", map[string]int{"managers": 9}, twoPhase},
	{"paxos", "configs/examples/paxos.hcl", map[string]int{"clients": 3}, []tool{{"stateright", staterightPaxos}}},
	{"reference C", "configs/raft/reference.hcl", reference(2, 0, 0, 1), []tool{tlc(raft)}},
	{"reference MID", "configs/raft/reference.hcl", reference(2, 1, 1, 1), []tool{tlc(raft)}},
	{"reference BIG", "configs/raft/reference.hcl", reference(2, 0, 0, 2), []tool{tlc(raft)}},
	{"parity-mspec2", "configs/zab/parity-mspec2.hcl", map[string]int{"transactions": 5, "crashes": 1, "partitions": 1, "timeouts": 2}, []tool{tlc(mspec2)}},
}

// twoPhase are the other tools for two-phase commit.
var twoPhase = []tool{
	{"SPIN, depth", spinDepth},
	{"SPIN, breadth", spinBreadth},
	{"stateright", staterightTwoPhase},
	tlc(twoPhaseTLA),
}

func reference(requests, crashes, drops, queue int) map[string]int {
	return map[string]int{"terms": 2, "requests": requests, "crashes": crashes, "drops": drops, "queue": queue}
}

var (
	workers = 2
	limit   = 2 * time.Minute
	repeat  = 3
)

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	flag.IntVar(&workers, "workers", workers, "workers of each tool")
	flag.DurationVar(&limit, "limit", limit, "time for TLC on each state space; its speed up to then counts")
	flag.IntVar(&repeat, "repeat", repeat, "runs of each tool except TLC; the fastest one counts")
	flag.Parse()
	return run()
}

func run() error {
	dir, err := os.MkdirTemp("", "multigrain-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	command := filepath.Join(dir, "multigrain")
	if err := kept.Command(command); err != nil {
		return err
	}
	fmt.Printf("%s, %d processors, %d workers, load %s\n\n", time.Now().Format("2006-01-02 15:04"), runtime.NumCPU(), workers, load())
	fmt.Println("| state space | tool | distinct states | seconds | states/s | µs of processor time a state | memory, MB | multigrain is faster | less processor time | less memory |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for k := range rows {
		r := &rows[k]
		if len(flag.Args()) > 0 && !strings.Contains(r.name, flag.Arg(0)) {
			continue
		}
		if err := r.measure(dir, command); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	fmt.Printf("\nload %s at the end\n", load())
	return nil
}

// measure explores a state space with each tool and prints a line for each.
func (r *row) measure(dir, command string) error {
	ours, err := r.explore(command)
	if err != nil {
		return err
	}
	r.print("multigrain", ours, "| | |")
	for k, t := range r.others {
		here := filepath.Join(dir, fmt.Sprintf("%s-%d", strings.ReplaceAll(r.name, " ", "-"), k))
		if err := os.Mkdir(here, 0o755); err != nil {
			return err
		}
		theirs, err := t.run(here, r)
		switch {
		case err != nil:
			fmt.Printf("| %s | %s: %s | | | | | | | | |\n", r.name, t.name, err)
		case theirs.complete && theirs.distinct != ours.distinct:
			return fmt.Errorf("%s finds %d distinct states, multigrain %d", t.name, theirs.distinct, ours.distinct)
		default:
			r.print(t.name, theirs, fmt.Sprintf("%s | %s | %s |", times(ours.rate(), theirs.rate()),
				times(theirs.micros(), ours.micros()), times(float64(theirs.memory), float64(ours.memory))))
		}
	}
	return nil
}

// print prints a line of the table.
func (r *row) print(name string, m measured, ratios string) {
	first := ""
	if !m.complete {
		first = "the first "
	}
	fmt.Printf("| %s | %s | %s%d | %.2f | %.0f | %.2f | %d | %s\n", r.name, name, first, m.distinct, m.seconds, m.rate(), m.micros(), m.memory/1e6, ratios)
}

// times returns a ratio with two digits.
func times(a, b float64) string {
	switch {
	case a == 0 || b == 0:
		return "not known"
	case a/b < 10:
		return fmt.Sprintf("%.1f times", a/b)
	}
	return fmt.Sprintf("%.0f times", a/b)
}

// build runs a command that builds something in dir. Its output is shown where it fails.
func build(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, bytes.TrimSpace(out))
	}
	return nil
}

// fastest returns the fastest of some runs, with the least processor time.
func fastest(run func() (measured, error)) (best measured, err error) {
	for k := range max(repeat, 1) {
		m, err := run()
		if err != nil {
			return m, err
		}
		if k == 0 {
			best = m
			continue
		}
		cpu, memory := min(best.cpu, m.cpu), min(best.memory, m.memory)
		if m.seconds < best.seconds {
			best = m
		}
		best.cpu, best.memory = cpu, memory
	}
	return best, nil
}

// load returns the load of the machine in the last minute, or that it is not known.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil || len(strings.Fields(string(text))) == 0 {
		return "not known"
	}
	return strings.Fields(string(text))[0]
}
