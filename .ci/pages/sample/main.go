// Package sample samples executions of real ZooKeeper servers that are isolated for a phase, and
// judges each at its end. Package sampling describes the method.
//
//	go run ./.ci/pages sample -version 3.5.8 -harness div -faults 6 -executions 1000 -to FILE
//
// It needs a JDK and the jars of the version, see `make zookeeper-jars`. Each execution is a line
// of FILE. A command that was ended continues there with the executions that are missing.
//
//	go run ./.ci/pages sample -table FILE...
//
// prints what files have as a table.
package sample

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/multigrain/multigrain/.ci/pages/sample/sampling"
	"github.com/multigrain/multigrain/zab/zookeeper/control"
)

// head is the first line of a file: what its executions have in common. Another head is another
// experiment, and its executions belong into another file.
type head struct {
	Version   string `json:"version"`
	Harness   string `json:"harness"`
	Strategy  string `json:"strategy"` // rounds, every, loss or schedule
	Schedule  string `json:"schedule,omitempty"`
	Faults    int    `json:"faults"`
	AtMost    bool   `json:"at_most,omitempty"` // the draws have Faults faults or fewer
	Isolation string `json:"isolation"`
	Seed      uint64 `json:"seed"`
	Wait      string `json:"wait"`
}

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	return run()
}

func run() error {
	var h head
	var executions uint64
	var to, keep, jars string
	var slots int
	var wait, patience, interval, mean time.Duration
	var every, loss, table bool
	flag.StringVar(&h.Version, "version", "", "the version of ZooKeeper")
	flag.StringVar(&jars, "zookeeper", "", "the folder of a release; the default is the local Maven repository")
	flag.StringVar(&h.Harness, "harness", "div", "steps, as in 's1: k0=101; empty; s2: k0=101? k1=302', or div, sc or sc4")
	flag.IntVar(&h.Faults, "faults", 6, "how many isolations an execution has: d")
	flag.BoolVar(&h.AtMost, "at-most", false, "take executions with fewer isolations, too, as in the definition of d-bounded")
	flag.StringVar(&h.Schedule, "schedule", "", "do this schedule, as in 01-0,02,12, and draw none")
	flag.BoolVar(&every, "every", false, "do every schedule with so many faults once, in order, and draw none")
	flag.BoolVar(&loss, "loss", false, "isolate servers at random times: the baseline")
	flag.StringVar(&h.Isolation, "isolation", sampling.Stop, "how a server is isolated: stop, disconnect or late")
	flag.Uint64Var(&h.Seed, "seed", 1, "the seed of the schedules")
	flag.Uint64Var(&executions, "executions", 100, "how many executions the file has at the end")
	flag.IntVar(&slots, "slots", 4, "how many executions are made at a time")
	flag.DurationVar(&wait, "wait", 100*time.Millisecond, "how long a request waits for its answer before its phase ends")
	flag.DurationVar(&patience, "patience", 20*time.Second, "how long servers take to serve at most; twice that at the end")
	flag.DurationVar(&interval, "interval", 5*time.Second, "with -loss: the time between two steps")
	flag.DurationVar(&mean, "mean", 2*time.Second, "with -loss: the mean time between two faults")
	flag.StringVar(&to, "to", "", "the file of the executions; the default is none")
	flag.StringVar(&keep, "keep", "", "the folder for logs and files of servers after a finding; the default is none")
	flag.BoolVar(&table, "table", false, "print the files that are named as a table")
	flag.Parse()
	if table {
		return writeTable(flag.Args())
	}
	harness, err := sampling.ParseHarness(h.Harness)
	if err != nil {
		return err
	}
	if !slices.Contains([]string{sampling.Stop, sampling.Disconnect, sampling.Late}, h.Isolation) {
		return fmt.Errorf("-isolation %s: write stop, disconnect or late", h.Isolation)
	}
	if loss && h.Isolation == sampling.Late {
		return fmt.Errorf("-loss needs servers that are stopped or disconnected: leave -isolation late out")
	}
	if every && (loss || h.Schedule != "") || loss && h.Schedule != "" {
		return fmt.Errorf("-every, -loss and -schedule exclude each other: choose one")
	}
	h.Harness, h.Wait = harness.String(), wait.String()
	servers := harness.Servers()
	switch {
	case flag.NArg() > 0:
		return fmt.Errorf("%q is no flag, and only -table takes files", flag.Arg(0))
	case servers > sampling.MostServers:
		return fmt.Errorf("the harness has %d servers, and at most %d are possible", servers, sampling.MostServers)
	case h.Faults < 0:
		return fmt.Errorf("-faults %d: write 0 or more", h.Faults)
	case slots < 1:
		return fmt.Errorf("-slots %d: write 1 or more", slots)
	case wait <= 0 || patience <= 0 || interval <= 0 || mean <= 0:
		return fmt.Errorf("-wait, -patience, -interval and -mean must be longer than 0")
	}
	if h.AtMost && (loss || h.Schedule != "") {
		return fmt.Errorf("-at-most is about schedules that are drawn: leave -loss and -schedule out")
	}
	var schedule sampling.Schedule
	space := sampling.NewSpace(servers, h.Faults, h.AtMost, harness, h.Isolation)
	switch {
	case loss:
		h.Strategy, h.Faults, h.Schedule = "loss", 0, fmt.Sprintf("interval %v, mean %v", interval, mean)
	case h.Schedule != "":
		h.Strategy, h.Faults = "schedule", 0
		if schedule, err = sampling.ParseSchedule(h.Schedule, servers, harness); err != nil {
			return err
		}
		for _, p := range schedule {
			if p.After != 0 && h.Isolation != sampling.Late {
				return fmt.Errorf("the schedule %s isolates servers after a request: that needs -isolation late", h.Schedule)
			}
		}
	default:
		h.Strategy = "rounds"
		if every {
			h.Strategy = "every"
		}
		if space.Size().Sign() == 0 {
			return fmt.Errorf("%d servers and this harness have no schedule with %d faults: choose fewer", servers, h.Faults)
		}
		r, k := harness.Phases(h.Isolation)
		bound := new(big.Int).Exp(big.NewInt(int64(servers*r)), big.NewInt(int64(h.Faults)), nil)
		d := fmt.Sprint("d = ", h.Faults, " faults")
		if h.AtMost {
			d += " at most"
		}
		fmt.Printf("n = %d servers, r = %d phases, k = %d phases of a step at most, %s: %s schedules, each with probability 1/%[5]s; the paper's bound 1/(nr)^d is 1/%s\n",
			servers, r, k, d, space.Size(), bound)
		if size := space.Size(); every && size.IsUint64() {
			executions = size.Uint64()
		}
	}
	found, err := control.Find(control.Places{Dir: jars}, h.Version)
	if err != nil {
		return err
	}
	h.Version = found.Version.String()
	done, out, err := open(to, h)
	if err != nil {
		return err
	}
	defer out.Close()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	dir, err := os.MkdirTemp("", "multigrain-sampling-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	classes := filepath.Join(dir, "classes")
	if err := os.Mkdir(classes, 0o755); err != nil {
		return err
	}
	if err := sampling.BuildHost(ctx, found, classes); err != nil {
		return err
	}
	opt := &sampling.Options{Jars: found, Servers: servers, Harness: harness, Isolation: h.Isolation, Wait: wait, Patience: patience,
		Interval: interval, Mean: mean}
	var all sync.WaitGroup
	var mu sync.Mutex
	var used time.Duration
	var failed error
	count := map[string]int{}
	next := uint64(0)
	take := func() (n uint64, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		for done[next] {
			next++
		}
		next++
		return next - 1, next <= executions && ctx.Err() == nil
	}
	begun := time.Now()
	for k := range slots {
		slot, err := sampling.NewSlot(opt, filepath.Join(dir, fmt.Sprint("slot", k)), classes)
		if err != nil {
			return err
		}
		all.Go(func() {
			for n, ok := take(); ok; n, ok = take() {
				var x sampling.Execution
				switch h.Strategy {
				case "loss":
					x = slot.RunLoss(ctx, h.Seed, n, keep)
				case "every":
					x = slot.Run(ctx, n, space.Schedule(new(big.Int).SetUint64(n)), keep)
				case "schedule":
					x = slot.Run(ctx, n, schedule, keep)
				default:
					x = slot.Run(ctx, n, space.Draw(h.Seed, n), keep)
				}
				if ctx.Err() != nil {
					break // an interrupted execution is no result
				}
				mu.Lock()
				count[x.Result]++
				failed = cmp.Or(failed, json.NewEncoder(out).Encode(x))
				if x.Result != sampling.Converged {
					line, _ := json.Marshal(x)
					fmt.Printf("%s\n", line)
				}
				mu.Unlock()
			}
			mu.Lock()
			defer mu.Unlock()
			used += slot.Close()
		})
	}
	all.Wait()
	n := 0
	for _, c := range count {
		n += c
	}
	fmt.Printf("%d executions in %v, %v of processor time in the JVMs: %v\n", n, time.Since(begun).Round(time.Second), used.Round(time.Second), count)
	return failed
}

// open returns the numbers of the executions that a file has, and opens it for more. A new file
// begins with the head. The name "" stands for no file. It fails if the file has another head.
func open(name string, h head) (done map[uint64]bool, out *os.File, err error) {
	done = map[uint64]bool{}
	if name == "" {
		out, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		return done, out, err
	}
	old, all, err := read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	known := err == nil
	if known && old != h {
		return nil, nil, fmt.Errorf("%s has executions of another experiment, %+v: choose another file", name, old)
	}
	for _, x := range all {
		done[x.Number] = true
	}
	if out, err = os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
		return nil, nil, err
	}
	if !known {
		err = json.NewEncoder(out).Encode(h)
	}
	return done, out, err
}

// read reads a file of executions. A last line that is not whole does not count, and is removed.
// The error names the line that cannot be read.
func read(name string) (h head, all []sampling.Execution, err error) {
	f, err := os.Open(name)
	if err != nil {
		return h, nil, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for size, line := int64(0), 0; ; line++ {
		text, err := in.ReadBytes('\n')
		if err != nil { // the end
			if len(text) > 0 {
				return h, all, os.Truncate(name, size)
			}
			return h, all, nil
		}
		size += int64(len(text))
		if line == 0 {
			if err := json.Unmarshal(text, &h); err != nil {
				return h, nil, fmt.Errorf("%s line 1: %w", name, err)
			}
			continue
		}
		var x sampling.Execution
		if err := json.Unmarshal(text, &x); err != nil {
			return h, nil, fmt.Errorf("%s line %d: %w", name, line+1, err)
		}
		all = append(all, x)
	}
}

// wilson returns the interval at 95 % of the proportion, 0 to 1, that found among n suggests.
func wilson(found, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.96
	p, m := float64(found)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, middle-half), min(1, middle+half)
}

// writeTable prints a table on the standard output: a row for each file of executions, in the order
// of the names. The error is that of the first file that cannot be read.
func writeTable(names []string) error {
	results := []string{sampling.Divergence, sampling.Inconsistent, sampling.NotLive, sampling.Exited, sampling.Unsuccessful}
	fmt.Printf("| version | harness | strategy | isolation | d | executions | %s | findings in 1,000 judged, at 95 %% |\n", strings.Join(results, " | "))
	fmt.Println("|---|---|---|---|---|---|" + strings.Repeat("---|", len(results)+1))
	slices.Sort(names)
	for _, name := range names {
		h, all, err := read(name)
		if err != nil {
			return err
		}
		count := map[string]int{}
		for _, x := range all {
			count[x.Result]++
		}
		strategy, d := h.Strategy, fmt.Sprint(h.Faults)
		if h.AtMost {
			d = "at most " + d
		}
		if h.Strategy == "loss" || h.Strategy == "schedule" {
			strategy, d = strategy+" "+h.Schedule, "-"
		}
		fmt.Printf("| %s | `%s` | %s | %s | %s | %d |", h.Version, h.Harness, strategy, h.Isolation, d, len(all))
		for _, r := range results {
			fmt.Printf(" %d |", count[r])
		}
		low, high := wilson(count[sampling.Divergence]+count[sampling.Inconsistent], len(all)-count[sampling.Unsuccessful])
		fmt.Printf(" %.1f to %.1f |\n", 1000*low, 1000*high)
	}
	return nil
}
