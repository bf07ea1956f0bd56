package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker/host"
)

// trial is one disturbed run of a case.
type trial struct {
	options []string
	plan    *host.Plan // faults of files and clock
	limit   string     // of the shell's ulimit: -n 12
	signal  string     // KILL, INT or TERM
	to      string     // whom the signal ends: command or program
	after   time.Duration
	cold    bool // analyses are not in the cache
}

// fault names what disturbs a trial, for figures.
func (t *trial) fault() string {
	switch {
	case t.plan != nil:
		return t.plan.Fault
	case t.limit != "":
		return "limit " + t.limit[:2]
	}
	return t.signal + " " + t.to
}

func (t *trial) String() string {
	s := fmt.Sprintf("%v", t.options)
	switch {
	case t.plan != nil:
		s += " " + t.plan.String()
	case t.limit != "":
		s += " ulimit " + t.limit
	default:
		s += fmt.Sprintf(" %s to the %s after %v", t.signal, t.to, t.after)
	}
	if t.cold {
		s += ", cold"
	}
	return s
}

// leastFiles is the least limit of open files. With fewer, Go's runtime ends the process at its
// first wait for a file.
const leastFiles = 12

// kept is the folder of checkpoints in the folder of a case.
const kept = "kept"

// choose draws the trials of a case: up to three, which go on from each other's checkpoints.
func choose(r *rand.Rand, of *row) []*trial {
	checkpoints := r.IntN(3) > 0
	var out []*trial
	for k := range 1 + r.IntN(3) {
		t := &trial{options: chooseOptions(r)}
		if checkpoints {
			t.options = append(t.options, "-checkpoint", kept, "-checkpoint-interval", []string{"1ms", "5ms", "40ms", "1h"}[r.IntN(4)])
		}
		if checkpoints && k == 0 && r.IntN(2) == 0 { // a limit leaves a checkpoint for the next one
			t.options = append(t.options, "-max-states", fmt.Sprint(1+r.Int64N(of.want.Distinct)))
		}
		t.disturb(r, of)
		out = append(out, t)
		if !checkpoints {
			break
		}
	}
	// A checkpoint of 64 bits is not one of 96.
	bits := []string{"64", "64", "96"}[r.IntN(3)]
	for _, t := range out {
		t.options = append(t.options, "-fingerprint", bits)
	}
	return out
}

// chooseOptions draws options that change no result.
func chooseOptions(r *rand.Rand) []string {
	out := []string{"-traces", "traces", "-workers", fmt.Sprint(1 + r.IntN(4))}
	if r.IntN(4) > 0 {
		out = append(out, "-json")
	} else {
		out = append(out, "-report", "report")
	}
	if r.IntN(3) == 0 {
		out = append(out, "-mem", []string{"3M", "4M", "6M", "64M"}[r.IntN(4)])
	}
	for _, option := range [][]string{{"-report", "report"}, {"-spill", "."}, {"-sarif", "out.sarif"}, {"-junit", "out.xml"}, {"-v"}} {
		if r.IntN(4) == 0 && !slices.Contains(out, option[0]) {
			out = append(out, option...)
		}
	}
	return out
}

// disturb draws the fault of a trial: mostly one of files and clock.
func (t *trial) disturb(r *rand.Rand, of *row) {
	switch k := r.IntN(20); {
	case k < 12:
		names := slices.Sorted(maps.Keys(host.Faults))
		t.plan = &host.Plan{
			Fault: names[r.IntN(len(names))],
			Nth:   1 + r.Int64N(1<<r.IntN(9)),
			Lasts: r.IntN(2) == 0,
			Seed:  r.Uint64(),
			In:    []string{"command", "program", ""}[r.IntN(3)],
		}
		t.cold = r.IntN(25) == 0
	case k < 14:
		t.limit = []string{fmt.Sprintf("-n %d", leastFiles+r.IntN(30)), fmt.Sprintf("-f %d", r.IntN(120))}[r.IntN(2)]
	default:
		t.signal = []string{"KILL", "KILL", "INT", "TERM"}[r.IntN(4)]
		t.to = []string{"command", "program"}[r.IntN(2)]
		t.after = time.Duration(r.Int64N(int64(of.took) + int64(of.took)/10))
	}
}
