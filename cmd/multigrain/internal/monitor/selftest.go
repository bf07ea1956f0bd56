package monitor

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// stepsOf is the length of a behaviour where none is given, by system: that of Ellsberg, section 4.
var stepsOf = map[string]int{"raft": 15}

// defaultSteps is the length for other systems: that of Ellsberg for ZooKeeper.
const defaultSteps = 20

// Selftest assembles the program and tries it on random behaviours, in several processes: the
// checkers of one process take turns.
func Selftest(o *session.Run, opt *Options, to io.Writer, quiet bool) *result.Selftest {
	built, diags := o.Composition.AssembleMonitor(o.Env.Soft)
	if o.Env.Soft.Err() != nil {
		return &result.Selftest{Verdict: verdicts.Undecided, Reason: session.InterruptedBuild}
	}
	if o.Add(diags...); diags.HasErrors() {
		return nil
	}
	opt.Footprints = built.Footprints
	x := opt.Selftest
	x.Steps = cmp.Or(x.Steps, stepsOf[o.Composition.Catalog.System], defaultSteps)
	doc := &result.Selftest{Seed: opt.Seed, Asked: x.Number, Length: x.Steps, Orders: x.Orders, Substitutions: substituted(built, nil)}
	start := host.Now()
	n := min(cmp.Or(opt.Workers, runtime.GOMAXPROCS(0)), int(x.Number))
	shown := &shown{to: to, quiet: quiet, asked: x.Number, next: start.Add(progressEvery), tried: make([]int64, n)}
	parts, errs := make([]*result.Tried, n), make([]error, n)
	var all sync.WaitGroup
	for w := range n {
		all.Go(func() {
			part := *opt.Selftest
			part.First, part.Stride = int64(w), int64(n)
			m := opt.Monitor
			m.Selftest = &part
			p := wire.Program{Path: built.Path, Stop: o.Env.Soft.Done(), Refinement: func(r wire.Refinement) { shown.show(w, r) }}
			report, err := p.Run(o.Env.Hard, wire.Request{Verb: "monitor", Choice: built.Choice, Options: wire.Options{Monitor: &m, Seed: opt.Seed}})
			if errs[w] = err; err == nil {
				parts[w] = new(result.Tried)
				remarshal(report.Refinement.Selftest, parts[w])
			}
		})
	}
	all.Wait()
	for w := range n {
		if errs[w] != nil {
			if failed(o, errs[w]); o.Stopped != "" {
				doc.Verdict, doc.Reason = verdicts.Undecided, o.Stopped
				return doc
			}
			return nil
		}
		doc.Tried.Add(parts[w])
	}
	doc.Seconds = host.Since(start).Seconds()
	judge(o, doc)
	return doc
}

// judge sets the verdict of a self-test, and reports each law that does not hold.
func judge(o *session.Run, doc *result.Selftest) {
	t := &doc.Tried
	slices.SortFunc(t.Failures, func(a, b result.SelftestFailure) int { return cmp.Compare(a.Seed, b.Seed) })
	met := map[string]bool{}
	for k := range t.Failures {
		f := &t.Failures[k]
		key := f.Declared + " " + f.Action
		if f.Kind != "law" || met[key] {
			continue
		}
		met[key] = true
		o.Add(configs.Errorf(codes.MonitorLaw, "Law does not hold", o.Composition.DeclaredAt(f.Declared, f.Action), "%s Repeat it with -selftest 1 -seed %d -laws 1.",
			words.Sentence(f.Detail), f.Seed))
	}
	switch {
	case t.Failed > 0:
		doc.Verdict = verdicts.Violated
	case t.Behaviours < doc.Asked:
		doc.Verdict, doc.Reason = verdicts.Undecided, fmt.Sprintf("an interrupt came after %d of %d behaviours", t.Behaviours, doc.Asked)
	case t.Decided == 0:
		doc.Verdict, doc.Reason = verdicts.Undecided, "no behaviour sends a message, so nothing was judged"
	default:
		doc.Verdict = verdicts.NothingFound
	}
}

// shown shows how far the processes are.
type shown struct {
	mu    sync.Mutex
	to    io.Writer
	quiet bool
	asked int64
	next  time.Time
	tried []int64
}

// progressEvery is the time between two lines of progress.
const progressEvery = 5 * time.Second

func (s *shown) show(worker int, r wire.Refinement) {
	var at result.Tried
	remarshal(r.Selftest, &at)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tried[worker] = at.Behaviours
	if now := host.Now(); !s.quiet && now.After(s.next) {
		s.next = now.Add(progressEvery)
		total := int64(0)
		for _, n := range s.tried {
			total += n
		}
		fmt.Fprintf(s.to, "%s of %s behaviours\n", words.Count(total), words.Count(s.asked))
	}
}
