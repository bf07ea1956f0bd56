package command

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

// CheckpointFlags declares the flags about what an exploration keeps on disk.
func CheckpointFlags(fs *flag.FlagSet, k *session.Keeping) {
	fs.StringVar(&k.Checkpoint, "checkpoint", "", "keep a checkpoint in the folder `DIR`, written now and then and when a limit, Ctrl-C or SIGTERM ends the run")
	fs.Func("checkpoint-interval", "write a checkpoint each `duration`, such as 90s or 10m, which is the default", func(s string) (err error) {
		if k.Interval, err = time.ParseDuration(s); err != nil || k.Interval <= 0 {
			return errors.New("a positive duration with a unit is required, such as 90s or 10m")
		}
		return nil
	})
	fs.StringVar(&k.Resume, "resume", "", "continue from the checkpoint in the folder `DIR`, and keep the next ones there")
	fs.Func("fingerprint", "use fingerprints of `BITS`: 64, the default, or 96 for more than a billion states", func(s string) error {
		if s != "64" && s != "96" {
			return errors.New("64 and 96 are possible")
		}
		k.Fingerprint, _ = strconv.Atoi(s)
		return nil
	})
	fs.StringVar(&k.Spill, "spill", "", "keep in the folder `DIR` what -mem leaves no room for (default: the system's folder for temporary files)")
}

const AboutCheckpoints = `
A long run keeps a checkpoint with -checkpoint DIR. One that was ended, or killed, continues with -resume DIR and finds
what a run that was not interrupted finds. Sources, bounds and options must be the same. Workers and limits may differ. A
complete run removes its checkpoint. With -mem only the table of fingerprints must fit into memory. Without it a run ends
when hardly any memory of the machine is left.
`

// Bounded are the options of verbs whose runs have limits.
type Bounded struct{ session.Limits }

// Settle takes the user's settings where no flag was given.
func (b *Bounded) Settle(s shell.Settings) {
	b.Workers = cmp.Or(b.Workers, s.Workers)
	b.Memory = cmp.Or(b.Memory, s.Memory)
}

// WorkersFlag declares -workers.
func (b *Bounded) WorkersFlag(fs *flag.FlagSet, usage string) {
	fs.Func("workers", usage, func(s string) (err error) {
		b.Workers, err = words.ParseCount(s)
		return err
	})
}

// MemoryFlag declares -mem.
func (b *Bounded) MemoryFlag(fs *flag.FlagSet, usage string) {
	fs.Func("mem", usage, func(s string) (err error) {
		b.Memory, err = words.ParseSize(s)
		return err
	})
}

// TimeFlag declares -timeout, or the flag of another name that means the same.
func (b *Bounded) TimeFlag(fs *flag.FlagSet, name, usage string) {
	fs.Func(name, usage, func(s string) (err error) {
		b.Timeout, err = parseDuration(s)
		return err
	})
}

// ProcessorFlag declares -processor-time.
func (b *Bounded) ProcessorFlag(fs *flag.FlagSet, usage string) {
	fs.Func("processor-time", usage, func(s string) (err error) {
		b.Processor, err = parseDuration(s)
		return err
	})
}

// SeedFlag declares -seed.
func (b *Bounded) SeedFlag(fs *flag.FlagSet, usage string) {
	fs.Func("seed", usage, func(s string) error {
		n, err := strconv.ParseUint(s, 10, 64)
		if b.Seed = &n; err != nil {
			return errors.New("a whole number of at least 0 and at most 64 bits is required")
		}
		return nil
	})
}

// StatesFlag declares -max-states.
func (b *Bounded) StatesFlag(fs *flag.FlagSet, usage string) {
	fs.Func("max-states", usage, func(s string) error {
		n, err := strconv.ParseInt(s, 10, 64)
		if b.MaxStates = n; err != nil || n < 1 {
			return errors.New("a whole number of at least 1 is required")
		}
		return nil
	})
}

// StopFlag declares -stop: what ends, and what it does without the flag.
func (b *Bounded) StopFlag(fs *flag.FlagSet, what, otherwise string) {
	usage := "end " + what + " after the first violation, never, or after the level in which there are N of them: `first|never|N` (default: " + otherwise + ")"
	fs.Func("stop", usage, func(s string) error {
		n, err := strconv.Atoi(s)
		switch {
		case s == "first":
			n = 1
		case s == "never":
			n = 0
		case err != nil || n < 1:
			return errors.New("first, never or a whole number of at least 1 is required")
		}
		b.Stop = &n
		return nil
	})
}

func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, errors.New("a positive duration with a unit is required, such as 90s or 10m")
	}
	return d, nil
}

// Written are the options of verbs that write files in addition to their result.
type Written struct {
	Report, Traces string // folders
	sarif, Junit   string // files
}

// ReportFlag declares -report.
func (w *Written) ReportFlag(fs *flag.FlagSet) {
	fs.StringVar(&w.Report, "report", "", "write the result as a page, as text and as JSON, and the traces, into the folder `DIR`")
}

// TracesFlag declares -traces, with what happens without it.
func (w *Written) TracesFlag(fs *flag.FlagSet, otherwise string) {
	fs.StringVar(&w.Traces, "traces", "", "write counterexamples into the folder `DIR` (default: "+otherwise+")")
}

// SarifFlag declares -sarif.
func (w *Written) SarifFlag(fs *flag.FlagSet) {
	fs.StringVar(&w.sarif, "sarif", "", "write what is found as SARIF 2.1.0 to `FILE`")
}

// JunitFlag declares -junit.
func (w *Written) JunitFlag(fs *flag.FlagSet) {
	fs.StringVar(&w.Junit, "junit", "", "write the results as JUnit XML to `FILE`")
}

// Kept says where traces go: into the folder of -traces, or that of -report, or else elsewhere.
func (w *Written) Kept(otherwise session.Traces) session.Traces {
	return session.TracesIn(cmp.Or(w.Traces, w.Report), otherwise)
}

// NextToManifest says in help where traces go without a flag.
const NextToManifest = "the folder .multigrain next to the manifest"

// Places returns the files and folders that flags name.
func (w *Written) Places() []shell.Place {
	return []shell.Place{
		{Path: w.Report, Flag: "-report", Summary: "Report cannot be written", Folder: true},
		{Path: w.Traces, Flag: "-traces", Summary: "Trace cannot be written", Folder: true},
		{Path: w.sarif, Flag: "-sarif", Summary: "Results cannot be written"},
		{Path: w.Junit, Flag: "-junit", Summary: "Results cannot be written"},
	}
}

// Logs returns the files for findings and for test results that are written when the verb has
// ended.
func (w *Written) Logs() *Written { return w }

// Explored are the options of verbs that explore all states.
type Explored struct {
	Bounded
	Written
	Strict bool
}

// Declare declares the flags of the verbs that explore all states, with what becomes of traces
// without -traces.
func (x *Explored) Declare(fs *flag.FlagSet, traces string) {
	x.LimitFlags(fs)
	x.TracesFlag(fs, traces)
	x.MemoryFlag(fs, "keep at most a `size` in memory, such as 12GiB or 500M, and the rest on disk; end undecided where the fingerprints alone take more")
	x.TimeFlag(fs, "timeout", "end undecided after a `duration` of exploration, such as 90s or 10m")
	x.SeedFlag(fs, "start of the random choices, `N`; exhaustive exploration makes none")
}

// LimitFlags declares the flags that exploring and walking have in common.
func (x *Explored) LimitFlags(fs *flag.FlagSet) {
	x.WorkersFlag(fs, "explore with `N` workers; 0, the default, is one for each processor. The first violation is the same with any number, which others there are may not be")
	x.StatesFlag(fs, "end undecided after `N` distinct states")
	x.ReportFlag(fs)
	fs.BoolVar(&x.Strict, "strict", false, "treat as errors what the result says too little about: actions that are never enabled, goals that are not reached, premises that are never true")
}

// Exploring returns how compositions are explored. Traces says where counterexamples go where no
// flag names a folder.
func (x *Explored) Exploring(traces session.Traces) session.Exploring {
	return session.Exploring{Strict: x.Strict, Sample: x.Report != "", Traces: x.Kept(traces)}
}

// Comparing returns how compositions are compared. Faults says where traces of faults go where no
// flag names a folder.
func (w *Written) Comparing(b *Bounded, again bool, faults session.Traces) session.Comparing {
	return session.Comparing{Limits: b.Limits, Again: again, Traces: w.Kept(session.NoTraces), Faults: w.Kept(faults)}
}

// ExplainFlag declares -explain.
func ExplainFlag(fs *flag.FlagSet, explain *bool) {
	fs.BoolVar(explain, "explain", false, "say which condition decided that a property is violated, and for which indices; another program is built for it")
}

// AgainFlag declares -again.
func AgainFlag(fs *flag.FlagSet, again *bool) {
	fs.BoolVar(again, "again", false, "compare for levels L1 and L2, though the result of the same sources and bounds is stored")
}
