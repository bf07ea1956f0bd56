package main

import (
	"cmp"
	"errors"
	"flag"
	"strconv"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// bounded are the options of verbs whose runs have limits.
type bounded struct{ session.Limits }

// settle takes the user's settings where no flag was given.
func (b *bounded) settle(s shell.Settings) {
	b.Workers = cmp.Or(b.Workers, s.Workers)
	b.Memory = cmp.Or(b.Memory, s.Memory)
}

// workersFlag declares -workers.
func (b *bounded) workersFlag(fs *flag.FlagSet, usage string) {
	fs.Func("workers", usage, func(s string) (err error) {
		b.Workers, err = words.ParseCount(s)
		return err
	})
}

// memoryFlag declares -mem.
func (b *bounded) memoryFlag(fs *flag.FlagSet, usage string) {
	fs.Func("mem", usage, func(s string) (err error) {
		b.Memory, err = words.ParseSize(s)
		return err
	})
}

// timeFlag declares -timeout, or the flag of another name that means the same.
func (b *bounded) timeFlag(fs *flag.FlagSet, name, usage string) {
	fs.Func(name, usage, func(s string) (err error) {
		b.Timeout, err = parseDuration(s)
		return err
	})
}

// seedFlag declares -seed.
func (b *bounded) seedFlag(fs *flag.FlagSet, usage string) {
	fs.Func("seed", usage, func(s string) error {
		n, err := strconv.ParseUint(s, 10, 64)
		if b.Seed = &n; err != nil {
			return errors.New("a whole number of at least 0 and at most 64 bits is wanted")
		}
		return nil
	})
}

// statesFlag declares -max-states.
func (b *bounded) statesFlag(fs *flag.FlagSet, usage string) {
	fs.Func("max-states", usage, func(s string) error {
		n, err := strconv.ParseInt(s, 10, 64)
		if b.MaxStates = n; err != nil || n < 1 {
			return errors.New("a whole number of at least 1 is wanted")
		}
		return nil
	})
}

// stopFlag declares -stop: what ends, and what it does without the flag.
func (b *bounded) stopFlag(fs *flag.FlagSet, what, otherwise string) {
	usage := "end " + what + " after the first violation, never, or behind the depth at which there are N of them: `first|never|N` (default: " + otherwise + ")"
	fs.Func("stop", usage, func(s string) error {
		n, err := strconv.Atoi(s)
		switch {
		case s == "first":
			n = 1
		case s == "never":
			n = 0
		case err != nil || n < 1:
			return errors.New("first, never or a whole number of at least 1 is wanted")
		}
		b.Stop = &n
		return nil
	})
}

func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, errors.New("a positive duration with a unit is wanted, such as 90s or 10m")
	}
	return d, nil
}

// written are the options of verbs that write files beside their result.
type written struct {
	report, traces string // folders
	sarif, junit   string // files
}

// reportFlag declares -report.
func (w *written) reportFlag(fs *flag.FlagSet) {
	fs.StringVar(&w.report, "report", "", "write the result as text and as JSON, and the traces, into the folder `DIR`")
}

// tracesFlag declares -traces, with what happens without it.
func (w *written) tracesFlag(fs *flag.FlagSet, otherwise string) {
	fs.StringVar(&w.traces, "traces", "", "write counterexamples into the folder `DIR` (default: "+otherwise+")")
}

// sarifFlag declares -sarif.
func (w *written) sarifFlag(fs *flag.FlagSet) {
	fs.StringVar(&w.sarif, "sarif", "", "write what is found as SARIF 2.1.0 to `FILE`")
}

// junitFlag declares -junit.
func (w *written) junitFlag(fs *flag.FlagSet) {
	fs.StringVar(&w.junit, "junit", "", "write the results as JUnit XML to `FILE`")
}

// folder is the folder for traces: that of -traces, or that of -report, or else another one.
func (w *written) folder(otherwise string) string { return cmp.Or(w.traces, w.report, otherwise) }

// places are the files and folders that flags name.
func (w *written) places() []shell.Place {
	return []shell.Place{
		{Path: w.report, Flag: "-report", Summary: "Report cannot be written", Folder: true},
		{Path: w.traces, Flag: "-traces", Summary: "Trace cannot be written", Folder: true},
		{Path: w.sarif, Flag: "-sarif", Summary: "Results cannot be written"},
		{Path: w.junit, Flag: "-junit", Summary: "Results cannot be written"},
	}
}

// logs are the files for findings and for test results that are written when the verb has ended.
func (w *written) logs() *written { return w }

// explored are the options of verbs that explore all states.
type explored struct {
	bounded
	written
	strict bool
}

// declare declares the flags of the verbs that explore all states, with what becomes of traces without -traces.
func (x *explored) declare(fs *flag.FlagSet, traces string) {
	x.limitFlags(fs)
	x.tracesFlag(fs, traces)
	x.memoryFlag(fs, "keep at most a `size` in memory, such as 12GiB or 500M, and the rest on disk; end undecided where the fingerprints alone take more")
	x.timeFlag(fs, "timeout", "end undecided after a `duration` of exploration, such as 90s or 10m")
	x.seedFlag(fs, "start of the random choices, `N`; exhaustive exploration makes none")
}

// limitFlags declares the flags that exploring and walking have in common.
func (x *explored) limitFlags(fs *flag.FlagSet) {
	x.workersFlag(fs, "explore with `N` workers; 0, the default, is one for each processor. The first violation is the same with any number, which others there are may not be")
	x.statesFlag(fs, "end undecided after `N` distinct states")
	x.reportFlag(fs)
	fs.BoolVar(&x.strict, "strict", false, "treat actions that are never enabled and goals that are not reached as errors")
}

// exploring is how compositions are explored. Traces is the folder for counterexamples where no flag names one.
func (x *explored) exploring(traces string) session.Exploring {
	return session.Exploring{Strict: x.strict, Sample: x.report != "", Traces: x.folder(traces)}
}

// comparing is how compositions are compared. Faults is the folder for traces of faults where no flag names one.
func (w *written) comparing(b *bounded, again bool, faults string) session.Comparing {
	return session.Comparing{Limits: b.Limits, Again: again, Traces: w.folder(""), Faults: w.folder(faults)}
}

// explainFlag declares -explain.
func explainFlag(fs *flag.FlagSet, explain *bool) {
	fs.BoolVar(explain, "explain", false, "say which condition decided that a property is violated, and for which indices; another program is built for it")
}

// againFlag declares -again.
func againFlag(fs *flag.FlagSet, again *bool) {
	fs.BoolVar(again, "again", false, "compare for levels L1 and L2, though the result of the same sources and bounds is stored")
}
